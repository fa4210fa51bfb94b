// A CUDA host: particles brighter than a threshold, in their order.
#include <sluice/culling.h>

#include <cstdio>
#include <sluice/predicate.cuh>
#include <sluice/sluice.hpp>
#include <vector>

namespace {

struct Particle {
  float position[3];
  float brightness;
};

struct Brighter {
  float threshold;
  __host__ __device__ bool operator()(const void* record, unsigned) const {
    return static_cast<const Particle*>(record)->brightness > threshold;
  }
};

constexpr uint32_t kCount = 10000;

slu::Buffer registerMemory(SluContext context, void* memory, uint64_t size) {
  auto cuda = SLU_INIT(CUDA_BUFFER_INFO, SluCudaBufferInfo);
  cuda.devicePointer = memory;
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.pNext = &cuda;
  info.size = size;
  SluBuffer buffer = nullptr;
  sluCreateBuffer(context, &info, &buffer);
  return slu::Buffer(buffer);
}

// Differences from what the host keeps.
uint32_t compact(SluContext context, SluPlan plan, const Brighter& brighter, const SluFrameInfo& frame,
                 const Particle* particles, const uint32_t* kept) {
  if (sluEnqueueCompact(plan, nullptr, &frame) != SLU_SUCCESS || cudaDeviceSynchronize() != cudaSuccess) {
    std::fprintf(stderr, "%s\n", sluGetErrorMessage(context));
    return 1;
  }
  uint32_t wrong = 0;
  uint32_t next = 0;
  for (uint32_t i = 0; i < kCount; ++i) {
    if (brighter(&particles[i], i)) wrong += kept[next++] != i;
  }
  std::printf("%u of %u particles kept, %u differences\n", next, kCount, wrong);
  return wrong;
}

}  // namespace

// 0 where all is well, or where there is no GPU to try it on.
extern "C" int runPredicate() {
  auto device = SLU_INIT(CUDA_DEVICE_INFO, SluCudaDeviceInfo);
  auto contextInfo = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  contextInfo.pNext = &device;
  slu::Context context;
  SluMessage message{};
  if (sluCreateContext(&contextInfo, context.put(), &message) != SLU_SUCCESS) return 1;
  auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  sluGetRouteInfo(context, SLU_ROUTE_CUDA, &route);
  if (route.available == 0) {
    std::printf("no predicate is tried: %s\n", route.reason);
    return 0;
  }

  const Brighter brighter{0.5f};
  const SluCudaPredicateInfo predicate = slu::cudaPredicate(brighter);
  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.pNext = &predicate;
  info.route = SLU_ROUTE_CUDA;
  info.order = SLU_ORDER_STABLE;
  info.recordStride = sizeof(Particle);
  info.maxRecordCount = kCount;
  info.live.test = SLU_LIVE_CUSTOM;
  info.outputs = SLU_OUTPUT_INDICES_BIT;
  slu::Plan plan;
  if (sluCreatePlan(context, &info, plan.put()) != SLU_SUCCESS) {
    std::fprintf(stderr, "%s\n", sluGetErrorMessage(context));
    return 1;
  }

  Particle* particles = nullptr;
  uint32_t* kept = nullptr;
  if (cudaMallocManaged(&particles, kCount * sizeof(Particle)) != cudaSuccess) return 1;
  if (cudaMallocManaged(&kept, kCount * sizeof(uint32_t)) != cudaSuccess) return 1;
  for (uint32_t i = 0; i < kCount; ++i) particles[i].brightness = static_cast<float>(i * 7919u % 1000u) / 1000.0f;
  const slu::Buffer input = registerMemory(context, particles, kCount * sizeof(Particle));
  const slu::Buffer output = registerMemory(context, kept, kCount * sizeof(uint32_t));
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = kCount;
  frame.viewCount = 1;
  frame.records = {input, 0};
  frame.indices = {output, 0};
  uint32_t wrong = compact(context, plan, brighter, frame, particles, kept);
  const Brighter darker{0.25f};
  const SluPredicateState state = slu::cudaPredicateState(darker);
  frame.pNext = &state;
  wrong += compact(context, plan, darker, frame, particles, kept);
  cudaFree(kept);
  cudaFree(particles);
  return wrong != 0;
}
