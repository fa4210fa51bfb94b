#include "occlusion_host.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace slu::test {
namespace {

constexpr std::uint32_t kMatrixOffset = 32, kBodyStride = kMatrixOffset + 48;
constexpr std::uint32_t kSphereDivisions = 2;

}  // namespace

Point Body::middle() const {
  Point point;
  for (std::size_t row = 0; row < 3; ++row) {
    point[row] = double{translation[row]};
    for (std::size_t i = 0; i < 3; ++i) point[row] += double{linear.rows[row][i]} * double{center[i]};
  }
  return point;
}

Shot makeShot(std::uint32_t viewCount, float away, Random& random) {
  Shot shot;
  for (std::uint32_t view = 0; view < viewCount; ++view) {
    shot.cameras.push_back(makePyramidCamera(
        {random.uniform(-away, away), random.uniform(-away, away), random.uniform(-away, away)}, random));
    shot.cameras[view].isReversed = shot.cameras[0].isReversed;  // as the one pyramid
  }
  shot.layerCount = viewCount + random.below(2);
  shot.layers.resize(shot.layerCount);
  std::iota(shot.layers.begin(), shot.layers.end(), 0u);
  for (std::uint32_t i = 0; i < viewCount; ++i) std::swap(shot.layers[i], shot.layers[random.below(shot.layerCount)]);
  PictureFormat& format = shot.format;
  format.width = random.pick({1u, 2u, 3u, 64u, random.between(1, 130), random.between(1, 130), random.between(1, 130)});
  format.height = random.pick({1u, 2u, 3u, 64u, random.between(1, 90), random.between(1, 90), random.between(1, 90)});
  format.isReversed = shot.cameras[0].isReversed;
  format.isFlipped = random.chance(0.5);
  format.depthBits = random.pick({16u, 24u, 32u});
  format.snap = random.pick({16u, 256u});
  format.hasFloatVertices = random.chance(0.5);
  shot.depthMargin = format.depthBits == 16 ? 0x1p-15f : random.pick({0.0f, 0x1p-22f});
  return shot;
}

OcclusionHost::OcclusionHost(SluBoundsShape shape, SluFlags cullFlags, bool isMoved, std::uint32_t maxRecordCount,
                             std::uint32_t maxViewCount, Random& random)
    : random_(random),
      shape_(shape),
      isMoved_(isMoved),
      maxRecordCount_(maxRecordCount),
      maxViewCount_(maxViewCount),
      mesh_(shape == SLU_SHAPE_SPHERE ? makeSphereMesh(kSphereDivisions) : makeBoxMesh()) {
  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = SLU_ROUTE_CPU;
  info.order = SLU_ORDER_STABLE;
  info.recordStride = kBodyStride;
  info.maxRecordCount = maxRecordCount;
  info.maxViewCount = maxViewCount;
  info.cullFlags = cullFlags | SLU_CULL_OCCLUSION_BIT;
  info.bounds.source = SLU_BOUNDS_IN_RECORD;
  info.bounds.shape = shape;
  if (isMoved) {
    info.bounds.transformFlags = SLU_TRANSFORM_MATRIX_BIT;
    info.bounds.matrixOffset = kMatrixOffset;
    info.bounds.matrixForm = SLU_MATRIX_ROWS;
  }
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT;
  if (sluCreatePlan(context_, &info, plan_.put()) != SLU_SUCCESS) throw std::runtime_error(context_.message());
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  if (sluGetPlanProperties(plan_, &properties) != SLU_SUCCESS) throw std::runtime_error(context_.message());
  visible = poisoned(properties.visibilityBytes);
}

Bytes OcclusionHost::poisoned(std::size_t bytes) {
  Bytes poison(bytes);
  random_.fill(poison);
  return poison;
}

Bytes OcclusionHost::garbageBits() { return poisoned(visible.size()); }

Bytes OcclusionHost::recordBytes() const {
  Bytes bytes(bodies.size() * kBodyStride);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    std::uint8_t* record = &bytes[i * kBodyStride];
    std::memcpy(record, body.center, sizeof(body.center));
    std::memcpy(record + sizeof(body.center), body.extents, isOfBoxes() ? sizeof(body.extents) : sizeof(float));
    storeMatrix(record + kMatrixOffset, SLU_MATRIX_ROWS, body.linear, body.translation);
  }
  return bytes;
}

void OcclusionHost::draw(std::vector<Picture>& pictures, const Shot& shot, const std::vector<Marks>* marks) const {
  std::vector<Point> points(mesh_.points.size());
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    Body body = bodies[i];
    const Point center = {double{body.center[0]}, double{body.center[1]}, double{body.center[2]}};
    for (std::size_t corner = 0; corner < points.size(); ++corner) {
      Point local;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        local[axis] = center[axis] + double{body.extents[axis]} * mesh_.points[corner][axis];
      }
      points[corner] = local;
      for (std::size_t row = 0; row < 3 && isMoved_; ++row) {
        points[corner][row] = double{body.translation[row]};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          points[corner][row] += double{body.linear.rows[row][axis]} * local[axis];
        }
      }
    }
    for (std::size_t view = 0; view < pictures.size(); ++view) {
      if (marks != nullptr && !(*marks)[view][i]) continue;
      float matrix[16];
      shot.cameras[view].getMatrix(matrix);
      drawMesh(pictures[view], matrix, points, mesh_, i);
    }
  }
}

