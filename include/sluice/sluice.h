/* Sluice: per-frame compaction of a renderer's GPU buffers.
 *
 * A plan describes what is kept (live test and culling), where it goes (buckets) and what is written (indices, records,
 * indirect draws, statistics). Each frame one call runs the plan. The CPU never learns a count and never waits.
 *
 * These conventions hold for every function and struct:
 *  - Sizes, offsets and strides are in bytes, counts in elements. Offsets and strides are multiples of 4.
 *  - A struct that starts with sType is versioned. Set sType and structSize, chain structs of the API headers to pNext
 *    or leave it NULL, and zero what you do not use. SLU_INIT does the first two and zeroes the rest.
 *  - Structs of older headers, which are shorter, are accepted. A struct of a newer header is accepted if it is at most
 *    1024 bytes longer and the bytes that this version does not know are zero.
 *  - Structs and the arrays that they point to are read during the call only. Pointers that a struct holds for longer
 *    say so.
 *  - A function that fails returns a negative SluResult. It has recorded, enqueued and allocated nothing, and its
 *    outputs are untouched. There is one exception: if a driver fails in the middle of sluEnqueueCompact or
 *    sluEnqueueHandoff, a part may have been enqueued.
 *  - sluGetErrorMessage has the sentence of a failure, which names the field and the remedy. A call whose context,
 *    buffer or plan is NULL returns SLU_ERROR_INVALID_ARGUMENT and keeps no sentence. Sentences are in English and do
 *    not depend on the host's locale.
 *  - Any function may return SLU_ERROR_OUT_OF_HOST_MEMORY. One that calls a driver may also return
 *    SLU_ERROR_OUT_OF_DEVICE_MEMORY, SLU_ERROR_DEVICE_LOST or SLU_ERROR_DRIVER.
 *  - Contexts are independent of each other. Within a context, creating and destroying objects is for one thread at a
 *    time. Recording different plans is free: several threads may record or enqueue frames of different plans at once,
 *    except that hand-offs (SluHandoffInfo) share the context's timelines, and are for one thread at a time. A single
 *    plan is for one thread at a time. Functions that only get or merge something may be called by any thread.
 */
#ifndef SLUICE_SLUICE_H
#define SLUICE_SLUICE_H

#include <stdint.h>

#include "sluice/values.h"

/* The version of this header; sluGetVersion has that of the library that runs. */
#define SLU_VERSION_MAJOR 0 /* Another one may change the C API. */
#define SLU_VERSION_MINOR 1 /* Another one may change the C API while the major version is 0. */
#define SLU_VERSION_PATCH 0 /* Another one keeps the C API. */

/* SLU_API exports and imports the functions of a shared library. SLUICE_SHARED is defined for programs that link
 * one. */
#if defined(SLUICE_SHARED) && defined(_WIN32)
#ifdef SLUICE_BUILD
#define SLU_API __declspec(dllexport)
#else
#define SLU_API __declspec(dllimport)
#endif
#elif defined(SLUICE_SHARED) && defined(__GNUC__)
#define SLU_API __attribute__((visibility("default")))
#else
#define SLU_API
#endif

#ifdef __cplusplus
/* SLU_INIT calls this in C++.
 * sType is the SluStructureType of T.
 * Returns a T with sType and structSize set and zeros elsewhere. */
template <typename T, typename E>
inline T sluInit(E sType) {
  T info = T();
  info.sType = sType;
  info.structSize = sizeof(T);
  return info;
}
/* SLU_INIT(FRAME_INFO, SluFrameInfo) is an SluFrameInfo with sType and structSize set and zeros elsewhere. In C it
 * initializes a variable: SluFrameInfo frame = SLU_INIT(FRAME_INFO, SluFrameInfo); */
