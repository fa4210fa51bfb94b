/* Sluice for Vulkan hosts. See sluice.h for the conventions.
 *
 *   1. sluGetVulkanRequirements before vkCreateDevice: what to enable. sluMergeVulkanRequirements adds it to the host's.
 *   2. sluCreateContext with an SluVulkanDeviceInfo in pNext.
 *   3. sluCreateBuffer with an SluVulkanBufferInfo in pNext, per VkBuffer.
 *   4. sluCmdCompact, each frame, into the host's command buffer.
 *
 * A library that was built without Vulkan (SLUICE_VULKAN=OFF) has none of these functions, nor those of
 * sluice_vulkan_cuda.h.
 */
#ifndef SLUICE_SLUICE_VULKAN_H
#define SLUICE_SLUICE_VULKAN_H

#include <sluice/sluice.h>
#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What instance and device are created for, at least. */
#define SLU_VULKAN_API_VERSION VK_API_VERSION_1_2

#define SLU_MAX_VULKAN_EXTENSIONS 16u

/* What a route needs of the device. Merge it into what the device is created with: add the extensions, OR the features.
 * Four features are asked for where the device has them, and can be left out:
 *  - vulkan12.shaderBufferInt64Atomics makes unordered frames of the Vulkan route faster.
 *  - features.drawIndirectFirstInstance lets indirect draws have a firstInstance that is not 0. The commands of plans
 *    with more than one bucket or view do. Without the feature sluCreatePlan refuses such plans, unless they have
 *    SLU_DRAWS_AS_DATA_BIT; a plan per bucket and view does without.
 *  - features.multiDrawIndirect lets one vkCmdDraw*Indirect draw several buckets.
 *  - vulkan12.drawIndirectCount is for vkCmdDraw*IndirectCount, which reads frame.drawCounts.
 * SluPlanProperties::drawNeeds tells which of the last three the draws of a plan need. */
typedef struct SluVulkanRequirements {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_REQUIREMENTS */
  uint32_t structSize;
  void* pNext;
  uint32_t apiVersion; /* SLU_VULKAN_API_VERSION */
  uint32_t extensionCount;
  const char* extensions[SLU_MAX_VULKAN_EXTENSIONS]; /* static strings */
  VkPhysicalDeviceFeatures features;
  VkPhysicalDeviceVulkan12Features vulkan12;
  VkBufferUsageFlags bufferUsage; /* of every buffer a frame binds. Vulkan and inline route: draws and drawCounts need
                                     INDIRECT_BUFFER besides, records of in-place plans TRANSFER_SRC. Vulkan route:
                                     transient needs UNIFORM_BUFFER besides. CUDA route: 0, since CUDA sees memory and
                                     no usage */
  SluBool32 cudaKernelLaunch;     /* 1: chain VkPhysicalDeviceCudaKernelLaunchFeaturesNV, its feature VK_TRUE; inline
                                     route on drivers with VK_NV_cuda_kernel_launch */
  SluBool32 drawIndirectCountExtension; /* 1: the device offers VK_KHR_draw_indirect_count, which enables draw counts
                                           in a chain that has structs of single features */
  uint32_t reserved;                    /* 0 */
} SluVulkanRequirements;

/* Fills requirements, whose sType and structSize the caller set. route: SLU_ROUTE_VULKAN, SLU_ROUTE_CUDA,
 * SLU_ROUTE_INLINE, which asks for what the Vulkan route needs as well, so that a context has both; or SLU_ROUTE_AUTO
 * for the first that the device can run of the inline, the Vulkan and the CUDA route. A host that wants several calls
 * it for each, as one that enqueues does for the CUDA route. Asking for the CUDA route initializes CUDA in this
 * process. SLU_ERROR_MISSING_FEATURE or SLU_ERROR_ROUTE_UNAVAILABLE with a sentence when the physical device cannot run
 * the route; a context for the CPU route can still be had. message may be NULL. */
SLU_API SluResult sluGetVulkanRequirements(PFN_vkGetInstanceProcAddr getInstanceProcAddr, VkInstance instance,
                                           VkPhysicalDevice physicalDevice, SluRoute route,
                                           SluVulkanRequirements* requirements, SluMessage* message);

/* Room for a struct that enables features. */
typedef struct SluVulkanFeatureStruct {
  VkStructureType sType;
  void* pNext;
  VkBool32 features[3];
} SluVulkanFeatureStruct;

/* What a host is about to create a device with, for sluMergeVulkanRequirements to add to. The host fills the first
 * fields, from whatever its wrapper takes; the others are room for structs that its chain lacks. */