std::vector<Picture> OcclusionHost::drawAll(const Shot& shot) const {
  std::vector<Picture> pictures = clearedPictures(shot);
  draw(pictures, shot);
  return pictures;
}

std::vector<Marks> OcclusionHost::compact(const Shot& shot, std::uint32_t phase, const Bytes& pyramid) {
  const std::size_t viewCount = shot.cameras.size();
  std::vector<SluView> views(viewCount);
  std::vector<SluOcclusionView> occlusionViews(viewCount);
  for (std::size_t view = 0; view < viewCount; ++view) {
    const PyramidCamera& camera = shot.cameras[view];
    camera.getMatrix(occlusionViews[view].viewProjection);
    occlusionViews[view].layer = shot.layers[view];
    occlusionViews[view].flags = shot.format.isFlipped ? SLU_OCCLUSION_FLIPPED_BIT : 0;
    sluGetFrustumPlanes(occlusionViews[view].viewProjection, views[view].planes);
    for (std::size_t i = 0; i < 3; ++i) views[view].eye[i] = static_cast<float>(camera.eye[i]);
    views[view].maxDistance = std::numeric_limits<float>::infinity();
  }
  Bytes records = recordBytes(), from = pyramid;
  Bytes indices = poisoned(std::size_t{maxRecordCount_} * maxViewCount_ * 4);
  Bytes statistics(viewCount * sizeof(SluStatistics));
  std::vector<Buffer> buffers;
  const auto bind = [&](Bytes& bytes) {
    if (bytes.empty()) return SluBinding{};
    buffers.emplace_back(Specimen::makeBuffer(context_, bytes.data(), bytes.size()));
    return SluBinding{buffers.back(), 0};
  };
  auto occlusion = SLU_INIT(OCCLUSION_INFO, SluOcclusionInfo);
  occlusion.phase = static_cast<SluOcclusionPhase>(phase);
  occlusion.depthMargin = shot.depthMargin;
  if (phase != SLU_OCCLUSION_SINGLE) occlusion.lastVisible = bind(lastVisible);
  if (phase != SLU_OCCLUSION_FIRST) {
    occlusion.views = occlusionViews.data();
    occlusion.pyramid = bind(from);
    occlusion.width = shot.format.width;
    occlusion.height = shot.format.height;
    occlusion.layerCount = shot.layerCount;
    occlusion.visible = bind(visible);
  }
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  if (phase != 0) frame.pNext = &occlusion;
  frame.recordCount = static_cast<std::uint32_t>(bodies.size());
  frame.viewCount = static_cast<std::uint32_t>(viewCount);
  frame.views = views.data();
  frame.records = bind(records);
  frame.indices = bind(indices);
  frame.statistics = bind(statistics);
  if (sluCompact(plan_, &frame) != SLU_SUCCESS) throw std::runtime_error(context_.message());
  std::vector<Marks> kept(viewCount, Marks(bodies.size()));
  for (std::size_t view = 0; view < viewCount; ++view) {
    SluStatistics counts;
    std::memcpy(&counts, &statistics[view * sizeof(counts)], sizeof(counts));
    for (std::size_t i = 0; i < counts.keptCount; ++i) {
      std::uint32_t index;
      std::memcpy(&index, &indices[(view * maxRecordCount_ + i) * sizeof(index)], sizeof(index));
      kept[view].at(index) = true;
    }
  }
  return kept;
}

OcclusionHost::TwoPhases OcclusionHost::drawInTwoPhases(const Shot& shot) {
  TwoPhases result{compact(shot, SLU_OCCLUSION_FIRST), {}, clearedPictures(shot)};
  draw(result.pictures, shot, &result.first);
  result.second = compact(shot, SLU_OCCLUSION_SECOND, pyramidOf(result.pictures, shot));
  draw(result.pictures, shot, &result.second);
  return result;
}

std::vector<Picture> clearedPictures(const Shot& shot) {
  return std::vector<Picture>(shot.cameras.size(), Picture(shot.format));
}

Bytes pyramidOf(const std::vector<Picture>& pictures, const Shot& shot) {
  const PictureFormat& format = shot.format;
  const std::size_t pixels = std::size_t{format.width} * format.height;
  std::vector<float> depths(pixels * shot.layerCount, format.isReversed ? 1.0f : 0.0f);
  for (std::size_t view = 0; view < pictures.size(); ++view) {
    std::copy(pictures[view].depths.begin(), pictures[view].depths.end(),
              depths.begin() + static_cast<std::ptrdiff_t>(pixels * shot.layers[view]));
  }
  return buildPyramid(format.width, format.height, shot.layerCount, format.isReversed, depths);
}

Marks ownersOf(const Picture& picture, std::size_t recordCount) {
  Marks marks(recordCount);
  for (const std::uint32_t owner : picture.owners) {
    if (owner != kNobody) marks.at(owner) = true;
  }
  return marks;
}

}  // namespace slu::test
