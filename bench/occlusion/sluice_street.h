// Sluice's plans and frames over a street, for any route. Two plans: one that tests no occlusion, for
// StreetFrame::Whole, and one that does.
#pragma once

#include <sluice/sluice.hpp>
#include <vector>

#include "occlusion/sight.h"

namespace bench {

// Where a street and what is made of it lie. Each kind of frame has outputs of its own.
struct StreetBindings {
  SluBinding buckets;
  SluBinding boxes;
  SluBinding matrices;
  SluBinding depths;
  SluBinding pyramid;
  SluBinding lastVisible;
  SluBinding visible;
  SluBinding indices[kStreetFrameCount];
  SluBinding draws[kStreetFrameCount];
};

class SluiceStreet {
 public:
  // context and street outlive this.
  SluiceStreet(SluContext context, SluRoute route, const Street& street);
  SluiceStreet(const SluiceStreet&) = delete;
  SluiceStreet& operator=(const SluiceStreet&) = delete;

  uint32_t bucketCapacity() const { return capacity_; }
  uint64_t pyramidBytes() const;

  // Before frames and builds are asked for.
  void bind(const StreetBindings& bindings);

  SluPlan plan(StreetFrame frame) const { return frame == StreetFrame::Whole ? wholePlan_ : plan_; }
  const SluFrameInfo& frame(StreetFrame frame) const { return frames_[static_cast<size_t>(frame)]; }
  SluPyramid pyramid() const { return pyramid_; }
  const SluPyramidBuildInfo& build() const { return build_; }

 private:
  const SluContext context_;
  const Street& street_;
  const uint32_t capacity_;
  slu::Plan wholePlan_;
  slu::Plan plan_;
  slu::Pyramid pyramid_;
  SluView view_{};
  SluOcclusionView occlusionView_{};
  SluOcclusionInfo occlusions_[kStreetFrameCount];
  SluFrameInfo frames_[kStreetFrameCount];
  SluPyramidBuildInfo build_;
};

// Holds what a frame kept and wrote.
struct StreetRun {
  std::vector<uint8_t> kept;      // a byte per record
  std::vector<uint32_t> visible;  // of Second and Single
};

// Sluice's CPU route, which is the reference of the other routes.
class CpuStreet {
 public:
  explicit CpuStreet(const Street& street);

  const std::vector<uint32_t>& pyramid() const { return pyramid_; }
  // last: bits, for First and Second.
  StreetRun run(StreetFrame frame, const std::vector<uint32_t>& last);

 private:
  const Street& street_;
  slu::Context context_;
  SluiceStreet sluice_;
  std::vector<slu::Buffer> registered_;
  std::vector<uint32_t> pyramid_;
  std::vector<uint32_t> last_;
  std::vector<uint32_t> visible_;
  std::vector<uint32_t> indices_;
  std::vector<DrawCommand> draws_;
};

}  // namespace bench
