// Depth pyramids behind the API: what a route is told of them.
#pragma once

#include <sluice/pyramid.h>
#include <sluice/sluice_pyramid.h>

#include "plan/layout.h"

namespace slu {

struct PyramidLayout {
  std::uint32_t width = 0, height = 0;  // pixels, at most
  std::uint32_t layerCount = 0;
  SluDepthDirection direction = SLU_DEPTH_FORWARD;
  std::uint32_t framesInFlight = 0;
};

struct PyramidBuild {
  std::uint32_t width = 0, height = 0;  // pixels that are folded
  std::uint32_t frameNumber = 0;
  Binding pyramid;
  Binding depth;                               // none if an image is read
  std::uint64_t rowPitch = 0, layerPitch = 0;  // bytes, multiples of 4; of depth
  const void* chain = nullptr;                 // of SluPyramidBuildInfo
};

// Bytes of a pyramid with its header.
inline std::uint64_t pyramidBytes(std::uint32_t width, std::uint32_t height, std::uint32_t layerCount) {
  return 4 * (SLU_PYRAMID_HEADER_WORDS + std::uint64_t{layerCount} * sluPyramidLayerWords(width, height));
}

// Check every field but sType, structSize and the chain. The sentence of a failure begins with the field.
PyramidLayout checkPyramid(const SluPyramidCreateInfo& info);
// Leaves the bindings out, of which it returns the bytes that `depth` needs. readsImages: of the pyramid.
std::uint64_t checkPyramidBuild(const SluPyramidBuildInfo& info, const PyramidLayout& layout, bool readsImages,
                                PyramidBuild& build);

}  // namespace slu
