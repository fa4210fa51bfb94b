/* Sluice for Vulkan hosts: a frame is recorded into the host's own command buffer.
 *
 * See sluice.h for the conventions.
 *   1. Call sluGetVulkanRequirements before vkCreateDevice: it tells what to enable. sluMergeVulkanRequirements adds
 *      that to what the host enables itself.
 *   2. Call sluCreateContext with an SluVulkanDeviceInfo in pNext.
 *   3. Call sluCreateBuffer with an SluVulkanBufferInfo in pNext, per VkBuffer.
 *   4. Call sluCmdCompact, each frame, with the host's command buffer.
 *
 * A library that was built without Vulkan (SLUICE_VULKAN=OFF) has none of these functions, and none of those of
 * sluice_vulkan_cuda.h.
 */
#ifndef SLUICE_SLUICE_VULKAN_H
#define SLUICE_SLUICE_VULKAN_H

#include <sluice/sluice_pyramid.h>
#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The host creates its instance and its device for this version or a later one, if it can. The Vulkan route also runs
 * on VK_API_VERSION_1_1, by bound buffers. */
#define SLU_VULKAN_API_VERSION VK_API_VERSION_1_2

#define SLU_MAX_VULKAN_EXTENSIONS 16u /* Extensions in SluVulkanRequirements, at most. */

/* What a route needs of the device. The host enables the extensions and the features beside its own.
 *
 * The Vulkan route reaches buffers by their device addresses if the device has bufferDeviceAddress and shaderInt64, and
 * both are enabled. Otherwise, or with SLU_VULKAN_BOUND_BUFFERS_BIT, it binds them as storage buffers (`boundBuffers`).
 * Then it needs no feature, and buffers need no usage but STORAGE_BUFFER.
 *
 * Four of the features are optional. They are asked for if the device has them, and the host may leave them out:
 *  - vulkan12.shaderBufferInt64Atomics makes unordered frames of the Vulkan route faster.
 *  - features.drawIndirectFirstInstance lets indirect draws have a firstInstance that is not 0, which plans with more
 *    than one bucket or view write. sluCreatePlan refuses such plans without the feature, unless they have
 *    SLU_DRAWS_AS_DATA_BIT. A plan per bucket and view does not need it.
 *  - features.multiDrawIndirect lets one vkCmdDraw*Indirect draw several buckets.
 *  - vulkan12.drawIndirectCount is for vkCmdDraw*IndirectCount, which reads SluFrameInfo::drawCounts.
 *
 * SluPlanProperties::drawNeeds tells which of the last three the draws of a plan need. */
typedef struct SluVulkanRequirements {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_REQUIREMENTS */
  uint32_t structSize;
  void* pNext;                                       /* NULL */
  uint32_t apiVersion;                               /* SLU_VULKAN_API_VERSION; VK_API_VERSION_1_1 with boundBuffers */
  uint32_t extensionCount;                           /* elements of extensions that are set */
  const char* extensions[SLU_MAX_VULKAN_EXTENSIONS]; /* names of extensions; static strings */
  VkPhysicalDeviceFeatures features;                 /* VK_TRUE for what is to be enabled */
  VkPhysicalDeviceVulkan12Features vulkan12;         /* VK_TRUE for what is to be enabled */
  VkBufferUsageFlags bufferUsage; /* of every buffer that a frame binds; 0 for the CUDA route, which sees memory and no
                                     usage. On the others draws and drawCounts also need INDIRECT_BUFFER, records of
                                     in-place plans TRANSFER_SRC, and transient UNIFORM_BUFFER */
  SluBool32 cudaKernelLaunch;     /* 1: chain VkPhysicalDeviceCudaKernelLaunchFeaturesNV with its feature VK_TRUE; for
                                     the inline route on drivers with VK_NV_cuda_kernel_launch */
  SluBool32 drawIndirectCountExtension; /* 1: the device offers VK_KHR_draw_indirect_count, which enables draw counts
                                           in a chain that has structs of single features */
  uint32_t reserved;                    /* 0 */
  SluBool32 boundBuffers; /* 1: the device has no addresses, so that the Vulkan route binds buffers. The extensions then
                             have VK_KHR_push_descriptor if the device offers it, which the host may leave out */
  SluBool32 pushDescriptorExtension; /* 1: the device offers VK_KHR_push_descriptor, for hosts that ask for bound
                                        buffers: without it plans keep descriptor sets
                                        (SluPlanCreateInfo::bufferSetCount) */
  uint32_t maxBindings;     /* storage buffers of a plan by bound buffers, at most: one for the plan itself and one for
                               each different SluFrameInfo binding of buffers that its frames have */
  uint32_t maxBindingBytes; /* of what a frame binds as one SluBinding, by bound buffers */
} SluVulkanRequirements;

