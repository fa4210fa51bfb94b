/* Sluice for CUDA hosts: the same plans on plain device pointers and a stream, without Vulkan. See sluice.h for the
 * conventions.
 *
 *   1. sluCreateContext with an SluCudaDeviceInfo in pNext.
 *   2. sluCreateBuffer with an SluCudaBufferInfo in pNext, per allocation.
 *   3. sluEnqueueCompact, each frame, into the host's stream.
 */
#ifndef SLUICE_SLUICE_CUDA_H
#define SLUICE_SLUICE_CUDA_H

#include <sluice/sluice.h>

#ifdef __cplusplus
extern "C" {
#endif

/* cudaStream_t and CUstream are pointers to this; no CUDA header is needed here. */
struct CUstream_st;

/* Chained to SluContextCreateInfo. The library works in the device's primary context, and leaves the calling thread's
 * current device and context as it found them. */
typedef struct SluCudaDeviceInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CUDA_DEVICE_INFO */
  uint32_t structSize;
  const void* pNext;
  int32_t device; /* ordinal, as cudaSetDevice counts */
} SluCudaDeviceInfo;

/* Device memory of the host, chained to SluBufferCreateInfo: cudaMalloc, cudaMallocAsync, a part of either, or anything
 * else that kernels of the device can access. */
typedef struct SluCudaBufferInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO */
  uint32_t structSize;
  const void* pNext;
  void* devicePointer; /* aligned to 4; to 16 for the fastest access */
} SluCudaBufferInfo;

/* Enqueues a frame of a plan of the CUDA route; never waits. One kernel launch, or three for a stable plan with several
 * buckets; an in-place plan copies its records first. The inputs are read and the outputs written in stream order. May
 * be captured into a graph, which then replays the frame as enqueued, with buffers, views and counts as they were
 * given; a live count is read at each replay. A plan's frames execute one after the other: frames in different streams
 * need an event between them. stream: a cudaStream_t of the context's device, NULL for the default stream. */
SLU_API SluResult sluEnqueueCompact(SluPlan plan, struct CUstream_st* stream, const SluFrameInfo* frame);

#ifdef __cplusplus
}
#endif

#endif
