#include "specimen.h"

#include <cctype>
#include <cstring>
#include <stdexcept>

namespace slu::test {
namespace {

constexpr std::uint32_t kRecords = 8;
constexpr std::uint32_t kViews = 2;
constexpr std::uint32_t kBuckets = 6;
constexpr std::uint32_t kOutputs = kViews * kBuckets * 4;

SluPlanCreateInfo makePlanInfo() {
  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = SLU_ROUTE_CPU;
  info.order = SLU_ORDER_STABLE;
  info.recordStride = 64;
  info.maxRecordCount = kRecords;
  info.maxViewCount = kViews;
  info.live = {SLU_LIVE_FLAG_BYTES, 0, 0};
  info.cullFlags = SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT;
  info.bounds.source = SLU_BOUNDS_PER_RECORD;
  info.bounds.offset = 4;
  info.bounds.stride = 24;
  info.bounds.transformFlags = SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT;
  info.bounds.positionOffset = 4;
  info.bounds.scaleOffset = 16;
  info.bounds.rotationOffset = 20;
  info.key = {2, 0, 3, 4, 3};
  info.bucketCount = kBuckets;
  info.bucketStride = sizeof(SluBucket);
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT |
                 SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  info.draws = {SLU_DRAW_INDEXED_INSTANCES, 28, SLU_DRAWS_SKIP_EMPTY_BIT};
  return info;
}

SluView makeView() {
  SluView view{};
  for (auto& plane : view.planes) plane[3] = 1.0f;
  view.maxDistance = 100.0f;
  view.lodDistances[0] = 10.0f;
  view.lodDistances[1] = 20.0f;
  return view;
}

}  // namespace

LoggedContext::LoggedContext() {
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.logUserData = this;
  info.log = [](void* userData, SluLogSeverity severity, const char* message) {
    auto* self = static_cast<LoggedContext*>(userData);
    if (!self->muted_) self->log_.push_back({severity, message});
  };
  SluMessage message{};
  if (sluCreateContext(&info, context_.put(), &message) != SLU_SUCCESS) throw std::runtime_error(message.text);
}

Specimen::Specimen()
    : memory(4096, 0xcdcdcdcdu),
      buckets(kBuckets, SluBucket{4, {36, 0, 6, -2, 1000}}),
      planInfo(makePlanInfo()),
      views{makeView(), makeView()},
      frame(SLU_INIT(FRAME_INFO, SluFrameInfo)) {
  buffers.emplace_back(makeBuffer(context, memory.data(), memory.size() * 4));
  frame.recordCount = kRecords;
  frame.viewCount = kViews;
  frame.viewStride = sizeof(SluView);
  frame.views = views.data();
  frame.liveCount = place(4);
  frame.records = place(kRecords * 64);
  frame.bounds = place((kRecords - 1) * 24 + 20);
  frame.flags = place(kRecords);
  frame.indices = place(kOutputs * 4);
  frame.keptRecords = place(kOutputs * 64);
  frame.draws = place((kViews * kBuckets - 1) * 28 + 20);
  frame.drawCounts = place(kViews * 4);
  frame.statistics = place(kViews * sizeof(SluStatistics));
  frame.bucketCounts = place(kViews * kBuckets * sizeof(SluBucketCount));
}

SluResult Specimen::createPlan() {
  planInfo.buckets = buckets.data();
  return sluCreatePlan(context, &planInfo, plan.put());
}

SluBinding Specimen::place(std::uint64_t bytes) {
  const SluBinding binding{buffers[0], placedBytes};
  placedBytes += (bytes + 3) / 4 * 4;
  if (placedBytes > memory.size() * 4) throw std::logic_error("the specimen's memory is full");
  return binding;
}

SluBuffer Specimen::makeBuffer(SluContext owner, void* pointer, std::uint64_t bytes) {
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.size = bytes;
  info.hostPointer = pointer;
  SluBuffer buffer = nullptr;
  if (sluCreateBuffer(owner, &info, &buffer) != SLU_SUCCESS) throw std::runtime_error(sluGetErrorMessage(owner));
  return buffer;
}

testing::AssertionResult beginsWith(const std::string& sentence, const std::string& field) {
  const bool matches = sentence.compare(0, field.size(), field) == 0 && sentence.size() > field.size() &&
                       std::isalnum(static_cast<unsigned char>(sentence[field.size()])) == 0;
  if (matches) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "the sentence is about another field than " << field << ": " << sentence;
}

void expectRefused(Specimen& specimen, const std::string& field) {
  const std::vector<std::uint32_t> before = specimen.memory;
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), field));
  EXPECT_EQ(specimen.memory, before);
}

void expectAccepted(Specimen& specimen) {
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_SUCCESS) << specimen.context.message();
}

}  // namespace slu::test