#define SLU_INIT(NAME, Type) sluInit<Type>(SLU_STRUCTURE_TYPE_##NAME)
extern "C" {
#else
#define SLU_INIT(NAME, Type) \
  { .sType = SLU_STRUCTURE_TYPE_##NAME, .structSize = sizeof(Type) }
#endif

/* sluCreatePlan refuses a plan beyond one of these limits, and names the field. */
#define SLU_MIN_RECORD_STRIDE 4u       /* Bytes of the shortest record. */
#define SLU_MAX_RECORD_STRIDE 256u     /* Bytes of the longest record. */
#define SLU_MAX_RECORDS 0x80000000u    /* Records per plan: 2^31, so that an index plus a tile never wraps. */
#define SLU_MAX_VIEWS 16u              /* Views per frame. */
#define SLU_MAX_FRAMES_IN_FLIGHT 1024u /* Frames of a plan for which the plan itself keeps data. */
#define SLU_DEFAULT_BUFFER_SETS 64u /* Combinations of buffers of a plan if SluPlanCreateInfo::bufferSetCount is 0. */
#define SLU_MAX_BUFFER_SETS 4096u   /* The most that it may be. */
#define SLU_MAX_BUCKETS 4096u       /* Buckets per plan, those of mirrored records included. */
/* The same with SLU_PLACEMENT_MERGED, if a mesh table describes the draws or there are none: 2^20. */
#define SLU_MAX_MERGED_BUCKETS 0x100000u
/* The same with SLU_PLACEMENT_PACKED: 2^23. What more than SLU_MAX_BUCKETS need is said at SluPlacement. */
#define SLU_MAX_PACKED_BUCKETS 0x800000u
#define SLU_MAX_GROUPS 256u       /* Groups of draws per plan. */
#define SLU_MAX_STREAMS 8u        /* Further streams per plan. */
#define SLU_MESSAGE_CAPACITY 512u /* Bytes of a sentence with its terminating zero; longer ones are cut. */

/* The host's device, the routes that are available on it, and the sentences of failures. */
typedef struct SluContext_T* SluContext;

/* Memory that frames may bind, registered with a context. */
typedef struct SluBuffer_T* SluBuffer;

/* A compiled compaction: layout, tests, order and outputs. It is created once and used every frame. */
typedef struct SluPlan_T* SluPlan;

typedef uint32_t SluBool32; /* 0 is false and 1 is true. */
typedef uint32_t SluFlags;  /* Bits of the enumeration that the field names, combined by OR. */

/* Functions return one of these. Failures are negative. */
typedef enum SluResult {
  SLU_SUCCESS = 0,                     /* the call did what it says */
  SLU_ERROR_INVALID_ARGUMENT = -1,     /* a field is wrong; the sentence names it */
  SLU_ERROR_OUT_OF_HOST_MEMORY = -2,   /* free memory, or create a smaller plan */
  SLU_ERROR_OUT_OF_DEVICE_MEMORY = -3, /* free memory of the device, or create a smaller plan */
  SLU_ERROR_MISSING_FEATURE = -4,      /* the device, or how it was created, lacks what the route needs */
  SLU_ERROR_ROUTE_UNAVAILABLE = -5, /* not built, no such API was handed over, or the wrong verb for the plan's route */
  SLU_ERROR_DEVICE_LOST = -6,       /* destroy all that was made for the device; CUDA needs a new process */
  SLU_ERROR_DRIVER = -7,            /* any other failure that a driver reported */
  SLU_ERROR_INTERNAL = -8,          /* a fault of the library */
  SLU_RESULT_MAX_ENUM = 0x7fffffff
} SluResult;

/* Which struct it is that starts with sType. */
typedef enum SluStructureType {
  SLU_STRUCTURE_TYPE_CONTEXT_CREATE_INFO = 1,
  SLU_STRUCTURE_TYPE_BUFFER_CREATE_INFO = 2,
  SLU_STRUCTURE_TYPE_PLAN_CREATE_INFO = 3,
  SLU_STRUCTURE_TYPE_FRAME_INFO = 4,
  SLU_STRUCTURE_TYPE_ROUTE_INFO = 5,
  SLU_STRUCTURE_TYPE_PLAN_PROPERTIES = 6,
  SLU_STRUCTURE_TYPE_HOST_PREDICATE_INFO = 7,
  SLU_STRUCTURE_TYPE_PREDICATE_STATE = 8,
  SLU_STRUCTURE_TYPE_PYRAMID_CREATE_INFO = 9, /* sluice_pyramid.h */
  SLU_STRUCTURE_TYPE_PYRAMID_PROPERTIES = 10,
  SLU_STRUCTURE_TYPE_PYRAMID_BUILD_INFO = 11,
  SLU_STRUCTURE_TYPE_OCCLUSION_INFO = 12,
  SLU_STRUCTURE_TYPE_VULKAN_REQUIREMENTS = 1000, /* sluice_vulkan.h */
  SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO = 1001,
  SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO = 1002,
  SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO = 1003,
  SLU_STRUCTURE_TYPE_VULKAN_MERGE_INFO = 1004,
  SLU_STRUCTURE_TYPE_VULKAN_PYRAMID_INFO = 1005,
  SLU_STRUCTURE_TYPE_VULKAN_DEPTH_INFO = 1006,
  SLU_STRUCTURE_TYPE_GLSL_SOURCE_INFO = 1500, /* sluice_glsl.h */
  SLU_STRUCTURE_TYPE_SPIRV_PREDICATE_INFO = 1501,
  SLU_STRUCTURE_TYPE_HLSL_SOURCE_INFO = 1600, /* sluice_hlsl.h */
  SLU_STRUCTURE_TYPE_CUDA_DEVICE_INFO = 2000, /* sluice_cuda.h */
  SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO = 2001,
  SLU_STRUCTURE_TYPE_CUDA_PREDICATE_INFO = 2002,
  SLU_STRUCTURE_TYPE_CUDA_SOURCE_INFO = 2004,
  SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO = 3000, /* sluice_vulkan_cuda.h */
  SLU_STRUCTURE_TYPE_MEMORY_FD_INFO = 3001,
  SLU_STRUCTURE_TYPE_VULKAN_TIMELINES = 3002,
  SLU_STRUCTURE_TYPE_HANDOFF_INFO = 3003,      /* sluice_cuda.h */
  SLU_STRUCTURE_TYPE_TRANSFER_INFO = 3004,     /* sluice_vulkan_cuda.h */
  SLU_STRUCTURE_TYPE_D3D12_DEVICE_INFO = 4000, /* sluice_d3d12.h */
  SLU_STRUCTURE_TYPE_D3D12_BUFFER_INFO = 4001,
  SLU_STRUCTURE_TYPE_D3D12_PYRAMID_INFO = 4002,
  SLU_STRUCTURE_TYPE_D3D12_DEPTH_INFO = 4003,
  SLU_STRUCTURE_TYPE_D3D12_MEMORY_INFO = 5000, /* sluice_d3d12_cuda.h */
  SLU_STRUCTURE_TYPE_D3D12_FENCES = 5001,
  SLU_STRUCTURE_TYPE_D3D12_TRANSFER_INFO = 5002,
  SLU_STRUCTURE_TYPE_MAX_ENUM = 0x7fffffff
} SluStructureType;

/* Receives the sentence of calls that fail before there is a context to ask. */
typedef struct SluMessage {
  char text[SLU_MESSAGE_CAPACITY]; /* zero-terminated */
} SluMessage;

/* Names a result, for logs.
 * result may be any number.
 * Returns "SLU_ERROR_INVALID_ARGUMENT" and so on, or "unknown result"; never NULL, and valid forever. */
SLU_API const char* sluGetResultName(SluResult result);

/* Tells the version of the library that runs.
 * Returns major << 22 | minor << 12 | patch. */
SLU_API uint32_t sluGetVersion(void);

/* ---- Context ---------------------------------------------------------------------------------------------------- */

/* Where a plan runs. Every route keeps the same records, and its stable output is the same byte for byte. */
typedef enum SluRoute {
  SLU_ROUTE_AUTO = 0, /* the best route that is available, whose verb the host calls (SluHostFlagBits), and which takes
                           the plan's predicate: inline, else vulkan, d3d12, cuda, cpu. SluPlanProperties::route tells
                           which */
  SLU_ROUTE_CPU = 1,  /* the reference, on host memory; verb sluCompact */
  SLU_ROUTE_VULKAN = 2, /* compute shaders in the host's command buffer; verb sluCmdCompact */
  SLU_ROUTE_CUDA = 3,   /* CUDA kernels on device memory in the host's stream; verb sluEnqueueCompact. A host of
                           Vulkan or Direct3D 12 hands each frame to CUDA and back; with Vulkan that takes the GPU
                           about 320 us */
  SLU_ROUTE_INLINE = 4, /* the same CUDA kernels in the host's command buffer, on NVIDIA drivers that launch them there;
                           verb sluCmdCompact; no hand-off */
  SLU_ROUTE_D3D12 = 5,  /* compute shaders in the host's Direct3D 12 command list; verb sluCmdCompactD3D12 */
  SLU_ROUTE_MAX_ENUM = 0x7fffffff
} SluRoute;
#define SLU_ROUTE_COUNT 6u /* Routes, SLU_ROUTE_AUTO included. */

/* Names a route, for logs.
 * route may be any number.
 * Returns "auto", "cpu", "vulkan", "cuda", "inline" or "d3d12", and "unknown" for anything else; valid forever. */
SLU_API const char* sluGetRouteName(SluRoute route);

/* What a message of SluLogCallback is about. */
typedef enum SluLogSeverity {
  SLU_LOG_INFO = 0,    /* which routes are available, and why the others are not */
  SLU_LOG_WARNING = 1, /* no message has it yet */
  SLU_LOG_ERROR = 2,   /* the sentence of every call that fails on a context, in full length */
  SLU_LOG_SEVERITY_MAX_ENUM = 0x7fffffff
} SluLogSeverity;

/* Receives messages of a context, on the thread that made the call; several threads may call it at once. It must not
 * call back into the same context.
 * userData is SluContextCreateInfo::logUserData.
 * severity says what the message is about.
 * message is a zero-terminated sentence of any length, valid during the call only. */
typedef void (*SluLogCallback)(void* userData, SluLogSeverity severity, const char* message);

/* Tells SLU_ROUTE_AUTO which verbs the host calls. If no bit is set, it may pick any route. Routes that are asked for
 * by name do not depend on it, except for the CUDA route of a Direct3D 12 host. */
typedef enum SluHostFlagBits {
  SLU_HOST_RECORDS_BIT = 1,       /* calls sluCmdCompact: inline and vulkan may be picked */
  SLU_HOST_ENQUEUES_BIT = 2,      /* calls sluEnqueueCompact: cuda may be picked. A Direct3D 12 host has the CUDA route
                                     with this bit, or with an SluCudaDeviceInfo, alone */
  SLU_HOST_RECORDS_D3D12_BIT = 4, /* calls sluCmdCompactD3D12: d3d12 may be picked */
  SLU_HOST_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluHostFlagBits;

/* What sluCreateContext makes a context of. */
typedef struct SluContextCreateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CONTEXT_CREATE_INFO */
  uint32_t structSize;
  const void* pNext;  /* SluVulkanDeviceInfo, SluCudaDeviceInfo, SluD3D12DeviceInfo, or several of them; NULL for a
                         context with the CPU route alone */
  SluLogCallback log; /* NULL for none; must outlive all that is created from the context */
  void* logUserData;  /* handed to log; must live as long */
  SluFlags hostFlags; /* SluHostFlagBits; 0 allows any verb */
} SluContextCreateInfo;

/* Creates a context. A route that the device cannot run is no failure: sluGetRouteInfo tells why it is not available.
 * info describes the host and its devices, which stay the host's and must outlive all that is created from the context.
 * context receives the handle, which the host destroys with sluDestroyContext.
 * message receives the sentence of a failure, and may be NULL.
 * Returns SLU_ERROR_INVALID_ARGUMENT if info or a chained struct is malformed. */
SLU_API SluResult sluCreateContext(const SluContextCreateInfo* info, SluContext* context, SluMessage* message);

/* Destroys a context. Buffers and plans that are still alive stay valid, and are destroyed by their own calls.
 * context may be NULL. Its device, log and logUserData must live until the last of its objects is gone. */
SLU_API void sluDestroyContext(SluContext context);

/* Gets the sentence of the calling thread's latest failure on a context or on anything that was created from it.
 * Sentences are per thread: ask on the thread whose call failed, also while other threads use the context. A new thread
 * may see the sentence of a thread that has ended.
 * context may be NULL.
 * Returns the sentence, or "" if there is none or context is NULL. It is valid until the thread's next failing call,
 * and no longer than the context and all that was created from it. */
SLU_API const char* sluGetErrorMessage(SluContext context);

/* Whether a route of a context can be used. */
typedef struct SluRouteInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_ROUTE_INFO */
  uint32_t structSize;
  void* pNext;         /* NULL */
  SluRoute route;      /* the route asked for; for SLU_ROUTE_AUTO the one that it picks */
  SluBool32 available; /* 1: plans of the route can be created */
  /* Why the route is not available; for SLU_ROUTE_AUTO why it does not pick a better one. "" if there is no reason. */
  char reason[SLU_MESSAGE_CAPACITY];
} SluRouteInfo;

/* Tells whether a route can be used, and why not.
 * context must not be NULL.
 * route may be SLU_ROUTE_AUTO.
 * info is filled; the caller set its sType and structSize.
 * Returns SLU_SUCCESS also for a route that is not available, and SLU_ERROR_INVALID_ARGUMENT for a malformed info. */
SLU_API SluResult sluGetRouteInfo(SluContext context, SluRoute route, SluRouteInfo* info);

/* ---- Buffers ---------------------------------------------------------------------------------------------------- */

/* What sluCreateBuffer registers. */
typedef struct SluBufferCreateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_BUFFER_CREATE_INFO */
  uint32_t structSize;
  const void* pNext; /* NULL, or structs that say where the memory is: SluVulkanBufferInfo, SluVulkanAllocateInfo,
                        SluVulkanMemoryInfo, SluMemoryFdInfo, SluCudaBufferInfo */
  uint64_t size;     /* bytes that frames may use; a multiple of 4, not 0. A size beyond the memory is refused. Beyond
                        hostPointer it is not, since nothing tells the library how much is there */
  void* hostPointer; /* host memory for the CPU route, aligned to 4, or where the memory of SluFrameInfo::transient is
                        mapped; NULL if only a GPU uses the buffer */
} SluBufferCreateInfo;

