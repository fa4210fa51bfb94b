#include "frame/channels.h"

#include <algorithm>

namespace demo {
namespace {

struct ChannelRow {
  const char* name;
  SluBinding SluFrameInfo::*binding;
  SluFlags output = 0;                           // the flag of a plan that writes it; 0: an input
  uint64_t SluPlanProperties::*bytes = nullptr;  // of an output
};

// The index is a Channel.
constexpr std::array<ChannelRow, kChannelCount> kRows = {{
    {"records", &SluFrameInfo::records},
    {"meshes", &SluFrameInfo::meshes},
    {"bounds", &SluFrameInfo::bounds},
    {"transforms", &SluFrameInfo::transforms},
    {"flags", &SluFrameInfo::flags},
    {"live count", &SluFrameInfo::liveCount},
    {"indices", &SluFrameInfo::indices, SLU_OUTPUT_INDICES_BIT, &SluPlanProperties::indicesBytes},
    {"kept records", &SluFrameInfo::keptRecords, SLU_OUTPUT_RECORDS_BIT, &SluPlanProperties::keptRecordsBytes},
    {"draws", &SluFrameInfo::draws, SLU_OUTPUT_DRAWS_BIT, &SluPlanProperties::drawsBytes},
    {"draw counts", &SluFrameInfo::drawCounts, SLU_OUTPUT_DRAW_COUNTS_BIT, &SluPlanProperties::drawCountsBytes},
    {"statistics", &SluFrameInfo::statistics, SLU_OUTPUT_STATISTICS_BIT, &SluPlanProperties::statisticsBytes},
    {"bucket counts", &SluFrameInfo::bucketCounts, SLU_OUTPUT_BUCKET_COUNTS_BIT, &SluPlanProperties::bucketCountsBytes},
}};

const ChannelRow& rowOf(Channel channel) { return kRows[static_cast<size_t>(channel)]; }

}  // namespace

const char* channelName(Channel channel) { return rowOf(channel).name; }

bool isInput(Channel channel) { return static_cast<size_t>(channel) < kInputCount; }

bool isFlagTest(SluLiveTest test) { return test >= SLU_LIVE_FLAG_BITS && test <= SLU_LIVE_FLAG_WORDS; }

SluBinding& bindingOf(SluFrameInfo& frame, Channel channel) { return frame.*rowOf(channel).binding; }

bool reads(const SluPlanCreateInfo& plan, Channel input) {
  if (input == Channel::Meshes) return plan.meshes.stride != 0;
  if (input == Channel::Bounds)
    return plan.bounds.source == SLU_BOUNDS_PER_KEY || plan.bounds.source == SLU_BOUNDS_PER_RECORD;
  if (input == Channel::Transforms) return plan.bounds.transformStride != 0;
  const SluLiveTest tests[] = {plan.live.test, plan.secondLive.test};
  if (input == Channel::Flags) return std::ranges::any_of(tests, isFlagTest);
  if (input != Channel::Records) return true;
  const auto isOfRecord = [](SluLiveTest test) { return test != SLU_LIVE_ALWAYS && !isFlagTest(test); };
  return std::ranges::any_of(tests, isOfRecord) || plan.bounds.source == SLU_BOUNDS_IN_RECORD ||
         (plan.bounds.transformFlags && !plan.bounds.transformStride) || plan.indices.streams ||
         plan.key.keyCount > 1 || (plan.outputs & SLU_OUTPUT_RECORDS_BIT);
}

bool writes(SluFlags outputs, Channel channel) { return (outputs & rowOf(channel).output) != 0; }

uint64_t bytesOf(const SluPlanProperties& properties, Channel channel) {
  const ChannelRow& row = rowOf(channel);
  return row.bytes ? properties.*row.bytes : 0;
}

}  // namespace demo
