/* A host in C: 1000 instances of two meshes, the live ones drawn with one indirect draw per mesh. */
#include <sluice/sluice.h>
#include <stdio.h>

enum { kInstanceCount = 1000, kMeshCount = 2 };

typedef struct Instance {
  int32_t life;
  uint32_t mesh;
  float position[2];
} Instance;

typedef struct DrawIndexedIndirect {
  uint32_t indexCount, instanceCount, firstIndex;
  int32_t vertexOffset;
  uint32_t firstInstance;
} DrawIndexedIndirect;

static int succeeded(SluResult result, const char* sentence) {
  if (result != SLU_SUCCESS) fprintf(stderr, "%s: %s\n", sluGetResultName(result), sentence);
  return result == SLU_SUCCESS;
}

static SluBuffer registerMemory(SluContext context, void* memory, uint64_t size) {
  SluBufferCreateInfo info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  SluBuffer buffer = NULL;
  info.size = size;
  info.hostPointer = memory;
  succeeded(sluCreateBuffer(context, &info, &buffer), sluGetErrorMessage(context));
  return buffer;
}

static SluPlan createPlan(SluContext context) {
  SluBucket buckets[kMeshCount] = {{kInstanceCount, {36, 0, 0, 0, 0}}, {kInstanceCount, {60, 0, 36, 0, 0}}};
  SluPlanCreateInfo info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  SluPlan plan = NULL;
  info.route = SLU_ROUTE_CPU;
  info.order = SLU_ORDER_STABLE;
  info.recordStride = sizeof(Instance);
  info.maxRecordCount = kInstanceCount;
  info.live.test = SLU_LIVE_POSITIVE_INT;
  info.key.keyCount = kMeshCount;
  info.key.offset = sizeof(int32_t);
  info.bucketCount = kMeshCount;
  info.buckets = buckets;
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAWS_BIT;
  info.draws.type = SLU_DRAW_INDEXED_INSTANCES;
  info.draws.stride = sizeof(DrawIndexedIndirect);
  succeeded(sluCreatePlan(context, &info, &plan), sluGetErrorMessage(context));
  return plan;
}

#ifdef HAS_CULLING
int runCulling(void);
#endif
#ifdef HAS_GLSL_PREDICATE
int runGlslPredicate(void);
#endif
#ifdef HAS_PREDICATE
int runPredicate(void);
#endif

int main(void) {
  static Instance instances[kInstanceCount];
  static uint32_t indices[kMeshCount * kInstanceCount];
  DrawIndexedIndirect draws[kMeshCount];
  uint32_t kept[kMeshCount] = {0, 0};
  uint32_t wrong = 0;
  SluContextCreateInfo contextInfo = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  SluFrameInfo frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  SluContext context = NULL;
  SluMessage message;
  SluPlan plan;
  SluResult result;

  for (uint32_t i = 0; i < kInstanceCount; ++i) {
    instances[i].life = i % 3 == 0 ? -1 : (int32_t)i;
    instances[i].mesh = i % 5 == 0;
  }
  if (!succeeded(sluCreateContext(&contextInfo, &context, &message), message.text)) return 1;
  plan = createPlan(context);
  frame.recordCount = kInstanceCount;
  frame.viewCount = 1;
  frame.records.buffer = registerMemory(context, instances, sizeof instances);
  frame.indices.buffer = registerMemory(context, indices, sizeof indices);
  frame.draws.buffer = registerMemory(context, draws, sizeof draws);
  result = sluCompact(plan, &frame);
  if (!succeeded(result, sluGetErrorMessage(context))) return 1;

  for (uint32_t i = 0; i < kInstanceCount; ++i) {
    const uint32_t mesh = instances[i].mesh;
    if (instances[i].life > 0) wrong += indices[mesh * kInstanceCount + kept[mesh]++] != i;
  }
  for (uint32_t mesh = 0; mesh < kMeshCount; ++mesh) {
    wrong += draws[mesh].instanceCount != kept[mesh];
    wrong += draws[mesh].firstInstance != mesh * kInstanceCount;
  }
  wrong += draws[0].indexCount != 36 || draws[1].indexCount != 60 || draws[1].firstIndex != 36;
  printf("%u and %u of %d instances kept, %u differences\n", draws[0].instanceCount, draws[1].instanceCount,
         kInstanceCount, wrong);

  sluDestroyBuffer(frame.draws.buffer);
  sluDestroyBuffer(frame.indices.buffer);
  sluDestroyBuffer(frame.records.buffer);
  sluDestroyPlan(plan);
  sluDestroyContext(context);
#ifdef HAS_CULLING
  wrong += (uint32_t)runCulling();
#endif
#ifdef HAS_GLSL_PREDICATE
  wrong += (uint32_t)runGlslPredicate();
#endif
#ifdef HAS_PREDICATE
  wrong += (uint32_t)runPredicate();
#endif
  return wrong != 0;
}
