/* Sluice for CUDA hosts: the same plans on plain device pointers and a stream, without a graphics API.
 *
 * See sluice.h for the conventions, and sluice_vulkan_cuda.h or sluice_d3d12_cuda.h for hosts of those APIs.
 *   1. Call sluCreateContext with an SluCudaDeviceInfo in pNext.
 *   2. Call sluCreateBuffer with an SluCudaBufferInfo in pNext, per allocation.
 *   3. Call sluEnqueueCompact, each frame, with the host's stream.
 *
 * Work of the host's own on the same memory goes into the same stream, before the frame or after it. The functions
 * exist in every build. One without CUDA returns SLU_ERROR_ROUTE_UNAVAILABLE.
 *
 * In a plan with SLU_LIVE_CUSTOM a predicate of the host's, in CUDA C++, decides which records are live:
 *  - a function object that the host compiles: predicate.cuh, SluCudaPredicateInfo; CUDA route alone;
 *  - source that the library compiles: SluCudaSourceInfo; CUDA and inline route.
 */
#ifndef SLUICE_SLUICE_CUDA_H
#define SLUICE_SLUICE_CUDA_H

#include <sluice/sluice_pyramid.h>

#ifdef __cplusplus
extern "C" {
#endif

/* cudaStream_t and CUstream are pointers to this; no CUDA header is needed here. */
struct CUstream_st;

/* The CUDA device of a context, chained to SluContextCreateInfo. The library works in the primary context of the
 * device, and leaves the calling thread's current device and context as it found them. Beside an SluVulkanDeviceInfo
 * or an SluD3D12DeviceInfo the struct may be left out; if it is there, it must name the same device. */
typedef struct SluCudaDeviceInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CUDA_DEVICE_INFO */
  uint32_t structSize;
  const void* pNext;
  int32_t device; /* ordinal, as cudaSetDevice counts */
} SluCudaDeviceInfo;

/* CUDA memory of the host, chained to SluBufferCreateInfo. It is judged as it is when sluCreateBuffer is called:
 *  - device memory of the device's primary context, of a pool (cudaMallocAsync), or mapped (cuMemMap); what was
 *    allocated in another CUcontext is refused;
 *  - memory of another device to which this one has access (cudaDeviceEnablePeerAccess, cudaMemPoolSetAccess,
 *    cuMemSetAccess);
 *  - managed memory, and host memory that CUDA allocated or registered.
 *
 * SluBufferCreateInfo::size bytes from devicePointer on must lie in one allocation, or in mappings one behind the
 * other. They may be a part of it. A size beyond that is refused if the driver tells where the memory ends. Beside an
 * SluVulkanBufferInfo or an SluD3D12BufferInfo it is the same memory, which the host imported into CUDA itself.
 * sluCmdReleaseD3D12 and sluCmdAcquireD3D12 do not take such a buffer: the host records its transitions. */
typedef struct SluCudaBufferInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO */
  uint32_t structSize;
  const void* pNext;
  void* devicePointer; /* aligned to 4; to 16 for the fastest access */
} SluCudaBufferInfo;

/* Tells where kernels of the host's own find byte 0 of a buffer: at SluCudaBufferInfo::devicePointer, or where the
 * library mapped what it imported from Vulkan or Direct3D 12. CUDA may use imported memory between the wait and the
 * signal of a hand-off.
 * buffer may be NULL.
 * Returns a pointer in the primary context of the context's CUDA device, valid as long as the buffer; NULL if buffer is
 * NULL, or if the CUDA route does not use it. */
SLU_API void* sluGetCudaPointer(SluBuffer buffer);

/* Enqueues a frame of a plan of the CUDA route; never waits. It takes one kernel launch; up to three for a stable plan
 * with several buckets, and three for a large frame of several views; one more for either if buckets are packed or
 * draws have groups. An unordered plan takes two if its draws have groups, three if its buckets are packed, and four
 * with more than SLU_MAX_BUCKETS of them. All further streams take one more. An in-place plan copies its records first.
 *  - The inputs are read and the outputs are written in stream order.
 *  - A plan's frames execute one after the other: put an event between frames in different streams.
 *  - A frame may be captured into a graph. The graph replays it with the buffers, views and counts that it was given; a
 *    live count is read at each replay. A frame with an SluHandoffInfo cannot be captured.
 *  - A stable frame needs more multiprocessors than it has views, in addition to those that other waiting work
 *    occupies. MPS and MIG leave only a part of the GPU.
 *  - A frame with an SluHandoffInfo waits for the graphics API first, and signals to it last.
 *
 * plan must not be NULL.
 * stream is a cudaStream_t of the context's device; NULL for the default stream.
 * frame binds buffers that the CUDA route can use.
 * Returns SLU_ERROR_ROUTE_UNAVAILABLE for a plan of another route, and SLU_ERROR_INVALID_ARGUMENT if a field is wrong.
 * After any other failure destroy the plan: a part of the frame may have been enqueued, and leaves counters that are
 * wrong. */
