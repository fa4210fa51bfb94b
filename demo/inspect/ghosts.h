// Draws records as points in the picture, coloured by the test that drops them.
#pragma once

#include "inspect/reject_tests.h"
#include "render/renderer.h"
#include "vulkan/pipelines.h"

namespace demo {

class Ghosts {
 public:
  Ghosts(const Device& device, const Renderer& renderer);

  // Draws inside the renderer's scene pass. Bit i of shownOutcomes shows the records of outcome i, or if isThrough also
  // where something nearer was drawn.
  void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const TestedRecords& tested,
            uint32_t shownOutcomes, bool isThrough = false) const;

  static constexpr uint32_t kOccluded = 1u << SLU_REJECT_OCCLUDED;  // something nearer was drawn everywhere
  static constexpr uint32_t kDropped = (1u << kPassed) - 1;
  static constexpr uint32_t kKept = 1u << kPassed;

 private:
  float maxPointSize_;
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_, throughPipeline_;
};

}  // namespace demo
