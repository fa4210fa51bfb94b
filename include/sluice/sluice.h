/* Sluice: per-frame compaction of a renderer's GPU buffers.
 *
 * A plan describes what is kept (live test and culling), where it goes (buckets) and what is written (indices, records,
 * indirect draws, statistics). Each frame one verb runs the plan; the CPU never learns a count and never waits.
 *
 * Conventions of every function and struct here:
 *  - All sizes, offsets and strides are in bytes; all counts are in elements. Offsets and strides are multiples of 4.
 *  - A struct that starts with sType is versioned: set sType, structSize = sizeof(the struct) and pNext (NULL, or a
 *    chain of structs of the API headers), zero the rest. SLU_INIT(FRAME_INFO, SluFrameInfo) is such a struct. Structs
 *    of older headers, which are shorter, are accepted. A struct of a newer header is accepted if it is at most 1024
 *    bytes longer and the bytes that this version does not know are zero.
 *  - On failure a function returns a negative SluResult, leaves its outputs untouched, and has recorded, enqueued and
 *    allocated nothing (sluEnqueueCompact and sluEnqueueHandoff may have enqueued a part when the driver fails). The
 *    sentence that names the field is kept for sluGetErrorMessage; where the context or the plan is NULL there is none.
 *    Sentences are in English and do not depend on the host's locale.
 *  - A context and all that was created from it are used by one thread at a time. Contexts are independent.
 *  - Structs and the arrays they point to are read during the call only.
 */
#ifndef SLUICE_SLUICE_H
#define SLUICE_SLUICE_H

#include <stdint.h>

