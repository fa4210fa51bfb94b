/* That the headers are C99, and that a C host gets from a context to an output. Returns 0, or the line that failed. */
#include <sluice/sluice.h>
#ifdef SLUICE_VULKAN
#include <sluice/sluice_vulkan.h>
#endif

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
#ifdef SLUICE_VULKAN
  SluVulkanRequirements requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  SluVulkanDeviceInfo deviceInfo = SLU_INIT(VULKAN_DEVICE_INFO, SluVulkanDeviceInfo);
  SluVulkanBufferInfo vulkanBufferInfo = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
  CHECK(requirements.structSize == sizeof(requirements) && requirements.pNext == 0);
  CHECK(deviceInfo.structSize == sizeof(deviceInfo) && deviceInfo.pNext == 0);
  CHECK(vulkanBufferInfo.structSize == sizeof(vulkanBufferInfo) && vulkanBufferInfo.pNext == 0);
#endif
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
  frame.viewCount = 0;
  CHECK(sluCompact(plan, &frame) == SLU_ERROR_INVALID_ARGUMENT && sluGetErrorMessage(context)[0] == 'f');

  sluDestroyPlan(plan);
  sluDestroyBuffer(buffer);
  sluDestroyContext(context);
  return 0;
}