/* Registers memory, which stays the host's. Nothing is copied, and nothing is allocated for the data unless
 * SluVulkanAllocateInfo asks for it. Plans of every route that finds its kind of memory in the buffer may share it.
 * context must not be NULL.
 * info says where the memory is: give hostPointer, pNext or both. The memory must outlive the buffer.
 * buffer receives the handle. It must outlive every frame that is recorded with it.
 * Returns SLU_ERROR_INVALID_ARGUMENT if info is malformed, and SLU_ERROR_ROUTE_UNAVAILABLE if no route of the context
 * can use the memory. */
SLU_API SluResult sluCreateBuffer(SluContext context, const SluBufferCreateInfo* info, SluBuffer* buffer);

/* Destroys a buffer, and memory that SluVulkanAllocateInfo asked for. Memory of the host's stays.
 * buffer may be NULL. Frames that were recorded with it must have completed. */
SLU_API void sluDestroyBuffer(SluBuffer buffer);

/* ---- Plans ------------------------------------------------------------------------------------------------------ */

/* The order of kept records within a view and bucket. A plan that writes nothing for each kept record (indices,
 * records, further streams, or a command) is as fast in either order. An unordered plan promises no order, whatever a
 * route writes today. */
typedef enum SluOrder {
  SLU_ORDER_UNORDERED = 0, /* any order, which may differ from run to run; the fastest */
  SLU_ORDER_STABLE = 1,    /* input order: the same bytes on every run and on every route */
  SLU_ORDER_MAX_ENUM = 0x7fffffff
} SluOrder;

/* A live test, and what it reads of a record. */
typedef struct SluLive {
  SluLiveTest test; /* decides which records are live */
  uint32_t offset;  /* within the record; 0 for SLU_LIVE_ALWAYS, the flag tests and SLU_LIVE_CUSTOM */
  uint32_t size;    /* bytes that SLU_LIVE_NON_EMPTY reads: a multiple of 4, at least 4; else 0 */
} SluLive;

/* Bounds of records: spheres or boxes. Each record moves its bounds by the parts of its transform that transformFlags
 * names:
 *  - world center = position + rotate(rotation, scale * center), or matrix * center;
 *  - world radius = |scale| * radius. With a scale per axis or a matrix, the radius grows by a bound of the largest
 *    singular value of the linear part M, which is exact if the axes stay orthogonal: its square is the largest
 *    absolute row sum of transpose(M) * M (Golub and Van Loan, "Matrix Computations", 2.3.3);
 *  - world extents = |M| * extents, which is the box along the world's axes that holds the moved box (Arvo,
 *    "Transforming Axis-Aligned Bounding Boxes", Graphics Gems, 1990).
 * Distances are those of the center. Mirrored, sheared and singular matrices are right, too.
 * A record is rejected (SLU_REJECT_INVALID) if
 *  - its world center is not finite or lies over 1e18 from the eye;
 *  - its radius or one of its extents is negative (-0.0 is 0) or not finite, before or after the transform;
 *  - the square of its radius or of what it grows by is not finite, unless it is a sphere that no scale per axis and no
 *    matrix moves, of a plan without meshes, layers, indexed streams, buckets of mirrored records, more planes, and
 *    LODs by the near side or with states: such numbers are below 1.8e19;
 *  - SluIndices says so. */
typedef struct SluBounds {
  SluBoundsSource source;   /* where the bounds are */
  SluBoundsShape shape;     /* what they are */
  uint32_t offset;          /* of the bounds, within the record, within an element of the stream, or within the mesh */
  uint32_t stride;          /* of the stream `bounds`, at least offset and 16 bytes, of boxes 24 or 32; 0 for
                               SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_CONSTANT and SLU_BOUNDS_IN_MESH */
  SluFlags transformFlags;  /* SluTransformFlagBits */
  uint32_t transformStride; /* 0: transforms are in the records; else the stride of stream `transforms`, whose element i
                               is record i's: at least the end of each part that transformFlags names */
  uint32_t positionOffset;  /* within the record or the element of `transforms`; 0 without the part, as the others */
  uint32_t scaleOffset;     /* of either scale */
  uint32_t rotationOffset;  /* of the quaternion */
  uint32_t matrixOffset;    /* of the matrix */
  SluMatrixForm matrixForm; /* of the matrix; 0 without SLU_TRANSFORM_MATRIX_BIT */
} SluBounds;

/* Cones of clusters, which SLU_CULL_CONE_BIT tests. A cluster is a part of a mesh, such as a meshlet, whose bounds are
 * a sphere. Its cone is four floats beside the bounds: x, y and z of an axis of length 1 in the space of the bounds,
 * and a cutoff. They say that all triangles of the cluster face away from the eye if
 *   dot(center - eye, axis) >= cutoff * |center - eye| + radius,
 * or from the direction d of an orthographic view if dot(d, axis) >= cutoff. These are the cone_axis and cone_cutoff of
 * meshoptimizer (meshopt_computeMeshletBounds). A cutoff that is not from 0 to below 1 rejects nothing.
 *
 * The test is made in the space of the bounds, so that it is right for every transform, also for those that mirror,
 * shear or scale by axis; of the latter two it rejects less. It asks for 2^-10 more than the cutoff, and for more than
 * all errors of floats: what is rejected is turned away by more than 0.05 degrees, however the host computes its
 * vertices. The host must draw with back faces culled, and with the front face that `flags` say. */
typedef struct SluCones {
  uint32_t offset; /* of the cone, from where SluBounds::offset counts, too: within the record, within an element of
                      the stream, or within the mesh */
  SluFlags flags;  /* SluConeFlagBits */
} SluCones;

/* Layers of records, which SLU_CULL_LAYERS_BIT compares with those of each view: a uint32 with a bit for each layer
 * that the record is in. */
typedef struct SluLayers {
  uint32_t stride; /* 0: the word is in the record; else the stride of the stream `layers`, whose element i is record
                      i's: at least offset and 4 bytes */
  uint32_t offset; /* of the word, within the record or the element */
  uint32_t neverCullMask;    /* records whose word has one of these bits pass the tests of bounds, whatever their bounds
                             hold; not that of layers. Where the bounds are invalid, the LOD is 0. It may be set
                             without SLU_CULL_LAYERS_BIT */
  uint32_t neverOccludeMask; /* SLU_CULL_OCCLUSION_BIT: records whose word has one of these bits, or of neverCullMask,
                                are never occluded. In two phases the first one keeps them. It may be set without
                                SLU_CULL_LAYERS_BIT */
} SluLayers;

/* Streams that records share. Record i reads element i of a stream, unless the stream is named here. Then a uint32 in
 * the record is the number of its element. Offsets are within the record, and 0 for streams that are not named. Several
 * streams may read the same uint32, and several records the same element.
 * A frame may lack the element of a record. If it is one of `bounds` or `transforms`, the bounds are invalid
 * (SLU_REJECT_INVALID). If it is one of `layers`, the record is in no layer. */
typedef struct SluIndices {
  SluFlags streams;         /* SluIndexedStreamBits; 0 for none */
  uint32_t boundsOffset;    /* SLU_INDEXED_BOUNDS_BIT, which needs SLU_BOUNDS_PER_RECORD */
  uint32_t transformOffset; /* SLU_INDEXED_TRANSFORMS_BIT, which needs SluBounds::transformStride */
  uint32_t layersOffset;    /* SLU_INDEXED_LAYERS_BIT, which needs SluLayers::stride */
} SluIndices;

/* Chooses the bucket of a record, which is key * lodCount + lod unless SLU_PLAN_SPLIT_MIRRORED_BIT moves it. The key is
 * (word at offset >> shift) & (2^bits - 1). The LOD is chosen by SluLod. */
