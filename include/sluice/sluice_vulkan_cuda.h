/* Sluice for Vulkan hosts on the CUDA route: CUDA kernels on the renderer's own buffers, between two submissions.
 *
 * See sluice.h for the conventions. It needs an NVIDIA GPU. It has run on Linux alone: the code for Windows compiles,
 * and its handles are tested with a fake of CUDA.
 *   1. Call sluGetVulkanRequirements with SLU_ROUTE_CUDA before vkCreateDevice: it tells what to enable.
 *   2. Call sluCreateContext with an SluVulkanDeviceInfo in pNext. The CUDA device is the one with the Vulkan device's
 *      UUID, or on Windows its LUID. CUDA is initialized only if the device enables what the CUDA route needs.
 *   3. Call sluCreateBuffer per VkBuffer, with an SluVulkanBufferInfo and an SluVulkanMemoryInfo in pNext; or with an
 *      SluVulkanAllocateInfo, for a new one.
 *   4. Hand buffers over in each frame, in the order below. `value` is the number of the hand-off, from 1 on.
 *       - sluCmdRelease ends a command buffer, whose submission signals `released` with `value`.
 *       - sluEnqueueCompact with an SluHandoffInfo lets CUDA wait for `released`, compact, and signal `compacted`.
 *       - sluCmdAcquire begins another command buffer, whose submission waits for `compacted`.
 *
 * CUDA work of the host's own on the same buffers (sluGetCudaPointer) goes into the same stream, behind the wait and
 * before the signal. sluEnqueueHandoff enqueues either without a frame. A frame may have several hand-offs, each with
 * the next value.
 *
 * Plans of the Vulkan and the inline route may work on the same buffers in the same frame, before the release and after
 * the acquire. One route's plan may read records and live counts that another's wrote. The device then has the
 * requirements of all of them. Release what sluCmdCompact used from SLU_VULKAN_INPUT_STAGES | SLU_VULKAN_OUTPUT_STAGES
 * and SLU_VULKAN_INPUT_ACCESS | SLU_VULKAN_OUTPUT_ACCESS, and acquire what it is to use to the same.
 *
 * Nothing here waits on the host. The GPU takes about 320 us to get into CUDA and back, however little CUDA does: let
 * all plans of a frame share one hand-off, or take the Vulkan route. Hand-offs of a context are for one thread at a
 * time, since their values only grow.
 */
#ifndef SLUICE_SLUICE_VULKAN_CUDA_H
#define SLUICE_SLUICE_VULKAN_CUDA_H

#include <sluice/sluice_cuda.h>
#include <sluice/sluice_vulkan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Buffers ---------------------------------------------------------------------------------------------------- */

/* The memory behind SluVulkanBufferInfo::buffer, chained beside it. The host allocated it with
 * VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT in VkExportMemoryAllocateInfo, and created the buffer with the same bit
 * in VkExternalMemoryBufferCreateInfo. On Windows the bit is VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT. It is a
 * dedicated allocation, or a block of a pool with many buffers at offsets. A VkDeviceMemory is imported once, and kept
 * until the last of its SluBuffers is destroyed. Destroy them before vkFreeMemory. Nothing tells the library whether
 * the fields are right: a wrong one corrupts memory silently.
 *
 * Vulkan lets an application export a VkDeviceMemory once on Windows, and sluCreateBuffer exports it, even if it then
 * fails. There the host does not export it too, and does not register it again once its last SluBuffer is destroyed. */
typedef struct SluVulkanMemoryInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO */
  uint32_t structSize;
  const void* pNext;
  VkDeviceMemory memory;   /* the host's, in which the buffer is bound */
  uint64_t allocationSize; /* VkMemoryAllocateInfo::allocationSize of the whole block */
  uint64_t memoryOffset;   /* where the buffer is bound in it; 0 if dedicated */
  SluBool32 dedicated;     /* 1: allocated with VkMemoryDedicatedAllocateInfo */
} SluVulkanMemoryInfo;

/* Memory that somebody else exported as an opaque fd, chained to SluBufferCreateInfo. Any API may have allocated it, on
 * the same device. Chain an SluVulkanBufferInfo beside it if the host has the memory as a VkBuffer, too; sluCmdRelease
 * and sluCmdAcquire need that.
 *
 * Each call imports the memory anew, and CUDA does not keep two imports of one block coherent: register the block once,
 * as one buffer that frames bind at offsets. Windows has no file descriptors: the call is refused there. */