/* Tells what a route needs of a physical device, before the device is created. A host that uses several routes calls it
 * for each of them. For the CUDA route it initializes CUDA in this process.
 * getInstanceProcAddr is the loader's function.
 * instance was created for Vulkan 1.2 or later; for the Vulkan route by bound buffers Vulkan 1.1 will do.
 * physicalDevice belongs to instance.
 * route is SLU_ROUTE_VULKAN, SLU_ROUTE_CUDA or SLU_ROUTE_INLINE, which includes what the Vulkan route needs. For
 * SLU_ROUTE_AUTO it is the best route that the device can run: inline, else vulkan, cuda.
 * requirements is filled; the caller set its sType and structSize.
 * message receives the sentence of a failure, and may be NULL.
 * Returns SLU_ERROR_MISSING_FEATURE or SLU_ERROR_ROUTE_UNAVAILABLE if the device cannot run the route. A context for
 * the CPU route can still be created. */
SLU_API SluResult sluGetVulkanRequirements(PFN_vkGetInstanceProcAddr getInstanceProcAddr, VkInstance instance,
                                           VkPhysicalDevice physicalDevice, SluRoute route,
                                           SluVulkanRequirements* requirements, SluMessage* message);

/* Room for a Vulkan struct that enables features. */
typedef struct SluVulkanFeatureStruct {
  VkStructureType sType; /* which Vulkan struct it is */
  void* pNext;           /* the next struct of the chain */
  VkBool32 features[3];  /* the features of that struct, in its order */
} SluVulkanFeatureStruct;

/* What a host is about to create a device with. sluMergeVulkanRequirements adds to it. The host fills the fields up to
 * extensionCapacity, from whatever its wrapper takes. The others are room for structs that its chain lacks. */
typedef struct SluVulkanMergeInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_MERGE_INFO */
  uint32_t structSize;
  void* pNext;
  void* featureChain; /* in: the chain for VkDeviceCreateInfo::pNext, of any shape, or NULL; its structs are written.
                         out: the same chain, with what it lacked */
  VkPhysicalDeviceFeatures* coreFeatures; /* what VkDeviceCreateInfo::pEnabledFeatures is going to point to; NULL if
                                             VkPhysicalDeviceFeatures2 is in the chain, or if the host has neither */
  const char** extensions;                /* in and out: names of extensions; NULL if the capacity is 0 */
  uint32_t extensionCount;                /* in and out: elements of extensions that are set */
  uint32_t extensionCapacity; /* of the array; extensionCount + SLU_MAX_VULKAN_EXTENSIONS + 1 is always enough */
  VkPhysicalDeviceFeatures2 features2;                /* room for this struct */
  VkPhysicalDeviceVulkan12Features vulkan12;          /* room for this struct */
  SluVulkanFeatureStruct bufferDeviceAddress;         /* room for VkPhysicalDeviceBufferDeviceAddressFeatures */
  SluVulkanFeatureStruct shaderAtomicInt64;           /* room for VkPhysicalDeviceShaderAtomicInt64Features */
  SluVulkanFeatureStruct timelineSemaphore;           /* room for VkPhysicalDeviceTimelineSemaphoreFeatures */
  SluVulkanFeatureStruct uniformBufferStandardLayout; /* room for
                                                         VkPhysicalDeviceUniformBufferStandardLayoutFeatures */
  SluVulkanFeatureStruct cudaKernelLaunch;            /* room for VkPhysicalDeviceCudaKernelLaunchFeaturesNV */
} SluVulkanMergeInfo;

