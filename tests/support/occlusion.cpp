#include "occlusion.h"

#include <sluice/sluice_pyramid.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sluice/sluice.hpp>

#include "floats.h"
#include "machine.h"

namespace slu::test {
namespace {

double dotOf(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Point crossOf(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Point normalized(const Point& a) {
  const double length = std::sqrt(dotOf(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

Point anyDirection(Random& random) {
  for (;;) {
    const Point v = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double length2 = dotOf(v, v);
    if (length2 > 0.01 && length2 < 1.0) return normalized(v);
  }
}

// Rectangles, some of them without any depth, which lie before what is behind them or not.
void drawWalls(std::vector<float>& depths, std::size_t first, std::uint32_t width, std::uint32_t height,
               const PyramidCamera& camera, Random& random) {
  for (std::uint32_t wall = random.between(1, 8); wall > 0; --wall) {
    const std::uint32_t left = random.below(width), top = random.below(height);
    const std::uint32_t right = random.between(left, width - 1), bottom = random.between(top, height - 1);
    const double distance = camera.nearest + random.pick({2.0f, 20.0f, 100.0f}) * random.uniform(0.0f, 1.0f);
    const double depth = random.chance(0.15) ? (camera.isReversed ? 0.0 : 1.0) : camera.depthAt(distance);
    for (std::uint32_t y = top; y <= bottom; ++y) {
      for (std::uint32_t x = left; x <= right; ++x) {
        depths[first + std::size_t{y} * width + x] = static_cast<float>(depth);
      }
    }
  }
}

// Words that a buffer may hold where there is no pyramid yet, or a wrong one. The header is that of another one, or texels
// are no depths.
void spoil(Bytes& pyramid, Random& random) {
  const auto setWord = [&](std::size_t word, std::uint32_t value) {
    std::memcpy(&pyramid[word * 4], &value, sizeof(value));
  };
  if (random.chance(0.5)) {
    const std::uint32_t word = random.pick({SLU_PYRAMID_WORD_VALID, SLU_PYRAMID_WORD_WIDTH, SLU_PYRAMID_WORD_HEIGHT,
                                            SLU_PYRAMID_WORD_LAYERS, SLU_PYRAMID_WORD_DIRECTION});
    setWord(word, random.pick({0u, 1u, 2u, random.below(100), random.word(), 0xffffffffu}));
    return;
  }
  const float garbage[] = {kNan, -kNan, kInfinity, -kInfinity, -0.0f, 2.0f, 1e-40f};
  for (std::size_t word = SLU_PYRAMID_HEADER_WORDS; word * 4 < pyramid.size(); ++word) {
    if (!random.chance(0.2)) continue;
    std::uint32_t bits = random.word();
    if (random.chance(0.5)) std::memcpy(&bits, &garbage[random.below(std::size(garbage))], sizeof(bits));
    setWord(word, bits);
  }
}

// Builds on the CPU route.
SluContext pyramidContext() {
  static const std::unique_ptr<Machine> machine = makeCpuMachine();
  return machine->context();
}

}  // namespace

Point PyramidCamera::at(double x, double y, double ahead) const {
  Point point = eye;
  for (std::size_t i = 0; i < 3; ++i) point[i] += x * right[i] + y * up[i] + ahead * forward[i];
  return point;
}

double PyramidCamera::distanceOf(const Point& point) const { return dotOf(forward, point) - dotOf(forward, eye); }

double PyramidCamera::depthAt(double distance) const {
  double depth = (distance - nearest) / (farthest - nearest);
  if (!isOrthographic && std::isinf(farthest)) depth = 1.0 - nearest / distance;
  if (!isOrthographic && !std::isinf(farthest)) depth *= farthest / distance;
  return isReversed ? 1.0 - depth : depth;
}

void PyramidCamera::getMatrix(float (&matrix)[16]) const {
  // What a row is beside the distance ahead and 1: of w, and of z.
  const double w[2] = {isOrthographic ? 0.0 : 1.0, isOrthographic ? 1.0 : 0.0};
  double z[2] = {1.0, -nearest};
  if (isOrthographic || !std::isinf(farthest)) {
    z[0] = (isOrthographic ? 1.0 : farthest) / (farthest - nearest);
    z[1] = -nearest * z[0];
  }
  for (int i = 0; i < 2 && isReversed; ++i) z[i] = w[i] - z[i];
  const auto setRow = [&](std::size_t row, const Point& axis, double scale, double ahead, double one) {
    for (std::size_t i = 0; i < 3; ++i) {
      matrix[i * 4 + row] = static_cast<float>(scale * axis[i] + ahead * forward[i]);
    }
    matrix[12 + row] = static_cast<float>(one - scale * dotOf(axis, eye) - ahead * dotOf(forward, eye));
  };
  setRow(0, right, 1.0 / halfX, shiftX * w[0], shiftX * w[1]);
  setRow(1, up, 1.0 / halfY, shiftY * w[0], shiftY * w[1]);
  setRow(2, right, 0.0, z[0], z[1]);
  setRow(3, right, 0.0, w[0], w[1]);
}

Clip applyMatrix(const float (&matrix)[16], const Point& point) {
  double rows[4];
  for (std::size_t row = 0; row < 4; ++row) {
    rows[row] = double{matrix[12 + row]};
    for (std::size_t i = 0; i < 3; ++i) rows[row] += double{matrix[i * 4 + row]} * point[i];
  }
  return {rows[0], rows[1], rows[2], rows[3]};
}

void turn(PyramidCamera& camera, const Point& forward, const Point& up) {
  camera.forward = normalized(forward);
  camera.right = normalized(crossOf(up, camera.forward));
  camera.up = crossOf(camera.forward, camera.right);
}

PyramidCamera makePyramidCamera(const Point& eye, Random& random) {
  PyramidCamera camera;
  camera.eye = eye;
  const Point forward = anyDirection(random);
  Point up = anyDirection(random);
  while (std::fabs(dotOf(forward, up)) > 0.99) up = anyDirection(random);
  turn(camera, forward, up);
  camera.isOrthographic = random.chance(0.3);
  camera.isReversed = random.chance(0.5);
  const float most = camera.isOrthographic ? 80.0f : 1.5f;
  camera.halfX = random.uniform(0.2f * most, most);
  camera.halfY = random.uniform(0.2f * most, most);
  if (random.chance(0.5)) {
    camera.shiftX = random.uniform(-0.3f, 0.3f);
    camera.shiftY = random.uniform(-0.3f, 0.3f);
  }
  camera.nearest = random.pick({0.05f, 0.5f, 2.0f});
  const bool isInfinite = !camera.isOrthographic && random.chance(0.5);
  camera.farthest = isInfinite ? std::numeric_limits<double>::infinity() : random.uniform(100.0f, 400.0f);
  return camera;
}

std::vector<PyramidCamera> makeCameras(FrameSpec& frame, Random& random) {
  OcclusionSpec& occlusion = frame.occlusion;
  const auto size = [&] { return random.pick({1u, 2u, 3u, 64u, random.between(1, 40), random.between(1, 130)}); };
  occlusion.width = size();
  occlusion.height = size();
  occlusion.layerCount = random.pick({1u, 1u, 2u, 5u});
  occlusion.viewStride = random.pick({0u, std::uint32_t{sizeof(SluOcclusionView)}, 72u + 4 * random.below(8)});
  std::vector<PyramidCamera> cameras;
  for (std::uint32_t i = 0; i < frame.viewCount; ++i) {
    Point eye = {random.uniform(-60, 60), random.uniform(-60, 60), random.uniform(-60, 60)};
    for (std::size_t axis = 0; axis < 3 && i < frame.views.size(); ++axis) eye[axis] = double{frame.views[i].eye[axis]};
    PyramidCamera& camera = cameras.emplace_back(makePyramidCamera(eye, random));
    if (i > 0) camera.isReversed = cameras[0].isReversed;  // as the one pyramid
    SluOcclusionView view{};
    camera.getMatrix(view.viewProjection);
    view.layer = random.below(occlusion.layerCount);
    view.flags = random.pick({SluFlags{0}, SluFlags{SLU_OCCLUSION_FLIPPED_BIT}});
    occlusion.views.push_back(view);
    if (i < frame.views.size()) sluGetFrustumPlanes(view.viewProjection, frame.views[i].planes);
  }
  return cameras;
}

std::vector<float> halfWall(const OcclusionSpec& occlusion, bool isReversed, float depth) {
  const std::size_t width = occlusion.width;
  std::vector<float> depths(width * occlusion.height * occlusion.layerCount, isReversed ? 0.0f : 1.0f);
  for (std::size_t row = 0; row < depths.size(); row += width) {
    std::fill_n(depths.begin() + static_cast<std::ptrdiff_t>(row), width / 2, depth);
  }
  return depths;
}

Bytes makePyramid(const FrameSpec& frame, const std::vector<PyramidCamera>& cameras, Random& random) {
  const OcclusionSpec& occlusion = frame.occlusion;
  const std::size_t layerPixels = std::size_t{occlusion.width} * occlusion.height;
  std::vector<float> depths(layerPixels * occlusion.layerCount, cameras[0].isReversed ? 0.0f : 1.0f);
  for (std::size_t i = 0; i < cameras.size(); ++i) {
    drawWalls(depths, layerPixels * occlusion.views[i].layer, occlusion.width, occlusion.height, cameras[i], random);
  }
  Bytes pyramid = buildPyramid(occlusion.width, occlusion.height, occlusion.layerCount, cameras[0].isReversed, depths);
  if (random.chance(0.15)) spoil(pyramid, random);
  return pyramid;
}

Bytes buildPyramid(std::uint32_t width, std::uint32_t height, std::uint32_t layerCount, bool isReversed,
                   std::vector<float> depths) {
  const SluContext context = pyramidContext();
  auto info = SLU_INIT(PYRAMID_CREATE_INFO, SluPyramidCreateInfo);
  info.route = SLU_ROUTE_CPU;
  info.width = width;
  info.height = height;
  info.layerCount = layerCount;
  info.direction = isReversed ? SLU_DEPTH_REVERSED : SLU_DEPTH_FORWARD;
  Pyramid pyramid;
  require(context, sluCreatePyramid(context, &info, pyramid.put()), "sluCreatePyramid");
  auto properties = SLU_INIT(PYRAMID_PROPERTIES, SluPyramidProperties);
  require(context, sluGetPyramidProperties(pyramid, &properties), "sluGetPyramidProperties");
  Bytes bytes(properties.bytes);
  const auto bufferOf = [&](void* pointer, std::size_t size) {
    auto buffer = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    buffer.hostPointer = pointer;
    buffer.size = size;
    Buffer handle;
    require(context, sluCreateBuffer(context, &buffer, handle.put()), "sluCreateBuffer");
    return handle;
  };
  const Buffer from = bufferOf(depths.data(), depths.size() * sizeof(float));
  const Buffer to = bufferOf(bytes.data(), bytes.size());
  auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
  build.pyramid = {to, 0};
  build.depth = {from, 0};
  require(context, sluBuildPyramid(pyramid, &build), "sluBuildPyramid");
  return bytes;
}

}  // namespace slu::test
