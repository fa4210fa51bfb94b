#include "hosting/timestamps.h"

namespace hosting {

Timestamps::Timestamps(const Device& device, uint32_t validBits, uint32_t count, const std::string& name)
    : device_(device.get()),
      unusedBits_(64 - validBits),
      period_(double{device.properties().limits.timestampPeriod}),
      ticks_(count) {
  if (validBits == 0) return;
  VkQueryPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = count;
  check(vkCreateQueryPool(device_, &info, nullptr, pool_.put(device_)), "vkCreateQueryPool");
  device.setName(VK_OBJECT_TYPE_QUERY_POOL, pool_.get(), name);
}

void Timestamps::recordReset(VkCommandBuffer commands, uint32_t first, uint32_t count) const {
  if (areWritten()) vkCmdResetQueryPool(commands, pool_, first, count);
}

void Timestamps::record(VkCommandBuffer commands, uint32_t index, VkPipelineStageFlagBits stage) const {
  if (areWritten()) vkCmdWriteTimestamp(commands, stage, pool_, index);
}

void Timestamps::read() {
  if (!areWritten()) return;
  check(vkGetQueryPoolResults(device_, pool_, 0, static_cast<uint32_t>(ticks_.size()), ticks_.size() * sizeof(uint64_t),
                              ticks_.data(), sizeof(uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
}

double Timestamps::microseconds(uint32_t first, uint32_t second) const {
  if (!areWritten()) return 0.0;
  const uint64_t elapsed = ticks_[second] - ticks_[first];
  return static_cast<double>(static_cast<int64_t>(elapsed << unusedBits_) >> unusedBits_) * period_ / 1000.0;
}

}  // namespace hosting
