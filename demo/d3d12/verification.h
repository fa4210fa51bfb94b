// Compares a frame of the GPU with the library's cpu route, and with a count that does without the library.
#pragma once

#include <algorithm>

#include "d3d12/compaction.h"

namespace demo {

class Verification {
 public:
  Verification(SluContext context, std::span<const Point> points)
      : points_(points), visible_(points.size()), context_(context), plan_(createPlan(context, SLU_ROUTE_CPU, points)) {
    input_ = registerMemory(const_cast<Point*>(points.data()), points.size_bytes());  // is not written
    visibleOutput_ = registerMemory(visible_.data(), visible_.size() * sizeof(uint32_t));
    drawsOutput_ = registerMemory(&draws_, sizeof(draws_));
  }

  // Returns what differs, or "". The frame's indices get sorted, kind by kind.
  std::string compare(const SluView& view, const Draws& draws, std::span<uint32_t> visible) {
    const SluFrameInfo frame = frameOf(view, points_.size(), input_, visibleOutput_, drawsOutput_);
    check(sluCompact(plan_, &frame), context_);
    if (std::memcmp(&draws, &draws_, sizeof(Draws)) != 0)
      return "draw commands or their count are not those of the cpu route";
    uint64_t drawn = 0;
    for (const D3D12_DRAW_ARGUMENTS& draw : std::span(draws.commands, draws.count)) {
      const std::span<uint32_t> kept = visible.subspan(draw.StartInstanceLocation, draw.InstanceCount);
      std::sort(kept.begin(), kept.end());  // as the cpu route has them
      if (!std::equal(kept.begin(), kept.end(), visible_.begin() + draw.StartInstanceLocation))
        return sentence("points from output ", draw.StartInstanceLocation, " on are not those of the cpu route");
      drawn += kept.size();
    }
    const auto least = countVisible(view, -1e-3), most = countVisible(view, 1e-3);
    if (drawn >= least && drawn <= most) return "";
    return sentence(drawn, " points are drawn, and ", least, " to ", most, " are visible");
  }

 private:
  slu::Buffer registerMemory(void* memory, uint64_t size) const {
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.size = size;
    info.hostPointer = memory;
    slu::Buffer buffer;
    check(sluCreateBuffer(context_, &info, buffer.put()), context_);
    return buffer;
  }

  // The library tests in floats, so a point that is closer to a plane than the tolerance may be kept or not.
  uint64_t countVisible(const SluView& view, double tolerance) const {
    uint64_t count = 0;
    for (const Point& point : points_) {
      bool isVisible = point.life > 0.0f;
      for (const auto& plane : view.planes) {
        const double distance = glm::dot(glm::dvec3(plane[0], plane[1], plane[2]), glm::dvec3(point.center)) + plane[3];
        isVisible &= distance >= -point.radius - tolerance;
      }
      count += isVisible;
    }
    return count;
  }

  std::span<const Point> points_;
  std::vector<uint32_t> visible_;
  Draws draws_ = {};
  SluContext context_;
  slu::Plan plan_;
  slu::Buffer input_, visibleOutput_, drawsOutput_;
};

}  // namespace demo