typedef struct SluVulkanMergeInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_MERGE_INFO */
  uint32_t structSize;
  void* pNext;
  void* featureChain; /* in: the chain for VkDeviceCreateInfo::pNext, of any shape, or NULL; its structs are written.
                         out: the same chain, with what it lacked */
  VkPhysicalDeviceFeatures* coreFeatures; /* what VkDeviceCreateInfo::pEnabledFeatures is going to point to; NULL for
                                             hosts that have VkPhysicalDeviceFeatures2 in the chain, or neither */
  const char** extensions;                /* in and out: names of extensions; NULL where the capacity is 0 */
  uint32_t extensionCount;                /* in and out */
  uint32_t extensionCapacity; /* of the array; extensionCount + SLU_MAX_VULKAN_EXTENSIONS + 1 is always enough */
  VkPhysicalDeviceFeatures2 features2; /* the library's from here on */
  VkPhysicalDeviceVulkan12Features vulkan12;
  SluVulkanFeatureStruct bufferDeviceAddress, shaderAtomicInt64, timelineSemaphore, uniformBufferStandardLayout;
  SluVulkanFeatureStruct cudaKernelLaunch;
} SluVulkanMergeInfo;

/* Adds requirements to what a host is about to create a device with. May be called again with further requirements; merge
 * stays where it is until vkCreateDevice has returned.
 *  - Features go into the structs that the chain has. Structs that it lacks are put behind its VkPhysicalDeviceFeatures2,
 *    or in front where it has none.
 *  - Features of Vulkan 1.2 go into VkPhysicalDeviceVulkan12Features, or into structs of single features if the chain has
 *    any of these, since Vulkan forbids both forms in one chain. There is no such struct for drawIndirectCount:
 *    VK_KHR_draw_indirect_count is added instead if the device offers it.
 *  - Extensions that the list has are not added again. Beside VkPhysicalDeviceVulkan12Features the features that
 *    extensions of the list became are enabled as well, as Vulkan demands.
 * vkCreateDevice then gets featureChain, coreFeatures and extensions. A host whose wrapper creates the device hands
 * featureChain and extensions on as SluVulkanDeviceInfo::enabledFeatures and enabledExtensions.
 * SLU_ERROR_INVALID_ARGUMENT, with nothing changed: the chain has both forms of the features of Vulkan 1.2, or is a circle;
 * coreFeatures stands beside a VkPhysicalDeviceFeatures2; the list has a null, too little room, or
 * VK_EXT_buffer_device_address, which excludes the feature of Vulkan 1.2. message may be NULL. */
SLU_API SluResult sluMergeVulkanRequirements(const SluVulkanRequirements* requirements, SluVulkanMergeInfo* merge,
                                             SluMessage* message);

/* The host's device, chained to SluContextCreateInfo. Every handle stays the host's and must outlive the context and
 * all that was created from it. Any loader will do: functions are looked up through getInstanceProcAddr alone.
 *
 * The library calls allocationCallbacks and uses pipelineCache only in calls that create or destroy, and in
 * sluCmdSelfTest, which creates plans. Calls that record or enqueue use neither. */
typedef struct SluVulkanDeviceInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO */
  uint32_t structSize;
  const void* pNext;
  PFN_vkGetInstanceProcAddr getInstanceProcAddr;
  VkInstance instance; /* created for Vulkan 1.2 or later */
  VkPhysicalDevice physicalDevice;
  VkDevice device;
  const VkDeviceCreateInfo* deviceCreateInfo; /* what the device was created with: tells what is enabled. Read during
                                                 the call only. NULL beside enabledFeatures */
  uint32_t queueFamilyIndex;     /* of the command buffers that sluCmdCompact records into; must have compute. The
                                    inline route is faster on one without graphics */
  uint32_t emulatedSubgroupSize; /* 0: the device's own subgroups. 4, 8, … 128: ballots and sums in shared memory with
                                    subgroups of that size, for devices whose ballots cannot be trusted; slow */
  const void* enabledFeatures; /* for hosts whose wrapper creates the device: the chain of features that it was created
                                  with, in any order, VkPhysicalDeviceFeatures2 among them. NULL beside deviceCreateInfo */
  uint32_t enabledExtensionCount; /* of the device; 0 beside deviceCreateInfo */
  const char* const* enabledExtensions;
  const VkAllocationCallbacks* allocationCallbacks; /* for every Vulkan object of the library's own; NULL: the driver
                                                       allocates by itself. The struct is copied. What it points to must
                                                       outlive the context and all that was created from it. What the
                                                       library itself allocates does not pass through it */
  VkPipelineCache pipelineCache; /* every pipeline is created with it; VK_NULL_HANDLE: without one. The host loads and
                                    saves its data. With VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT no other
                                    thread may use it during the calls named above; without the flag only
                                    vkMergePipelineCaches into it must not run at the same time */
} SluVulkanDeviceInfo;

/* A VkBuffer of the host, chained to SluBufferCreateInfo. It must be bound before sluCreateBuffer; for the Vulkan route
 * to memory that was allocated with VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, at any offset. Vulkan has no query for
 * either: an unbound buffer is refused if the driver gives no address for it, and others give a wrong one or crash;
 * memory without the flag is named by the validation layers alone. SluBufferCreateInfo::size is VkBufferCreateInfo::size
 * or less: a size beyond vkGetBufferMemoryRequirements is refused, since the exact size cannot be asked. The buffer is
 * owned by the context's queue family when used. The CUDA route needs to know its memory besides
 * (sluice_vulkan_cuda.h). */