SLU_API SluResult sluEnqueueCompact(SluPlan plan, struct CUstream_st* stream, const SluFrameInfo* frame);

/* Enqueues the build of a pyramid of the CUDA route; never waits. It takes one kernel launch.
 *  - The depths are read and the pyramid is written in stream order.
 *  - The builds of an SluPyramid execute one after the other: put an event between builds in different streams.
 *  - A build may be captured into a graph. The graph replays it with the same buffers and number.
 *  - It hands nothing over to a graphics API: enqueue it between the wait and the signal of a hand-off.
 *
 * pyramid must not be NULL.
 * stream is a cudaStream_t of the context's device; NULL for the default stream.
 * build binds buffers that the CUDA route can use.
 * Returns SLU_ERROR_ROUTE_UNAVAILABLE for a pyramid of another route, and SLU_ERROR_INVALID_ARGUMENT if a field is
 * wrong. */
SLU_API SluResult sluEnqueueBuildPyramid(SluPyramid pyramid, struct CUstream_st* stream,
                                         const SluPyramidBuildInfo* build);

/* ---- Hand-off ---------------------------------------------------------------------------------------------------
 *
 * A host of Vulkan or Direct3D 12 hands buffers to CUDA and back. Two timelines of the context order the two APIs:
 * `released`, which the graphics API signals and CUDA waits for, and `compacted`, which CUDA signals. They are the
 * semaphores of SluVulkanTimelines (sluice_vulkan_cuda.h) or the fences of SluD3D12Fences (sluice_d3d12_cuda.h). */

/* Which values CUDA waits for and signals, chained to the SluFrameInfo of sluEnqueueCompact or passed to
 * sluEnqueueHandoff. Of the plans that share a hand-off the first waits and the last signals. The others have none, or
 * one of zeros.
 *
 * Both values are checked before anything is enqueued. A stream that is being captured is refused. If a driver fails
 * later, CUDA may wait already and nothing signals: do not submit what waits for this signalValue. */
typedef struct SluHandoffInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_HANDOFF_INFO */
  uint32_t structSize;
  const void* pNext;
  uint64_t waitValue;   /* the frame begins once `released` has reached it; not less than the last one; 0: no wait */
  uint64_t signalValue; /* `compacted` gets it once the frame, and all before it in the stream, is done; more than the
                           last one; 0: no signal */
} SluHandoffInfo;

/* Enqueues the wait, then the signal, without a frame; never waits itself. It is for kernels of the host's own that
 * work on released buffers: call it with waitValue alone before the first of them. Signal with what comes last, a frame
 * or another call.
 * context must not be NULL.
 * stream is a cudaStream_t of the context's device, which is not being captured; NULL for the default stream.
 * handoff has the values, which follow those of earlier calls and frames.
 * Returns SLU_ERROR_INVALID_ARGUMENT for a value that does not follow, and SLU_ERROR_ROUTE_UNAVAILABLE, or what else
 * keeps the CUDA route from being available. */
SLU_API SluResult sluEnqueueHandoff(SluContext context, struct CUstream_st* stream, const SluHandoffInfo* handoff);

/* ---- Predicates ------------------------------------------------------------------------------------------------- */

/* Launches a kernel that was compiled with the predicate. predicate.cuh has one.
 * A predicate in CUDA C++ is called for the records of a frame as
 *
 *   __device__ bool operator()(const void* record, unsigned index) const;
 *   __device__ unsigned key(const void* record, unsigned index) const;  // with SLU_PLAN_CUSTOM_KEY_BIT alone
 *
 * `record` is the record's address in device memory; for an in-place plan that of its copy. It is aligned as the host
 * aligned it, to 4 at least. `index` is the record's index in the input. The first is true for a live record. The
 * second is the word that holds the record's key. Keys, culling, buckets, order and outputs follow as for any other
 * live test, and frames bind their records.
 *
 * The state is the bytes of the object: at most SLU_MAX_PREDICATE_STATE, trivially copyable, aligned to 16 at most. It
 * travels with the launch. Pointers in it must be valid on the device when the frame executes.
 *
 * kernel names the kernel to predicate.cuh.
 * blocksX is the number of blocks in x.
 * blocksY is the number of blocks in y.
 * arguments are the kernel's, for cudaLaunchKernel.
 * stream is that of the frame.
 * Returns a cudaError_t. */
