// Exports as this system has them, with Vulkan and CUDA played: on Windows no driver of Wine's exports anything.
#include <gtest/gtest.h>

#include <cstring>

#include "fake_cuda.h"
#include "interop/external_memory.h"
#include "interop/external_semaphore.h"
#include "open_handles.h"
#include "sentence.h"

#ifdef _WIN32
#define VK_USE_PLATFORM_WIN32_KHR
#include <vulkan/vulkan.h>
#endif

namespace slu::test {
namespace {

#ifdef _WIN32
using MemoryInfo = VkMemoryGetWin32HandleInfoKHR;
using SemaphoreInfo = VkSemaphoreGetWin32HandleInfoKHR;
constexpr auto kMemoryInfo = VK_STRUCTURE_TYPE_MEMORY_GET_WIN32_HANDLE_INFO_KHR;
constexpr auto kSemaphoreInfo = VK_STRUCTURE_TYPE_SEMAPHORE_GET_WIN32_HANDLE_INFO_KHR;
constexpr const char* kGetMemory = "vkGetMemoryWin32HandleKHR";
constexpr const char* kGetSemaphore = "vkGetSemaphoreWin32HandleKHR";
constexpr auto kCudaMemory = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32;
constexpr auto kCudaTimeline = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32;
constexpr bool kIsCudasAfterImport = false;
const SystemHandle kGarbage = reinterpret_cast<SystemHandle>(std::uintptr_t{0x5bad});
#else
using MemoryInfo = VkMemoryGetFdInfoKHR;
using SemaphoreInfo = VkSemaphoreGetFdInfoKHR;
constexpr auto kMemoryInfo = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR;
constexpr auto kSemaphoreInfo = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR;
constexpr const char* kGetMemory = "vkGetMemoryFdKHR";
constexpr const char* kGetSemaphore = "vkGetSemaphoreFdKHR";
constexpr auto kCudaMemory = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
constexpr auto kCudaTimeline = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
constexpr bool kIsCudasAfterImport = true;
constexpr SystemHandle kGarbage = 0x5bad;
#endif

const auto kMemory = reinterpret_cast<VkDeviceMemory>(std::uintptr_t{0x10});

// One at a time: the functions are plain pointers.
struct PlayedVulkan {
  bool exports = true;            // the device has the functions
  int exportsLeft = 1000;         // later ones fail and leave garbage
  std::uintptr_t semaphores = 0;  // created
  int alive = 0;
  SystemHandle last = kNoHandle;
  VkExternalSemaphoreHandleTypeFlags exportable = 0;  // of the last semaphore
} played;

VkResult exportHandle(SystemHandle* handle) {
  *handle = kGarbage;
  if (played.exportsLeft-- <= 0) return VK_ERROR_TOO_MANY_OBJECTS;
  played.last = *handle = openAnything();
  makeInherited(*handle);
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL getMemory(VkDevice, const MemoryInfo* info, SystemHandle* handle) {
  EXPECT_EQ(info->sType, kMemoryInfo);
  EXPECT_EQ(info->memory, kMemory);
  EXPECT_EQ(info->handleType, kMemoryHandleType);
  return exportHandle(handle);
}

VKAPI_ATTR VkResult VKAPI_CALL getSemaphore(VkDevice, const SemaphoreInfo* info, SystemHandle* handle) {
  EXPECT_EQ(info->sType, kSemaphoreInfo);
  EXPECT_NE(info->semaphore, VK_NULL_HANDLE);
  EXPECT_EQ(info->handleType, kSemaphoreHandleType);
  EXPECT_NE(played.exportable & info->handleType, 0u);
  return exportHandle(handle);
}

VKAPI_ATTR VkResult VKAPI_CALL createSemaphore(VkDevice, const VkSemaphoreCreateInfo* info,
                                               const VkAllocationCallbacks*, VkSemaphore* semaphore) {
  const auto* type = static_cast<const VkSemaphoreTypeCreateInfo*>(info->pNext);
  EXPECT_EQ(type->semaphoreType, VK_SEMAPHORE_TYPE_TIMELINE);
  played.exportable = static_cast<const VkExportSemaphoreCreateInfo*>(type->pNext)->handleTypes;
  ++played.alive;
  *semaphore = reinterpret_cast<VkSemaphore>(++played.semaphores);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL destroySemaphore(VkDevice, VkSemaphore, const VkAllocationCallbacks*) { --played.alive; }

VKAPI_ATTR void VKAPI_CALL semaphoreProperties(VkPhysicalDevice, const VkPhysicalDeviceExternalSemaphoreInfo* info,
                                               VkExternalSemaphoreProperties* properties) {
  EXPECT_EQ(info->handleType, kSemaphoreHandleType);
  properties->externalSemaphoreFeatures = VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT;
}

VKAPI_ATTR void VKAPI_CALL queueFamilies(VkPhysicalDevice, std::uint32_t* count, VkQueueFamilyProperties* families) {
  *count = 1;
  if (families != nullptr) families->queueFlags = VK_QUEUE_COMPUTE_BIT;
}

VKAPI_ATTR void VKAPI_CALL memoryProperties(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties*) {}
VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice, VkPhysicalDeviceProperties2*) {}
VKAPI_ATTR void VKAPI_CALL features2(VkPhysicalDevice, VkPhysicalDeviceFeatures2*) {}
VKAPI_ATTR void VKAPI_CALL notPlayed() { ADD_FAILURE() << "a function that is not played"; }

template <typename Function>
PFN_vkVoidFunction asVoid(Function function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

struct PlayedFunction {
  const char* name;
  PFN_vkVoidFunction function;
};

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL deviceFunction(VkDevice, const char* name) {
  const PlayedFunction all[] = {{kGetMemory, played.exports ? asVoid(getMemory) : nullptr},
                                {kGetSemaphore, played.exports ? asVoid(getSemaphore) : nullptr},
                                {"vkCreateSemaphore", asVoid(createSemaphore)},
                                {"vkDestroySemaphore", asVoid(destroySemaphore)},
                                {"vkSetDebugUtilsObjectNameEXT", nullptr}};
  for (const PlayedFunction& each : all) {
    if (std::strcmp(each.name, name) == 0) return each.function;
  }
  return asVoid(notPlayed);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instanceFunction(VkInstance, const char* name) {
  const PlayedFunction all[] = {{"vkGetDeviceProcAddr", asVoid(deviceFunction)},
                                {"vkGetPhysicalDeviceQueueFamilyProperties", asVoid(queueFamilies)},
                                {"vkGetPhysicalDeviceMemoryProperties", asVoid(memoryProperties)},
                                {"vkGetPhysicalDeviceProperties2", asVoid(properties2)},
                                {"vkGetPhysicalDeviceFeatures2", asVoid(features2)},
                                {"vkGetPhysicalDeviceExternalSemaphoreProperties", asVoid(semaphoreProperties)},
                                {"vkSetDebugUtilsObjectNameEXT", nullptr}};
  for (const PlayedFunction& each : all) {
    if (std::strcmp(each.name, name) == 0) return each.function;
  }
  return asVoid(notPlayed);
}

SluVulkanDeviceInfo playedDevice() {
  static VkDeviceCreateInfo created{};
  created.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  auto info = SLU_INIT(VULKAN_DEVICE_INFO, SluVulkanDeviceInfo);
  info.getInstanceProcAddr = instanceFunction;
  info.deviceCreateInfo = &created;
  return info;
}

struct ExportedHandles : ::testing::Test {
  ExportedHandles() { played = {}; }
  ~ExportedHandles() override {
    EXPECT_EQ(played.alive, 0);
    EXPECT_TRUE(cuda.isEmpty());
    EXPECT_EQ(openHandleCount(), handlesBefore);
  }
  // Whatever the device has when the functions are looked up.
  template <typename Use>
  void withDevice(const Use& use) {
    const SluVulkanDeviceInfo info = playedDevice();
    const Device device(info);
    use(VulkanExternal(info, device));
  }
  std::size_t handlesBefore = openHandleCount();
  FakeCuda cuda;
  CudaContext context{0, cuda.functions()};
};

TEST_F(ExportedHandles, AreOursAndNotInherited) {
  withDevice([](const VulkanExternal& external) {
    const UniqueHandle handle = external.exportMemory(kMemory);
    EXPECT_EQ(handle.get(), played.last);
    EXPECT_TRUE(isOpen(handle.get()));
    EXPECT_FALSE(isInherited(handle.get()));
  });
}

TEST_F(ExportedHandles, AreImportedAsTheirKind) {
  withDevice([&](const VulkanExternal& external) {
    ImportedMemoryCache cache(external, context);
    const auto memory = cache.import(kMemory, {.bytes = 4096, .isDedicated = true});
    ASSERT_EQ(cuda.imports.size(), 1u);
    EXPECT_EQ(cuda.imports[0].type, kCudaMemory);
    EXPECT_EQ(cuda.imports[0].flags, unsigned{CUDA_EXTERNAL_MEMORY_DEDICATED});
    EXPECT_EQ(isOpen(played.last), kIsCudasAfterImport);
  });
}

TEST_F(ExportedHandles, TimelinesAreImportedAsTheirKind) {
  withDevice([&](const VulkanExternal& external) {
    Timelines timelines(external, context);
    ASSERT_EQ(cuda.semaphoreImports.size(), 2u);
    for (const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC& descriptor : cuda.semaphoreImports) {
      EXPECT_EQ(descriptor.type, kCudaTimeline);
    }
    EXPECT_EQ(isOpen(played.last), kIsCudasAfterImport);
    timelines.beginFrame(nullptr, 1);
    timelines.endFrame(nullptr, 1);
  });
}

TEST_F(ExportedHandles, ThatFailLeaveNothing) {
  played.exportsLeft = 0;
  withDevice([&](const VulkanExternal& external) {
    EXPECT_SENTENCE(sentenceOf(SLU_ERROR_OUT_OF_DEVICE_MEMORY, [&] { external.exportMemory(kMemory); }), kGetMemory);
    for (const char* call : {"", "import semaphore"}) {
      cuda.failing = call;
      EXPECT_THROW(Timelines(external, context), Error) << call;
      EXPECT_EQ(played.alive, 0) << call;
      played.exportsLeft = 2;
    }
    cuda.failing = "import memory";
    ImportedMemoryCache cache(external, context);
    EXPECT_THROW(cache.import(kMemory, {.bytes = 4096, .isDedicated = true}), Error);
  });
}

TEST_F(ExportedHandles, NeedTheExtensions) {
  played.exports = false;
  withDevice([&](const VulkanExternal& external) {
    EXPECT_SENTENCE(sentenceOf(SLU_ERROR_MISSING_FEATURE, [&] { external.exportMemory(kMemory); }), kMemoryExtension);
    EXPECT_SENTENCE(sentenceOf(SLU_ERROR_MISSING_FEATURE, [&] { external.requireTimelineExport(); }),
                    kSemaphoreExtension);
  });
}

}  // namespace
}  // namespace slu::test