typedef struct SluVulkanBufferInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO */
  uint32_t structSize;
  const void* pNext;
  VkBuffer buffer;
  VkBufferUsageFlags usage; /* as created; SluVulkanRequirements::bufferUsage of each route that is to use it */
} SluVulkanBufferInfo;

/* Asks for a new VkBuffer of SluBufferCreateInfo::size bytes, chained to SluBufferCreateInfo alone: in memory of its
 * own that every GPU route of the context can use, device-local where there is such memory. Buffer and memory belong to
 * the SluBuffer and go with it; the content is undefined at first. Exclusive to one queue family at a time. */
typedef struct SluVulkanAllocateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO */
  uint32_t structSize;
  const void* pNext;
  VkBufferUsageFlags usage; /* what the host does with it; the library adds what the context's routes need */
} SluVulkanAllocateInfo;

/* The VkBuffer of a buffer, the host's own or an allocated one. VK_NULL_HANDLE for NULL, and for a buffer that no GPU
 * route of the context uses as one. */
SLU_API VkBuffer sluGetVulkanBuffer(SluBuffer buffer);

/* Stages and accesses of sluCmdCompact, for the host's own barriers. */
#define SLU_VULKAN_INPUT_STAGES (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT)
#define SLU_VULKAN_INPUT_ACCESS (VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT)
#define SLU_VULKAN_OUTPUT_STAGES VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define SLU_VULKAN_OUTPUT_ACCESS (VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT)

/* What draws read: indirect commands and counts, kept records as vertices, indices and records in vertex shaders. */
#define SLU_VULKAN_DRAW_STAGES \
  (VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT)
#define SLU_VULKAN_DRAW_ACCESS \
  (VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_SHADER_READ_BIT)

/* Records a frame of a plan of the Vulkan or the inline route. Outside a render pass, on a queue family with compute.
 * This call only records. Vulkan route: one dispatch, three for a stable plan of several buckets; where the plan needs
 * views, those that look at them once per view; the frame's data is written to a slot of the plan's or to frame.transient.
 * Inline route: one kernel launch, or three for a stable plan with several buckets; a stable frame needs more
 * multiprocessors than it has views, beside what else waits on the GPU. In-place plans one vkCmdCopyBuffer besides, which
 * comes with a barrier that costs more than it does.
 *  - On entry inputs are visible to SLU_VULKAN_INPUT_STAGES / SLU_VULKAN_INPUT_ACCESS, and earlier readers of the
 *    outputs (the last frame's draws) are ordered before SLU_VULKAN_OUTPUT_STAGES; so are writes of the host's to
 *    statistics, which frames read, with SLU_VULKAN_OUTPUT_ACCESS. Earlier sluCmdCompact calls in the same queue need
 *    no barrier, whichever of the two routes their plans are of: each call waits for those before it, so that one plan
 *    may read what another wrote.
 *  - On exit outputs were written at SLU_VULKAN_OUTPUT_STAGES / VK_ACCESS_SHADER_WRITE_BIT; the host's barrier to
 *    SLU_VULKAN_DRAW_STAGES / SLU_VULKAN_DRAW_ACCESS, or to what else reads them, follows.
 *  - Bound: pipeline and descriptor sets 0 and 1 of the compute bind point, with a layout of the library's own that has
 *    no push constants; on the inline route they are undefined afterwards. The host binds its own compute pipeline, sets
 *    of all numbers and push constants again. The rest of the state is untouched.
 * The command buffer may be submitted again and again: on the Vulkan route with frame.transient, or while the plan has
 * recorded fewer than SluPlanCreateInfo::framesInFlight frames since. A plan's frames execute one after the other:
 * submissions to different queues need a semaphore between them. A plan whose frames overlapped all the same, or whose
 * inputs or live count changed during one, is to be destroyed: its counters may stay wrong. */
SLU_API SluResult sluCmdCompact(SluPlan plan, VkCommandBuffer commandBuffer, const SluFrameInfo* frame);

/* Records frames whose outcome the CPU route tells, for a host that would see the Vulkan or the inline route work on its
 * device before frames depend on it: in both orders, culling or not, into one bucket and into several, of each size of
 * record that has kernels of its own. The library submits nothing by itself: the host submits the command buffer once,
 * to a queue of SluVulkanDeviceInfo::queueFamilyIndex, waits for it, and asks for the result. Outside a render pass. The
 * inline route's frames take 39 MiB of mapped memory, the Vulkan route's 41, and 2 MiB that are not mapped. Memory and
 * plans of the test live until the next one of the same route, or until the context and all that was created from it go.
 */
SLU_API SluResult sluCmdSelfTest(SluContext context, SluRoute route, VkCommandBuffer commandBuffer);

/* After the command buffer of sluCmdSelfTest has completed: SLU_SUCCESS, or SLU_ERROR_DRIVER with a sentence that says
 * what came out wrong. The route stays available either way; what follows from it is the host's decision. */
SLU_API SluResult sluGetSelfTestResult(SluContext context, SluRoute route);

#ifdef __cplusplus
}
#endif

#endif
