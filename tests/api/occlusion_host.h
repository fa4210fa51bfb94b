// A host of the CPU route that draws the records that its frames keep, and builds pyramids from the pictures.
#pragma once

#include <array>
#include <vector>

#include "inputs.h"
#include "rasteriser.h"
#include "specimen.h"

namespace slu::test {

// A record's bounds, which a matrix may move. What is drawn is the solid within: a box, or a mesh inscribed in a sphere.
struct Body {
  float center[3] = {};
  float extents[3] = {};  // a sphere has its radius in each
  Linear linear{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  float translation[3] = {};

  Point middle() const;  // in the world
};

// What a frame looks at, and how pictures of it are drawn.
struct Shot {
  std::vector<PyramidCamera> cameras;  // a view each
  std::vector<std::uint32_t> layers;   // of the pyramid, for each view
  std::uint32_t layerCount = 1;
  PictureFormat format;
  float depthMargin = 0;
};

// Cameras up to `away` from the origin along each axis, which look anywhere. All views have a layer of their own.
Shot makeShot(std::uint32_t viewCount, float away, Random& random);

using Marks = std::vector<bool>;  // of records

class OcclusionHost {
 public:
  // cullFlags: the tests beside SLU_CULL_OCCLUSION_BIT. isMoved: whether the plan reads the matrices of bodies, which are
  // not to matter otherwise.
  OcclusionHost(SluBoundsShape shape, SluFlags cullFlags, bool isMoved, std::uint32_t maxRecordCount,
                std::uint32_t maxViewCount, Random& random);

  bool isOfBoxes() const { return shape_ != SLU_SHAPE_SPHERE; }

  // Draws bodies into a picture for each view. marks: those that are drawn of a view; null for all.
  void draw(std::vector<Picture>& pictures, const Shot& shot, const std::vector<Marks>* marks = nullptr) const;
  std::vector<Picture> drawAll(const Shot& shot) const;

  // A frame of a phase (0: without occlusion): what it keeps, for each view. It reads `pyramid` and `lastVisible`, unbound
  // if they are empty, and writes `visible`.
  std::vector<Marks> compact(const Shot& shot, std::uint32_t phase, const Bytes& pyramid = {});

  // Both phases, with the drawing and the pyramid between them.
  struct TwoPhases {
    std::vector<Marks> first, second;
    std::vector<Picture> pictures;
  };
  TwoPhases drawInTwoPhases(const Shot& shot);

  Bytes garbageBits();  // what lastVisible may hold

  std::vector<Body> bodies;
  Bytes lastVisible, visible;

 private:
  Bytes poisoned(std::size_t bytes);
  Bytes recordBytes() const;

  Random& random_;
  SluBoundsShape shape_;
  bool isMoved_;
  std::uint32_t maxRecordCount_, maxViewCount_;
  Mesh mesh_;
  LoggedContext context_;
  Plan plan_;
};

std::vector<Picture> clearedPictures(const Shot& shot);

// The pyramid of the pictures, whose views have the layers of the shot. Other layers are full of what is nearest.
Bytes pyramidOf(const std::vector<Picture>& pictures, const Shot& shot);

// The records that own a pixel.
Marks ownersOf(const Picture& picture, std::size_t recordCount);

}  // namespace slu::test
