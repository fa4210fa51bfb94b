/* Sluice for Direct3D 12 hosts on the CUDA route: CUDA kernels on the renderer's own buffers, between two executions of
 * command lists.
 *
 * See sluice.h for the conventions. It needs an NVIDIA GPU. It has never run: no NVIDIA driver for Windows was tried.
 * The code compiles for Windows, and is tested under Wine with a fake in CUDA's place.
 *   1. Call sluCreateContext with an SluD3D12DeviceInfo in pNext, and with SLU_HOST_ENQUEUES_BIT in hostFlags or an
 *      SluCudaDeviceInfo in pNext. CUDA is initialized for one of these alone. The CUDA device is the one with the
 *      LUID and the node of the ID3D12Device. It does not matter whether the Direct3D 12 route is available.
 *   2. Call sluCreateBuffer with an SluD3D12BufferInfo and an SluD3D12MemoryInfo in pNext, per part of an
 *      ID3D12Resource.
 *   3. Hand buffers over in each frame, in the order below. `value` is the number of the hand-off, from 1 on.
 *       - sluCmdReleaseD3D12 ends a command list. Execute it, and have the queue signal `released` with `value`.
 *       - sluEnqueueCompact with an SluHandoffInfo lets CUDA wait for `released`, compact, and signal `compacted`.
 *       - Have the queue wait for `compacted` with `value`. sluCmdAcquireD3D12 begins the command list that it executes
 *         then.
 *
 * CUDA work of the host's own on the same buffers (sluGetCudaPointer) goes into the same stream, behind the wait and
 * before the signal. sluEnqueueHandoff enqueues either without a frame. A frame may have several hand-offs, each with
 * the next value.
 *
 * Plans of the Direct3D 12 route may work on the same buffers in the same frame, before the release and after the
 * acquire. Release from the states that sluCmdCompactD3D12 leaves, and acquire to those that it asks for.
 *
 * A context has one API that CUDA takes turns with. If it was created with an SluVulkanDeviceInfo, too, that is Vulkan.
 *
 * Nothing here waits on the host. Hand-offs of a context are for one thread at a time, since their values only grow.
 *
 * This header includes none of Direct3D, as sluice_d3d12.h does not. A library that was built without Direct3D 12 or
 * without CUDA has none of these functions.
 */
#ifndef SLUICE_SLUICE_D3D12_CUDA_H
#define SLUICE_SLUICE_D3D12_CUDA_H

#include <sluice/sluice_cuda.h>
#include <sluice/sluice_d3d12.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ID3D12Fence;
struct ID3D12Heap;

/* ---- Buffers ---------------------------------------------------------------------------------------------------- */

/* The memory behind SluD3D12BufferInfo::resource, chained beside it. The host created it with D3D12_HEAP_FLAG_SHARED in
 * a default heap: the committed resource itself, or the heap that the resource is placed in. The library makes the
 * shared handle, by ID3D12Device::CreateSharedHandle, and closes it. A committed resource or a heap is imported once,
 * however many buffers lie in it, and kept until the last of its SluBuffers is destroyed. The library holds a reference
 * as long. CUDA and the queues must be done with a buffer when it is destroyed.
 *
 * Direct3D does not say in which heap a resource was placed, or where: a wrong field corrupts memory silently. If the
 * context has no CUDA route, the struct is not read. */
typedef struct SluD3D12MemoryInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_D3D12_MEMORY_INFO */
  uint32_t structSize;
  const void* pNext;
  struct ID3D12Heap* heap; /* in which the resource is placed; NULL if it is a committed resource */
  uint64_t heapOffset;     /* where it is placed in the heap; 0 without a heap */
} SluD3D12MemoryInfo;

/* ---- Hand-off --------------------------------------------------------------------------------------------------- */

/* The two fences of a context, for the host's queues. Both begin at 0. They are the library's, and live as long as the
 * context and all that was created from it: call AddRef on a fence to keep it longer. Queues and streams that use them
 * must be idle when the last of these is destroyed. */
