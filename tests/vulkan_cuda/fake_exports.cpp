#include "fake_exports.h"

#include <cstring>

#include "open_handles.h"

namespace slu::test {
namespace {

FakeExports* fake = nullptr;
PFN_vkGetDeviceProcAddr nextGetDeviceProcAddr = nullptr;
PFN_vkCreateSemaphore nextCreateSemaphore = nullptr;
PFN_vkGetBufferMemoryRequirements2 nextGetBufferMemoryRequirements2 = nullptr;
PFN_vkCmdPipelineBarrier nextPipelineBarrier = nullptr;

VKAPI_ATTR void VKAPI_CALL semaphoreProperties(VkPhysicalDevice, const VkPhysicalDeviceExternalSemaphoreInfo*,
                                               VkExternalSemaphoreProperties* properties) {
  properties->externalSemaphoreFeatures =
      fake->exportsTimelines ? VkExternalSemaphoreFeatureFlags{VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT} : 0;
}

// The driver's own timeline semaphore, without the export that it lacks.
VKAPI_ATTR VkResult VKAPI_CALL createSemaphore(VkDevice device, const VkSemaphoreCreateInfo* info,
                                               const VkAllocationCallbacks* callbacks, VkSemaphore* semaphore) {
  VkSemaphoreTypeCreateInfo timeline = *static_cast<const VkSemaphoreTypeCreateInfo*>(info->pNext);
  timeline.pNext = nullptr;
  VkSemaphoreCreateInfo plain = *info;
  plain.pNext = &timeline;
  return nextCreateSemaphore(device, &plain, callbacks, semaphore);
}

VKAPI_ATTR VkResult VKAPI_CALL getSemaphoreFd(VkDevice, const VkSemaphoreGetFdInfoKHR*, int* fd) {
  *fd = 0x5bad;
  if (fake->semaphoreFdsLeft-- <= 0) return VK_ERROR_TOO_MANY_OBJECTS;
  *fd = openAnything();
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL getBufferMemoryRequirements2(VkDevice device, const VkBufferMemoryRequirementsInfo2* info,
                                                        VkMemoryRequirements2* requirements) {
  nextGetBufferMemoryRequirements2(device, info, requirements);
  requirements->memoryRequirements.size += fake->extraBytes;
  if (!fake->isDedicatedOnly) return;
  auto* dedicated = static_cast<VkMemoryDedicatedRequirements*>(requirements->pNext);
  dedicated->prefersDedicatedAllocation = VK_TRUE;
  dedicated->requiresDedicatedAllocation = VK_TRUE;
}

VKAPI_ATTR void VKAPI_CALL pipelineBarrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                           VkDependencyFlags flags, std::uint32_t memoryCount,
                                           const VkMemoryBarrier* memory, std::uint32_t count,
                                           const VkBufferMemoryBarrier* buffers, std::uint32_t imageCount,
                                           const VkImageMemoryBarrier* images) {
  fake->barriers.push_back({from, to, {buffers, buffers + count}});
  if (!fake->forwardsBarriers) return;
  nextPipelineBarrier(commands, from, to, flags, memoryCount, memory, count, buffers, imageCount, images);
}

VKAPI_ATTR void VKAPI_CALL beginLabel(VkCommandBuffer, const VkDebugUtilsLabelEXT* label) {
  fake->labels.emplace_back(label->pLabelName);
}

VKAPI_ATTR void VKAPI_CALL endLabel(VkCommandBuffer) { fake->labels.emplace_back(); }

template <typename Function>
PFN_vkVoidFunction asVoid(Function function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getDeviceProcAddr(VkDevice device, const char* name) {
  const PFN_vkVoidFunction real = nextGetDeviceProcAddr(device, name);
  if (std::strcmp(name, "vkGetSemaphoreFdKHR") == 0) return asVoid(getSemaphoreFd);
  if (std::strcmp(name, "vkCreateSemaphore") == 0) {
    nextCreateSemaphore = reinterpret_cast<PFN_vkCreateSemaphore>(real);
    return asVoid(createSemaphore);
  }
  if (std::strcmp(name, "vkGetBufferMemoryRequirements2") == 0) {
    nextGetBufferMemoryRequirements2 = reinterpret_cast<PFN_vkGetBufferMemoryRequirements2>(real);
    return asVoid(getBufferMemoryRequirements2);
  }
  if (std::strcmp(name, "vkCmdPipelineBarrier") == 0) {
    nextPipelineBarrier = reinterpret_cast<PFN_vkCmdPipelineBarrier>(real);
    return asVoid(pipelineBarrier);
  }
  return real;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getInstanceProcAddr(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = fake->next(instance, name);
  if (std::strcmp(name, "vkGetPhysicalDeviceExternalSemaphoreProperties") == 0) return asVoid(semaphoreProperties);
  if (std::strcmp(name, "vkCmdBeginDebugUtilsLabelEXT") == 0) return asVoid(beginLabel);
  if (std::strcmp(name, "vkCmdEndDebugUtilsLabelEXT") == 0) return asVoid(endLabel);
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) {
    nextGetDeviceProcAddr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
    return asVoid(getDeviceProcAddr);
  }
  return real;
}

}  // namespace

FakeExports::FakeExports(const Shim& shim) : next(shim.entry()) { fake = this; }

FakeExports::~FakeExports() { fake = nullptr; }

PFN_vkGetInstanceProcAddr FakeExports::entry() const { return getInstanceProcAddr; }

}  // namespace slu::test
