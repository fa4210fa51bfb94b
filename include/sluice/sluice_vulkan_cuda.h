/* Sluice for Vulkan hosts on the CUDA route: CUDA kernels on the renderer's own buffers, between two of its
 * submissions. See sluice.h for the conventions. Linux; NVIDIA.
 *
 *   1. sluGetVulkanRequirements with SLU_ROUTE_CUDA before vkCreateDevice: what to enable.
 *   2. sluCreateContext with an SluVulkanDeviceInfo in pNext. The CUDA device is the one with the Vulkan device's UUID.
 *      CUDA is initialized only where the device enables what the CUDA route needs.
 *   3. sluCreateBuffer per VkBuffer, with an SluVulkanBufferInfo and an SluVulkanMemoryInfo in pNext; or with an
 *      SluVulkanAllocateInfo, for a new one.
 *   4. Each frame, in this order, with value = the number of the hand-off, from 1 on:
 *        sluCmdRelease       at the end of a command buffer, whose submission signals `released` with value;
 *        sluEnqueueCompact   with an SluHandoffInfo: CUDA waits for `released`, compacts, signals `compacted`;
 *        sluCmdAcquire       at the beginning of another command buffer, whose submission waits for `compacted`.
 *      CUDA work of the host's own on the same buffers (sluGetCudaPointer) goes into the same stream, behind the wait
 *      and before the signal; sluEnqueueHandoff enqueues either without a frame.
 * Plans of the Vulkan and the inline route may work on the same buffers in the same frame, before the release and after
 * the acquire, and one route's plan may read records and live counts that another's wrote. The device then has the
 * requirements of all of them. Release what sluCmdCompact used from SLU_VULKAN_INPUT_STAGES | SLU_VULKAN_OUTPUT_STAGES
 * and SLU_VULKAN_INPUT_ACCESS | SLU_VULKAN_OUTPUT_ACCESS, and acquire what it is to use to the same. A frame may have
 * several hand-offs, each with the next value.
 *
 * Nothing here waits on the host. The GPU takes about 320 us to get into CUDA and back, however little CUDA does: let
 * all plans of a frame share one hand-off, or take the Vulkan route.
 */
#ifndef SLUICE_SLUICE_VULKAN_CUDA_H
#define SLUICE_SLUICE_VULKAN_CUDA_H

#include <sluice/sluice_cuda.h>
#include <sluice/sluice_vulkan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Buffers ---------------------------------------------------------------------------------------------------- */

/* The memory behind SluVulkanBufferInfo::buffer, chained beside it: the host's own, allocated with
 * VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT in VkExportMemoryAllocateInfo, as the buffer was created with it in
 * VkExternalMemoryBufferCreateInfo. A dedicated allocation, or a block of a pool with many buffers at offsets: imported
 * once per VkDeviceMemory, and kept until the last of its SluBuffers is destroyed, which comes before vkFreeMemory. */
typedef struct SluVulkanMemoryInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO */
  uint32_t structSize;
  const void* pNext;
  VkDeviceMemory memory;
  uint64_t allocationSize; /* VkMemoryAllocateInfo::allocationSize of the whole block; often more than the buffers'.
                              Buffers end within it; nothing tells the library whether it is right */
  uint64_t memoryOffset;   /* where the buffer is bound; 0 when dedicated */
  SluBool32 dedicated;     /* allocated with VkMemoryDedicatedAllocateInfo. A wrong answer corrupts memory silently */
} SluVulkanMemoryInfo;

/* Memory that somebody else exported as an opaque fd, chained to SluBufferCreateInfo, beside an SluVulkanBufferInfo
 * where the host has it as a VkBuffer too (release and acquire need that). The same device's, whichever API allocated
 * it. The library imports a duplicate and closes the caller's fd when the call succeeds; when it fails the fd stays the
 * caller's, open. Each call imports anew, and CUDA does not keep two imports of one block coherent: register the block
 * once, as one buffer that frames bind at offsets. */
typedef struct SluMemoryFdInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_MEMORY_FD_INFO */
  uint32_t structSize;
  const void* pNext;
  int32_t fd;
  SluBool32 dedicated; /* the three as in SluVulkanMemoryInfo */
  uint64_t allocationSize;
  uint64_t memoryOffset;
} SluMemoryFdInfo;

/* ---- Hand-off --------------------------------------------------------------------------------------------------- */

