// Counts what the ghosts' tests say of every record, to be compared with what the library says.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "frame/presenter.h"
#include "inspect/reject_tests.h"
#include "vulkan/pipelines.h"

namespace demo {

class RejectCounts {
 public:
  explicit RejectCounts(const Device& device);

  // Outside a render pass; the records are visible to compute shaders.
  void record(VkCommandBuffer commands, uint32_t slot, const TestedRecords& tested) const;
  // After the slot's frame has come back: a sentence for each count that the statistics have otherwise.
  std::vector<std::string> compare(uint32_t slot, const SluStatistics& statistics) const;

 private:
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_;
  std::array<Buffer, kFramesInFlight> counts_;
};

}  // namespace demo