/* Adds requirements to what a host is about to create a device with. It may be called again with further requirements.
 *  - Features go into the structs that the chain has. Structs that it lacks are put behind its
 *    VkPhysicalDeviceFeatures2, or at its front if it has none.
 *  - Features of Vulkan 1.2 go into VkPhysicalDeviceVulkan12Features, or into structs of single features if the chain
 *    has any of these, since Vulkan forbids both forms in one chain. There is no such struct for drawIndirectCount:
 *    VK_KHR_draw_indirect_count is added instead if the device offers it.
 *  - Extensions that the list has are not added again. Some extensions of the list became features of Vulkan 1.2: if
 *    the chain has VkPhysicalDeviceVulkan12Features, these are enabled as well, as Vulkan demands.
 *
 * vkCreateDevice then takes featureChain, coreFeatures and extensions. A host whose wrapper creates the device passes
 * featureChain and extensions as SluVulkanDeviceInfo::enabledFeatures and enabledExtensions.
 *
 * requirements is what sluGetVulkanRequirements filled.
 * merge has what the host enables, and receives the sum. It must stay where it is until vkCreateDevice has returned.
 * message receives the sentence of a failure, and may be NULL.
 * Returns SLU_ERROR_INVALID_ARGUMENT, with nothing changed, in these cases: the chain is a circle, or has both forms of
 * the features of Vulkan 1.2; coreFeatures is given beside a VkPhysicalDeviceFeatures2; the list has a null, too little
 * room, or VK_EXT_buffer_device_address, which excludes the feature of Vulkan 1.2. */
SLU_API SluResult sluMergeVulkanRequirements(const SluVulkanRequirements* requirements, SluVulkanMergeInfo* merge,
                                             SluMessage* message);

/* How the Vulkan route uses the host's device. */
typedef enum SluVulkanDeviceFlagBits {
  SLU_VULKAN_BOUND_BUFFERS_BIT = 1,      /* buffers are bound as storage buffers, although the device has addresses */
  SLU_VULKAN_SEVERAL_DISPATCHES_BIT = 2, /* frames are several dispatches with barriers between them, and no workgroup
                                            relies on another one of its dispatch. For drivers that do not order memory
                                            between workgroups as Vulkan says; MoltenVK gets it without asking. Slower,
                                            and stable plans of one bucket take a bit of scratch per record and view */
  SLU_VULKAN_DEVICE_FLAG_BITS_MAX_ENUM = 0x7fffffff
} SluVulkanDeviceFlagBits;

/* The host's device, chained to SluContextCreateInfo. Every handle stays the host's, and must outlive the context and
 * all that was created from it. Any loader will do, since all functions are looked up through getInstanceProcAddr.
 *
 * The library calls allocationCallbacks and uses pipelineCache only in calls that create or destroy, and in
 * sluCmdSelfTest, which creates plans. Calls that record or enqueue use neither.
 *
 * sluCreatePlan creates every pipeline that frames of the plan can need, and sluCmdCompact creates none. The context
 * keeps them for plans to come. To have pipelines ahead of time, create the plans and destroy them at once. To have
 * them when the program starts again, do so with a pipelineCache, and save its data. */
typedef struct SluVulkanDeviceInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO */
  uint32_t structSize;
  const void* pNext;
  PFN_vkGetInstanceProcAddr getInstanceProcAddr; /* the loader's function */
  VkInstance instance;                           /* created for Vulkan 1.2 or later, or 1.1: SluVulkanRequirements */
  VkPhysicalDevice physicalDevice;               /* that device was created from */
  VkDevice device;                               /* created with what sluGetVulkanRequirements told */
  const VkDeviceCreateInfo* deviceCreateInfo;    /* what the device was created with, which tells what is enabled; read
                                                 during the call only. NULL if enabledFeatures is given */
  uint32_t queueFamilyIndex;     /* of the command buffers that sluCmdCompact records into; must have compute. The
                                    inline route is faster on one without graphics */
  uint32_t emulatedSubgroupSize; /* 0: the device's own subgroups. 4, 8, … 128: ballots and sums in shared memory, with
                                    subgroups of that size, for devices with faulty ballots; slow */
  const void* enabledFeatures; /* for hosts whose wrapper creates the device: the chain of features that it was created
                                  with, in any order, which includes VkPhysicalDeviceFeatures2. NULL if deviceCreateInfo
                                  is given */
  uint32_t enabledExtensionCount;                   /* of the device; 0 if deviceCreateInfo is given */
  const char* const* enabledExtensions;             /* their names; NULL if deviceCreateInfo is given */
  const VkAllocationCallbacks* allocationCallbacks; /* for every Vulkan object of the library's own; NULL: the driver
                                                       allocates by itself. The struct is copied. What it points to must
                                                       outlive the context and all that was created from it. What the
                                                       library itself allocates does not pass through it */
  VkPipelineCache pipelineCache; /* every pipeline is created with it; VK_NULL_HANDLE: without one. The host loads and
                                    saves its data. With VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT no other
                                    thread may use it during the calls named above; without the flag only
                                    vkMergePipelineCaches into it must not run at the same time */
  SluFlags flags;                /* SluVulkanDeviceFlagBits, for the Vulkan route alone */
  uint32_t reserved;             /* 0 */
} SluVulkanDeviceInfo;