/* Two timeline semaphores of the context's own, both at 0 at first, for the host's submissions. They live as long as
 * the context and all that was created from it; queues and streams are idle when the last of these goes. */
typedef struct SluVulkanTimelines {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_TIMELINES */
  uint32_t structSize;
  void* pNext;
  VkSemaphore released;  /* signaled by the submission that releases; nobody else signals it. CUDA waits for it */
  VkSemaphore compacted; /* signaled by CUDA alone; the submission that acquires waits for it */
} SluVulkanTimelines;

/* Fills timelines, whose sType and structSize the caller set. SLU_ERROR_ROUTE_UNAVAILABLE or what else keeps the
 * context from handing buffers to CUDA. Waiting for `compacted` on the host (vkWaitSemaphores) can take 10 ms: wait for
 * a semaphore or fence of the submission that acquires instead. */
SLU_API SluResult sluGetVulkanTimelines(SluContext context, SluVulkanTimelines* timelines);

/* Chained to the SluFrameInfo of sluEnqueueCompact, or handed to sluEnqueueHandoff. Frames without one, or with zeros,
 * run between others of the stream: of the plans that share a hand-off the first waits and the last signals. Both
 * values are checked before anything is enqueued; a stream that is being captured is refused. When the call fails after
 * that (a failure of the driver), CUDA may wait already, and nothing signals: do not submit what waits for its
 * signalValue. */
typedef struct SluHandoffInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_HANDOFF_INFO */
  uint32_t structSize;
  const void* pNext;
  uint64_t waitValue;   /* the frame begins once `released` has it; 0: it does not wait. Never less than the last one */
  uint64_t signalValue; /* `compacted` gets it when the frame and all before it in the stream are done; 0: it does not
                           signal. More than the last one */
} SluHandoffInfo;

/* Enqueues the wait, then the signal, without a frame; never waits itself. For kernels of the host's own that work on
 * released buffers: a call with waitValue alone before the first of them, and the signal with what comes last, a frame
 * or another call. Values and stream as of a frame of sluEnqueueCompact; every call counts for which values may
 * follow. */
SLU_API SluResult sluEnqueueHandoff(SluContext context, struct CUstream_st* stream, const SluHandoffInfo* handoff);

/* What sluCmdRelease and sluCmdAcquire hand over. */
typedef struct SluTransferInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_TRANSFER_INFO */
  uint32_t structSize;
  const void* pNext;
  uint32_t bufferCount;
  const SluBuffer* buffers;    /* each once, usable on the CUDA route and with a VkBuffer */
  uint32_t queueFamilyIndex;   /* that owns the buffers; VK_QUEUE_FAMILY_IGNORED for VK_SHARING_MODE_CONCURRENT */
  VkPipelineStageFlags stages; /* release: of the last uses before; acquire: of the first uses after; not 0 */
  VkAccessFlags access;        /* likewise */
} SluTransferInfo;

/* Records barriers that give the buffers to VK_QUEUE_FAMILY_EXTERNAL: all that the frame's plans read and write.
 * Outside a render pass. Allocates nothing, checks before it records.
 *  - On entry the buffers were last used at stages / access.
 *  - On exit they are CUDA's until sluCmdAcquire: no command of the device may use them.
 * The submission of the command buffer signals SluVulkanTimelines::released with the waitValue of the hand-off. */
SLU_API SluResult sluCmdRelease(SluContext context, VkCommandBuffer commandBuffer, const SluTransferInfo* transfer);

/* Records barriers that take the buffers back from VK_QUEUE_FAMILY_EXTERNAL, those that were released. Outside a render
 * pass. Allocates nothing, checks before it records.
 *  - On entry the buffers are CUDA's.
 *  - On exit what CUDA wrote is visible to stages / access; for drawing SLU_VULKAN_DRAW_STAGES /
 *    SLU_VULKAN_DRAW_ACCESS.
 * The submission of the command buffer waits for SluVulkanTimelines::compacted with the signalValue of the hand-off, at
 * stages (pWaitDstStageMask), and comes after the sluEnqueueCompact that signals it: Vulkan may not wait for what no
 * one is going to signal. */
SLU_API SluResult sluCmdAcquire(SluContext context, VkCommandBuffer commandBuffer, const SluTransferInfo* transfer);

#ifdef __cplusplus
}
#endif

#endif
