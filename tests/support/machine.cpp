#include "machine.h"

#include <algorithm>

namespace slu::test {
namespace {

// The sizes that the library reports are those that the header promises.
void checkProperties(const PlanSpec& spec, SluPlan plan) {
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  if (sluGetPlanProperties(plan, &properties) != SLU_SUCCESS) throw std::runtime_error("sluGetPlanProperties fails");
  const auto find = [&](Place FrameSpec::*place) {
    for (const Region& region : outputRegions(spec, spec.info.maxViewCount)) {
      if (region.place == place) return region.bytes;
    }
    return std::uint64_t{0};
  };
  const std::uint32_t ownBucketCount = spec.firstMirrored() * (spec.splitsMirrored() ? 2 : 1);
  if (properties.bucketCount != ownBucketCount || properties.outputsPerView != spec.outputsPerView() ||
      properties.indicesBytes != find(&FrameSpec::indices) ||
      properties.keptRecordsBytes != find(&FrameSpec::keptRecords) ||
      properties.drawsBytes != find(&FrameSpec::draws) || properties.drawCountsBytes != find(&FrameSpec::drawCounts) ||
      properties.statisticsBytes != find(&FrameSpec::statistics) ||
      properties.bucketCountsBytes != find(&FrameSpec::bucketCounts) ||
      properties.lodStatesBytes != find(&FrameSpec::lodStates) ||
      properties.rejectsBytes != find(&FrameSpec::rejects) || properties.visibilityBytes != find(&FrameSpec::visible) ||
      properties.rejectCountsBytes != find(&FrameSpec::rejectCounts)) {
    throw std::runtime_error("SluPlanProperties differs from what the plan describes");
  }
  for (std::size_t i = 0; i < SLU_MAX_STREAMS; ++i) {
    const bool hasStream = i < spec.streams.size();
    const std::uint64_t bytes = hasStream ? streamOutputBytes(spec, spec.streams[i], spec.info.maxViewCount) : 0;
    if (properties.streamBytes[i] != bytes) throw std::runtime_error("SluPlanProperties::streamBytes is wrong");
  }
}

}  // namespace

std::uint64_t Endurance::mostBytes() const {
  std::uint64_t most = 4;
  for (const std::vector<Range>& ranges : told) {
    std::uint64_t sum = 0;
    for (const Range& range : ranges) sum += range.bytes;
    most = std::max(most, sum);
  }
  return most;
}

void Session::endure(std::vector<Bytes>&, const Endurance&) {
  throw std::logic_error("frames of this machine are never in flight");
}

void require(SluContext context, SluResult result, const char* what) {
  if (result == SLU_SUCCESS) return;
  throw std::runtime_error(std::string(what) + ": " + sluGetResultName(result) + ": " + sluGetErrorMessage(context));
}

std::uint64_t Machine::tileRecords(const PlanSpec& spec) {
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  require(context(), sluGetPlanProperties(plan(spec), &properties), "sluGetPlanProperties");
  return properties.tileRecords;
}

SluPlan PlanCache::get(const PlanSpec& spec) {
  Plan& plan = plans_[spec.key()];
  if (plan == nullptr) {
    const PlanArguments arguments(spec, route_);
    require(context_, sluCreatePlan(context_, arguments.get(), plan.put()), "sluCreatePlan");
    checkProperties(spec, plan);
  }
  return plan;
}

HostFrames::HostFrames(SluContext context, std::vector<Bytes>& memories)
    : context_(context), buffers_(memories.size()) {
  for (std::size_t i = 0; i < memories.size(); ++i) {
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.size = memories[i].size();
    info.hostPointer = memories[i].data();
    require(context, sluCreateBuffer(context, &info, buffers_[i].put()), "sluCreateBuffer");
  }
}

void HostFrames::run(SluPlan plan, const FrameSpec& frame, const Verb& verb) const {
  const FrameArguments arguments(frame, [this](std::uint32_t memory) { return buffers_.at(memory).get(); });
  require(context_, verb(plan, arguments.get()), "the frame");
}

}  // namespace slu::test
