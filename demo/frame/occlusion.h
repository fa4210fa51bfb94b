// Keeps what frames that test occlusion leave for the next ones: depth pyramids, and which records were visible.
#pragma once

#include <sluice/sluice_pyramid.h>

#include <array>
#include <glm/glm.hpp>
#include <sluice/sluice.hpp>

#include "frame/compaction.h"
#include "frame/occlusion_mode.h"
#include "render/renderer.h"

namespace demo {

class Occlusion {
 public:
  // The compaction's plan tests occlusion. Pyramids are built by Vulkan, where the depths are, on every route.
  Occlusion(const Device& device, SluContext context, Compaction& compaction, const Renderer& renderer);
  ~Occlusion();
  Occlusion(const Occlusion&) = delete;
  Occlusion& operator=(const Occlusion&) = delete;

  // Returns the steps of the next frame. matrix is that of the camera that culls. If it is frozen, another camera draws,
  // and the frame is tested against the last pyramid of the one that culls, if that is still there.
  std::vector<CompactionStep> begin(OcclusionMode mode, const glm::mat4& matrix, bool isFrozen);

  // Returns steps that draw what is hidden, too, in the place of the last frame's. What both draw comes in one order, so
  // that fragments of equal depth do not tell the pictures apart: in two phases, all that the first one left is drawn in
  // the second. The next frame finds what the last one left.
  std::vector<CompactionStep> repeatWithAll(OcclusionMode mode);

  uint64_t pyramidBytes() const { return pyramids_[0].buffer.size(); }

  // Returns whether the frame builds a pyramid from the depths of its first step: before its second one, if it has one.
  bool buildsPyramid() const { return buildsPyramid_; }
  // The depths are those of a part of the scene that keeps them. The later step, the host and draws see the pyramid.
  void recordPyramid(VkCommandBuffer commands);

 private:
  CompactionStep against(SluOcclusionPhase phase, const RegisteredBuffer& pyramid, const SluOcclusionView& camera,
                         uint32_t viewCount) const;
  std::vector<CompactionStep> twoPhases(const RegisteredBuffer& lastVisible, const RegisteredBuffer& visible,
                                        const SluOcclusionView& camera) const;

  SluContext context_;
  Compaction& compaction_;
  const Renderer& renderer_;
  uint32_t viewCount_;
  VkPipelineStageFlags readers_;
  slu::Pyramid builder_;
  // A frame builds one pyramid while it may be tested against the other one, and reads one of the bits while it writes
  // the other one.
  std::array<RegisteredBuffer, 2> pyramids_, bits_;
  uint32_t lastPyramid_ = 0, lastBits_ = 0;
  RegisteredBuffer singleBits_;             // that nobody reads
  std::optional<glm::mat4> pyramidMatrix_;  // of the last pyramid; nothing: there is none
  bool buildsPyramid_ = false;
  uint32_t buildCount_ = 0;
};

}  // namespace demo
