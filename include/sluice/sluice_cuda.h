/* Sluice for CUDA hosts: the same plans on plain device pointers and a stream, without Vulkan. See sluice.h for the
 * conventions, and sluice_vulkan_cuda.h for Vulkan hosts.
 *
 *   1. sluCreateContext with an SluCudaDeviceInfo in pNext.
 *   2. sluCreateBuffer with an SluCudaBufferInfo in pNext, per allocation.
 *   3. sluEnqueueCompact, each frame, into the host's stream.
 * The functions exist in every build; one without CUDA answers SLU_ERROR_ROUTE_UNAVAILABLE.
 * Work of the host's own on the same memory goes into the same stream, before the frame or after it.
 *
 * A plan with SLU_LIVE_CUSTOM is decided by a predicate of the host's, in CUDA C++: a function object that the host
 * compiles (predicate.cuh, SluCudaPredicateInfo; CUDA route alone), or source that the library compiles
 * (SluCudaSourceInfo; inline route as well).
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
 * current device and context as it found them. Beside an SluVulkanDeviceInfo it may be left out, and must name the same
 * device otherwise. */
typedef struct SluCudaDeviceInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CUDA_DEVICE_INFO */
  uint32_t structSize;
  const void* pNext;
  int32_t device; /* ordinal, as cudaSetDevice counts */
} SluCudaDeviceInfo;

/* CUDA memory of the host, chained to SluBufferCreateInfo, as it is when sluCreateBuffer is called:
 *  - device memory of the device's primary context, of a pool (cudaMallocAsync), or mapped (cuMemMap); what was
 *    allocated in another CUcontext is refused;
 *  - memory of another device to which this one has access (cudaDeviceEnablePeerAccess, cudaMemPoolSetAccess,
 *    cuMemSetAccess);
 *  - managed memory, and host memory that CUDA allocated or registered.
 * SluBufferCreateInfo::size bytes from devicePointer on must lie in one allocation, or in mappings one behind the other;
 * they may be a part of it. A size beyond that is refused if the driver tells where the memory ends. Beside an
 * SluVulkanBufferInfo this is the same memory, which the host imported into CUDA itself. */
typedef struct SluCudaBufferInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO */
  uint32_t structSize;
  const void* pNext;
  void* devicePointer; /* aligned to 4; to 16 for the fastest access */
} SluCudaBufferInfo;

/* Where kernels of the host's own find byte 0 of a buffer: SluCudaBufferInfo::devicePointer, or where the library
 * mapped what it imported from Vulkan, which CUDA may use between the wait and the signal of a hand-off. Of the
 * context's CUDA device, which cudaPointerGetAttributes tells, in its primary context; valid as long as the buffer.
 * NULL for NULL, and for a buffer that the CUDA route does not use. */
SLU_API void* sluGetCudaPointer(SluBuffer buffer);

/* Enqueues a frame of a plan of the CUDA route; never waits. One kernel launch, or up to three for a stable plan with
 * several buckets; an in-place plan copies its records first. The inputs are read and the outputs written in stream
 * order. May be captured into a graph, which then replays the frame as enqueued, with buffers, views and counts as they
 * were given; a live count is read at each replay. A stable frame needs more multiprocessors than it has views, of the
 * GPU or of the part of it that MPS or MIG leaves, beside what else waits there. A plan's frames execute one after the
 * other: frames in different streams need an event between them. stream: a cudaStream_t of the context's device, NULL
 * for the default stream. A frame with an SluHandoffInfo waits for Vulkan before, signals to Vulkan after, and cannot
 * be captured. After a failure of the driver the plan can only be destroyed: a part of the frame may have been
 * enqueued, and later frames would meet what it left behind. */
SLU_API SluResult sluEnqueueCompact(SluPlan plan, struct CUstream_st* stream, const SluFrameInfo* frame);

/* A custom predicate is called for the records of a frame as
 *
 *   __device__ bool operator()(const void* record, unsigned index) const;
 *
 * record: the record's address in device memory, aligned as the host aligned it, to 4 at least; for an in-place plan
 * that of its copy. index: the record's index in the input. True means live; keys, culling, buckets, order and outputs
 * follow as for any other live test. It may be called more than once for a record, and by any thread, so it must give
 * the same answer each time: it may depend on the record, its index, its own state, and on memory that the frame does
 * not write. It must not write, nor synchronize threads. Frames with such a plan bind their records.
 *
 * Its state is the object's own bytes: trivially copyable, SLU_MAX_PREDICATE_STATE bytes at most, aligned to 16 at
 * most. It travels with the launch; pointers in it must be valid on the device when the frame executes. */
