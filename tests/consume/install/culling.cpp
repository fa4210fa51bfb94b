// A host that asks what its frame asks: the arithmetic of sluice/culling.h, beside a frame of the CPU route.
#include <sluice/culling.h>

#include <cstdio>
#include <sluice/sluice.hpp>
#include <vector>

namespace {

constexpr uint32_t kCount = 1000;
constexpr SluFlags kCullFlags = SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT;

// A box around an eye.
SluView makeView() {
  SluView view{};
  for (uint32_t plane = 0; plane < 6; ++plane) {
    view.planes[plane][plane / 2] = plane % 2 == 0 ? 1.0f : -1.0f;
    view.planes[plane][3] = 30.1f;
  }
  view.eye[0] = 0.3f;
  view.maxDistance = 40.7f;
  view.minSizeRatio = 0.01f;
  return view;
}

std::vector<slu::SluSphere> makeSpheres() {
  std::vector<slu::SluSphere> spheres(kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    const auto number = [i](uint32_t factor) { return static_cast<float>(i * factor % 1013u) * 0.1f - 50.0f; };
    spheres[i] = {{number(7), number(59), number(211)}, static_cast<float>(i % 9) * 0.13f - 0.1f};
  }
  return spheres;
}

slu::Buffer registerMemory(SluContext context, void* memory, uint64_t size) {
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.size = size;
  info.hostPointer = memory;
  SluBuffer buffer = nullptr;
  sluCreateBuffer(context, &info, &buffer);
  return slu::Buffer(buffer);
}

}  // namespace

// The number of records that the two judge differently.
extern "C" int runCulling() {
  auto contextInfo = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  slu::Context context;
  if (sluCreateContext(&contextInfo, context.put(), nullptr) != SLU_SUCCESS) return 1;
  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = SLU_ROUTE_CPU;
  info.order = SLU_ORDER_STABLE;
  info.recordStride = sizeof(slu::SluSphere);
  info.maxRecordCount = kCount;
  info.cullFlags = kCullFlags;
  info.bounds.source = SLU_BOUNDS_IN_RECORD;
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT;
  slu::Plan plan;
  if (sluCreatePlan(context, &info, plan.put()) != SLU_SUCCESS) return 1;

  const SluView view = makeView();
  std::vector<slu::SluSphere> spheres = makeSpheres();
  std::vector<uint32_t> indices(kCount);
  SluStatistics statistics{};
  const slu::Buffer input = registerMemory(context, spheres.data(), kCount * sizeof(slu::SluSphere));
  const slu::Buffer output = registerMemory(context, indices.data(), kCount * sizeof(uint32_t));
  const slu::Buffer counts = registerMemory(context, &statistics, sizeof(statistics));
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = kCount;
  frame.viewCount = 1;
  frame.views = &view;
  frame.records = {input, 0};
  frame.indices = {output, 0};
  frame.statistics = {counts, 0};
  if (sluCompact(plan, &frame) != SLU_SUCCESS) return 1;

  const slu::SluViewBlock prepared = slu::sluPrepareView(view, 1);
  int wrong = 0;
  uint32_t kept = 0;
  uint32_t rejected[SLU_REJECT_COUNT] = {};
  for (uint32_t i = 0; i < kCount; ++i) {
    const uint32_t outcome = slu::sluCullSphere(prepared, spheres[i], kCullFlags);
    if (outcome != SLU_KEPT) {
      ++rejected[outcome];
    } else {
      wrong += indices[kept++] != i;
    }
  }
  for (uint32_t reason = 0; reason < SLU_REJECT_COUNT; ++reason) {
    wrong += rejected[reason] != statistics.rejectedCount[reason];
    const bool isTested = reason >= SLU_REJECT_INVALID && reason < SLU_REJECT_LOD;  // no LODs, no layers
    wrong += isTested && rejected[reason] == 0;  // each test is to have something to drop
  }
  wrong += kept == 0 || kept != statistics.keptCount;
  std::printf("%u of %u spheres kept, %d differences\n", kept, kCount, wrong);
  return wrong;
}
