#include "occlusion/sight.h"

#include <algorithm>
#include <cmath>

#include "base/failure.h"
#include "base/threads.h"

namespace bench {
namespace {

constexpr double kPlaneSlack = 1e-3;  // meters
constexpr double kDepthSlack = 1e-5;  // as a part of the depth
constexpr double kLeastDepthSlack = 1e-8;
constexpr double kDepthMargin = 5e-7;  // twice that of the library
constexpr double kWiderBy = 4.0;       // pixels

struct Point {
  double x, y, z;
};

// A box with edges along any directions.
struct Solid {
  Point center;
  Point edges[3];  // from the center to the middle of a side
};

// Pixels, and the depth of what is nearest in them.
struct Silhouette {
  double left, right, top, bottom;
  double nearest;
  double leastW;
};

// Finds pixels that are farther than a depth. The farthest pixels of blocks save looking at most of them.
class DepthPicture {
 public:
  explicit DepthPicture(const Street& street)
      : depths_(street.depths), width_(street.settings.width), height_(street.settings.height) {
    blocksX_ = (width_ + kBlock - 1) / kBlock;
    const int blocksY = (height_ + kBlock - 1) / kBlock;
    farthest_.assign(size_t{1} * static_cast<size_t>(blocksX_) * static_cast<size_t>(blocksY), 1.0f);
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        float& farthest = farthest_[blockOf(x / kBlock, y / kBlock)];
        farthest = std::min(farthest, depths_[pixelOf(x, y)]);
      }
  }

  // Looks at the pixels from (left, top) to (right, bottom), as far as they are in the picture.
  bool hasFarther(double left, double top, double right, double bottom, double depth) const {
    const int x0 = clamped(left, width_), x1 = clamped(right, width_ - 1) + 1;
    const int y0 = clamped(top, height_), y1 = clamped(bottom, height_ - 1) + 1;
    if (right < 0 || bottom < 0) return false;
    for (int blockY = y0 / kBlock; blockY * kBlock < y1; ++blockY)
      for (int blockX = x0 / kBlock; blockX * kBlock < x1; ++blockX) {
        if (farthest_[blockOf(blockX, blockY)] >= depth) continue;
        for (int y = std::max(y0, blockY * kBlock); y < std::min(y1, (blockY + 1) * kBlock); ++y)
          for (int x = std::max(x0, blockX * kBlock); x < std::min(x1, (blockX + 1) * kBlock); ++x)
            if (depths_[pixelOf(x, y)] < depth) return true;
      }
    return false;
  }

 private:
  static constexpr int kBlock = 16;

  static int clamped(double position, int most) { return static_cast<int>(std::clamp(position, 0.0, double(most))); }
  size_t pixelOf(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
  }
  size_t blockOf(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(blocksX_) + static_cast<size_t>(x);
  }

  const std::vector<float>& depths_;
  int width_;
  int height_;
  int blocksX_;
  std::vector<float> farthest_;
};

Solid movedBox(const StreetBox& box, const StreetMatrix& matrix) {
  const auto move = [&](double x, double y, double z, double one) {
    const auto row = [&](const float(&r)[4]) { return r[0] * x + r[1] * y + r[2] * z + r[3] * one; };
    return Point{row(matrix.rows[0]), row(matrix.rows[1]), row(matrix.rows[2])};
  };
  return {move(box.center[0], box.center[1], box.center[2], 1),
          {move(box.extents[0], 0, 0, 0), move(0, box.extents[1], 0, 0), move(0, 0, box.extents[2], 0)}};
}

// The box along the axes around it.
Solid hullOf(const Solid& solid) {
  Point extents{};
  for (const Point& edge : solid.edges) {
    extents.x += std::abs(edge.x);
    extents.y += std::abs(edge.y);
    extents.z += std::abs(edge.z);
  }
  return {solid.center, {{extents.x, 0, 0}, {0, extents.y, 0}, {0, 0, extents.z}}};
}

Silhouette silhouetteOf(const Street& street, const Solid& solid) {
  Silhouette s{INFINITY, -INFINITY, INFINITY, -INFINITY, -INFINITY, INFINITY};
  for (unsigned corner = 0; corner < 8; ++corner) {
    Point at = solid.center;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const double sign = (corner >> axis & 1) != 0 ? 1 : -1;
      at = {at.x + sign * solid.edges[axis].x, at.y + sign * solid.edges[axis].y, at.z + sign * solid.edges[axis].z};
    }
    const auto row = [&](const float(&r)[4]) { return r[0] * at.x + r[1] * at.y + r[2] * at.z + r[3]; };
    const double w = row(street.rows[3]);
    const double x = (row(street.rows[0]) / w + 1) * street.settings.width / 2;
    const double y = (row(street.rows[1]) / w + 1) * street.settings.height / 2;
    s = {std::min(s.left, x),
         std::max(s.right, x),
         std::min(s.top, y),
         std::max(s.bottom, y),
         std::max(s.nearest, row(street.rows[2]) / w),
         std::min(s.leastW, w)};
  }
  return s;
}