#define SLU_VERSION_MAJOR 0
#define SLU_VERSION_MINOR 1
#define SLU_VERSION_PATCH 0

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
template <typename T, typename E>
inline T sluInit(E sType) {
  T info = T();
  info.sType = sType;
  info.structSize = sizeof(T);
  return info;
}
#define SLU_INIT(NAME, Type) sluInit<Type>(SLU_STRUCTURE_TYPE_##NAME)
extern "C" {
#else
#define SLU_INIT(NAME, Type) \
  { .sType = SLU_STRUCTURE_TYPE_##NAME, .structSize = sizeof(Type) }
#endif

/* Limits. A plan beyond one of them is refused by name. */
#define SLU_MIN_RECORD_STRIDE 4u
#define SLU_MAX_RECORD_STRIDE 256u
#define SLU_MAX_RECORDS 0x80000000u /* per plan: 2^31, so that an index plus a tile never wraps */
#define SLU_MAX_VIEWS 16u
#define SLU_MAX_LODS 8u
#define SLU_MAX_BUCKETS 4096u /* keys x LODs */
#define SLU_MESSAGE_CAPACITY 512u

typedef struct SluContext_T* SluContext;
typedef struct SluBuffer_T* SluBuffer;
typedef struct SluPlan_T* SluPlan;

typedef uint32_t SluBool32;
typedef uint32_t SluFlags;

typedef enum SluResult {
  SLU_SUCCESS = 0,
  SLU_ERROR_INVALID_ARGUMENT = -1, /* a field is wrong; the sentence names it */
  SLU_ERROR_OUT_OF_HOST_MEMORY = -2,
  SLU_ERROR_OUT_OF_DEVICE_MEMORY = -3,
  SLU_ERROR_MISSING_FEATURE = -4,   /* the device, or how it was created, lacks what the route needs */
  SLU_ERROR_ROUTE_UNAVAILABLE = -5, /* not built, no such API was handed over, or the wrong verb for the plan's route */
  SLU_ERROR_DEVICE_LOST = -6,       /* destroy all that was made for the device; CUDA needs a new process */
  SLU_ERROR_DRIVER = -7,            /* any other failure that a driver reported */
  SLU_ERROR_INTERNAL = -8,          /* a fault of the library */
  SLU_RESULT_MAX_ENUM = 0x7fffffff
} SluResult;

typedef enum SluStructureType {
  SLU_STRUCTURE_TYPE_CONTEXT_CREATE_INFO = 1,
  SLU_STRUCTURE_TYPE_BUFFER_CREATE_INFO = 2,
  SLU_STRUCTURE_TYPE_PLAN_CREATE_INFO = 3,
  SLU_STRUCTURE_TYPE_FRAME_INFO = 4,
  SLU_STRUCTURE_TYPE_ROUTE_INFO = 5,
  SLU_STRUCTURE_TYPE_PLAN_PROPERTIES = 6,
  SLU_STRUCTURE_TYPE_VULKAN_REQUIREMENTS = 1000, /* sluice_vulkan.h */
  SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO = 1001,
  SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO = 1002,
  SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO = 1003,
  SLU_STRUCTURE_TYPE_VULKAN_MERGE_INFO = 1004,
  SLU_STRUCTURE_TYPE_CUDA_DEVICE_INFO = 2000, /* sluice_cuda.h */
  SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO = 2001,
  SLU_STRUCTURE_TYPE_CUDA_PREDICATE_INFO = 2002,
  SLU_STRUCTURE_TYPE_CUDA_PREDICATE_STATE = 2003,
  SLU_STRUCTURE_TYPE_CUDA_SOURCE_INFO = 2004,
  SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO = 3000, /* sluice_vulkan_cuda.h */
  SLU_STRUCTURE_TYPE_MEMORY_FD_INFO = 3001,
  SLU_STRUCTURE_TYPE_VULKAN_TIMELINES = 3002,
  SLU_STRUCTURE_TYPE_HANDOFF_INFO = 3003,
  SLU_STRUCTURE_TYPE_TRANSFER_INFO = 3004,
  SLU_STRUCTURE_TYPE_MAX_ENUM = 0x7fffffff
} SluStructureType;

/* A sentence, zero-terminated, for calls that fail before there is a context to ask. */
typedef struct SluMessage {
  char text[SLU_MESSAGE_CAPACITY];
} SluMessage;

/* "SLU_ERROR_INVALID_ARGUMENT" and so on; never NULL. */
SLU_API const char* sluGetResultName(SluResult result);

/* SLU_VERSION_* of the library that runs: major << 22 | minor << 12 | patch. */
SLU_API uint32_t sluGetVersion(void);

/* ---- Context ---------------------------------------------------------------------------------------------------- */

typedef enum SluRoute {
  SLU_ROUTE_AUTO = 0,   /* the first available one of inline, vulkan, cuda, cpu, as far as the host calls their verbs;
                           see SluHostFlagBits. Of a plan with SLU_LIVE_CUSTOM the first one that takes its predicate,
                           so that SluPlanProperties::route tells its verb */
  SLU_ROUTE_CPU = 1,    /* the reference; buffers are host memory; verb sluCompact */
  SLU_ROUTE_VULKAN = 2, /* compute shaders in the host's command buffer; verb sluCmdCompact */
  SLU_ROUTE_CUDA = 3,   /* CUDA kernels on device memory in the host's stream; verb sluEnqueueCompact. For a Vulkan host
                           each frame is a hand-off from Vulkan to CUDA and back, which takes the GPU about 320 us; the
                           vulkan route has none. A host with CUDA alone has no hand-off either */
  SLU_ROUTE_INLINE = 4, /* the same CUDA kernels in the host's command buffer, on NVIDIA drivers that launch them there;
                           verb sluCmdCompact; no hand-off */
  SLU_ROUTE_MAX_ENUM = 0x7fffffff
} SluRoute;
#define SLU_ROUTE_COUNT 5u

/* "auto", "cpu", "vulkan", "cuda", "inline"; "unknown" for anything else. */
SLU_API const char* sluGetRouteName(SluRoute route);

typedef enum SluLogSeverity {
  SLU_LOG_INFO = 0, /* which routes are available, and why the others are not */
  SLU_LOG_WARNING = 1,
  SLU_LOG_ERROR = 2, /* the sentence of every call that fails on a context, whole also beyond SLU_MESSAGE_CAPACITY */
  SLU_LOG_SEVERITY_MAX_ENUM = 0x7fffffff
} SluLogSeverity;

/* Called on the thread that made the call. Must not call back into the same context. */
typedef void (*SluLogCallback)(void* userData, SluLogSeverity severity, const char* message);

/* What SLU_ROUTE_AUTO has to know of the host. With neither verb it takes the host to call both. Routes that are asked
 * for by name do not depend on it. */
typedef enum SluHostFlagBits {
  SLU_HOST_RECORDS_BIT = 1,  /* calls sluCmdCompact: inline and vulkan may be picked */
  SLU_HOST_ENQUEUES_BIT = 2, /* calls sluEnqueueCompact: cuda may be picked */
  SLU_HOST_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluHostFlagBits;

typedef struct SluContextCreateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_CONTEXT_CREATE_INFO */
  uint32_t structSize;
  const void* pNext;  /* SluVulkanDeviceInfo, SluCudaDeviceInfo; NULL for a context that has the CPU route alone */
  SluLogCallback log; /* NULL: silent. It and logUserData outlive all that was created from the context */
  void* logUserData;
  SluFlags hostFlags; /* SluHostFlagBits; 0: any verb */
} SluContextCreateInfo;

/* Fails when info or a chained struct is malformed. A route whose needs the device does not meet is no failure: ask
 * sluGetRouteInfo. message receives the sentence of a failure and may be NULL. */
SLU_API SluResult sluCreateContext(const SluContextCreateInfo* info, SluContext* context, SluMessage* message);

/* NULL is ignored. Buffers and plans that are still alive stay valid and are destroyed by their own calls; what the
 * host handed over (its device, log and logUserData) must outlive them all. */
SLU_API void sluDestroyContext(SluContext context);

/* The sentence of the calling thread's latest failure on the context, or "". Ask on the thread whose call failed, also
 * while other threads use the context. A thread may see the sentence of one that has ended. Valid until the thread's
 * next failing call on the context, and no longer than the context and all that was created from it. */
SLU_API const char* sluGetErrorMessage(SluContext context);

typedef struct SluRouteInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_ROUTE_INFO */
  uint32_t structSize;
  void* pNext;
  SluRoute route; /* the route asked for; for SLU_ROUTE_AUTO the one it picks */
  SluBool32 available;
  /* Why it is not available; for SLU_ROUTE_AUTO why it does not pick the better ones: they are not available, or the
   * host does not call their verb. Else "". */
  char reason[SLU_MESSAGE_CAPACITY];
} SluRouteInfo;

/* Fills info, whose sType and structSize the caller set. */
SLU_API SluResult sluGetRouteInfo(SluContext context, SluRoute route, SluRouteInfo* info);

/* ---- Buffers ---------------------------------------------------------------------------------------------------- */

typedef struct SluBufferCreateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_BUFFER_CREATE_INFO */
  uint32_t structSize;
  const void* pNext; /* structs of the API headers that say where the memory is, or NULL */
  uint64_t size;     /* bytes that frames may use; a multiple of 4, not 0. A size beyond the memory is refused, except
                        for hostPointer: nothing tells how much is there */
  void* hostPointer; /* host memory for the CPU route, aligned to 4; NULL when only a GPU route uses the buffer */
} SluBufferCreateInfo;

