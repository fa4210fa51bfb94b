#include "rasteriser.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace slu::test {
namespace {

// How far beside the picture primitives are clipped, in clip x / w.
constexpr double kGuardBand = 32.0;

// A vertex in the picture.
struct SnappedVertex {
  std::int64_t x, y;  // in steps of the grid to which vertices snap
  double depth;
};

// How far inside of each plane that clips.
constexpr std::size_t kClipPlanes = 6;
double distanceInside(const Clip& clip, std::size_t plane) {
  const double distances[kClipPlanes] = {clip.z,
                                         clip.w - clip.z,
                                         kGuardBand * clip.w - clip.x,
                                         kGuardBand * clip.w + clip.x,
                                         kGuardBand * clip.w - clip.y,
                                         kGuardBand * clip.w + clip.y};
  return distances[plane];
}

Clip mixed(const Clip& a, const Clip& b, double part) {
  const auto mix = [&](double from, double to) { return from + part * (to - from); };
  return {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w)};
}

// Sutherland and Hodgman, "Reentrant Polygon Clipping", CACM 1974.
std::vector<Clip> clippedAt(const std::vector<Clip>& polygon, std::size_t plane) {
  std::vector<Clip> clipped;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Clip &from = polygon[i], &to = polygon[(i + 1) % polygon.size()];
    const double a = distanceInside(from, plane), b = distanceInside(to, plane);
    if (a >= 0.0) clipped.push_back(from);
    // From the inside out in either direction, so that triangles with a common edge get the same vertex.
    if (a >= 0.0 && b < 0.0) clipped.push_back(mixed(from, to, a / (a - b)));
    if (a < 0.0 && b >= 0.0) clipped.push_back(mixed(to, from, b / (b - a)));
  }
  return clipped;
}

SnappedVertex snapped(const Clip& clip, const PictureFormat& format) {
  const double sign = format.isFlipped ? -1.0 : 1.0;
  const auto onGrid = [&](double ratio, std::uint32_t size) {
    return static_cast<std::int64_t>(std::floor((ratio + 1.0) * 0.5 * size * format.snap + 0.5));
  };
  return {onGrid(clip.x / clip.w, format.width), onGrid(sign * clip.y / clip.w, format.height), clip.z / clip.w};
}

// What the depth format makes of a depth.
float roundedDepth(double depth, std::uint32_t bits) {
  const double within = std::clamp(depth, 0.0, 1.0);
  if (bits == 32) return static_cast<float>(within);
  const double most = std::ldexp(1.0, static_cast<int>(bits)) - 1.0;
  return static_cast<float>(std::floor(within * most + 0.5) / most);
}

void putPixel(Picture& picture, std::size_t pixel, double exactDepth, std::uint32_t record) {
  const float depth = roundedDepth(exactDepth, picture.format.depthBits);
  float& present = picture.depths[pixel];
  std::uint32_t& owner = picture.owners[pixel];
  const bool isNearer = picture.format.isReversed ? depth > present : depth < present;
  const bool isFirst = depth == present && owner != kNobody && record < owner;
  if (!isNearer && !isFirst) return;
  present = depth;
  owner = record;
}

// An edge of a triangle whose inside is to its right in the picture, where y grows downwards.
struct Edge {
  Edge(const SnappedVertex& from, const SnappedVertex& to)
      : x(from.x), y(from.y), dx(to.x - from.x), dy(to.y - from.y) {}
  std::int64_t insideOf(std::int64_t atX, std::int64_t atY) const { return dx * (atY - y) - dy * (atX - x); }
  bool isTopOrLeft() const { return dy < 0 || (dy == 0 && dx > 0); }
  bool hasInside(std::int64_t inside) const { return inside > 0 || (inside == 0 && isTopOrLeft()); }

  std::int64_t x, y, dx, dy;
};

void drawTriangle(Picture& picture, const SnappedVertex& a, SnappedVertex b, SnappedVertex c, std::uint32_t record) {
  std::int64_t area = Edge(a, b).insideOf(c.x, c.y);
  if (area == 0) return;
  if (area < 0) {
    std::swap(b, c);
    area = -area;
  }
  const PictureFormat& format = picture.format;
  const auto pixelsOf = [&](std::int64_t least, std::int64_t greatest, std::uint32_t size) {
    const std::int64_t most = std::int64_t{size} - 1;
    const std::int64_t step = format.snap;
    if (greatest < 0 || least > step * std::int64_t{size}) return std::pair<std::int64_t, std::int64_t>{0, -1};
    return std::pair{std::max<std::int64_t>(least, 0) / step, std::min(greatest / step, most)};
  };
  const auto [left, right] = pixelsOf(std::min({a.x, b.x, c.x}), std::max({a.x, b.x, c.x}), format.width);
  const auto [top, bottom] = pixelsOf(std::min({a.y, b.y, c.y}), std::max({a.y, b.y, c.y}), format.height);
  const Edge ab(a, b), bc(b, c), ca(c, a);
  const std::int64_t half = format.snap / 2;
  for (std::int64_t y = top; y <= bottom; ++y) {
    for (std::int64_t x = left; x <= right; ++x) {
      const std::int64_t centerX = x * format.snap + half, centerY = y * format.snap + half;
      const std::int64_t ofC = ab.insideOf(centerX, centerY), ofA = bc.insideOf(centerX, centerY),
                         ofB = ca.insideOf(centerX, centerY);
      if (!ab.hasInside(ofC) || !bc.hasInside(ofA) || !ca.hasInside(ofB)) continue;
      const auto part = [&](std::int64_t of) { return static_cast<double>(of) / static_cast<double>(area); };
      const double depth = part(ofA) * a.depth + part(ofB) * b.depth + part(ofC) * c.depth;
      putPixel(picture, picture.at(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)), depth, record);
    }
  }
}

