#include "plan/views.h"

#include <sluice/culling.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"

namespace slu {
namespace {

constexpr double kFarthestEye = 1e18;
constexpr float kLeastRatio = 1e-9f, kMostRatio = 1e9f;  // their squares are no denormals
constexpr double kLeastNormal = 1.0 - 1e-3, kMostNormal = 1.0 + 1e-3;

struct ViewCheck {
  const SluView& view;
  std::uint32_t index;
  const char* array = "frame.views[";

  template <typename... Parts>
  void require(bool condition, const Parts&... parts) const {
    slu::require(condition, array, index, "].", parts...);
  }

  void checkFinite(float value, const char* field) const {
    require(std::isfinite(value), field, ": is ", value, ", must be finite");
  }

  // Checks only the fields that the plan reads, since a host may leave the others uninitialized.
  void check(const PlanLayout& layout) const {
    constexpr SluFlags kFlags = SLU_VIEW_ORTHOGRAPHIC_BIT | SLU_VIEW_EITHER_FRUSTUM_BIT;
    require((view.flags & ~kFlags) == 0, "flags: is ", view.flags, ", and only the bits of ", kFlags,
            " have a meaning");
    require((view.flags & SLU_VIEW_EITHER_FRUSTUM_BIT) == 0 || layout.hasMorePlanes, "flags: is ", view.flags,
            ", and SLU_VIEW_EITHER_FRUSTUM_BIT needs SLU_CULL_MORE_PLANES_BIT in plan.cullFlags");
    if (!layout.needsBounds()) return;
    checkEye();
    if (layout.testsCones() && (view.flags & SLU_VIEW_ORTHOGRAPHIC_BIT) != 0) checkDirection();
    if ((layout.cullFlags & SLU_CULL_DISTANCE_BIT) != 0) checkDistances();
    if ((layout.cullFlags & SLU_CULL_FRUSTUM_BIT) != 0) checkPlanes();
    if ((layout.cullFlags & SLU_CULL_SIZE_BIT) != 0) {
      checkFinite(view.minSizeRatio, "minSizeRatio");
      require(view.minSizeRatio >= 0.0f, "minSizeRatio: is ", view.minSizeRatio, ", must be at least 0");
    }
    if (layout.lod.rule == SLU_LOD_VIEW_DISTANCES) {
      checkLods(layout.key.lodCount);
    } else {
      checkFinite(view.lodRatio, "lodRatio");
      require(view.lodRatio >= kLeastRatio && view.lodRatio <= kMostRatio, "lodRatio: is ", view.lodRatio,
              ", must be from ", kLeastRatio, " to ", kMostRatio, "; LODs by distance alone take 1");
    }
  }

  void checkEye() const {
    double eye2 = 0.0;
    for (const float value : view.eye) {
      checkFinite(value, "eye");
      eye2 += double{value} * double{value};
    }
    require(eye2 <= kFarthestEye * kFarthestEye, "eye: is ", std::sqrt(eye2), " from the origin, must be within ",
            kFarthestEye);
  }

  void checkDirection() const {
    double length2 = 0.0;
    for (const float value : view.direction) {
      checkFinite(value, "direction");
      length2 += double{value} * double{value};
    }
    require(length2 >= kLeastNormal * kLeastNormal && length2 <= kMostNormal * kMostNormal, "direction: has length ",
            std::sqrt(length2), ", must have length 1; say where the orthographic view looks");
  }

  void checkDistances() const {
    checkFinite(view.minDistance, "minDistance");
    require(view.minDistance >= 0.0f, "minDistance: is ", view.minDistance, ", must be at least 0");
    require(view.maxDistance != 0.0f,
            "maxDistance: is 0, and the plan culls by distance; set the farthest distance that is kept, or INFINITY "
            "for no limit");
    require(view.maxDistance >= view.minDistance, "maxDistance: is ", view.maxDistance,
            ", must be at least minDistance, ", view.minDistance);
  }

  void checkPlanes() const {
    for (std::uint32_t i = 0; i < SLU_PLANES; ++i) checkPlane(view.planes[i], i);
  }

  void checkPlane(const float (&plane)[4], std::uint32_t number) const {
    constexpr const char* kRemedy = "; sluGetFrustumPlanes fills planes from a column-major view-projection matrix";
    double length2 = 0.0;
    for (int i = 0; i < 4; ++i) {
      require(std::isfinite(plane[i]), "planes[", number, "]: holds ", plane[i], ", must be finite", kRemedy,
              " of finite entries");
      if (i < 3) length2 += double{plane[i]} * double{plane[i]};
    }
    if (length2 == 0.0) {
      require(plane[3] > 0.0f, "planes[", number, "]: is (0, 0, 0, ", plane[3],
              "), must have a normal of length 1, or w > 0 to let everything pass", kRemedy);
    } else {
      require(length2 >= kLeastNormal * kLeastNormal && length2 <= kMostNormal * kMostNormal, "planes[", number,
              "]: its normal has length ", std::sqrt(length2), ", must have length 1", kRemedy);
    }
  }