typedef struct SluMemoryFdInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_MEMORY_FD_INFO */
  uint32_t structSize;
  const void* pNext;
  int32_t fd;              /* of the memory. The library imports a duplicate. If the call succeeds, it closes fd; if it
                              fails, fd stays open and the caller's */
  SluBool32 dedicated;     /* 1: it is a dedicated allocation. A wrong answer corrupts memory silently */
  uint64_t allocationSize; /* of the whole block, as it was allocated */
  uint64_t memoryOffset;   /* where the buffer begins in it; 0 if dedicated */
} SluMemoryFdInfo;

/* ---- Hand-off --------------------------------------------------------------------------------------------------- */

/* The two timeline semaphores of a context, for the host's submissions. Both begin at 0. They live as long as the
 * context and all that was created from it. Queues and streams that use them must be idle when the last of these is
 * destroyed. */
typedef struct SluVulkanTimelines {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_TIMELINES */
  uint32_t structSize;
  void* pNext;
  VkSemaphore released;  /* signaled by the submission that releases, and by nobody else; CUDA waits for it */
  VkSemaphore compacted; /* signaled by CUDA alone; the submission that acquires waits for it */
} SluVulkanTimelines;

/* Gets the timeline semaphores of a context. Waiting for `compacted` on the host (vkWaitSemaphores) can take 10 ms:
 * wait for a semaphore or a fence of the submission that acquires instead.
 * context must not be NULL.
 * timelines is filled; the caller set its sType and structSize.
 * Returns SLU_ERROR_ROUTE_UNAVAILABLE, or what else keeps the CUDA route from being available. */
SLU_API SluResult sluGetVulkanTimelines(SluContext context, SluVulkanTimelines* timelines);

/* What sluCmdRelease and sluCmdAcquire hand over. */
typedef struct SluTransferInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_TRANSFER_INFO */
  uint32_t structSize;
  const void* pNext;
  uint32_t bufferCount;        /* elements of buffers; 0 hands over nothing */
  const SluBuffer* buffers;    /* each one once; the CUDA route can use it, and it has a VkBuffer */
  uint32_t queueFamilyIndex;   /* that owns the buffers; VK_QUEUE_FAMILY_IGNORED for VK_SHARING_MODE_CONCURRENT */
  VkPipelineStageFlags stages; /* release: of the last uses before; acquire: of the first uses after; not 0 */
  VkAccessFlags access;        /* release: of the last uses before; acquire: of the first uses after */
} SluTransferInfo;

/* Records barriers that give buffers to VK_QUEUE_FAMILY_EXTERNAL. Release all that the frame's plans read and write.
 * The submission of the command buffer signals SluVulkanTimelines::released with the waitValue of the hand-off. This
 * call only records, and allocates nothing.
 *  - On entry the buffers were last used at stages / access.
 *  - On exit they are CUDA's until sluCmdAcquire: no command of the device may use them.
 *
 * context must not be NULL.
 * commandBuffer is being recorded, outside a render pass.
 * transfer names the buffers, and their last uses.
 * Returns SLU_ERROR_INVALID_ARGUMENT if a field is wrong, and SLU_ERROR_ROUTE_UNAVAILABLE, or what else keeps the CUDA
 * route from being available. */
SLU_API SluResult sluCmdRelease(SluContext context, VkCommandBuffer commandBuffer, const SluTransferInfo* transfer);

/* Records barriers that take buffers back from VK_QUEUE_FAMILY_EXTERNAL. Acquire all that were released. The submission
 * of the command buffer waits for SluVulkanTimelines::compacted with the signalValue of the hand-off, at `stages`
 * (pWaitDstStageMask). Submit it after the sluEnqueueCompact that signals: Vulkan may not wait for what nothing is
 * going to signal. This call only records, and allocates nothing.
 *  - On entry the buffers are CUDA's.
 *  - On exit what CUDA wrote is visible to stages / access; for drawing these are SLU_VULKAN_DRAW_STAGES /
 *    SLU_VULKAN_DRAW_ACCESS.
 *
 * context must not be NULL.
 * commandBuffer is being recorded, outside a render pass.
 * transfer names the buffers, and their first uses.
 * Returns SLU_ERROR_INVALID_ARGUMENT if a field is wrong, and SLU_ERROR_ROUTE_UNAVAILABLE, or what else keeps the CUDA
 * route from being available. */
SLU_API SluResult sluCmdAcquire(SluContext context, VkCommandBuffer commandBuffer, const SluTransferInfo* transfer);

#ifdef __cplusplus
}
#endif

#endif
