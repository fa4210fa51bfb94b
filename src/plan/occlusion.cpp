#include "plan/occlusion.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/structs.h"

namespace slu {
namespace {

constexpr const char* kSides[] = {"left", "right", "lower", "upper"};

// How far planes of the matrix may be from those of the view: their normals, and their distances from the eye beside the
// distance from the origin, by which floats are coarse.
constexpr double kNormalTolerance = 1e-2;
constexpr double kDistanceTolerance = 1e-2;

// Requires that the planes of the sides are those of the matrix. Planes that let everything pass are left out.
void checkPlanes(const SluOcclusionView& view, const SluViewBlock& block, std::uint32_t number) {
  float planes[SLU_PLANES][4];
  sluGetFrustumPlanes(view.viewProjection, planes);
  const double eye[3] = {block.eyeX, block.eyeY, block.eyeZ};
  for (std::uint32_t side = 0; side < std::size(kSides); ++side) {
    const float* given = block.planes + 4 * std::size_t{side};
    const float* own = planes[side];
    const auto isOpen = [](const float* plane) { return plane[0] == 0.0f && plane[1] == 0.0f && plane[2] == 0.0f; };
    if (isOpen(given) || isOpen(own)) continue;
    double turned = 0.0, distance = 0.0, reach = 1.0;
    for (int i = 0; i < 3; ++i) {
      turned = std::max(turned, std::abs(double{given[i]} - double{own[i]}));
      distance += (double{given[i]} - double{own[i]}) * eye[i];
      reach += std::abs(eye[i]);
    }
    distance += double{given[3]} - double{own[3]};
    reach += std::abs(double{own[3]});
    require(turned <= kNormalTolerance && std::abs(distance) <= kDistanceTolerance * reach, "occlusion.views[", number,
            "].viewProjection: its ", kSides[side], " plane is not that of frame.views[", number,
            "].planes; give the matrix of the view, or fill the planes from it by sluGetFrustumPlanes");
  }
}

void checkView(const SluOcclusionView& view, const SluOcclusionInfo& occlusion, const PlanLayout& layout,
               const SluViewBlock& block, std::uint32_t number) {
  double w = 0.0;
  for (int i = 0; i < 16; ++i) {
    require(std::isfinite(view.viewProjection[i]), "occlusion.views[", number, "].viewProjection: holds ",
            view.viewProjection[i], ", must be finite");
    if (i % 4 == 3) w += std::abs(double{view.viewProjection[i]});
  }
  require(w != 0.0, "occlusion.views[", number,
          "].viewProjection: its row of w is zero; give a column-major matrix from the world to clip space");
  require(view.layer < occlusion.layerCount, "occlusion.views[", number, "].layer: is ", view.layer, ", must be below ",
          occlusion.layerCount, ", occlusion.layerCount");
  constexpr SluFlags kFlags = SLU_OCCLUSION_FLIPPED_BIT | SLU_OCCLUSION_EARLIER_BIT;
  const bool isEarlier = (view.flags & SLU_OCCLUSION_EARLIER_BIT) != 0;
  require((view.flags & ~kFlags) == 0, "occlusion.views[", number, "].flags: is ", view.flags,
          ", and only the bits of ", kFlags, " have a meaning");
  require(!isEarlier || occlusion.phase == SLU_OCCLUSION_SINGLE, "occlusion.views[", number, "].flags: is ", view.flags,
          ", and SLU_OCCLUSION_EARLIER_BIT is for SLU_OCCLUSION_SINGLE alone");
  if ((layout.cullFlags & SLU_CULL_FRUSTUM_BIT) != 0 && block.morePlanes == 0 && !isEarlier) {
    checkPlanes(view, block, number);
  }
}

void checkPyramidSize(const SluOcclusionInfo& occlusion) {
  const auto check = [](std::uint32_t value, std::uint32_t most, const char* field) {
    require(value >= 1 && value <= most, field, ": is ", value, ", must be from 1 to ", most);
  };
  check(occlusion.width, SLU_MAX_PYRAMID_SIZE, "occlusion.width");
  check(occlusion.height, SLU_MAX_PYRAMID_SIZE, "occlusion.height");
  check(occlusion.layerCount, SLU_MAX_PYRAMID_LAYERS, "occlusion.layerCount");
}

void checkZeros(const SluOcclusionInfo& occlusion) {
  constexpr const char* kRemedy = ", must be 0 for SLU_OCCLUSION_FIRST, which reads no pyramid";
  require(occlusion.views == nullptr, "occlusion.views: is set, must be null for SLU_OCCLUSION_FIRST");
  require(occlusion.width == 0, "occlusion.width: is ", occlusion.width, kRemedy);
  require(occlusion.height == 0, "occlusion.height: is ", occlusion.height, kRemedy);
  require(occlusion.layerCount == 0, "occlusion.layerCount: is ", occlusion.layerCount, kRemedy);
}

}  // namespace

SluOcclusionInfo checkOcclusion(const SluOcclusionInfo* chained, const SluFrameInfo& info, const PlanLayout& layout,
                                Frame& frame) {
  const auto occlusion = readStruct(chained, SLU_STRUCTURE_TYPE_OCCLUSION_INFO, sizeof(SluOcclusionInfo), "occlusion");
  require(layout.testsOcclusion(),
          "frame.pNext: SluOcclusionInfo needs a plan with SLU_CULL_OCCLUSION_BIT in cullFlags");
  const std::uint32_t phase = enumWord(occlusion.phase);
  require(phase >= SLU_OCCLUSION_SINGLE && phase <= SLU_OCCLUSION_SECOND, "occlusion.phase: is ", phase,
          ", must be from ", std::uint32_t{SLU_OCCLUSION_SINGLE}, " to ", std::uint32_t{SLU_OCCLUSION_SECOND});
  require(occlusion.depthMargin >= 0.0f && occlusion.depthMargin <= 0.5f, "occlusion.depthMargin: is ",
          occlusion.depthMargin, ", must be from 0 to 0.5");
  const std::uint32_t stride =
      occlusion.viewStride == 0 ? std::uint32_t{sizeof(SluOcclusionView)} : occlusion.viewStride;
  require(stride % 4 == 0 && stride >= sizeof(SluOcclusionView), "occlusion.viewStride: is ", stride,
          ", must be 0 or a multiple of 4 of at least ", sizeof(SluOcclusionView));
  frame.occlusionPhase = phase;
  if (!sluReadsVisible(frame.occlusionPhase)) {
    checkZeros(occlusion);
    return occlusion;
  }
  checkPyramidSize(occlusion);
  require(occlusion.views != nullptr, "occlusion.views: is null; give frame.viewCount elements");
  for (std::uint32_t i = 0; i < info.viewCount; ++i) {
    SluOcclusionView view;
    std::memcpy(&view, reinterpret_cast<const char*>(occlusion.views) + std::size_t{stride} * i, sizeof(view));
    checkView(view, occlusion, layout, frame.views[i], i);
    frame.occlusion[i] =
        sluPrepareOcclusion(view, occlusion.width, occlusion.height, occlusion.layerCount, occlusion.depthMargin);
  }
  return occlusion;
}

}  // namespace slu
