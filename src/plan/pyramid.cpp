#include "plan/pyramid.h"

#include <cstddef>

#include "base/error.h"
#include "base/structs.h"
#include "shaders/shared/pyramid_block.h"

namespace slu {
namespace {

static_assert(SLU_MAX_PYRAMID_LAYERS == SLU_MAX_VIEWS);
static_assert(sizeof(PyramidBlock) == 40);
static_assert(offsetof(PyramidBlock, firstY) == 36);

// Row and layer pitches, so that their products have 64 bits.
constexpr std::uint64_t kMostRowBytes = UINT32_MAX;
constexpr std::uint64_t kMostLayerBytes = std::uint64_t{1} << 48;

void checkSize(std::uint32_t size, const char* field) {
  require(size >= 1 && size <= SLU_MAX_PYRAMID_SIZE, field, ": is ", size, ", must be 1 to ", SLU_MAX_PYRAMID_SIZE);
}

// Returns how many pixels are folded along an axis.
std::uint32_t foldedSize(std::uint32_t size, std::uint32_t most, const char* field) {
  require(size <= most, field, ": is ", size, ", must be at most ", most, ", for which the pyramid was created");
  return size == 0 ? most : size;
}

void checkPitch(std::uint64_t pitch, std::uint64_t least, std::uint64_t most, const char* field) {
  require(pitch % 4 == 0 && pitch >= least && pitch <= most, field, ": is ", pitch, ", must be a multiple of 4 from ",
          least, " to ", most, ", or 0 if nothing lies between");
}

}  // namespace

PyramidLayout checkPyramid(const SluPyramidCreateInfo& info) {
  checkSize(info.width, "pyramid.width");
  checkSize(info.height, "pyramid.height");
  require(info.layerCount >= 1 && info.layerCount <= SLU_MAX_PYRAMID_LAYERS, "pyramid.layerCount: is ", info.layerCount,
          ", must be 1 to ", SLU_MAX_PYRAMID_LAYERS);
  const std::uint32_t direction = enumWord(info.direction);
  require(direction <= SLU_DEPTH_REVERSED, "pyramid.direction: is ", direction,
          ", must be SLU_DEPTH_FORWARD or SLU_DEPTH_REVERSED");
  require(info.framesInFlight <= SLU_MAX_FRAMES_IN_FLIGHT, "pyramid.framesInFlight: is ", info.framesInFlight,
          ", must be at most ", SLU_MAX_FRAMES_IN_FLIGHT);
  require(info.reserved == 0, "pyramid.reserved: is ", info.reserved, ", must be 0");
  return {info.width, info.height, info.layerCount, info.direction, info.framesInFlight};
}

std::uint64_t checkPyramidBuild(const SluPyramidBuildInfo& info, const PyramidLayout& layout, bool readsImages,
                                PyramidBuild& build) {
  require(info.reserved == 0, "build.reserved: is ", info.reserved, ", must be 0");
  build.width = foldedSize(info.width, layout.width, "build.width");
  build.height = foldedSize(info.height, layout.height, "build.height");
  build.frameNumber = info.frameNumber;
  build.chain = info.pNext;
  if (readsImages) {
    require(info.depth.buffer == nullptr, "build.depth: is bound, and the pyramid reads images; leave it zero");
    require(info.rowPitch == 0, "build.rowPitch: is ", info.rowPitch, ", must be 0 if the pyramid reads images");
    require(info.layerPitch == 0, "build.layerPitch: is ", info.layerPitch, ", must be 0 if the pyramid reads images");
    return 0;
  }
  const std::uint64_t row = std::uint64_t{build.width} * 4;
  build.rowPitch = info.rowPitch == 0 ? row : info.rowPitch;
  checkPitch(build.rowPitch, row, kMostRowBytes, "build.rowPitch");
  const std::uint64_t layer = (build.height - 1) * build.rowPitch + row;
  build.layerPitch = info.layerPitch == 0 ? build.height * build.rowPitch : info.layerPitch;
  checkPitch(build.layerPitch, layer, kMostLayerBytes, "build.layerPitch");
  return (layout.layerCount - 1) * build.layerPitch + layer;
}

}  // namespace slu