// A vertex shader's arithmetic.
Clip applyInFloats(const float (&matrix)[16], const Point& point) {
  float rows[4];
  for (std::size_t row = 0; row < 4; ++row) {
    rows[row] = matrix[12 + row];
    for (std::size_t i = 0; i < 3; ++i) rows[row] += matrix[i * 4 + row] * static_cast<float>(point[i]);
  }
  return {double{rows[0]}, double{rows[1]}, double{rows[2]}, double{rows[3]}};
}

}  // namespace

Mesh makeBoxMesh() {
  Mesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    const auto sign = [&](int axis) { return (corner >> axis & 1) != 0 ? 1.0 : -1.0; };
    mesh.points.push_back({sign(0), sign(1), sign(2)});
  }
  // Of each axis both faces. The corners of one differ in the bits of the two other axes.
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3;
    for (const std::uint32_t side : {0u, 1u << axis}) {
      mesh.triangles.push_back({side, side + u, side + u + v});
      mesh.triangles.push_back({side, side + u + v, side + v});
    }
  }
  return mesh;
}

Mesh makeSphereMesh(std::uint32_t divisions) {
  Mesh mesh;
  const double golden = (1.0 + std::sqrt(5.0)) / 2.0;
  const auto addPoint = [&](double x, double y, double z) {
    const double length = std::sqrt(x * x + y * y + z * z);
    mesh.points.push_back({x / length, y / length, z / length});
    return static_cast<std::uint32_t>(mesh.points.size() - 1);
  };
  for (const double one : {-1.0, 1.0}) {
    for (const double other : {-golden, golden}) {
      addPoint(0.0, one, other);
      addPoint(one, other, 0.0);
      addPoint(other, 0.0, one);
    }
  }
  // The faces of an icosahedron: all triples of vertices at the least distance, which is 2 before they are normalized.
  const double edge2 = 4.0 / (1.0 + golden * golden) * 1.001;
  const auto areNeighbours = [&](std::uint32_t a, std::uint32_t b) {
    double length2 = 0.0;
    for (std::size_t i = 0; i < 3; ++i) length2 += std::pow(mesh.points[a][i] - mesh.points[b][i], 2.0);
    return length2 < edge2;
  };
  for (std::uint32_t a = 0; a < 12; ++a) {
    for (std::uint32_t b = a + 1; b < 12; ++b) {
      for (std::uint32_t c = b + 1; c < 12; ++c) {
        if (areNeighbours(a, b) && areNeighbours(b, c) && areNeighbours(a, c)) mesh.triangles.push_back({a, b, c});
      }
    }
  }
  for (; divisions > 0; --divisions) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middleOf = [&](std::uint32_t a, std::uint32_t b) {
      const auto [found, isNew] = middles.try_emplace(std::minmax(a, b), 0u);
      const Point from = mesh.points[a], to = mesh.points[b];
      if (isNew) found->second = addPoint(from[0] + to[0], from[1] + to[1], from[2] + to[2]);
      return found->second;
    };
    const std::vector<std::array<std::uint32_t, 3>> coarse = std::exchange(mesh.triangles, {});
    for (const auto& [a, b, c] : coarse) {
      const std::uint32_t ab = middleOf(a, b), bc = middleOf(b, c), ca = middleOf(c, a);
      mesh.triangles.insert(mesh.triangles.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
  }
  return mesh;
}

Picture::Picture(const PictureFormat& ofFormat)
    : format(ofFormat),
      depths(std::size_t{format.width} * format.height, format.isReversed ? 0.0f : 1.0f),
      owners(depths.size(), kNobody) {}

void drawMesh(Picture& picture, const float (&viewProjection)[16], const std::vector<Point>& points, const Mesh& mesh,
              std::uint32_t record) {
  std::vector<Clip> clips;
  std::vector<std::uint32_t> outside;  // a bit for each plane
  for (const Point& point : points) {
    const Clip& clip = clips.emplace_back(picture.format.hasFloatVertices ? applyInFloats(viewProjection, point)
                                                                          : applyMatrix(viewProjection, point));
    std::uint32_t bits = 0;
    for (std::size_t plane = 0; plane < kClipPlanes; ++plane)
      bits |= distanceInside(clip, plane) < 0.0 ? 1u << plane : 0;
    outside.push_back(bits);
  }
  for (const auto& [a, b, c] : mesh.triangles) {
    if ((outside[a] & outside[b] & outside[c]) != 0) continue;
    std::vector<Clip> polygon = {clips[a], clips[b], clips[c]};
    for (std::size_t plane = 0; plane < kClipPlanes; ++plane) {
      const bool isCut = ((outside[a] | outside[b] | outside[c]) >> plane & 1) != 0;
      if (isCut && !polygon.empty()) polygon = clippedAt(polygon, plane);
    }
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      drawTriangle(picture, snapped(polygon[0], picture.format), snapped(polygon[i - 1], picture.format),
                   snapped(polygon[i], picture.format), record);
    }
  }
}

}  // namespace slu::test
