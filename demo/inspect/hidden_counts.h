// Counts the records that occlusion alone keeps from being drawn, by the bucket that they would be in.
#pragma once

#include <array>
#include <vector>

#include "frame/presenter.h"
#include "inspect/reject_tests.h"
#include "vulkan/pipelines.h"

namespace demo {

class HiddenCounts {
 public:
  HiddenCounts(const Device& device, uint32_t bucketCount);

  // Comes outside a render pass. The records and the bits must be visible to compute shaders.
  void record(VkCommandBuffer commands, uint32_t slot, const TestedRecords& tested) const;
  // Comes after the slot's frame has completed. Returns a count for each bucket.
  std::vector<uint32_t> read(uint32_t slot) const;

 private:
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_;
  std::array<Buffer, kFramesInFlight> counts_;
};

}  // namespace demo