typedef struct SluKey {
  uint32_t keyCount; /* 0 or 1: no key is read, all records have key 0 */
  uint32_t offset;   /* within the record */
  uint32_t shift;    /* bits below the key: 0 to 31 */
  uint32_t bits;     /* bits of the key, at most 32 - shift; 0 means all above shift */
  uint32_t lodCount; /* 0 or 1: no LOD; 2 to SLU_MAX_LODS needs bounds */
} SluKey;

/* How LODs are chosen. Nothing is divided, and no root is taken: lengths are compared by their squares.
 *
 * With SLU_LOD_STATES_BIT frames hand LODs on, so that records do not flip at a threshold, and the host can fade from
 * one LOD to the other. A state is a uint32 per view and record. That of record i in view v is word
 * v * maxRecordCount + i of SluFrameInfo::lodStates, and the next frame's SluFrameInfo::lastLodStates:
 *  - bits 0 to 7 are the LOD that the record has, or SLU_LOD_NONE if a test of the view rejects it. It does not depend
 *    on which LODs of the mesh are resident, nor on capacities;
 *  - bits 8 to 15 are the LOD that it had before the last change, or SLU_LOD_NONE;
 *  - bits 16 to 23 are the fade: 0 in the frame of a change, and SluFrameInfo::lodFadeStep more in each frame after it,
 *    up to 255. It is 255, too, while the record has had one LOD only since it was kept again;
 *  - bits 24 to 31 are 0.
 * Let h be SluFrameInfo::lodHysteresis. A record that had LOD l gets max(least, min(l, most)), where `least` is the LOD
 * that it reaches at (1 - h) of its distance, and `most` the one at (1 + h) of it. Of the near side this holds for the
 * distance of the center. A record that had no LOD gets the one that it reaches. Orthographic views by
 * SLU_LOD_VIEW_DISTANCES have no hysteresis: there the host compares the distances with 1 itself.
 *
 * States are numbered as records are: a host that moves records moves their states. The library does not trust them. A
 * LOD at or above SluKey::lodCount counts as SLU_LOD_NONE, so words that no frame has written may hold 0xffffffff. */
typedef struct SluLod {
  SluLodRule rule; /* SLU_LOD_MESH_DISTANCES and SLU_LOD_MESH_ERRORS need a mesh table */
  SluFlags flags;  /* SluLodFlagBits */
} SluLod;

/* A mesh table: the host's own structs, from which each frame takes what its draws and LODs need of a mesh. Keys number
 * the meshes, so that meshes come and go by writes into the host's buffer, without another plan. All offsets count from
 * the beginning of a mesh's struct; those of a LOD's number are LOD 0's, and that of LOD l lies l * lodStride further.
 * The numbers of SluKey::lodCount LODs must lie within the stride.
 *
 * The library does not trust the table. Whatever it holds, and even if it changes while a frame executes, nothing is
 * written beyond the outputs; a frame that meets such a change may draw either state. Draw commands hold the mesh's
 * numbers as they are: they are for the host's own draws. Without SLU_DRAWS_SKIP_EMPTY_BIT that is so for LODs that are
 * not there, too, whose commands have no instances; of meshes at or above the frame's count the numbers are 0.
 *
 * If the LOD that a record reaches is not resident, it gets the next coarser one that is, else the next finer one. If
 * the mesh has none, the record is rejected (SLU_REJECT_LOD). */
typedef struct SluMeshes {
  uint32_t stride;             /* of the stream `meshes`: a multiple of 4; 0: no table, and all else is 0 */
  SluFlags parts;              /* SluMeshPartBits */
  uint32_t lodCountOffset;     /* SLU_MESH_LOD_COUNT_BIT; 0 without, as the others */
  uint32_t lodMaskOffset;      /* SLU_MESH_LOD_MASK_BIT */
  uint32_t lodStride;          /* from a LOD's numbers to the next one's */
  uint32_t elementCountOffset; /* uint32 of each LOD: vertexCount or indexCount; 0 for a plan without draws */
  uint32_t firstElementOffset; /* SLU_MESH_FIRST_ELEMENT_BIT */
  uint32_t vertexOffsetOffset; /* SLU_MESH_VERTEX_OFFSET_BIT or SLU_MESH_LOD_VERTEX_OFFSET_BIT */
  uint32_t thresholdOffset;    /* float of each LOD but the first, LOD 0's is not read; 0 for SLU_LOD_VIEW_DISTANCES. A
                                  threshold that is negative or not finite is never reached */
} SluMeshes;

/* Which command draws a bucket, or with SLU_PLACEMENT_MERGED a record (SluDraws). The first output of a bucket is
 * defined at SluOutputFlagBits. */
typedef enum SluDrawType {
  SLU_DRAW_NONE = 0,      /* none is written */
  SLU_DRAW_INSTANCES = 1, /* VkDrawIndirectCommand: instanceCount = kept, firstInstance += first output */
  SLU_DRAW_VERTICES =
      2, /* VkDrawIndirectCommand: vertexCount = kept * elementCount, firstVertex += first output * elementCount */
  SLU_DRAW_INDEXED_INSTANCES =
      3,                   /* VkDrawIndexedIndirectCommand: instanceCount = kept, firstInstance += first output */
  SLU_DRAW_WORKGROUPS = 4, /* VkDispatchIndirectCommand, VkDrawMeshTasksIndirectCommandEXT, D3D12_DISPATCH_ARGUMENTS and
                              D3D12_DISPATCH_MESH_ARGUMENTS, which are three uint32 alike: workgroups for the kept
                              records, elementCount to each. Let n = ceil(kept / elementCount); y = ceil(n / 65535), at
                              least 1; x = ceil(n / y); z = 1. x * y may be up to y - 1 more than n, so shaders return
                              where x + y * gl_NumWorkGroups.x is n or more. Devices limit the total of mesh tasks,
                              2^22 on many: keep it by capacity and elementCount. No mesh table describes them */
  SLU_DRAW_TYPE_MAX_ENUM = 0x7fffffff
} SluDrawType;

/* What the draw command of a bucket holds, apart from what the frame counts. Fields that the type lacks are 0. */
typedef struct SluDrawTemplate {
  uint32_t elementCount;  /* vertexCount or indexCount; for SLU_DRAW_VERTICES the vertices per record, at least 1; for
                             SLU_DRAW_WORKGROUPS the records per workgroup, at least 1 */
  uint32_t instanceCount; /* SLU_DRAW_VERTICES only; other types count instances */
  uint32_t firstElement;  /* firstVertex or firstIndex; SLU_DRAW_VERTICES adds to it; 0 for SLU_DRAW_WORKGROUPS */
  int32_t vertexOffset;   /* SLU_DRAW_INDEXED_INSTANCES only */
  uint32_t
      firstInstance; /* draws of instances add the first output, or the record's index; 0 for SLU_DRAW_WORKGROUPS */
} SluDrawTemplate;

/* Where the kept records of a view's buckets lie. */
typedef enum SluPlacement {
  SLU_PLACEMENT_RESERVED =
      0,                    /* each bucket has room for SluBucket::capacity records, at the same place in every frame */
  SLU_PLACEMENT_PACKED = 1, /* buckets lie one behind the other, without gaps, in the order of their numbers: each frame
                                 counts them first. Together they have room for SluPlanCreateInfo::capacity records. If
                                 more pass, the last buckets are cut. A plan of more than SLU_MAX_BUCKETS of them has
                                 SLU_ORDER_UNORDERED, a mesh table or no draws, SLU_DRAWS_SKIP_EMPTY_BIT with draws, no
                                 groups and no SLU_OUTPUT_BUCKET_COUNTS_BIT */
  SLU_PLACEMENT_MERGED = 2, /* the records of all buckets lie in one list, with room for SluPlanCreateInfo::capacity of
                                 them, in the order of the plan, and a command draws each (SluDraws). A bucket then only
                                 says what draws a record. Such plans cannot have SLU_OUTPUT_BUCKET_COUNTS_BIT */
  SLU_PLACEMENT_MAX_ENUM = 0x7fffffff
} SluPlacement;

/* Room for the kept records of one bucket, and what draws them. */
typedef struct SluBucket {
  uint32_t capacity; /* SLU_PLACEMENT_RESERVED: records kept at most, per view. With 0 nothing is kept and the demand is
                           still reported. The sum of all capacities times maxViewCount is below 2^32, and so is every
                           word of a draw command. Other placements: 0, and the words of commands are below
                           2^32 for any place in `capacity`, or for the index of any record */
  SluDrawTemplate draw; /* ignored if the plan has no draws; zeros if it has a mesh table, which describes them */
} SluBucket;

