// Names the buffers of a frame, so that code can treat them alike.
#pragma once

#include <sluice/sluice.h>

#include <array>
#include <cstddef>

namespace demo {

// The inputs come first.
enum class Channel {
  Records,
  Meshes,
  Bounds,
  Transforms,
  Flags,
  LiveCount,
  Indices,
  KeptRecords,
  Draws,
  DrawCounts,
  Statistics,
  BucketCounts
};
constexpr size_t kChannelCount = 12;
constexpr size_t kInputCount = 6;
constexpr std::array<Channel, kChannelCount> kChannels = {
    Channel::Records, Channel::Meshes,     Channel::Bounds,     Channel::Transforms,
    Channel::Flags,   Channel::LiveCount,  Channel::Indices,    Channel::KeptRecords,
    Channel::Draws,   Channel::DrawCounts, Channel::Statistics, Channel::BucketCounts};

template <typename Value>
class PerChannel {
 public:
  Value& operator[](Channel channel) { return values_[static_cast<size_t>(channel)]; }
  const Value& operator[](Channel channel) const { return values_[static_cast<size_t>(channel)]; }

 private:
  std::array<Value, kChannelCount> values_ = {};
};

const char* channelName(Channel channel);
bool isInput(Channel channel);
// Returns whether the test looks at the stream of flags.
bool isFlagTest(SluLiveTest test);
SluBinding& bindingOf(SluFrameInfo& frame, Channel channel);

// Returns whether a plan reads the input. The library refuses a binding that the plan does not read.
bool reads(const SluPlanCreateInfo& plan, Channel input);

// Returns whether a plan with these SluOutputFlagBits writes the channel.
bool writes(SluFlags outputs, Channel channel);
// Returns 0 when the plan does not write the channel or its capacities are 0.
uint64_t bytesOf(const SluPlanProperties& properties, Channel channel);

}  // namespace demo
