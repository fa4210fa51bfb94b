// Times of the GPU, between places in command buffers.
#pragma once

#include <string>
#include <vector>

#include "hosting/device.h"

namespace hosting {

class Timestamps {
 public:
  Timestamps() = default;
  // validBits: of the family of the queue that writes them; 0: the queue has none, and nothing is written.
  Timestamps(const Device& device, uint32_t validBits, uint32_t count, const std::string& name);

  bool areWritten() const { return pool_.get() != VK_NULL_HANDLE; }

  // Before any of them is written again.
  void recordReset(VkCommandBuffer commands, uint32_t first, uint32_t count) const;
  void record(VkCommandBuffer commands, uint32_t index,
              VkPipelineStageFlagBits stage = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT) const;

  // Of all, which were written by commands that have been submitted; waits for them.
  void read();
  // Between two that were read; negative where the first was written after the second.
  double microseconds(uint32_t first, uint32_t second) const;

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  UniqueQueryPool pool_;
  uint32_t unusedBits_ = 0;
  double period_ = 0.0;  // nanoseconds
  std::vector<uint64_t> ticks_;
};

}  // namespace hosting
