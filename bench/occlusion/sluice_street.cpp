#include "occlusion/sluice_street.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "arena/sluice_plan.h"
#include "base/failure.h"

namespace bench {
namespace {

slu::Plan makePlan(SluContext context, SluRoute route, const Street& street, uint32_t capacity, SluFlags cullFlags) {
  std::vector<SluBucket> buckets(street.settings.bucketCount);
  for (SluBucket& bucket : buckets) {
    bucket.capacity = capacity;
    bucket.draw.elementCount = kDrawVertexCount;
  }
  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = route;
  info.recordStride = sizeof(uint32_t);
  info.maxRecordCount = street.settings.recordCount;
  info.cullFlags = cullFlags;
  info.bounds.source = SLU_BOUNDS_PER_RECORD;
  info.bounds.shape = SLU_SHAPE_BOX;
  info.bounds.stride = sizeof(StreetBox);
  info.bounds.transformFlags = SLU_TRANSFORM_MATRIX_BIT;
  info.bounds.transformStride = sizeof(StreetMatrix);
  info.bounds.matrixForm = SLU_MATRIX_ROWS;
  info.key.keyCount = street.settings.bucketCount;
  info.bucketCount = street.settings.bucketCount;
  info.buckets = buckets.data();
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAWS_BIT;
  info.draws = {SLU_DRAW_INSTANCES, sizeof(DrawCommand), 0};
  slu::Plan plan;
  require(context, sluCreatePlan(context, &info, plan.put()), "sluCreatePlan");
  return plan;
}

slu::Pyramid makePyramid(SluContext context, SluRoute route, const Street& street) {
  auto info = SLU_INIT(PYRAMID_CREATE_INFO, SluPyramidCreateInfo);
  info.route = route;
  info.width = street.settings.width;
  info.height = street.settings.height;
  info.layerCount = 1;
  info.direction = SLU_DEPTH_REVERSED;
  slu::Pyramid pyramid;
  require(context, sluCreatePyramid(context, &info, pyramid.put()), "sluCreatePyramid");
  return pyramid;
}

SluOcclusionView occlusionViewOf(const Street& street) {
  SluOcclusionView view{};
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row) view.viewProjection[4 * column + row] = street.rows[row][column];
  return view;
}

SluOcclusionPhase phaseOf(StreetFrame frame) {
  switch (frame) {
    case StreetFrame::First:
      return SLU_OCCLUSION_FIRST;
    case StreetFrame::Second:
      return SLU_OCCLUSION_SECOND;
    default:
      return SLU_OCCLUSION_SINGLE;
  }
}

}  // namespace

SluiceStreet::SluiceStreet(SluContext context, SluRoute route, const Street& street)
    : context_(context),
      street_(street),
      capacity_(street.bucketCapacity()),
      wholePlan_(makePlan(context, route, street, capacity_, SLU_CULL_FRUSTUM_BIT)),
      plan_(makePlan(context, route, street, capacity_, SLU_CULL_FRUSTUM_BIT | SLU_CULL_OCCLUSION_BIT)),
      pyramid_(makePyramid(context, route, street)),
      occlusionView_(occlusionViewOf(street)) {
  std::memcpy(view_.planes, street.frustum.planes, sizeof(view_.planes));
}

uint64_t SluiceStreet::pyramidBytes() const {
  auto properties = SLU_INIT(PYRAMID_PROPERTIES, SluPyramidProperties);
  require(context_, sluGetPyramidProperties(pyramid_, &properties), "sluGetPyramidProperties");
  return properties.bytes;
}

void SluiceStreet::bind(const StreetBindings& bindings) {
  for (uint32_t i = 0; i < kStreetFrameCount; ++i) {
    const auto kind = static_cast<StreetFrame>(i);
    SluOcclusionInfo& occlusion = occlusions_[i] = SLU_INIT(OCCLUSION_INFO, SluOcclusionInfo);
    occlusion.phase = phaseOf(kind);
    if (kind != StreetFrame::Single) occlusion.lastVisible = bindings.lastVisible;
    if (kind != StreetFrame::First) {
      occlusion.views = &occlusionView_;
      occlusion.pyramid = bindings.pyramid;
      occlusion.width = street_.settings.width;
      occlusion.height = street_.settings.height;
      occlusion.layerCount = 1;
      occlusion.visible = bindings.visible;
    }
    SluFrameInfo& frame = frames_[i] = SLU_INIT(FRAME_INFO, SluFrameInfo);
    if (kind != StreetFrame::Whole) frame.pNext = &occlusion;
    frame.recordCount = street_.settings.recordCount;
    frame.viewCount = 1;
    frame.views = &view_;
    frame.records = bindings.buckets;
    frame.bounds = bindings.boxes;
    frame.transforms = bindings.matrices;
    frame.indices = bindings.indices[i];
    frame.draws = bindings.draws[i];
  }
  build_ = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
  build_.pyramid = bindings.pyramid;
  build_.depth = bindings.depths;
}

CpuStreet::CpuStreet(const Street& street)
    : street_(street),
      context_(makeSluiceContext(nullptr, SLU_ROUTE_CPU)),
      sluice_(context_, SLU_ROUTE_CPU, street),
      pyramid_(sluice_.pyramidBytes() / sizeof(uint32_t)),
      last_(street.visibilityWords()),
      visible_(street.visibilityWords()),
      indices_(size_t{sluice_.bucketCapacity()} * street.settings.bucketCount),
      draws_(street.settings.bucketCount) {
  const auto bind = [&](const auto& items) {
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.size = items.size() * sizeof(items[0]);
    info.hostPointer = const_cast<void*>(static_cast<const void*>(items.data()));
    slu::Buffer buffer;
    require(context_, sluCreateBuffer(context_, &info, buffer.put()), "sluCreateBuffer");
    registered_.push_back(std::move(buffer));
    return SluBinding{registered_.back(), 0};
  };
  StreetBindings bindings{};
  bindings.buckets = bind(street.buckets);
  bindings.boxes = bind(street.boxes);
  bindings.matrices = bind(street.matrices);
  bindings.depths = bind(street.depths);
  bindings.pyramid = bind(pyramid_);
  bindings.lastVisible = bind(last_);
  bindings.visible = bind(visible_);
  std::fill_n(bindings.indices, kStreetFrameCount, bind(indices_));
  std::fill_n(bindings.draws, kStreetFrameCount, bind(draws_));
  sluice_.bind(bindings);
  require(context_, sluBuildPyramid(sluice_.pyramid(), &sluice_.build()), "sluBuildPyramid");
}

StreetRun CpuStreet::run(StreetFrame frame, const std::vector<uint32_t>& last) {
  std::fill(visible_.begin(), visible_.end(), kPoisonWord);
  if (!last.empty()) std::copy(last.begin(), last.end(), last_.begin());
  require(context_, sluCompact(sluice_.plan(frame), &sluice_.frame(frame)), "sluCompact");
  StreetRun run;
  if (const auto wrong = readKept(street_, sluice_.bucketCapacity(), draws_, indices_, run.kept))
    failRuntime("the reference of occlusion: ", *wrong);
  run.visible = visible_;
  return run;
}

}  // namespace bench