/* How a plan writes its draw commands. */
typedef enum SluDrawFlagBits {
  SLU_DRAWS_SKIP_EMPTY_BIT = 1,      /* draws of empty buckets are left out, the others move together in bucket order;
                                        in groups at fixed places each within its group */
  SLU_DRAWS_AS_DATA_BIT = 2,         /* the host does not use the commands for indirect draws, but reads them itself or
                                dispatches them: the plan needs no feature of the device for them */
  SLU_DRAWS_FIRST_IN_FRONT_BIT = 4,  /* a word stands in front of each command, at the beginning of its stride, for root
                                         constants of Direct3D 12 and for shaders that read their command: the command's
                                         firstInstance, or firstVertex of SLU_DRAW_VERTICES, or of workgroups the first
                                         output of the bucket. One word is possible */
  SLU_DRAWS_BUCKET_IN_FRONT_BIT = 8, /* that word is the number of the bucket */
  SLU_DRAWS_NUMBER_IN_FRONT_BIT = 16, /* that word is the number of the command's place in its view */
  SLU_DRAWS_RECORD_IN_FRONT_BIT = 32, /* that word is the index of the record in the input, which is then not added to
                                         firstInstance. It needs SLU_PLACEMENT_MERGED */
  SLU_DRAW_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluDrawFlagBits;

/* The draw commands of a view: one per bucket, in the order of buckets. The draw count is the number of buckets, or
 * with SLU_DRAWS_SKIP_EMPTY_BIT the number of those that kept something. Commands from the count on are written as
 * zeros, so a plain indirect draw over all buckets is right, too. Of each stride only the bytes of the command and of
 * the word in front of it are written. A host that sets further words itself binds draws at a later offset.
 *
 * With more than SLU_MAX_BUCKETS packed buckets a view has room for as many commands as there are buckets, or places
 * in SluPlanCreateInfo::capacity if these are fewer. Of the commands behind the draw count,
 * SluPlanCreateInfo::zeroCommandCount are written as zeros, and the others are not written.
 *
 * With SLU_PLACEMENT_MERGED there is a command per kept record. Places are those of indices and keptRecords: command p
 * of view v is element v * capacity + p, and draws the record at place p. It is the template of the record's bucket
 * with 1 as instanceCount, and with the record's index in the input added to firstInstance. The draw count is the
 * number of kept records. Of the commands behind it, SluPlanCreateInfo::zeroCommandCount are written as zeros, and the
 * others are not written. SLU_DRAW_VERTICES, SLU_DRAW_WORKGROUPS, groups and SLU_DRAWS_SKIP_EMPTY_BIT are refused. */
typedef struct SluDraws {
  SluDrawType type; /* the command */
  uint32_t stride;  /* at least the command: 16 bytes, indexed 20, workgroups 12; and 4 for a word in front */
  SluFlags flags;   /* SluDrawFlagBits */
} SluDraws;

/* Groups of draws, which one state of the pipeline draws together. A view's commands come in the order of groups,
 * those of a group in the order of buckets. SLU_OUTPUT_DRAW_COUNTS_BIT then writes a count per view and group, group
 * by group. A plan with groups has several buckets, and no SLU_PLACEMENT_MERGED. Its frames count records before they
 * place them, as with SLU_PLACEMENT_PACKED. A draw without a place is left out (SLU_OVERFLOW_DRAWS_BIT); its records
 * are kept. */
typedef struct SluGroups {
  uint32_t count;            /* 0: no groups, and all else is 0; at most SLU_MAX_GROUPS */
  uint32_t drawCapacity;     /* 0: the commands of a group follow those of the group before it. Else each group has room
                                for so many, at a fixed place: its first one is command group * drawCapacity of the
                                view. Those of a group from its count on are written as zeros. count * drawCapacity *
                                maxViewCount is below 2^32 */
  uint32_t meshOffset;       /* of the uint32 within a mesh that is its group, a multiple of 4; 0 without a table */
  uint32_t mirroredOffset;   /* with a mesh table and SLU_PLAN_SPLIT_MIRRORED_BIT: added to the group of a mesh for its
                                records that mirror; below count. Else 0 */
  const uint32_t* ofBuckets; /* without a mesh table: the groups of the bucketCount buckets, each below count, which are
                                copied. Else NULL, and a group of the table that is not below count has no place */
} SluGroups;

/* What the host's graphics API must be able to do to draw a plan's commands as they are written. On Vulkan each is a
 * feature, which sluGetVulkanRequirements asks for if the device has it. */
typedef enum SluDrawNeedFlagBits {
  SLU_DRAW_NEEDS_FIRST_INSTANCE_BIT = 1, /* a firstInstance that is not 0, which the commands of later buckets and views
                                            have, and those of records: drawIndirectFirstInstance. sluCreatePlan refuses
                                            such a plan if the context's Vulkan device was created without the
                                            feature */
  SLU_DRAW_NEEDS_MULTI_DRAW_BIT = 2, /* more than one command per view: multiDrawIndirect, unless the host draws them
                                            one by one, or with a draw count from a buffer */
  SLU_DRAW_NEEDS_DRAW_COUNT_BIT = 4, /* draw counts in a buffer: drawIndirectCount, unless the host draws as many
                                            commands as there are buckets, or places for records (SluDraws) */
  SLU_DRAW_NEED_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluDrawNeedFlagBits;

/* Further properties of a plan. */
typedef enum SluPlanFlagBits {
  SLU_PLAN_IN_PLACE_BIT = 1,       /* keptRecords may overlap records. Each frame copies its records aside first, into
            maxRecordCount * recordStride bytes that the plan allocates. It needs SLU_OUTPUT_RECORDS_BIT */
  SLU_PLAN_CUSTOM_KEY_BIT = 2,     /* the predicate of SLU_LIVE_CUSTOM also computes the word that SluKey takes its bits
            from. It needs several keys, and 0 as the key's offset */
  SLU_PLAN_SPLIT_MIRRORED_BIT = 4, /* records whose transform mirrors, which turns triangles around, have buckets of
            their own: b + keyCount * lodCount, where b is the bucket of others. bucketCount is twice as high for it. A
            transform mirrors if its linear part is finite and has a negative determinant, whose magnitude should be
            from 1e-37 to 1e37, since floats compute it. Records whose bounds are not there (SluIndices) are among the
            others. It needs tests of bounds or LODs, and a scale or a matrix in SluBounds::transformFlags */
  SLU_PLAN_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluPlanFlagBits;

/* A further stream: an array beside the records whose element i belongs to record i, such as the velocities of
 * particles that are kept apart from their positions. Where a frame keeps record i at output place p, it copies element
 * i of the stream to element p of the stream's output. So the outputs of all streams have the order, the buckets and
 * the views of the kept records. Elements of places that keep nothing are not written, nor are bytes between elements.
 *
 * Streams are not in place with SLU_PLAN_IN_PLACE_BIT either, which is about records alone. GPUs copy in units of 16, 8
 * or 4 bytes: the widest that divides elementSize, both strides and both offsets. */
typedef struct SluStream {
  uint32_t elementSize;  /* bytes that are copied: 4 to 256, a multiple of 4 */
  uint32_t inputStride;  /* from an element of the input to the next one: at least elementSize; 0 means that */
  uint32_t outputStride; /* the same of the output */
} SluStream;

/* Which rejected records a plan lists by SLU_OUTPUT_REJECTS_BIT, and counts by SLU_OUTPUT_REJECT_COUNTS_BIT. A record
 * is rejected for the first test that it fails, as SluStatistics counts it. A record that passes all tests is not
 * rejected, even if it finds no room in the outputs. A plan may have the list as its only output. Frames test all
 * records a second time for the list, in passes of their own, and in-place plans copy them a second time. */
typedef struct SluRejects {
  SluFlags reasons;  /* bits 1 << SluReject; 0 for all. A reason that the plan does not have lists nothing */
  uint32_t capacity; /* indices that the list has room for, per view; 0: maxRecordCount. Times maxViewCount it is below
                        2^32 */
} SluRejects;

/* What sluCreatePlan compiles. */
typedef struct SluPlanCreateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_PLAN_CREATE_INFO */
  uint32_t structSize;
  const void* pNext;        /* NULL; with SLU_LIVE_CUSTOM the predicate, for each route that may run the plan:
                               SluHostPredicateInfo, SluGlslSourceInfo or SluSpirvPredicateInfo, SluHlslSourceInfo,
                               and SluCudaPredicateInfo or SluCudaSourceInfo */
  SluRoute route;           /* where the plan runs */
  SluOrder order;           /* of kept records within their view and bucket, and of rejects within their view */
  SluFlags flags;           /* SluPlanFlagBits */
  uint32_t recordStride;    /* 4 to 256, a multiple of 4 */
  uint32_t maxRecordCount;  /* 1 to SLU_MAX_RECORDS: the most a frame may bring */
  uint32_t maxViewCount;    /* 1 to SLU_MAX_VIEWS; 0 means 1 */
  SluLive live;             /* which records are live */
  SluFlags cullFlags;       /* SluCullFlagBits; all but SLU_CULL_LAYERS_BIT need bounds */
  SluBounds bounds;         /* for culling and LODs; zeros without */
  SluKey key;               /* which bucket a record goes to; zeros for one bucket */
  uint32_t bucketCount;     /* keyCount * lodCount, and twice that with SLU_PLAN_SPLIT_MIRRORED_BIT; or 0: one bucket
                               that holds maxRecordCount records, no draws. With SLU_PLACEMENT_PACKED and
                               SLU_PLACEMENT_MERGED 0 also stands for all buckets, if nothing needs their templates:
                               there is a mesh table, or there are no draws */
  uint32_t bucketStride;    /* distance between elements of buckets, at least sizeof(SluBucket); 0 means that */
  const SluBucket* buckets; /* bucketCount elements, which are copied; NULL if bucketCount is 0 */
  SluFlags outputs;         /* SluOutputFlagBits, at least one unless there are further streams */
  SluDraws draws;           /* zeros unless outputs has SLU_OUTPUT_DRAWS_BIT or SLU_OUTPUT_DRAW_COUNTS_BIT */
  /* SLU_ROUTE_VULKAN: of how many frames the plan keeps the data, in slots that sluCmdCompact takes in turn. When it
   * records a frame, the one that it recorded so many frames before must have completed, and must not be executed
   * again. 0: every frame brings SluFrameInfo::transient. At most SLU_MAX_FRAMES_IN_FLIGHT. Other routes do without. */
  uint32_t framesInFlight;
  /* SLU_ROUTE_VULKAN by bound buffers without VK_KHR_push_descriptor: how many combinations of buffers its frames bind
   * at most. The plan keeps a descriptor set for each. The same buffers at other offsets are no other combination,
   * unless a buffer is larger than SluVulkanRequirements::maxBindingBytes. sluDestroyBuffer frees the sets that had the
   * buffer. 0: SLU_DEFAULT_BUFFER_SETS. At most SLU_MAX_BUFFER_SETS. In all other cases it has no effect. */
  uint32_t bufferSetCount;
  SluLive secondLive; /* a further test that live records pass, too; zeros for none. One of the two tests the stream
                         `flags` and the other one the record, in either order. SLU_LIVE_CUSTOM can only be the first,
                         and may be asked of records whose flag is not set */
  uint32_t liveMask;  /* SLU_LIVE_MASK_EQUAL: the bits that are compared, at least one; else 0 */
  uint32_t liveValue; /* SLU_LIVE_MASK_EQUAL: what these bits are of a live record. No bit outside liveMask is set */
  SluLod lod;         /* how LODs are chosen; zeros without LODs */
  SluMeshes meshes;   /* zeros for draws that are known when the plan is created */
  SluLayers layers;   /* where layers are; zeros without SLU_CULL_LAYERS_BIT and without either mask */
  SluIndices indices; /* which streams records share; zeros for none */
  SluPlacement placement; /* of kept records; a single bucket that is packed is as one with a capacity of its own */
  uint32_t capacity; /* records kept at most, per view, of all buckets together; 0: maxRecordCount. Times maxViewCount
                             it is below 2^32. SLU_PLACEMENT_RESERVED: 0 */
  SluGroups groups;  /* of draws; zeros for none */
  /* SLU_OUTPUT_DRAWS_BIT with SLU_PLACEMENT_MERGED, or with more than SLU_MAX_BUCKETS packed buckets: how many commands
   * behind the draw count are written as zeros, at most up to the room for commands, for hosts that draw without a
   * count, or in multiples: 63 for multiples of 64, of which the capacity should be one, too. One workgroup writes
   * them at the end of the view. Else 0. */
  uint32_t zeroCommandCount;
  uint32_t streamCount;     /* further streams: 0 to SLU_MAX_STREAMS */
  const SluStream* streams; /* streamCount elements, which are copied; NULL if that is 0 */
  SluRejects rejects;       /* zeros unless outputs has SLU_OUTPUT_REJECTS_BIT or SLU_OUTPUT_REJECT_COUNTS_BIT */
  SluCones cones;           /* where cones are; zeros without SLU_CULL_CONE_BIT */
} SluPlanCreateInfo;

/* The most bytes of a predicate's state. A predicate is the host's own code that decides, for SLU_LIVE_CUSTOM, which
 * records are live. With SLU_PLAN_CUSTOM_KEY_BIT it also computes their keys. A plan may chain it in several languages;
 * the route that runs the plan uses the one that it takes, and does not read the others:
 *  - cpu: SluHostPredicateInfo;
 *  - vulkan: SluGlslSourceInfo or SluSpirvPredicateInfo of sluice_glsl.h;
 *  - d3d12: SluHlslSourceInfo of sluice_hlsl.h;
 *  - cuda: SluCudaPredicateInfo or SluCudaSourceInfo of sluice_cuda.h;
 *  - inline: SluCudaSourceInfo.
 *
 * A predicate may be called more than once for a record, and by any thread, so it must give the same answer each time.
 * Keys may be asked of records that are not live. A predicate may depend on the record, its index in the input, its
 * state, and memory that the frame does not write. It must not write, nor synchronize threads. */
#define SLU_MAX_PREDICATE_STATE 64u

/* Tells whether a record is live.
 * state is the frame's state, aligned to 16, or NULL if stateSize is 0.
 * record is the record in host memory, aligned as the host aligned it, to 4 at least; for an in-place plan its copy.
 * index is the record's index in the input.
 * Returns 0 if it is not live. */
typedef SluBool32 (*SluHostPredicateFunction)(const void* state, const void* record, uint32_t index);

/* Computes the word that holds a record's key, from which SluKey::shift and SluKey::bits take the key. The parameters
 * are those of SluHostPredicateFunction.
 * Returns the word. */
typedef uint32_t (*SluHostKeyFunction)(const void* state, const void* record, uint32_t index);

/* A predicate for the CPU route, chained to SluPlanCreateInfo. Its functions are called on the thread that calls
 * sluCompact. They must not throw, and must not call back into the context. */
typedef struct SluHostPredicateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_HOST_PREDICATE_INFO */
  uint32_t structSize;
  const void* pNext;
  SluHostPredicateFunction isLive; /* must not be NULL */
  SluHostKeyFunction keyWord;      /* NULL unless SluPlanCreateInfo::flags has SLU_PLAN_CUSTOM_KEY_BIT */
  const void* state;               /* copied; the state of every frame that brings none; NULL if stateSize is 0 */
  uint32_t stateSize;              /* bytes; 0 to SLU_MAX_PREDICATE_STATE */
  uint32_t reserved;               /* 0 */
} SluHostPredicateInfo;

/* The predicate's state in one frame, chained to SluFrameInfo. A frame without it has the plan's state. A command
 * buffer or a graph that is executed again keeps the state that it was recorded with. */
typedef struct SluPredicateState {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_PREDICATE_STATE */
  uint32_t structSize;
  const void* pNext;
  const void* state;  /* stateSize bytes, which are copied */
  uint32_t stateSize; /* must be that of the predicate which the plan's route uses */
} SluPredicateState;

/* Creates a plan. It allocates all that the plan ever needs and compiles its kernels, which is slow: call it when the
 * host loads. Streams of CUDA may be captured meanwhile, by any thread: no call that creates or destroys breaks a
 * capture.
 * context must not be NULL.
 * info describes the plan. What it points to is copied.
 * plan receives the handle, which the host destroys with sluDestroyPlan.
 * Returns SLU_ERROR_INVALID_ARGUMENT if a field is wrong, SLU_ERROR_ROUTE_UNAVAILABLE or SLU_ERROR_MISSING_FEATURE if
 * the route is not available, and SLU_ERROR_MISSING_FEATURE if the device lacks what the plan's draws need. */
SLU_API SluResult sluCreatePlan(SluContext context, const SluPlanCreateInfo* info, SluPlan* plan);

/* Destroys a plan.
 * plan may be NULL. Frames that were recorded with it must have completed. */
SLU_API void sluDestroyPlan(SluPlan plan);

/* What a plan needs and writes. Bytes of outputs are those of a frame with maxViewCount views; 0 if not written. */
typedef struct SluPlanProperties {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_PLAN_PROPERTIES */
  uint32_t structSize;
  void* pNext;                /* NULL */
  SluRoute route;             /* where the plan runs, never SLU_ROUTE_AUTO */
  uint32_t bucketCount;       /* of keys, LODs and mirroring, whatever the placement: at least 1 */
  uint64_t outputsPerView;    /* sum of the capacities, or the capacity of all buckets together */
  uint64_t tileRecords;       /* records that a workgroup takes at once; some plans take more at once in their largest
                                 frames; 1 on the CPU route */
  uint64_t scratchBytes;      /* what the plan allocated, the copies of in-place plans included */
  uint64_t indicesBytes;      /* of SluFrameInfo::indices */
  uint64_t keptRecordsBytes;  /* of SluFrameInfo::keptRecords */
  uint64_t drawsBytes;        /* of SluFrameInfo::draws */
  uint64_t drawCountsBytes;   /* of SluFrameInfo::drawCounts */
  uint64_t statisticsBytes;   /* of SluFrameInfo::statistics */
  uint64_t bucketCountsBytes; /* of SluFrameInfo::bucketCounts */
  SluFlags drawNeeds;         /* SluDrawNeedFlagBits; 0 without draws and with SLU_DRAWS_AS_DATA_BIT */
  uint32_t reserved;          /* 0 */
  uint64_t transientBytes;    /* of SluFrameInfo::transient; 0 on routes that do without */
  uint64_t lodStatesBytes;    /* of SluFrameInfo::lodStates, for maxRecordCount records */
  uint64_t streamBytes[SLU_MAX_STREAMS]; /* of the outputs of SluFrameInfo::streams */
  uint64_t rejectsBytes;                 /* of SluFrameInfo::rejects */
  uint64_t rejectCountsBytes;            /* of SluFrameInfo::rejectCounts */
  uint64_t visibilityBytes; /* of SluOcclusionInfo::visible, for maxRecordCount records; 0 without the bit */
} SluPlanProperties;

/* Tells what a plan needs and writes.
 * plan must not be NULL.
 * properties is filled; the caller set its sType and structSize.
 * Returns SLU_ERROR_INVALID_ARGUMENT for a malformed properties. */
SLU_API SluResult sluGetPlanProperties(SluPlan plan, SluPlanProperties* properties);

/* ---- Frames ----------------------------------------------------------------------------------------------------- */

/* One camera or shadow cascade. A field is read and checked only if the plan has the bit that stands beside it;
 * otherwise it may hold anything. What is read must be finite, except maxDistance, which may be infinite. */
typedef struct SluView {
  float planes[6][4]; /* SLU_CULL_FRUSTUM_BIT. x, y, z: normal that points inwards, of length 1 within 1e-3; w:
                         distance. Everything passes (0, 0, 0, w) with w > 0; a plane of zeros is refused.
                         sluGetFrustumPlanes fills them */
  float eye[3];       /* read by every plan that has bounds to test; within 1e18 of the origin */
  float minDistance;  /* SLU_CULL_DISTANCE_BIT; 0 <= minDistance <= maxDistance */
  float maxDistance;  /* SLU_CULL_DISTANCE_BIT; not 0; INFINITY for no limit */
  float minSizeRatio; /* SLU_CULL_SIZE_BIT; radius over distance, at least 0. For p pixels of diameter:
                         p * tan(fovY / 2) / height in pixels; of an orthographic view p / 2 * the height of the view
                         in the world / height in pixels */
  float lodDistances[SLU_MAX_LODS - 1u]; /* SLU_LOD_VIEW_DISTANCES; where LOD 1, 2 and so on begin: lodCount - 1 are
                                            read; ascending */
  float lodRatio;     /* SLU_LOD_MESH_DISTANCES and SLU_LOD_MESH_ERRORS; 1e-9 to 1e9. For errors of p pixels at most:
                         p * 2 * tan(fovY / 2) / height in pixels; of an orthographic view p * the height of the view
                         in the world / height in pixels. Distances are exact with 1 */
  SluFlags flags;     /* SluViewFlagBits */
  uint32_t layerMask; /* SLU_CULL_LAYERS_BIT; the layers that the view shows. 0 shows none */
  float direction[3]; /* SLU_CULL_CONE_BIT of an orthographic view; where it looks, of length 1 within 1e-3 */
} SluView;

/* Six more planes of a view, beside SluView::planes: of a shadow cascade that is extruded towards the light, of a
 * portal, of a clip plane. Records are tested against them as against the six of the view. If the view has
 * SLU_VIEW_EITHER_FRUSTUM_BIT they are a frustum of their own, such as the other eye's: a record passes if it passes
 * the six planes of either. Distances, sizes and LODs are seen from the one SluView::eye in any case. */
typedef struct SluMorePlanes {
  uint32_t view;      /* its number, below viewCount. A view has one element at most, or none */
  float planes[6][4]; /* as SluView::planes; (0, 0, 0, 1) for those that are not needed */
} SluMorePlanes;

/* A part of a buffer, from offset on. */
typedef struct SluBinding {
  SluBuffer buffer; /* of the plan's context; NULL: not bound */
  uint64_t offset;  /* a multiple of 4, and of 16 for the fastest access; 0 if not bound */
} SluBinding;

/* The two ends of a further stream (SluStream). */
typedef struct SluStreamBinding {
  SluBinding input;  /* recordCount elements, the last one as far as it is copied */
  SluBinding output; /* as many elements per view as the plan has outputs (SluPlanProperties::outputsPerView), views one
                        behind the other; the last one as far as it is written */
} SluStreamBinding;

/* What a frame did, 64 bytes per view. */
typedef struct SluStatistics {
  uint32_t inputCount;    /* records tested */
  uint32_t demandedCount; /* records that passed */
  uint32_t keptCount;     /* those that fit the capacities */
  uint32_t drawCount;     /* draws of the view, of all groups together; 0 if the plan has no draws */
  uint32_t overflow; /* SluOverflowFlagBits, or-ed to what is there: zero it before the first frame and to clear it */
  uint32_t rejectedCount[SLU_REJECT_COUNT]; /* records that were not kept, by SluReject */
} SluStatistics;

/* What a frame did for one bucket of a view, or for the list of rejects (SLU_OUTPUT_REJECT_COUNTS_BIT). */
typedef struct SluBucketCount {
  uint32_t demandedCount; /* records that passed */
  uint32_t keptCount;     /* those that fit the capacity, or what the buckets before leave of it if they are packed */
} SluBucketCount;

/* What changes from frame to frame. Bind the inputs and outputs that the plan has, and leave the others zero. What
 * takes no bytes (no records, no capacity) may be bound or not. No output may overlap another one or an input, except
 * keptRecords and records with SLU_PLAN_IN_PLACE_BIT. On GPUs offsets and strides that are multiples of 16 are the
 * fastest. */
typedef struct SluFrameInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_FRAME_INFO */
  uint32_t structSize;
  const void* pNext;      /* NULL; SluHandoffInfo on the CUDA route; SluPredicateState with SLU_LIVE_CUSTOM;
                             SluOcclusionInfo with SLU_CULL_OCCLUSION_BIT */
  uint32_t recordCount;   /* records to test, or the upper bound of the live count; 0 to maxRecordCount */
  uint32_t viewCount;     /* 1 to maxViewCount */
  uint32_t viewStride;    /* distance between elements of views, at least sizeof(SluView); 0 means that */
  const SluView* views;   /* viewCount elements; NULL if the plan neither culls nor has LODs */
  SluBinding liveCount;   /* optional: a uint32 in a buffer that replaces recordCount if it is lower. It must not change
                           while the frame executes */
  SluBinding records;     /* recordCount * recordStride bytes; needed unless nothing of the record is read */
  SluBinding bounds;      /* SLU_BOUNDS_PER_RECORD: recordCount elements, or boundsCount; SLU_BOUNDS_PER_KEY: keyCount
                             elements; SLU_BOUNDS_CONSTANT: one element */
  SluBinding transforms;  /* SluBounds::transformStride: recordCount elements, or transformCount */
  SluBinding flags;       /* the flag stream of either live test: recordCount bits, bytes or words, in whole words */
  SluBinding indices;     /* SLU_OUTPUT_INDICES_BIT */
  SluBinding keptRecords; /* SLU_OUTPUT_RECORDS_BIT */
  SluBinding draws;       /* SLU_OUTPUT_DRAWS_BIT */
  SluBinding drawCounts;  /* SLU_OUTPUT_DRAW_COUNTS_BIT */
  SluBinding statistics;  /* SLU_OUTPUT_STATISTICS_BIT; read, too, for SluStatistics::overflow */
  SluBinding bucketCounts; /* SLU_OUTPUT_BUCKET_COUNTS_BIT */
  /* SLU_ROUTE_VULKAN, where it is optional unless SluPlanCreateInfo::framesInFlight is 0: memory in which
   * sluCmdCompact writes the frame's data, SluPlanProperties::transientBytes for maxViewCount views, at a multiple of
   * 256. It must stay as it is until the command buffer has completed for the last time, so it serves command buffers
   * that are submitted again, or overlap. Its buffer has a hostPointer, at which the memory is mapped. If the memory
   * is not coherent, the host flushes the range before it submits. Other routes do not look at it. */
  SluBinding transient;
  SluBinding meshes;        /* the mesh table: meshCount structs, the last one as far as it is read */
  SluBinding liveMeshCount; /* optional: a uint32 in a buffer that replaces meshCount if it is lower */
  uint32_t meshCount;       /* meshes of the table, or the upper bound of liveMeshCount; 0 to keyCount. Records of other
                               keys are rejected (SLU_REJECT_KEY); nothing else tells that liveMeshCount is higher */
  uint32_t reserved;        /* 0 */
  SluBinding layers;        /* SluLayers::stride: recordCount elements, or layerCount */
  uint32_t boundsCount;     /* elements of `bounds` with SLU_INDEXED_BOUNDS_BIT; else 0 */
  uint32_t transformCount;  /* elements of `transforms` with SLU_INDEXED_TRANSFORMS_BIT; else 0 */
  uint32_t layerCount;      /* elements of `layers` with SLU_INDEXED_LAYERS_BIT; else 0 */
  uint32_t reserved1;       /* 0 */
  const SluMorePlanes* morePlanes; /* SLU_CULL_MORE_PLANES_BIT: morePlanesCount elements; NULL if that is 0 */
  uint32_t morePlanesCount;        /* together with viewCount at most SLU_MAX_VIEWS; 0 without the bit */
  uint32_t reserved2;              /* 0 */
  SluBinding lastLodStates; /* SLU_LOD_STATES_BIT: what the last frame wrote to lodStates, as many bytes. Optional; not
                               bound: no record had a LOD */
  SluBinding lodStates;     /* SLU_LOD_STATES_BIT: ((viewCount - 1) * maxRecordCount + recordCount) * 4 bytes, in which
                               each record that is tested gets a state, whether it is kept or not. Two buffers that the
                               host swaps from frame to frame will do */
  float lodHysteresis;      /* SLU_LOD_STATES_BIT: 0 to 0.5; how far beyond a threshold a LOD is kept, as a part of the
                               distance. Else 0 */
  uint32_t lodFadeStep;     /* SLU_LOD_STATES_BIT: 0 to 255; how much fades grow in this frame. By 255 they end a frame
                               after a change. Else 0 */
  const SluStreamBinding* streams; /* streamCount elements, in the order of SluPlanCreateInfo::streams; NULL if that is
                                      0 */
  uint32_t streamCount;            /* that of the plan */
  uint32_t reserved3;              /* 0 */
  SluBinding rejects;              /* SLU_OUTPUT_REJECTS_BIT */
  SluBinding rejectCounts;         /* SLU_OUTPUT_REJECT_COUNTS_BIT */
} SluFrameInfo;

