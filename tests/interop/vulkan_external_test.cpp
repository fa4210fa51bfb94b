#include "interop/vulkan_external.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "counting_allocator.h"
#include "external_host.h"
#include "interop/exportable_buffer.h"
#include "interop/external_semaphore.h"
#include "open_handles.h"
#include "sentence.h"

namespace slu::test {
namespace {

constexpr auto kOpaqueFd = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

class VulkanExternalTest : public ExternalTest {
 protected:
  void SetUp() override {
    ExternalTest::SetUp();
    if (host != nullptr && !host->external.bufferSupport(kTestUsage, kOpaqueFd).isExportable) {
      GTEST_SKIP() << "the device exports no buffers";
    }
  }
};

// Another buffer of the device, in the memory behind fd, which the driver takes.
struct Reimported {
  Reimported(const ExternalHost& host, const ExportableBuffer& exported, UniqueHandle fd)
      : memory(host.device), buffer(host.device) {
    const Device& device = host.device;
    VkExternalMemoryBufferCreateInfo external{};
    external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
    external.handleTypes = kOpaqueFd;
    VkBufferCreateInfo bufferInfo{};
    bufferInfo.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    bufferInfo.pNext = &external;
    bufferInfo.size = exported.size;
    bufferInfo.usage = kTestUsage;
    buffer.create(device.functions.vkCreateBuffer, bufferInfo, "vkCreateBuffer");

    VkMemoryRequirements needs{};
    device.functions.vkGetBufferMemoryRequirements(device.handle, buffer.get(), &needs);
    VkMemoryDedicatedAllocateInfo dedicated{};
    dedicated.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO;
    dedicated.buffer = buffer.get();
    VkImportMemoryFdInfoKHR imported{};
    imported.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR;
    imported.pNext = &dedicated;
    imported.handleType = kOpaqueFd;
    imported.fd = fd.get();
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.pNext = &imported;
    info.allocationSize = exported.allocation.bytes;
    while ((needs.memoryTypeBits >> info.memoryTypeIndex & 1u) == 0 ||
           (device.memory.memoryTypes[info.memoryTypeIndex].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) == 0) {
      ++info.memoryTypeIndex;
    }
    memory.create(device.functions.vkAllocateMemory, info, "vkAllocateMemory");
    fd.release();
    check(device.functions.vkBindBufferMemory(device.handle, buffer.get(), memory.get(), 0), "vkBindBufferMemory");
  }