/* Registers memory that stays the host's: nothing is copied, and nothing allocated for the data unless
 * SluVulkanAllocateInfo asks for it. The memory must outlive the buffer, and the buffer every frame that was recorded
 * with it. One of hostPointer and pNext must be given. The buffer is usable on each route of the context that finds its
 * memory there, so that plans of several routes may share it. */
SLU_API SluResult sluCreateBuffer(SluContext context, const SluBufferCreateInfo* info, SluBuffer* buffer);

/* NULL is ignored. Frames recorded with it must have completed. */
SLU_API void sluDestroyBuffer(SluBuffer buffer);

/* ---- Plans ------------------------------------------------------------------------------------------------------ */

typedef enum SluOrder {
  SLU_ORDER_UNORDERED = 0, /* any order, which may differ from run to run; the fastest */
  SLU_ORDER_STABLE = 1,    /* kept records keep their input order within their view and bucket; a plan that writes
                              neither indices nor records is as if unordered */
  SLU_ORDER_MAX_ENUM = 0x7fffffff
} SluOrder;

/* A record is kept when it is live, its bounds pass every test of cullFlags, and its key is below keyCount. */
typedef enum SluLiveTest {
  SLU_LIVE_ALWAYS = 0,
  SLU_LIVE_NON_EMPTY = 1,      /* any of the bytes [offset, offset + size) of the record is non-zero */
  SLU_LIVE_POSITIVE_INT = 2,   /* the int32 at offset is > 0 */
  SLU_LIVE_POSITIVE_FLOAT = 3, /* the float at offset is > 0; NaN is not, a denormal is */
  SLU_LIVE_FLAG_BITS = 4,      /* stream `flags`: bit i % 32 of word i / 32 is set */
  SLU_LIVE_FLAG_BYTES = 5,     /* stream `flags`: byte i is non-zero */
  SLU_LIVE_FLAG_WORDS = 6,     /* stream `flags`: word i is non-zero */
  SLU_LIVE_CUSTOM = 7,         /* CUDA and inline route: the plan's CUDA predicate decides; see sluice_cuda.h */
  SLU_LIVE_TEST_MAX_ENUM = 0x7fffffff
} SluLiveTest;