/* A VkBuffer of the host, chained to SluBufferCreateInfo.
 *  - It must be bound to memory before sluCreateBuffer. For the Vulkan route by addresses the memory was allocated with
 *    VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT; the buffer may be at any offset.
 *  - Vulkan has no query for either. An unbound buffer is refused if the driver gives no address for it; other drivers
 *    give a wrong one or crash. Only the validation layers name memory without the flag.
 *  - SluBufferCreateInfo::size is VkBufferCreateInfo::size or less. A size beyond vkGetBufferMemoryRequirements is
 *    refused. Vulkan does not tell the exact size.
 *  - The context's queue family owns the buffer when a frame uses it.
 *  - The CUDA route also needs to know its memory: chain an SluVulkanMemoryInfo (sluice_vulkan_cuda.h). */
typedef struct SluVulkanBufferInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO */
  uint32_t structSize;
  const void* pNext;
  VkBuffer buffer;          /* the host's, bound to memory */
  VkBufferUsageFlags usage; /* as created; SluVulkanRequirements::bufferUsage of each route that is to use it */
} SluVulkanBufferInfo;

/* Asks for a new VkBuffer of SluBufferCreateInfo::size bytes, chained to SluBufferCreateInfo alone. It has memory of
 * its own, which every GPU route of the context can use, and which is device-local if the device has such memory.
 * Buffer and memory belong to the SluBuffer, and are destroyed with it. The content is undefined at first. One queue
 * family owns the buffer at a time. */
typedef struct SluVulkanAllocateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO */
  uint32_t structSize;
  const void* pNext;
  VkBufferUsageFlags usage; /* what the host does with it; the library adds what the context's routes need */
} SluVulkanAllocateInfo;

/* Gets the VkBuffer of a buffer, the host's own or an allocated one.
 * buffer may be NULL.
 * Returns VK_NULL_HANDLE if buffer is NULL, or if no GPU route of the context uses it as a VkBuffer. */
SLU_API VkBuffer sluGetVulkanBuffer(SluBuffer buffer);

/* Stages at which sluCmdCompact reads inputs, for the host's own barriers. */
#define SLU_VULKAN_INPUT_STAGES (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT)
/* Accesses by which sluCmdCompact reads inputs. */
#define SLU_VULKAN_INPUT_ACCESS (VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT)
/* Stages at which sluCmdCompact writes outputs. */
#define SLU_VULKAN_OUTPUT_STAGES VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
/* Accesses of sluCmdCompact to outputs. */
#define SLU_VULKAN_OUTPUT_ACCESS (VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT)

/* Stages at which draws read what a plan wrote: indirect commands and counts, kept records as vertices, and indices and
 * records in vertex shaders. */
#define SLU_VULKAN_DRAW_STAGES \
  (VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT)
/* Accesses by which draws read what a plan wrote. */
#define SLU_VULKAN_DRAW_ACCESS \
  (VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_SHADER_READ_BIT)

