// The buffers of a frame, so that what holds for all of them is said once.
#pragma once

#include <sluice/sluice.h>

#include <array>
#include <cstddef>

namespace demo {

// Inputs first.
enum class Channel { Records, Spheres, LiveCount, Indices, KeptRecords, Draws, DrawCounts, Statistics, BucketCounts };
constexpr size_t kChannelCount = 9;
constexpr size_t kInputCount = 3;
constexpr std::array<Channel, kChannelCount> kChannels = {
    Channel::Records, Channel::Spheres,    Channel::LiveCount,  Channel::Indices,     Channel::KeptRecords,
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
SluBinding& bindingOf(SluFrameInfo& frame, Channel channel);

// Whether the library takes this input for a plan: it refuses a binding that the plan does not read.
bool reads(const SluPlanCreateInfo& plan, Channel input);

// Whether a plan with these SluOutputFlagBits writes the channel, and how many bytes (0 when the capacities are 0).
bool writes(SluFlags outputs, Channel channel);
uint64_t bytesOf(const SluPlanProperties& properties, Channel channel);

}  // namespace demo