  void checkLods(std::uint32_t lodCount) const {
    float least = 0.0f;
    for (std::uint32_t i = 0; i + 1 < lodCount; ++i) {
      const float distance = view.lodDistances[i];
      require(std::isfinite(distance), "lodDistances[", i, "]: is ", distance, ", must be finite");
      require(distance >= least, "lodDistances[", i, "]: is ", distance, ", must be at least ", least,
              i == 0 ? "" : ", the one before");
      least = distance;
    }
  }
};

// Puts the planes that views have beside their own behind the views.
void checkMorePlanes(const SluFrameInfo& info, const PlanLayout& layout, Frame& frame) {
  const std::uint32_t count = info.morePlanesCount, most = SLU_MAX_VIEWS - info.viewCount;
  require(layout.hasMorePlanes || count == 0, "frame.morePlanesCount: is ", count,
          ", must be 0 without SLU_CULL_MORE_PLANES_BIT in plan.cullFlags");
  require(count <= most, "frame.morePlanesCount: is ", count, ", must be at most ", most, " with ", info.viewCount,
          " views: the two are at most ", SLU_MAX_VIEWS);
  require((info.morePlanes != nullptr) == (count != 0), "frame.morePlanes: is ",
          count != 0 ? "null, and frame.morePlanesCount is not 0" : "set, and frame.morePlanesCount is 0");
  for (std::uint32_t i = 0; i < count; ++i) {
    SluMorePlanes more;
    std::memcpy(&more, info.morePlanes + i, sizeof(more));
    SluView planes{};
    std::memcpy(planes.planes, more.planes, sizeof(more.planes));
    const ViewCheck check{planes, i, "frame.morePlanes["};
    check.require(more.view < info.viewCount, "view: is ", more.view, ", must be below ", info.viewCount,
                  ", frame.viewCount");
    std::uint32_t& block = frame.views[more.view].morePlanes;
    check.require(block == 0, "view: is ", more.view, ", as that of an element before it; a view has one at most");
    check.checkPlanes();
    block = info.viewCount + i;
    frame.views[block] = sluPrepareView(planes, 1);
  }
  frame.morePlanesCount = count;
}

// Checks that views of two frusta have the planes of the second one.
void checkEitherFrustum(const SluFrameInfo& info, const Frame& frame) {
  for (std::uint32_t i = 0; i < info.viewCount; ++i) {
    const SluViewBlock& block = frame.views[i];
    require(block.eitherFrustum == 0 || block.morePlanes != 0, "frame.views[", i,
            "].flags: has SLU_VIEW_EITHER_FRUSTUM_BIT, and no element of frame.morePlanes is of this view; give its "
            "second frustum there, or leave out the bit");
  }
}

}  // namespace

void checkViews(const SluFrameInfo& info, const PlanLayout& layout, Frame& frame) {
  require(info.viewCount >= 1 && info.viewCount <= layout.maxViewCount, "frame.viewCount: is ", info.viewCount,
          ", must be from 1 to ", layout.maxViewCount, ", the plan's maxViewCount");
  const std::uint32_t stride = info.viewStride == 0 ? std::uint32_t{sizeof(SluView)} : info.viewStride;
  require(stride % 4 == 0 && stride >= sizeof(SluView), "frame.viewStride: is ", stride,
          ", must be 0 or a multiple of 4 of at least ", sizeof(SluView));
  require((info.views != nullptr) == layout.needsViews(), "frame.views: ",
          layout.needsViews() ? "is null, and the plan culls or has LODs; give frame.viewCount elements"
                              : "is set, and the plan neither culls nor has LODs");
  for (std::uint32_t i = 0; i < info.viewCount; ++i) {
    SluView view{};
    if (layout.needsViews()) {
      std::memcpy(&view, reinterpret_cast<const char*>(info.views) + std::size_t{stride} * i, sizeof(view));
    }
    ViewCheck{view, i}.check(layout);
    frame.views[i] = sluPrepareView(view, layout.key.lodCount, layout.lod.rule);
  }
  checkMorePlanes(info, layout, frame);
  checkEitherFrustum(info, frame);
}

}  // namespace slu
