#include "external_host.h"

#include <algorithm>
#include <cstring>

#include "machine.h"

// The validation layer of Debian 12 (1.3.239) never frees what it keeps about a command buffer that was submitted.
extern "C" [[gnu::weak]] const char* __lsan_default_suppressions() { return "leak:libVkLayer_khronos_validation"; }

namespace slu::test {

// Never destroyed: a leak checker takes what an unloaded driver kept for the process for leaked.
VulkanInstance* keepsDriverLoaded = nullptr;

namespace {

bool hasExtension(const VulkanInstance& instance, const char* name) {
  const auto enumerate = reinterpret_cast<PFN_vkEnumerateDeviceExtensionProperties>(
      loadVulkan()(instance.handle, "vkEnumerateDeviceExtensionProperties"));
  std::uint32_t count = 0;
  check(enumerate(instance.physicalDevice, nullptr, &count, nullptr), "vkEnumerateDeviceExtensionProperties");
  std::vector<VkExtensionProperties> all(count);
  check(enumerate(instance.physicalDevice, nullptr, &count, all.data()), "vkEnumerateDeviceExtensionProperties");
  return std::any_of(all.begin(), all.end(),
                     [&](const auto& extension) { return std::strcmp(extension.extensionName, name) == 0; });
}

DeviceFeatures featuresOf(const VulkanInstance& instance, ExternalHost::Extensions extensions) {
  DeviceFeatures features(requirementsOf(instance));
  features.vulkan12.timelineSemaphore = VK_TRUE;
  if (extensions == ExternalHost::Extensions::none) return features;
  for (const char* extension : kExternalExtensions) {
    if (hasExtension(instance, extension)) features.extensions.push_back(extension);
  }
  return features;
}

}  // namespace

ExternalHost::ExternalHost(Extensions extensions)
    : vulkan(instance, featuresOf(instance, extensions)), info(vulkan.info()), device(info), external(info, device) {
#define SLU_TEST_LOOK_UP(name) \
  name = reinterpret_cast<PFN_##name>(instance.functions.vkGetDeviceProcAddr(vulkan.handle, #name));
  SLU_TEST_EXTERNAL_FUNCTIONS(SLU_TEST_LOOK_UP)
#undef SLU_TEST_LOOK_UP
}

std::vector<std::uint32_t> ExternalHost::read(VkBuffer buffer, std::uint64_t size) const {
  const VulkanBuffer copy(vulkan, size, kTestUsage, VulkanBuffer::Kind::mapped);
  vulkan.runOnce([&](VkCommandBuffer commands) {
    vulkan.barrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                   VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    const VkBufferCopy all{0, 0, size};
    vulkan.functions.vkCmdCopyBuffer(commands, buffer, copy.handle, 1, &all);
    vulkan.barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                   VK_ACCESS_HOST_READ_BIT);
  });
  std::vector<std::uint32_t> words(size / 4);
  std::memcpy(words.data(), copy.mapped, size);
  return words;
}

Pool::Pool(const ExternalHost& host, std::size_t count, std::uint64_t bufferBytes) : memory(host.device) {
  VkExternalMemoryBufferCreateInfo external{};
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
  external.handleTypes = allocation.handleType;
  VkBufferCreateInfo bufferInfo{};
  bufferInfo.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  bufferInfo.pNext = &external;
  bufferInfo.size = bufferBytes;
  bufferInfo.usage = kTestUsage;
  VkMemoryRequirements needs{};
  for (std::size_t i = 0; i < count; ++i) {
    OwnedBuffer& buffer = buffers.emplace_back(host.device);
    buffer.create(host.device.functions.vkCreateBuffer, bufferInfo, "vkCreateBuffer");
    host.device.functions.vkGetBufferMemoryRequirements(host.device.handle, buffer.get(), &needs);
    offsets.push_back((allocation.bytes + needs.alignment - 1) / needs.alignment * needs.alignment);
    allocation.bytes = offsets.back() + needs.size;
  }
  VkExportMemoryAllocateInfo exported{};
  exported.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO;
  exported.handleTypes = allocation.handleType;
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.pNext = &exported;
  info.allocationSize = allocation.bytes;
  while ((needs.memoryTypeBits >> info.memoryTypeIndex & 1u) == 0 ||
         (host.device.memory.memoryTypes[info.memoryTypeIndex].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) ==
             0) {
    ++info.memoryTypeIndex;
  }
  memory.create(host.device.functions.vkAllocateMemory, info, "vkAllocateMemory");
  for (std::size_t i = 0; i < count; ++i) {
    check(host.device.functions.vkBindBufferMemory(host.device.handle, buffers[i].get(), memory.get(), offsets[i]),
          "vkBindBufferMemory");
  }
}

void ExternalTest::SetUp() {
  takeValidationMessages();
  try {
    if (keepsDriverLoaded == nullptr) keepsDriverLoaded = new VulkanInstance;
    host = std::make_unique<ExternalHost>();
  } catch (const Unavailable& unavailable) {
    GTEST_SKIP() << unavailable.what();
  }
}

void ExternalTest::TearDown() {
  host.reset();
  for (const std::string& message : takeValidationMessages()) ADD_FAILURE() << message;
}

}  // namespace slu::test
