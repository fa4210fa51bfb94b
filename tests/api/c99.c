/* That the headers are C99, and that a C host gets from a context to an output. Returns 0, or the line that failed. */
#include <sluice/sluice.h>
#ifdef SLUICE_VULKAN
#include <sluice/sluice_vulkan.h>
#include <sluice/sluice_vulkan_cuda.h>
#endif
#include <sluice/sluice_cuda.h>
#include <sluice/sluice_d3d12_cuda.h>

#define CHECK(condition) \
  if (!(condition)) return __LINE__

int sluTestC99(void);

int sluTestC99(void) {
  uint32_t memory[8] = {0, 7, 0, 9, 0, 0, 0, 0};
  SluContext context = 0;
  SluBuffer buffer = 0;
  SluPlan plan = 0;
  SluMessage message;
  SluContextCreateInfo contextInfo = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  SluBufferCreateInfo bufferInfo = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  SluPlanCreateInfo planInfo = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  SluPlanProperties properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  SluRouteInfo routeInfo = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  SluFrameInfo frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  SluHandoffInfo handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  SluD3D12MemoryInfo d3d12Memory = SLU_INIT(D3D12_MEMORY_INFO, SluD3D12MemoryInfo);
  SluD3D12Fences fences = SLU_INIT(D3D12_FENCES, SluD3D12Fences);
  SluD3D12TransferInfo d3d12Transfer = SLU_INIT(D3D12_TRANSFER_INFO, SluD3D12TransferInfo);
#ifdef SLUICE_VULKAN
  SluVulkanRequirements requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  SluVulkanDeviceInfo deviceInfo = SLU_INIT(VULKAN_DEVICE_INFO, SluVulkanDeviceInfo);
  SluVulkanBufferInfo vulkanBufferInfo = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
  SluVulkanAllocateInfo allocateInfo = SLU_INIT(VULKAN_ALLOCATE_INFO, SluVulkanAllocateInfo);
  SluVulkanMergeInfo mergeInfo = SLU_INIT(VULKAN_MERGE_INFO, SluVulkanMergeInfo);
  SluVulkanMemoryInfo memoryInfo = SLU_INIT(VULKAN_MEMORY_INFO, SluVulkanMemoryInfo);
  SluMemoryFdInfo fdInfo = SLU_INIT(MEMORY_FD_INFO, SluMemoryFdInfo);
  SluVulkanTimelines timelines = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  SluTransferInfo transfer = SLU_INIT(TRANSFER_INFO, SluTransferInfo);
  CHECK(allocateInfo.structSize == sizeof(allocateInfo) && allocateInfo.usage == 0);
  CHECK(mergeInfo.structSize == sizeof(mergeInfo) && mergeInfo.featureChain == 0);
  CHECK(memoryInfo.structSize == sizeof(memoryInfo) && memoryInfo.dedicated == 0);
  CHECK(fdInfo.structSize == sizeof(fdInfo) && fdInfo.fd == 0);
  CHECK(timelines.structSize == sizeof(timelines) && timelines.pNext == 0);
  CHECK(transfer.structSize == sizeof(transfer) && transfer.bufferCount == 0);
  CHECK(requirements.structSize == sizeof(requirements) && requirements.pNext == 0);
  CHECK(deviceInfo.structSize == sizeof(deviceInfo) && deviceInfo.pNext == 0);
  CHECK(vulkanBufferInfo.structSize == sizeof(vulkanBufferInfo) && vulkanBufferInfo.pNext == 0);
#endif
  CHECK(handoff.structSize == sizeof(handoff) && handoff.waitValue == 0);
  CHECK(d3d12Memory.structSize == sizeof(d3d12Memory) && d3d12Memory.heap == 0);
  CHECK(fences.structSize == sizeof(fences) && fences.pNext == 0);
  CHECK(d3d12Transfer.structSize == sizeof(d3d12Transfer) && d3d12Transfer.bufferCount == 0);
  CHECK(contextInfo.sType == SLU_STRUCTURE_TYPE_CONTEXT_CREATE_INFO && contextInfo.pNext == 0 && contextInfo.log == 0);

  CHECK(sluCreateContext(&contextInfo, &context, &message) == SLU_SUCCESS);
  CHECK(sluGetRouteInfo(context, SLU_ROUTE_CPU, &routeInfo) == SLU_SUCCESS && routeInfo.available);
  bufferInfo.size = sizeof(memory);
  bufferInfo.hostPointer = memory;
  CHECK(sluCreateBuffer(context, &bufferInfo, &buffer) == SLU_SUCCESS);
  planInfo.route = SLU_ROUTE_CPU;
  planInfo.recordStride = 4;
  planInfo.maxRecordCount = 4;
  planInfo.live.test = SLU_LIVE_NON_EMPTY;
  planInfo.live.size = 4;
  planInfo.outputs = SLU_OUTPUT_INDICES_BIT;
  CHECK(sluCreatePlan(context, &planInfo, &plan) == SLU_SUCCESS);
  CHECK(sluGetPlanProperties(plan, &properties) == SLU_SUCCESS && properties.indicesBytes == 16);
  frame.recordCount = 4;
  frame.viewCount = 1;
  frame.records.buffer = buffer;
  frame.indices.buffer = buffer;
  frame.indices.offset = 16;
  CHECK(sluCompact(plan, &frame) == SLU_SUCCESS);
  CHECK(memory[4] == 1 && memory[5] == 3 && memory[6] == 0);
  CHECK(sluEnqueueCompact(plan, 0, &frame) == SLU_ERROR_ROUTE_UNAVAILABLE); /* the verb of another route */
  frame.viewCount = 0;
  CHECK(sluCompact(plan, &frame) == SLU_ERROR_INVALID_ARGUMENT && sluGetErrorMessage(context)[0] == 'f');

  sluDestroyPlan(plan);
  sluDestroyBuffer(buffer);
  sluDestroyContext(context);
  return 0;
}