typedef struct SluLive {
  SluLiveTest test;
  uint32_t offset; /* within the record; 0 for the flag tests and SLU_LIVE_CUSTOM */
  uint32_t size;   /* SLU_LIVE_NON_EMPTY only; a multiple of 4, at least 4 */
} SluLive;

typedef enum SluCullFlagBits {
  SLU_CULL_DISTANCE_BIT = 1, /* minDistance <= |center - eye| <= maxDistance */
  SLU_CULL_FRUSTUM_BIT = 2,  /* for each of the six planes: dot(normal, center) + w >= -radius */
  SLU_CULL_SIZE_BIT = 4,     /* radius / |center - eye| >= minSizeRatio */
  SLU_CULL_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluCullFlagBits;

typedef enum SluSphereSource {
  SLU_SPHERE_NONE = 0,
  SLU_SPHERE_IN_RECORD = 1,  /* at `offset` of the record */
  SLU_SPHERE_PER_RECORD = 2, /* stream `spheres`: element i, i the record's index */
  SLU_SPHERE_PER_KEY = 3,    /* stream `spheres`: element k, k the record's key (a mesh's own bounds) */
  SLU_SPHERE_SOURCE_MAX_ENUM = 0x7fffffff
} SluSphereSource;

typedef enum SluTransformFlagBits {
  SLU_TRANSFORM_POSITION_BIT = 1, /* 3 floats at positionOffset */
  SLU_TRANSFORM_SCALE_BIT = 2,    /* 1 float at scaleOffset; its magnitude scales the radius */
  SLU_TRANSFORM_ROTATION_BIT = 4, /* unit quaternion x, y, z, w at rotationOffset */
  SLU_TRANSFORM_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluTransformFlagBits;

/* Bounding sphere: 4 floats center.x, center.y, center.z, radius >= 0. World center = position + rotate(rotation,
 * scale * center), world radius = |scale| * radius, with the parts that transformFlags names. A record is rejected
 * (SLU_REJECT_INVALID) when its world center or radius is not finite, its world radius is negative (-0.0 is 0), or it
 * lies over 1e18 from the eye. */
typedef struct SluBounds {
  SluSphereSource source;
  uint32_t offset; /* within the record, or within an element of the stream */
  uint32_t stride; /* of the stream, at least offset + 16; 0 for SLU_SPHERE_IN_RECORD */
  SluFlags transformFlags;
  uint32_t positionOffset; /* within the record, each 0 unless its bit is set */
  uint32_t scaleOffset;
  uint32_t rotationOffset;
} SluBounds;

/* Chooses the bucket: key * lodCount + lod. The key is (word at offset >> shift) & (2^bits - 1). The LOD is the number
 * of the view's lodDistances that |center - eye| reaches or exceeds. */
typedef struct SluKey {
  uint32_t keyCount; /* 0 or 1: no key is read, all records have key 0 */
  uint32_t offset;   /* within the record */
  uint32_t shift;    /* 0 to 31 */
  uint32_t bits;     /* 0 means all above shift */
  uint32_t lodCount; /* 0 or 1: no LOD; above 1 needs bounds */
} SluKey;

typedef enum SluDrawType {
  SLU_DRAW_NONE = 0,
  SLU_DRAW_INSTANCES = 1, /* VkDrawIndirectCommand: instanceCount = kept, firstInstance += first output */
  SLU_DRAW_VERTICES =
      2, /* VkDrawIndirectCommand: vertexCount = kept * elementCount, firstVertex += first output * elementCount */
  SLU_DRAW_INDEXED_INSTANCES =
      3, /* VkDrawIndexedIndirectCommand: instanceCount = kept, firstInstance += first output */
  SLU_DRAW_TYPE_MAX_ENUM = 0x7fffffff
} SluDrawType;

/* What the draw command of a bucket holds besides the count. */
typedef struct SluDrawTemplate {
  uint32_t elementCount;  /* vertexCount or indexCount; for SLU_DRAW_VERTICES the vertices per record, at least 1 */
  uint32_t instanceCount; /* SLU_DRAW_VERTICES only */
  uint32_t firstElement;  /* firstVertex or firstIndex */
  int32_t vertexOffset;   /* SLU_DRAW_INDEXED_INSTANCES only */
  uint32_t firstInstance;
} SluDrawTemplate;

typedef struct SluBucket {
  uint32_t capacity; /* records kept at most, per view; 0 is legal: nothing is kept, the demand is still reported.
                        The sum of all capacities times maxViewCount is below 2^32, as is what draws count with it */
  SluDrawTemplate draw;
} SluBucket;

/* What a plan writes. Buckets lie one behind the other in the order of their numbers, views behind each other: the
 * first output of view v, bucket b is v * (sum of all capacities) + (sum of the capacities before b). Elements behind a
 * bucket's kept ones are not written. */
typedef enum SluOutputFlagBits {
  SLU_OUTPUT_INDICES_BIT = 1,        /* uint32: index of the kept record in the input */
  SLU_OUTPUT_RECORDS_BIT = 2,        /* the kept records, dense, recordStride apart */
  SLU_OUTPUT_DRAWS_BIT = 4,          /* a draw command per view and bucket, draws.stride apart, view by view */
  SLU_OUTPUT_DRAW_COUNTS_BIT = 8,    /* uint32 per view: the draws that hold work */
  SLU_OUTPUT_STATISTICS_BIT = 16,    /* SluStatistics per view */
  SLU_OUTPUT_BUCKET_COUNTS_BIT = 32, /* SluBucketCount per view and bucket */
  SLU_OUTPUT_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluOutputFlagBits;

typedef enum SluDrawFlagBits {
  SLU_DRAWS_SKIP_EMPTY_BIT = 1, /* draws of empty buckets are left out, the others move together in bucket order */
  SLU_DRAWS_AS_DATA_BIT = 2, /* the host does not use the commands for indirect draws, but reads them itself: the plan
                                needs no feature of the device for them */
  SLU_DRAW_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluDrawFlagBits;

/* The draw count is the number of buckets, or with SLU_DRAWS_SKIP_EMPTY_BIT the number of those that kept something.
 * Commands from the count on are written as zeros, so that a plain indirect draw over all buckets is correct too.
 * Of each stride only the command's own bytes (16, indexed 20) are written. */
typedef struct SluDraws {
  SluDrawType type;
  uint32_t stride; /* at least the command's size */
  SluFlags flags;  /* SluDrawFlagBits */
} SluDraws;

/* What the host's graphics API must be able to do to draw a plan's commands as they are written. On Vulkan each is a
 * feature that sluGetVulkanRequirements asks for where the device has it. */
typedef enum SluDrawNeedFlagBits {
  SLU_DRAW_NEEDS_FIRST_INSTANCE_BIT = 1, /* a firstInstance that is not 0, which the commands of later buckets and views
                                            have: drawIndirectFirstInstance. sluCreatePlan refuses such a plan if the
                                            context's Vulkan device was created without the feature */
  SLU_DRAW_NEEDS_MULTI_DRAW_BIT = 2, /* more than one command per view: multiDrawIndirect, unless the host draws them
                                            one by one, or with a draw count from a buffer */
  SLU_DRAW_NEEDS_DRAW_COUNT_BIT = 4, /* draw counts in a buffer: drawIndirectCount, unless the host draws as many
                                            commands as there are buckets */
  SLU_DRAW_NEED_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluDrawNeedFlagBits;

typedef enum SluPlanFlagBits {
  SLU_PLAN_IN_PLACE_BIT = 1, /* the frame's keptRecords may overlap its records, which are copied aside first: the plan
            allocates maxRecordCount * recordStride bytes and moves that many more bytes per frame */
  SLU_PLAN_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluPlanFlagBits;

typedef struct SluPlanCreateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_PLAN_CREATE_INFO */
  uint32_t structSize;
  const void* pNext; /* NULL; with SLU_LIVE_CUSTOM SluCudaPredicateInfo or SluCudaSourceInfo */
  SluRoute route;
  SluOrder order;
  SluFlags flags;          /* SluPlanFlagBits */
  uint32_t recordStride;   /* 4 to 256, a multiple of 4 */
  uint32_t maxRecordCount; /* 1 to SLU_MAX_RECORDS: the most a frame may bring */
  uint32_t maxViewCount;   /* 1 to SLU_MAX_VIEWS; 0 means 1 */
  SluLive live;
  SluFlags cullFlags; /* SluCullFlagBits; any bit needs bounds */
  SluBounds bounds;
  SluKey key;
  uint32_t bucketCount;     /* keyCount * lodCount; or 0: one bucket that holds maxRecordCount records, no draws */
  uint32_t bucketStride;    /* distance between elements of buckets, at least sizeof(SluBucket); 0 means that */
  const SluBucket* buckets; /* copied */
  SluFlags outputs;         /* SluOutputFlagBits, at least one */
  SluDraws draws;           /* type is SLU_DRAW_NONE unless SLU_OUTPUT_DRAWS_BIT or _DRAW_COUNTS_BIT is set */
} SluPlanCreateInfo;

/* Allocates all that the plan ever needs and compiles its kernels; slow, meant for load time. On the CUDA route it
 * waits for the default stream: not while a stream is being captured. */
SLU_API SluResult sluCreatePlan(SluContext context, const SluPlanCreateInfo* info, SluPlan* plan);

/* NULL is ignored. Frames recorded with it must have completed. */
SLU_API void sluDestroyPlan(SluPlan plan);

typedef struct SluPlanProperties {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_PLAN_PROPERTIES */
  uint32_t structSize;
  void* pNext;
  SluRoute route; /* where the plan runs, never SLU_ROUTE_AUTO */
  uint32_t bucketCount;
  uint64_t outputsPerView; /* sum of the capacities */
  uint64_t tileRecords;    /* records a workgroup takes at once, but in the largest frames of some plans; 1 on the CPU
                              route */
  uint64_t scratchBytes;   /* what the plan allocated, staging of in-place plans included */
  uint64_t indicesBytes;   /* bytes that each output of a frame with maxViewCount views needs; 0 when not written */
  uint64_t keptRecordsBytes;
  uint64_t drawsBytes;
  uint64_t drawCountsBytes;
  uint64_t statisticsBytes;
  uint64_t bucketCountsBytes;
  SluFlags drawNeeds; /* SluDrawNeedFlagBits; 0 without draws and with SLU_DRAWS_AS_DATA_BIT */
  uint32_t reserved;  /* 0 */
} SluPlanProperties;

/* Fills properties, whose sType and structSize the caller set. */
SLU_API SluResult sluGetPlanProperties(SluPlan plan, SluPlanProperties* properties);

/* ---- Frames ----------------------------------------------------------------------------------------------------- */

/* One camera or shadow cascade. A field is read and checked only when the plan uses it, as said beside it; otherwise it
 * may hold anything. What is read is finite, except maxDistance, which may be infinite. */
typedef struct SluView {
  float planes[6][4]; /* SLU_CULL_FRUSTUM_BIT. x, y, z: normal that points inwards, of length 1 within 1e-3; w:
                         distance. (0, 0, 0, w) with w > 0 is a plane that everything passes; a plane of zeros is
                         refused. sluGetFrustumPlanes fills them */
  float eye[3];       /* always; within 1e18 of the origin */
  float minDistance;  /* SLU_CULL_DISTANCE_BIT; 0 <= minDistance <= maxDistance */
  float maxDistance;  /* SLU_CULL_DISTANCE_BIT; not 0. INFINITY: no limit */
  float minSizeRatio; /* SLU_CULL_SIZE_BIT; radius over distance, at least 0. For p pixels of diameter:
                         p * tan(fovY / 2) / height in pixels */
  float lodDistances[SLU_MAX_LODS - 1u]; /* the first lodCount - 1; at least 0, ascending */
} SluView;

typedef struct SluBinding {
  SluBuffer buffer; /* NULL: not bound */
  uint64_t offset;
} SluBinding;

/* Reasons for which a record is not kept, in the order of the tests: the first that fails counts. */
typedef enum SluReject {
  SLU_REJECT_NOT_LIVE = 0,
  SLU_REJECT_KEY = 1,     /* the key is keyCount or more */
  SLU_REJECT_INVALID = 2, /* bounds that are not finite, have a negative radius or are too far away */
  SLU_REJECT_DISTANCE = 3,
  SLU_REJECT_FRUSTUM = 4,
  SLU_REJECT_SIZE = 5,
  SLU_REJECT_MAX_ENUM = 0x7fffffff
} SluReject;
#define SLU_REJECT_COUNT 6u

typedef enum SluOverflowFlagBits {
  SLU_OVERFLOW_CAPACITY_BIT = 1, /* a bucket was asked to keep more than its capacity; the surplus was dropped: the
                                    last records when stable, any when unordered */
  SLU_OVERFLOW_INPUT_BIT = 2,    /* the live count exceeded recordCount and was clamped to it */
  SLU_OVERFLOW_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluOverflowFlagBits;

/* 64 bytes, written per view. */
typedef struct SluStatistics {
  uint32_t inputCount;    /* records tested */
  uint32_t demandedCount; /* records that passed */
  uint32_t keptCount;     /* of these, what the capacities let through */
  uint32_t drawCount;     /* as SLU_OUTPUT_DRAW_COUNTS_BIT; 0 when the plan has no draws */
  uint32_t overflow; /* SluOverflowFlagBits, or-ed to what is there: zero it before the first frame and to clear it */
  uint32_t rejectedCount[SLU_REJECT_COUNT];
  uint32_t reserved[5]; /* written as 0 */
} SluStatistics;

typedef struct SluBucketCount {
  uint32_t demandedCount;
  uint32_t keptCount;
} SluBucketCount;

/* What changes from frame to frame. On GPUs offsets and strides that are multiples of 16 are the fastest. Inputs and
 * outputs the plan has must be bound, others must not; what takes no bytes (no records, no capacity) may be bound or
 * not. No output may overlap another or an input (keptRecords may overlap records with SLU_PLAN_IN_PLACE_BIT). */
typedef struct SluFrameInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_FRAME_INFO */
  uint32_t structSize;
  const void* pNext;    /* NULL; SluHandoffInfo on the CUDA route; SluCudaPredicateState with SLU_LIVE_CUSTOM */
  uint32_t recordCount; /* records to test, or the upper bound of the live count; at most maxRecordCount; 0 is legal */
  uint32_t viewCount;   /* 1 to maxViewCount */
  uint32_t viewStride;  /* distance between elements of views, at least sizeof(SluView); 0 means that */
  const SluView* views; /* NULL when the plan neither culls nor has LODs */
  SluBinding liveCount; /* optional: a uint32 in a buffer that replaces recordCount when it is lower; not to change
                           while the frame executes, on any route */
  SluBinding records;   /* recordCount * recordStride bytes; needed unless nothing of the record is read */
  SluBinding spheres;   /* SLU_SPHERE_PER_RECORD: recordCount elements; SLU_SPHERE_PER_KEY: keyCount elements */
  SluBinding flags;     /* the flag stream: recordCount bits, bytes or words, in whole words */
  SluBinding indices;
  SluBinding keptRecords;
  SluBinding draws;
  SluBinding drawCounts;
  SluBinding statistics;
  SluBinding bucketCounts;
} SluFrameInfo;

/* Runs a plan of the CPU route now; on return the outputs are written. Always in input order. */
SLU_API SluResult sluCompact(SluPlan plan, const SluFrameInfo* frame);

/* The six planes (left, right, bottom, top, z = 0, z = w; unit normals inwards) of a column-major view-projection
 * matrix with clip z from 0 to w (Vulkan, Direct3D), reversed z included (Gribb and Hartmann 2001). A plane at infinity
 * becomes (0, 0, 0, 1), which everything passes. Frames refuse what a faulty matrix gives: planes of NaN when an entry
 * is not finite, of zeros when the row of w is zero, and (0, 0, 0, -1) for a plane that nothing passes.
 *
 * Planes and spheres are floats, so that the frustum test becomes coarse far from the origin. Let the farthest point of
 * a sphere lie D from the origin. Each plane judges the sphere as if it had moved by at most
 *  - 2^-21 * D with planes from doubles: 0.005 at 10,000, 0.5 at a million, 5 at ten million;
 *  - 2^-20 * D with planes from floats, except
 *  - far / near * 2^-21 * D for a finite far plane of floats when z is not reversed. That is 1 % of far while the
 *    camera is within 20,000 * near of the origin; beyond, visible records may be dropped, so use doubles.
 * A host that adds this much to each w drops nothing that is visible. Positions, matrix and eye that are relative to
 * the camera avoid it all. */
SLU_API void sluGetFrustumPlanes(const float viewProjection[16], float planes[6][4]);

/* The same from doubles, for cameras far from the origin; the matrix is computed in doubles, too. */
SLU_API void sluGetFrustumPlanesDouble(const double viewProjection[16], float planes[6][4]);

#ifdef __cplusplus
}
#endif

#endif