/* The projection of a view whose records are tested for occlusion. */
typedef struct SluOcclusionView {
  float viewProjection[16]; /* column-major, from the world to clip space with z from 0 to w, of the finite entries that
                               the depths were rendered with, jitter included. Perspective and orthographic, z reversed
                               or not. Where the view has planes (SLU_CULL_FRUSTUM_BIT), those of the sides must be its
                               planes, unless they let everything pass or the view has more planes */
  uint32_t layer;           /* of the pyramid; below SluOcclusionInfo::layerCount */
  SluFlags flags;           /* SluOcclusionFlagBits */
} SluOcclusionView;

/* Occlusion in one frame of a plan with SLU_CULL_OCCLUSION_BIT, chained to SluFrameInfo. A frame without it tests no
 * occlusion, so a host switches it off without another plan.
 *
 * A record is occluded if all of its bounds lies behind the depths of the pyramid (sluice_pyramid.h), beside them, or
 * behind the plane of the eye. Its projection is rounded outwards (sluice/occlusion.h), bounds that reach the plane
 * of the eye are never occluded, and a pyramid hides nothing that is not valid or has another size or number of
 * layers than is said here.
 * So opaque passes whose result does not depend on the order of draws get the same picture with occlusion and
 * without, if bounds contain all that is rasterised, in these ways:
 *  - Two phases. A frame of SLU_OCCLUSION_FIRST keeps what lastVisible names. The host draws that, and builds a
 *    pyramid from the depths. A frame of SLU_OCCLUSION_SECOND with the same records keeps the rest of what is
 *    visible, which the host draws, too, and writes `visible`, which the next frame takes as lastVisible. Pictures
 *    are right whatever lastVisible holds, as long as both phases read the same: after a cut, for new and for moved
 *    records.
 *  - A single phase against the pyramid of the same picture, such as after a pass that draws occluders. Against the
 *    pyramid and the matrix of the last frame, with SLU_OCCLUSION_EARLIER_BIT, it is an approximation: what has
 *    come into sight since is missing for a frame.
 *
 * Bits: a bit per view and record. That of record i in view v is bit i % 32 of word
 * v * ceil(maxRecordCount / 32) + i / 32. It says that the pyramid does not hide the record; the other tests do not
 * matter. Whole words are written, up to recordCount; bits of records that are not tested are 0. */
