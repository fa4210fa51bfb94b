// Measures GPU time between places in command buffers.
#pragma once

#include <string>
#include <vector>

#include "hosting/device.h"

namespace hosting {

class Timestamps {
 public:
  Timestamps() = default;
  // validBits: timestampValidBits of the family of the queue that writes. With 0 the queue has no timestamps, all calls
  // do nothing, and times are 0.
  Timestamps(const Device& device, uint32_t validBits, uint32_t count, const std::string& name);

  bool areWritten() const { return pool_.get() != VK_NULL_HANDLE; }

  // Comes before timestamps are written again.
  void recordReset(VkCommandBuffer commands, uint32_t first, uint32_t count) const;
  void record(VkCommandBuffer commands, uint32_t index,
              VkPipelineStageFlagBits stage = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT) const;

  // Reads all timestamps, and blocks until submitted commands have written them.
  void read();
  // Returns the time from the first to the second, as read() found them. Negative if the second was written earlier.
  double microseconds(uint32_t first, uint32_t second) const;

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  UniqueQueryPool pool_;
  uint32_t unusedBits_ = 0;
  double period_ = 0.0;  // nanoseconds
  std::vector<uint64_t> ticks_;
};

}  // namespace hosting
