/* What sluice_add_predicate wrote, in a host in C that has no Vulkan device: a plan of the CPU route takes the function in C
 * beside it, and what is wrong with the modules is found before a device is asked for. */
#include <sluice/sluice.h>
#include <stdio.h>
#include <string.h>

#include "thirds.h"

static SluBool32 isLive(const void* state, const void* record, uint32_t index) {
  (void)state;
  (void)record;
  return index % 3 == 1;
}

static uint32_t keyWord(const void* state, const void* record, uint32_t index) {
  (void)state;
  (void)index;
  return *(const uint32_t*)record & 1u;
}

int runGlslPredicate(void) {
  static uint32_t records[100], kept[200];
  SluContextCreateInfo contextInfo = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  SluContext context = NULL;
  SluBufferCreateInfo bufferInfo = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  SluBuffer input = NULL, output = NULL;
  SluPlanCreateInfo info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  SluPlan plan = NULL;
  SluSpirvPredicateInfo modules = thirds();
  SluHostPredicateInfo host = SLU_INIT(HOST_PREDICATE_INFO, SluHostPredicateInfo);
  SluBucket buckets[2] = {{100, {0, 0, 0, 0, 0}}, {100, {0, 0, 0, 0, 0}}};
  SluFrameInfo frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  int isRight;
  uint32_t i;
  for (i = 0; i < 100; ++i) records[i] = 7 * i;
  if (sluCreateContext(&contextInfo, &context, NULL) != SLU_SUCCESS) return 1;
  bufferInfo.size = sizeof(records);
  bufferInfo.hostPointer = records;
  sluCreateBuffer(context, &bufferInfo, &input);
  bufferInfo.size = sizeof(kept);
  bufferInfo.hostPointer = kept;
  sluCreateBuffer(context, &bufferInfo, &output);

  host.isLive = isLive;
  host.keyWord = keyWord;
  host.pNext = &modules;
  info.pNext = &host;
  info.route = SLU_ROUTE_CPU;
  info.order = SLU_ORDER_STABLE;
  info.flags = SLU_PLAN_CUSTOM_KEY_BIT;
  info.recordStride = 4;
  info.maxRecordCount = 100;
  info.live.test = SLU_LIVE_CUSTOM;
  info.key.keyCount = 2;
  info.bucketCount = 2;
  info.buckets = buckets;
  info.outputs = SLU_OUTPUT_INDICES_BIT;
  frame.recordCount = 100;
  frame.viewCount = 1;
  frame.records.buffer = input;
  frame.indices.buffer = output;
  isRight = sluCreatePlan(context, &info, &plan) == SLU_SUCCESS && sluCompact(plan, &frame) == SLU_SUCCESS &&
            kept[0] == 4 && kept[1] == 10 && kept[100] == 1 && kept[101] == 7;
  if (!isRight) fprintf(stderr, "predicate: %s\n", sluGetErrorMessage(context));
  isRight = isRight && modules.moduleCount >= 20 && modules.computesKey == 1 && modules.shadersHash != 0;
  for (i = 0; i < modules.moduleCount; ++i) isRight = isRight && modules.modules[i].byteCount > 1000;
  sluDestroyPlan(plan);
  sluDestroyBuffer(input);
  sluDestroyBuffer(output);
  sluDestroyContext(context);
  return isRight ? 0 : 1;
}