typedef struct SluOcclusionInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_OCCLUSION_INFO */
  uint32_t structSize;
  const void* pNext;
  SluOcclusionPhase phase;       /* what the frame tests */
  uint32_t viewStride;           /* distance between elements of views, at least sizeof(SluOcclusionView); 0: that */
  const SluOcclusionView* views; /* SluFrameInfo::viewCount elements; NULL for SLU_OCCLUSION_FIRST */
  SluBinding pyramid;            /* at a multiple of 16; unbound for SLU_OCCLUSION_FIRST */
  uint32_t width;                /* pixels of the pyramid: SluPyramidBuildInfo::width; 0 for SLU_OCCLUSION_FIRST */
  uint32_t height;               /* the same along y */
  uint32_t layerCount;           /* SluPyramidCreateInfo::layerCount; 0 for SLU_OCCLUSION_FIRST */
  float depthMargin; /* how much nearer than its depth a record counts, 0 to 0.5: at least the step of the depth format
                        and the error of interpolation. 2^-22 for 24 and 32 bits, 2^-15 for 16 bits; 0 means 2^-22 */
  SluBinding lastVisible; /* bits, as many bytes as `visible`; of two phases. Not bound: no record was visible. Unbound
                             for SLU_OCCLUSION_SINGLE */
  SluBinding visible; /* bits that are written: ((viewCount - 1) * ceil(maxRecordCount / 32) + ceil(recordCount / 32))
                             * 4 bytes. Unbound for SLU_OCCLUSION_FIRST. Must not overlap lastVisible */
} SluOcclusionInfo;