/* Records a frame of a plan of the Vulkan or the inline route. This call only records.
 *  - On entry inputs are visible to SLU_VULKAN_INPUT_STAGES / SLU_VULKAN_INPUT_ACCESS. Earlier readers of the outputs,
 *    such as the last frame's draws, are ordered before SLU_VULKAN_OUTPUT_STAGES. Statistics are read, too: what the
 *    host writes to them is visible to SLU_VULKAN_OUTPUT_STAGES / SLU_VULKAN_OUTPUT_ACCESS.
 *  - On exit outputs were written at SLU_VULKAN_OUTPUT_STAGES / VK_ACCESS_SHADER_WRITE_BIT. The host's barrier follows:
 *    to SLU_VULKAN_DRAW_STAGES / SLU_VULKAN_DRAW_ACCESS for draws, or to what else reads them.
 *  - Calls in the same queue need no barrier between them, whichever of the two routes their plans are of. Each call
 *    waits for those before it, so one plan may read what another wrote.
 *  - The call binds a pipeline and descriptor sets 0 to 2 of the compute bind point, with a layout of the library's
 *    own that has no push constants. On the inline route they are undefined afterwards. The host binds its own compute
 *    pipeline, all of its descriptor sets and its push constants again. The rest of the state is untouched.
 *  - The command buffer may be submitted again and again: on the Vulkan route if the frame has SluFrameInfo::transient,
 *    or while the plan has recorded fewer than SluPlanCreateInfo::framesInFlight frames since.
 *  - A plan's frames execute one after the other: submissions to different queues need a semaphore between them. If
 *    frames of a plan overlapped, or inputs or the live count changed during one, destroy the plan: its counters may
 *    stay wrong.
 *
 * What a frame takes:
 *  - The Vulkan route takes one dispatch; four for a stable plan with several buckets, for packed buckets, for draws
 *    with groups, and for a large frame of several views. In several dispatches (SLU_VULKAN_SEVERAL_DISPATCHES_BIT) it
 *    takes two for an unordered plan, and four for stable ones, packed buckets and groups. A dispatch that reads one
 *    view at a time is recorded once per view. Each further stream takes one more.
 *  - The Vulkan route writes the frame's data, while it records, to a slot of the plan's or to SluFrameInfo::transient.
 *  - The inline route takes one kernel launch; three for a stable plan with several buckets and for a large frame of
 *    several views; one more for either if buckets are packed or draws have groups. An unordered plan takes two if its
 *    draws have groups, three if its buckets are packed, and four with more than SLU_MAX_BUCKETS of them. All further
 *    streams take one more. A stable frame needs more multiprocessors than it has views, in addition to those that
 *    other waiting work occupies.
 *  - An in-place plan also takes one vkCmdCopyBuffer, and a barrier that costs more than that.
 *
 * plan must not be NULL.
 * commandBuffer is being recorded, outside a render pass, for a queue family with compute.
 * frame binds buffers that the route can use.
 * Returns SLU_ERROR_ROUTE_UNAVAILABLE for a plan of another route, and SLU_ERROR_INVALID_ARGUMENT if a field is
 * wrong. */
SLU_API SluResult sluCmdCompact(SluPlan plan, VkCommandBuffer commandBuffer, const SluFrameInfo* frame);

/* What images the builds of a pyramid read, chained to SluPyramidCreateInfo. */
typedef struct SluVulkanPyramidInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_PYRAMID_INFO */
  uint32_t structSize;
  const void* pNext;
  /* D16_UNORM, X8_D24_UNORM_PACK32, D32_SFLOAT, D16_UNORM_S8_UINT, D24_UNORM_S8_UINT or D32_SFLOAT_S8_UINT */
  VkFormat format;
  VkSampleCountFlagBits samples; /* VK_SAMPLE_COUNT_1_BIT to VK_SAMPLE_COUNT_8_BIT; the farthest sample counts */
  VkImageViewType viewType;      /* VK_IMAGE_VIEW_TYPE_2D_ARRAY; or VK_IMAGE_VIEW_TYPE_2D with one layer */
  uint32_t reserved;             /* 0 */
} SluVulkanPyramidInfo;

/* The image that a build reads, chained to SluPyramidBuildInfo. */
typedef struct SluVulkanDepthInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_DEPTH_INFO */
  uint32_t structSize;
  const void* pNext;
  VkImageView view; /* of SluVulkanPyramidInfo::viewType, of the depth aspect alone and of one mip level, with at least
                       SluPyramidCreateInfo::layerCount layers. Its image has VK_IMAGE_USAGE_SAMPLED_BIT */
  VkImageLayout layout; /* of the depth aspect when the build executes: GENERAL, SHADER_READ_ONLY_OPTIMAL,
                           DEPTH_STENCIL_READ_ONLY_OPTIMAL, DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
                           DEPTH_READ_ONLY_OPTIMAL or READ_ONLY_OPTIMAL */
  uint32_t reserved;    /* 0 */
  VkExtent2D extent;    /* of the view's mip level */
  VkOffset2D offset;    /* of the first pixel that is folded. What is folded lies within the extent */
} SluVulkanDepthInfo;

