// Counts the records that occlusion alone keeps from being drawn, and the clusters that cones do, by the bucket that they
// would be in.
#pragma once

#include <array>
#include <vector>

#include "frame/presenter.h"
#include "inspect/reject_tests.h"
#include "vulkan/pipelines.h"

namespace demo {

// Has a count for each mesh and LOD.
struct CountsByBucket {
  std::vector<uint32_t> hidden, facingAway;
  std::vector<uint32_t> passed;  // zeros if the plan counts them
};

class HiddenCounts {
 public:
  HiddenCounts(const Device& device, const SluKey& key);

  // Comes outside a render pass. The records and the bits must be visible to compute shaders.
  void record(VkCommandBuffer commands, uint32_t slot, const TestedRecords& tested) const;
  // Comes after the slot's frame has completed.
  CountsByBucket read(uint32_t slot) const;

 private:
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_;
  uint32_t bucketCount_;
  std::array<Buffer, kFramesInFlight> counts_;
};

}  // namespace demo