  OwnedMemory memory;
  OwnedBuffer buffer;
};

TEST_F(VulkanExternalTest, TellsWhatCanBeExported) {
  const ExternalBufferSupport support = host->external.bufferSupport(kTestUsage, kOpaqueFd);
  EXPECT_TRUE(support.isExportable);
  host->external.requireExportable(kTestUsage, kOpaqueFd);
  EXPECT_SENTENCE(
      sentenceOf(
          SLU_ERROR_MISSING_FEATURE,
          [&] { host->external.requireExportable(kTestUsage, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT); }),
      "cannot export buffers of usage 0x23 as external memory of type 0x2");
}

// A driver that needs more than the buffer's size, as most but lavapipe do.
constexpr std::uint64_t kExtra = 4096;
std::optional<DeviceFunctions> drivers;  // the real ones
std::uint64_t needed = 0, allocated = 0;

VKAPI_ATTR void VKAPI_CALL needMore(VkDevice device, VkBuffer buffer, VkMemoryRequirements* requirements) {
  drivers->vkGetBufferMemoryRequirements(device, buffer, requirements);
  needed = requirements->size;
  requirements->size += kExtra;
}

VKAPI_ATTR VkResult VKAPI_CALL allocateMore(VkDevice device, const VkMemoryAllocateInfo* info,
                                            const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
  allocated = info->allocationSize;
  VkMemoryAllocateInfo real = *info;
  real.allocationSize = needed;
  return drivers->vkAllocateMemory(device, &real, callbacks, memory);
}

TEST_F(VulkanExternalTest, ABufferStatesItsAllocationsSizeNotItsOwn) {
  drivers = host->device.functions;
  host->device.functions.vkGetBufferMemoryRequirements = needMore;
  host->device.functions.vkAllocateMemory = allocateMore;
  const ExportableBuffer buffer(host->external, 4096, kTestUsage, "test");
  EXPECT_EQ(buffer.size, 4096u);
  EXPECT_GE(buffer.allocation.bytes, buffer.size + kExtra);
  EXPECT_EQ(buffer.allocation.bytes, allocated);
  EXPECT_EQ(host->external.bufferRequirements(buffer.buffer.get()).bytes, needed);
}

// A driver that exports timelines, as lavapipe does not, and tells which allocation callbacks it gets.
struct TimelineDriver {
  PFN_vkGetDeviceProcAddr getDeviceProcAddr;
  PFN_vkCreateSemaphore create;
  PFN_vkDestroySemaphore destroy;
  std::vector<const void*> userData;
} timelineDriver;

VKAPI_ATTR void VKAPI_CALL sayExportable(VkPhysicalDevice, const VkPhysicalDeviceExternalSemaphoreInfo*,
                                         VkExternalSemaphoreProperties* properties) {
  properties->externalSemaphoreFeatures = VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT;
}

VKAPI_ATTR VkResult VKAPI_CALL createSemaphore(VkDevice device, const VkSemaphoreCreateInfo* info,
                                               const VkAllocationCallbacks* callbacks, VkSemaphore* semaphore) {
  timelineDriver.userData.push_back(callbacks == nullptr ? nullptr : callbacks->pUserData);
  VkSemaphoreCreateInfo plain = *info;
  plain.pNext = nullptr;
  return timelineDriver.create(device, &plain, callbacks, semaphore);
}

VKAPI_ATTR void VKAPI_CALL destroySemaphore(VkDevice device, VkSemaphore semaphore,
                                            const VkAllocationCallbacks* callbacks) {
  timelineDriver.userData.push_back(callbacks == nullptr ? nullptr : callbacks->pUserData);
  timelineDriver.destroy(device, semaphore, callbacks);
}

VKAPI_ATTR VkResult VKAPI_CALL exportNothing(VkDevice, const VkSemaphoreGetFdInfoKHR*, int*) {
  return VK_ERROR_TOO_MANY_OBJECTS;
}

template <typename Function>
PFN_vkVoidFunction asAny(Function function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL timelineDeviceFunction(VkDevice device, const char* name) {
  const PFN_vkVoidFunction real = timelineDriver.getDeviceProcAddr(device, name);
  if (std::strcmp(name, "vkGetSemaphoreFdKHR") == 0) return asAny(exportNothing);
  if (std::strcmp(name, "vkCreateSemaphore") == 0) {
    timelineDriver.create = reinterpret_cast<PFN_vkCreateSemaphore>(real);
    return asAny(createSemaphore);
  }
  if (std::strcmp(name, "vkDestroySemaphore") == 0) {
    timelineDriver.destroy = reinterpret_cast<PFN_vkDestroySemaphore>(real);
    return asAny(destroySemaphore);
  }
  return real;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL timelineInstanceFunction(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = loadVulkan()(instance, name);
  if (std::strcmp(name, "vkGetPhysicalDeviceExternalSemaphoreProperties") == 0) return asAny(sayExportable);
  if (std::strcmp(name, "vkGetDeviceProcAddr") != 0) return real;
  timelineDriver.getDeviceProcAddr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
  return asAny(timelineDeviceFunction);
}

TEST_F(VulkanExternalTest, TakesTheHostsAllocationCallbacks) {
  timelineDriver = {};
  CountingAllocator allocator;
  SluVulkanDeviceInfo info = host->info;
  info.getInstanceProcAddr = timelineInstanceFunction;
  info.allocationCallbacks = &allocator.callbacks();
  {
    const Device device(info);
    const VulkanExternal external(info, device);
    const ExportableBuffer buffer(external, 4096, kTestUsage, "test");
    EXPECT_GE(allocator.allocationCount(), 2u) << "the buffer's, and its memory's";
    const ExportableTimeline timeline(external, "test");
  }
  EXPECT_EQ(timelineDriver.userData, std::vector<const void*>(2, &allocator)) << "created and destroyed";
  EXPECT_EQ(allocator.aliveCount(), 0u);
  EXPECT_EQ(allocator.complaints(), std::vector<std::string>());
}

TEST_F(VulkanExternalTest, AnAllocationIsDedicated) {
  const ExportableBuffer buffer(host->external, 4096, kTestUsage, "test");
  EXPECT_TRUE(buffer.allocation.isDedicated);
  const bool isDedicatedOnly = host->external.bufferSupport(kTestUsage, kOpaqueFd).isDedicatedOnly;
  EXPECT_TRUE(host->external.bufferRequirements(buffer.buffer.get()).isDedicatedOnly || !isDedicatedOnly);
}

TEST_F(VulkanExternalTest, ABufferHasAnAddressWhenAsked) {
  const ExportableBuffer buffer(host->external, 4096, kTestUsage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, "test");
  VkBufferDeviceAddressInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  info.buffer = buffer.buffer.get();
  EXPECT_NE(host->device.functions.vkGetBufferDeviceAddress(host->device.handle, &info), 0u);
}

TEST_F(VulkanExternalTest, WhatIsExportedIsTheSameMemory) {
  constexpr std::uint64_t kBytes = 4 * 1000;
  const ExportableBuffer exported(host->external, kBytes, kTestUsage, "exported");
  UniqueHandle fd = host->external.exportMemory(exported.memory.get());
  EXPECT_FALSE(isInherited(fd.get()));
  const Reimported imported(*host, exported, std::move(fd));
  std::vector<std::uint32_t> words(1000);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(i * 2654435761u);
  host->vulkan.runOnce([&](VkCommandBuffer commands) {
    host->vulkan.functions.vkCmdUpdateBuffer(commands, exported.buffer.get(), 0, kBytes, words.data());
  });
  EXPECT_EQ(host->read(imported.buffer.get(), kBytes), words);
}

TEST_F(VulkanExternalTest, NoFdStaysBehind) {
  const auto cycle = [&] {
    const ExportableBuffer exported(host->external, 4096, kTestUsage, "exported");
    const UniqueHandle unused = host->external.exportMemory(exported.memory.get());
    const Reimported imported(*host, exported, host->external.exportMemory(exported.memory.get()));
  };
  cycle();
  HandleChurn churn;
  const std::size_t before = openHandleCount();
  for (int i = 0; i < 1000; ++i) {
    churn.step();
    cycle();
    ASSERT_EQ(openHandleCount(), before + churn.count()) << "cycle " << i;
    ASSERT_TRUE(churn.areAllOurs()) << "cycle " << i;
  }
}

TEST_F(VulkanExternalTest, ADeviceWithoutTheExtensionsGetsASentence) {
  host.reset();
  host = std::make_unique<ExternalHost>(ExternalHost::Extensions::none);
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_MISSING_FEATURE, [&] { host->external.exportMemory(VK_NULL_HANDLE); }),
                  "VK_KHR_external_memory_fd");
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_MISSING_FEATURE, [&] { host->external.exportSemaphore(VK_NULL_HANDLE); }),
                  "VK_KHR_external_semaphore_fd");
  EXPECT_NE(sentenceOf(SLU_ERROR_MISSING_FEATURE, [&] { const ExportableTimeline timeline(host->external, "test"); }),
            "");
}

// lavapipe, and whatever else exports memory alone.
TEST_F(VulkanExternalTest, ADeviceThatExportsNoTimelinesGetsASentence) {
  const std::string sentence = sentenceOf(SLU_ERROR_MISSING_FEATURE, [&] { host->external.requireTimelineExport(); });
  if (sentence.empty()) GTEST_SKIP() << "the device exports timeline semaphores";
  EXPECT_SENTENCE(sentence, "cannot export timeline semaphores");
  EXPECT_EQ(sentence,
            sentenceOf(SLU_ERROR_MISSING_FEATURE, [&] { const ExportableTimeline timeline(host->external, "test"); }));
}

}  // namespace
}  // namespace slu::test