#define SLU_MAX_PREDICATE_STATE 64u

/* Give functions of the host's the work that needs the host's kernels: launch one, and count the blocks of it that a
 * multiprocessor holds. kernel and arguments mean nothing to the host. They return a cudaError_t. */
typedef int (*SluCudaLaunchFunction)(uint32_t kernel, uint32_t blocksX, uint32_t blocksY, const void* arguments,
                                     struct CUstream_st* stream);
typedef int (*SluCudaBlocksFunction)(uint32_t kernel, int* blocks);

/* A predicate that the host compiled, chained to SluPlanCreateInfo. slu::cudaPredicate of predicate.cuh fills it. */
typedef struct SluCudaPredicateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CUDA_PREDICATE_INFO */
  uint32_t structSize;
  const void* pNext;
  uint32_t version;   /* sluGetVersion of the library whose headers it was compiled with; must be this one's */
  uint32_t stateSize; /* bytes; 0 to SLU_MAX_PREDICATE_STATE */
  const void* state;  /* copied; the state of every frame that brings none; NULL when stateSize is 0 */
  SluCudaLaunchFunction launch;
  SluCudaBlocksFunction blocks;
} SluCudaPredicateInfo;

/* A predicate as CUDA C++17 source, chained to SluPlanCreateInfo. sluCreatePlan compiles it for the context's device
 * with NVRTC, which takes seconds. NVRTC is looked for when first needed, as the system finds libraries: libnvrtc.so of
 * the CUDA runtime's major version, then any libnvrtc.so; where there is none the result is
 * SLU_ERROR_ROUTE_UNAVAILABLE.
 *
 * A plan shares what was compiled for another one that is alive: of the same context and route, with the same source,
 * options, stateSize and order, both with one bucket or both with several. It goes with the last of them. Where the
 * source or an option holds the letters include, a comment's too, nothing is shared, since files may change.
 *
 * The source defines, in the global namespace,
 *
 *   struct SluPredicate {
 *     float threshold;  // the state, if any
 *     __device__ bool operator()(const void* record, unsigned index) const {
 *       return static_cast<const float*>(record)[3] > threshold;
 *     }
 *   };
 *
 * and whatever that needs. The struct's layout is that of the same members in C++ on the host; its size must be
 * stateSize (0 for an empty struct). CUDA's built-in types, functions and variables are there; headers are not, neither
 * the standard library's nor CUDA's, unless options name their folders. Other names that begin with slu, in any case,
 * are the library's own. Products and sums are not contracted (-fmad=false), so that floats give what the same code
 * gives on the CPU.
 *
 * A source that does not compile gives SLU_ERROR_INVALID_ARGUMENT and the sentence "plan.source: does not compile: "
 * with the compiler's log, which names the source's lines as plan.source(line). The sentence that sluGetErrorMessage
 * keeps is cut to SLU_MESSAGE_CAPACITY; SluLogCallback gets the whole log. */
typedef struct SluCudaSourceInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CUDA_SOURCE_INFO */
  uint32_t structSize;
  const void* pNext;
  const char* source;         /* zero-terminated */
  uint32_t optionCount;       /* at most 64 */
  uint32_t stateSize;         /* bytes; 0 to SLU_MAX_PREDICATE_STATE */
  const char* const* options; /* of NVRTC, such as "-DNAME=1" or "-I/folder", after the library's own; may be NULL */
  const void* state;          /* as in SluCudaPredicateInfo */
} SluCudaSourceInfo;

/* The predicate's state in this frame, chained to SluFrameInfo. A frame without it has the plan's. A frame that is
 * captured into a graph keeps the state that it was enqueued with. */
typedef struct SluCudaPredicateState {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CUDA_PREDICATE_STATE */
  uint32_t structSize;
  const void* pNext;
  const void* state;  /* copied */
  uint32_t stateSize; /* the plan's */
} SluCudaPredicateState;

#ifdef __cplusplus
}
#endif

#endif
