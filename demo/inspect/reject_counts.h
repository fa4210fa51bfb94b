// Counts the outcomes of the ghosts' tests over all records, and compares the counts with the library's statistics.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "frame/presenter.h"
#include "inspect/reject_tests.h"
#include "vulkan/pipelines.h"

namespace demo {

// What the shaders that count records get.
struct CountPush {
  VkDeviceAddress tests, records, meshes, flags, liveCount, counts;
};

// Zeros the counts and dispatches a shader that adds to them, with 256 invocations a workgroup.
void recordCount(VkCommandBuffer commands, VkPipeline pipeline, VkPipelineLayout layout, const TestedRecords& tested,
                 const Buffer& counts);

class RejectCounts {
 public:
  explicit RejectCounts(const Device& device);

  // Comes outside a render pass. The records must be visible to compute shaders.
  void record(VkCommandBuffer commands, uint32_t slot, const TestedRecords& tested) const;
  // Comes after the slot's frame has completed. Returns a sentence for each count that differs from the statistics.
  std::vector<std::string> compare(uint32_t slot, const SluStatistics& statistics) const;

 private:
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_;
  std::array<Buffer, kFramesInFlight> counts_;
};

}  // namespace demo
