// A software rasteriser that draws closed meshes as a GPU does, into depths and numbers of records. It shares no code with
// the library.
//
//  - Primitives are clipped at the near plane, the far plane, and far beside the picture.
//  - Vertices snap to a part of a pixel, a pixel is covered if its center is, and the top-left rule decides on edges.
//  - Depths are interpolated linearly in the picture, and rounded to the depth format.
//  - The depth test is strict. Of records with the same depth the one with the lesser number owns the pixel, so that the
//    picture does not depend on the order of draws.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "occlusion.h"

namespace slu::test {

// A closed mesh.
struct Mesh {
  std::vector<Point> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};
Mesh makeBoxMesh();  // from -1 to 1 along each axis
Mesh makeSphereMesh(
    std::uint32_t divisions);  // inscribed in the unit sphere: 20 triangles, each divided so often by four

// How pictures are drawn.
struct PictureFormat {
  std::uint32_t width = 1, height = 1;
  bool isReversed = false;        // the far plane is 0
  bool isFlipped = false;         // clip y of 1 is the first row
  std::uint32_t depthBits = 32;   // 16 or 24: integers
  std::uint32_t snap = 256;       // steps of a vertex in a pixel
  bool hasFloatVertices = false;  // vertices are computed in floats, else in doubles
};

constexpr std::uint32_t kNobody = ~0u;

struct Picture {
  explicit Picture(const PictureFormat& ofFormat);

  PictureFormat format;
  std::vector<float> depths;          // row by row
  std::vector<std::uint32_t> owners;  // the record of each pixel, or kNobody

  std::size_t at(std::uint32_t x, std::uint32_t y) const { return std::size_t{y} * format.width + x; }
};

// points: the mesh's, in the world. viewProjection: column-major.
void drawMesh(Picture& picture, const float (&viewProjection)[16], const std::vector<Point>& points, const Mesh& mesh,
              std::uint32_t record);

}  // namespace slu::test