uint8_t sideOf(const Frustum& frustum, const Solid& hull) {
  uint8_t side = kInside;
  for (const float(&plane)[4] : frustum.planes) {
    const double distance = plane[0] * hull.center.x + plane[1] * hull.center.y + plane[2] * hull.center.z + plane[3];
    const double reach = std::abs(plane[0]) * hull.edges[0].x + std::abs(plane[1]) * hull.edges[1].y +
                         std::abs(plane[2]) * hull.edges[2].z;
    if (distance + reach < -kPlaneSlack) return kOutside;
    if (distance + reach < kPlaneSlack) side = 0;
  }
  return side;
}

bool shows(const Street& street, const DepthPicture& picture, const Solid& solid) {
  const Silhouette s = silhouetteOf(street, solid);
  if (s.leastW < kStreetNear) return s.leastW < -kPlaneSlack;
  const double depth = s.nearest * (1 - kDepthSlack) - kLeastDepthSlack;
  const double left = std::ceil(s.left - 0.5), right = std::floor(s.right - 0.5);
  const double top = std::ceil(s.top - 0.5), bottom = std::floor(s.bottom - 0.5);
  return left <= right && top <= bottom && left < street.settings.width && top < street.settings.height &&
         picture.hasFarther(left, top, right, bottom, depth);
}

bool isBuried(const Street& street, const DepthPicture& picture, const Solid& hull) {
  const Silhouette s = silhouetteOf(street, hull);
  if (s.leastW < kStreetNear) return false;
  const double wider = 2 * std::max(s.right - s.left, s.bottom - s.top) + kWiderBy;
  const double depth = s.nearest * (1 + kDepthSlack) + kDepthMargin;
  return !picture.hasFarther(s.left - wider, s.top - wider, s.right + wider, s.bottom + wider, depth);
}

struct Verdicts {
  bool mustKeep, mustDrop;
};

Verdicts verdictsOf(uint8_t sight, StreetFrame frame, bool wasSeen) {
  const bool isInside = (sight & kInside) != 0, isOutside = (sight & kOutside) != 0;
  const bool showing = (sight & kShows) != 0, buried = (sight & kBuried) != 0;
  switch (frame) {
    case StreetFrame::Whole:
      return {isInside, isOutside};
    case StreetFrame::First:
      return {isInside && wasSeen, isOutside || !wasSeen};
    case StreetFrame::Second:
      return {isInside && showing && !wasSeen, isOutside || buried || wasSeen};
    case StreetFrame::Single:
      return {isInside && showing, isOutside || buried};
  }
  return {};
}

}  // namespace

std::vector<uint8_t> sightsOf(const Street& street) {
  const DepthPicture picture(street);
  std::vector<uint8_t> sights(street.settings.recordCount);
  forRanges(sights.size(), [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      const Solid solid = movedBox(street.boxes[i], street.matrices[i]);
      const Solid hull = hullOf(solid);
      sights[i] = sideOf(street.frustum, hull);
      if (sights[i] == kOutside) continue;
      if (shows(street, picture, solid)) sights[i] |= kShows;
      if (isBuried(street, picture, hull)) sights[i] |= kBuried;
    }
  });
  return sights;
}

std::optional<std::string> readKept(const Street& street, uint32_t capacity, const std::vector<DrawCommand>& draws,
                                    const std::vector<uint32_t>& indices, std::vector<uint8_t>& kept) {
  kept.assign(street.settings.recordCount, 0);
  for (uint32_t bucket = 0; bucket < street.settings.bucketCount; ++bucket) {
    const DrawCommand& draw = draws[bucket];
    if (draw.vertexCount != kDrawVertexCount || draw.firstVertex != 0 || draw.firstInstance != bucket * capacity ||
        draw.instanceCount > capacity)
      return sentence("draw ", bucket, " is (", draw.vertexCount, ", ", draw.instanceCount, ", ", draw.firstVertex,
                      ", ", draw.firstInstance, ") for ", capacity, " places from ", bucket * capacity, " on");
    for (uint32_t place = draw.firstInstance; place < draw.firstInstance + draw.instanceCount; ++place) {
      const uint32_t record = indices[place];
      if (record >= kept.size()) return sentence("place ", place, " holds ", record, ", which is no record");
      if (street.buckets[record] != bucket)
        return sentence("bucket ", bucket, " holds record ", record, " of bucket ", street.buckets[record]);
      if (kept[record]++ != 0) return sentence("record ", record, " is there twice");
    }
  }
  return std::nullopt;
}

std::optional<std::string> sightDifference(const std::vector<uint8_t>& sights, StreetFrame frame,
                                           const std::vector<uint32_t>& last, const std::vector<uint8_t>& kept) {
  const bool readsLast = frame == StreetFrame::First || frame == StreetFrame::Second;
  for (uint32_t record = 0; record < sights.size(); ++record) {
    const bool wasSeen = readsLast && hasBit(last, record);
    const Verdicts verdicts = verdictsOf(sights[record], frame, wasSeen);
    if (verdicts.mustKeep && kept[record] == 0) return sentence("record ", record, " is dropped, and shows");
    if (verdicts.mustDrop && kept[record] != 0) return sentence("record ", record, " is kept, and must not be");
  }
  return std::nullopt;
}

}  // namespace bench