typedef struct SluD3D12Fences {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_D3D12_FENCES */
  uint32_t structSize;
  void* pNext;
  struct ID3D12Fence* released;  /* signaled by the queue that releases, and by nobody else; CUDA waits for it */
  struct ID3D12Fence* compacted; /* signaled by CUDA alone; the queue that acquires waits for it */
} SluD3D12Fences;

/* Gets the fences of a context.
 * context must not be NULL.
 * fences is filled; the caller set its sType and structSize.
 * Returns SLU_ERROR_ROUTE_UNAVAILABLE, or what else keeps the CUDA route from being available. */
SLU_API SluResult sluGetD3D12Fences(SluContext context, SluD3D12Fences* fences);

/* Names the buffers that sluCmdReleaseD3D12 and sluCmdAcquireD3D12 hand over. Several buffers in one
 * resource have one state, and make one transition. A call compares each buffer with those before it, so it is for tens
 * of them. */
typedef struct SluD3D12TransferInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_D3D12_TRANSFER_INFO */
  uint32_t structSize;
  const void* pNext;
  uint32_t bufferCount;     /* elements of buffers and of states; 0 hands over nothing */
  const SluBuffer* buffers; /* each was created with an SluD3D12MemoryInfo, and the CUDA route can use it */
  const uint32_t* states;   /* D3D12_RESOURCE_STATES of each buffer's resource: release: before; acquire: after. 0 is
                               D3D12_RESOURCE_STATE_COMMON, which takes no transition */
} SluD3D12TransferInfo;

/* Records transitions of resources to D3D12_RESOURCE_STATE_COMMON, in which another API may use them. Release all that
 * the frame's plans read and write. Behind the execution of the list the queue signals SluD3D12Fences::released with
 * the waitValue of the hand-off. This call only records, and allocates nothing.
 *  - On entry the resources are in `states`. On exit they are CUDA's until sluCmdAcquireD3D12: no command of the device
 *    may use them.
 *  - Direct3D lets buffers decay to COMMON when ExecuteCommandLists ends. If it ends with this list, the host may leave
 *    the call out. The fences remain.
 *  - With enhanced barriers record no transition, and leave this call and sluCmdAcquireD3D12 out: buffers have no
 *    layout, and the end of ExecuteCommandLists completes and flushes every access before the fence is signaled.
 *
 * context must not be NULL.
 * commandList is being recorded, and can have resources in `states`.
 * transfer names the buffers, and the states before.
 * Returns SLU_ERROR_INVALID_ARGUMENT if a field is wrong, and SLU_ERROR_ROUTE_UNAVAILABLE, or what else keeps the CUDA
 * route from being available. */
SLU_API SluResult sluCmdReleaseD3D12(SluContext context, struct ID3D12GraphicsCommandList* commandList,
                                     const SluD3D12TransferInfo* transfer);

/* Records transitions of resources from D3D12_RESOURCE_STATE_COMMON. Acquire all that were released. Before the
 * execution of the list the queue waits for SluD3D12Fences::compacted with the signalValue of the hand-off; call
 * sluEnqueueCompact, which signals it, first, so that the queue does not wait for what nothing is going to signal. This
 * call only records, and allocates nothing.
 *  - On entry the resources are CUDA's, and in COMMON. On exit they are in `states`.
 *  - What CUDA wrote is visible to all commands behind the wait. Direct3D promotes buffers from COMMON by their first
 *    use in a list, so a host whose first uses do that may leave the call out.
 *
 * context must not be NULL.
 * commandList is being recorded, and can have resources in `states`.
 * transfer names the buffers, and the states after.
 * Returns SLU_ERROR_INVALID_ARGUMENT if a field is wrong, and SLU_ERROR_ROUTE_UNAVAILABLE, or what else keeps the CUDA
 * route from being available. */
SLU_API SluResult sluCmdAcquireD3D12(SluContext context, struct ID3D12GraphicsCommandList* commandList,
                                     const SluD3D12TransferInfo* transfer);

#ifdef __cplusplus
}
#endif

#endif