typedef int (*SluCudaLaunchFunction)(uint32_t kernel, uint32_t blocksX, uint32_t blocksY, const void* arguments,
                                     struct CUstream_st* stream);

/* Counts the blocks of a kernel that a multiprocessor holds. predicate.cuh has one.
 * kernel names the kernel to predicate.cuh.
 * blocks receives the number.
 * Returns a cudaError_t. */
typedef int (*SluCudaBlocksFunction)(uint32_t kernel, int* blocks);

/* A predicate that the host compiled, chained to SluPlanCreateInfo. slu::cudaPredicate of predicate.cuh fills it. */
typedef struct SluCudaPredicateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CUDA_PREDICATE_INFO */
  uint32_t structSize;
  const void* pNext;
  uint32_t version;   /* sluGetVersion of the library whose headers it was compiled with; must be this one's */
  uint32_t stateSize; /* bytes; 0 to SLU_MAX_PREDICATE_STATE */
  const void* state;  /* copied; the state of every frame that brings none; NULL if stateSize is 0 */
  SluCudaLaunchFunction launch; /* of predicate.cuh */
  SluCudaBlocksFunction blocks; /* of predicate.cuh */
  /* Stands for the kernels that it was compiled into, and for the layout of their arguments; must be this library's. */
  uint64_t kernelsHash;
  SluBool32 computesKey; /* 1 if the predicate has a member `key`: with SLU_PLAN_CUSTOM_KEY_BIT, and only then */
  uint32_t reserved;     /* 0 */
} SluCudaPredicateInfo;

/* A predicate as CUDA C++17 source, chained to SluPlanCreateInfo. It defines, in the global namespace,
 *
 *   struct SluPredicate {
 *     float threshold;  // the state, if any
 *     __device__ bool operator()(const void* record, unsigned index) const {
 *       return static_cast<const float*>(record)[3] > threshold;
 *     }
 *   };
 *
 * and whatever that needs, with SLU_PLAN_CUSTOM_KEY_BIT also the member `key`. The struct's layout is that of the same
 * members in C++ on the host.
 *  - CUDA's built-in types, functions and variables can be used. Headers cannot, neither the standard library's nor
 *    CUDA's, unless options name their folders. Other names that begin with slu, in any case, are the library's own.
 *  - Products and sums are not contracted (-fmad=false), so that floats give what the same code gives on the CPU.
 *
 * sluCreatePlan compiles the source for the context's device with NVRTC, which takes seconds. It looks for NVRTC when
 * it needs it for the first time, as the system finds libraries: for libnvrtc.so of the major version of CUDA that
 * built the library, then for any libnvrtc.so. If there is none, it returns SLU_ERROR_ROUTE_UNAVAILABLE.
 *
 * If the source does not compile, sluCreatePlan returns SLU_ERROR_INVALID_ARGUMENT. The sentence is "plan.source: does
 * not compile: " with the compiler's log, which names the source's lines as plan.source(line). sluGetErrorMessage keeps
 * SLU_MESSAGE_CAPACITY bytes of it; SluLogCallback gets the whole log.
 *
 * Plans of one context and route share what was compiled if source, options, stateSize, order and
 * SLU_PLAN_CUSTOM_KEY_BIT are the same, and if both have one bucket or both have several. It is freed with the last of
 * them. If the source or an option contains the letters include, nothing is shared, because files may change. */
typedef struct SluCudaSourceInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CUDA_SOURCE_INFO */
  uint32_t structSize;
  const void* pNext;
  const char* source;         /* zero-terminated */
  uint32_t optionCount;       /* at most 64 */
  uint32_t stateSize;         /* bytes of SluPredicate, at most SLU_MAX_PREDICATE_STATE; 0 for an empty struct */
  const char* const* options; /* of NVRTC, such as "-DNAME=1" or "-I/folder", after the library's own; may be NULL */
  const void* state;          /* copied; the state of every frame that brings none; NULL if stateSize is 0 */
} SluCudaSourceInfo;

#ifdef __cplusplus
}
#endif

#endif