/* Runs a frame of a plan of the CPU route, on the calling thread. On return the outputs are written. Kept records are
 * in input order, also if the plan is unordered.
 * plan must not be NULL.
 * frame binds buffers with a hostPointer.
 * Returns SLU_ERROR_ROUTE_UNAVAILABLE for a plan of another route, and SLU_ERROR_INVALID_ARGUMENT if a field is
 * wrong. */
SLU_API SluResult sluCompact(SluPlan plan, const SluFrameInfo* frame);

/* Fills SluView::planes: left, right, bottom, top, z = 0, z = w, with unit normals that point inwards (Gribb and
 * Hartmann, "Fast Extraction of Viewing Frustum Planes", 2001). Nothing is written if a pointer
 * is NULL.
 *
 * A plane at infinity becomes (0, 0, 0, 1), which everything passes. Frames refuse what a faulty matrix gives: planes
 * of NaN if an entry is not finite, planes of zeros if the row of w is zero, and (0, 0, 0, -1) for a plane that nothing
 * passes.
 *
 * Planes and spheres are floats, so the frustum test becomes coarse far from the origin. Let the farthest point of a
 * sphere lie D from the origin. Each plane judges the sphere as if it had moved by at most
 *  - 2^-21 * D with planes from doubles: 0.005 at 10,000, 0.5 at a million, 5 at ten million;
 *  - 2^-20 * D with planes from floats, except
 *  - far / near * 2^-21 * D for a finite far plane of floats if z is not reversed. That is 1 % of far while the camera
 *    is within 20,000 * near of the origin. Beyond that visible records may be dropped: use doubles.
 *
 * A host that adds this much to each w drops nothing that is visible. Positions, matrix and eye that are relative to
 * the camera avoid it all.
 *
 * viewProjection is column-major, with clip z from 0 to w (Vulkan, Direct3D); reversed z is fine.
 * planes receives the six planes. */
SLU_API void sluGetFrustumPlanes(const float viewProjection[16], float planes[6][4]);

/* Does what sluGetFrustumPlanes does, from doubles: for cameras far from the origin. Compute the matrix in doubles,
 * too.
 * viewProjection is column-major, with clip z from 0 to w.
 * planes receives the six planes. */
SLU_API void sluGetFrustumPlanesDouble(const double viewProjection[16], float planes[6][4]);

#ifdef __cplusplus
}
#endif

#endif