/* Records the build of a pyramid of the Vulkan or the inline route, which use the same shaders. This call only records.
 *  - On entry the depths are visible to VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT / VK_ACCESS_SHADER_READ_BIT, and an image
 *    is in SluVulkanDepthInfo::layout. After a pass that wrote them, the barrier is from
 *    VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT / VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT. Earlier readers of the
 *    pyramid are ordered before VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT.
 *  - On exit the pyramid was written at VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT / VK_ACCESS_SHADER_WRITE_BIT, and the
 *    image is in the same layout. The host's barrier follows, to what reads the pyramid, and to what draws into the
 *    image.
 *  - Builds and sluCmdCompact in the same queue need no barrier between them.
 *  - The call binds a pipeline and descriptor set 0 of the compute bind point, and pushes constants, with a layout of
 *    the library's own. The host binds and pushes its own again. The rest of the state is untouched.
 *  - The command buffer may be submitted again and again while fewer than SluPyramidCreateInfo::framesInFlight builds
 *    have been recorded since. The view must live as long.
 *  - The builds of an SluPyramid execute one after the other: submissions to different queues need a semaphore between
 *    them.
 *
 * A build takes one dispatch, and two with SLU_VULKAN_SEVERAL_DISPATCHES_BIT.
 *
 * pyramid must not be NULL.
 * commandBuffer is being recorded, outside a render pass, for a queue family with compute.
 * build binds buffers that the route can use.
 * Returns SLU_ERROR_ROUTE_UNAVAILABLE for a pyramid of another route, and SLU_ERROR_INVALID_ARGUMENT if a field is
 * wrong. */
SLU_API SluResult sluCmdBuildPyramid(SluPyramid pyramid, VkCommandBuffer commandBuffer,
                                     const SluPyramidBuildInfo* build);

/* Records frames whose results are known, so that a host can try a device before it depends on it. They have both
 * orders, culling and none, one bucket and several, the live tests of a word and of some of its bits, and each size of
 * record that has kernels of its own. The CPU route tells what they must give. The library submits nothing: the host
 * submits the command buffer once, to a queue of SluVulkanDeviceInfo::queueFamilyIndex, waits for it, and calls
 * sluGetSelfTestResult.
 *
 * The frames take about so much memory in a new context:
 *  - of the inline route, 46 MiB, all mapped;
 *  - of the Vulkan route by addresses, 42 MiB mapped and 2 MiB not mapped; in several dispatches 41 and 21 MiB;
 *  - of the Vulkan route by bound buffers, 46 MiB, all mapped; in several dispatches 61 MiB.
 * Memory and plans of the test live until the next test of the same route, or until the context and all that was
 * created from it are destroyed.
 *
 * context must not be NULL.
 * route is SLU_ROUTE_VULKAN or SLU_ROUTE_INLINE, or SLU_ROUTE_AUTO if that picks one of them.
 * commandBuffer is being recorded, outside a render pass, for a queue family with compute.
 * Returns SLU_ERROR_INVALID_ARGUMENT for a route that records nothing, and SLU_ERROR_ROUTE_UNAVAILABLE or
 * SLU_ERROR_MISSING_FEATURE if the route is not available. */
SLU_API SluResult sluCmdSelfTest(SluContext context, SluRoute route, VkCommandBuffer commandBuffer);

/* Compares what the frames of sluCmdSelfTest wrote with what they should have written. Call it after the command buffer
 * has completed. The route stays available whatever the result is, and the host decides what follows from it.
 * context must not be NULL.
 * route is that of sluCmdSelfTest.
 * Returns SLU_ERROR_DRIVER, with a sentence that says what is wrong, if a result differs. Returns
 * SLU_ERROR_INVALID_ARGUMENT if there was no sluCmdSelfTest. */
SLU_API SluResult sluGetSelfTestResult(SluContext context, SluRoute route);

#ifdef __cplusplus
}
#endif

#endif
