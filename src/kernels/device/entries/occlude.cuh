// Finds out which records the depths of a pyramid do not hide, a bit per view and record. The frame's tests, which
// follow in other launches, read the bits.
#pragma once

#include <sluice/occlusion.h>

#include "../steps/evaluate.cuh"
#include "../steps/publish.cuh"

namespace slu::cuda {

// Returns a word of the header of the frame's pyramid, which an earlier launch has written.
__device__ __forceinline__ uint pyramidWord(const FrameBlock& frame, uint word) {
  return __ldg(at<const uint>(frame.pyramid, word));
}

// Returns whether the frame's pyramid may hide anything. All views ask for one of the same size.
__device__ __forceinline__ bool isPyramidOfFrame(const FrameBlock& frame) {
  return sluIsPyramidOf(frame.occlusion[0], pyramidWord(frame, SLU_PYRAMID_WORD_VALID),
                        pyramidWord(frame, SLU_PYRAMID_WORD_WIDTH), pyramidWord(frame, SLU_PYRAMID_WORD_HEIGHT),
                        pyramidWord(frame, SLU_PYRAMID_WORD_LAYERS), pyramidWord(frame, SLU_PYRAMID_WORD_DIRECTION));
}

// Finds the bounds of the items of `flags` in the world. Returns the items that have valid ones.
template <typename Test, uint kItems>
__device__ __forceinline__ uint boundedItems(const Arguments& arguments, const uint (&indices)[kItems], uint flags,
                                             Volume (&volumes)[kItems]) {
  const auto ignore = [](uint, uint) {};
  uint keys[kItems] = {};
  if (Test::boundsHaveKeys(arguments.plan)) {
    if (Test::keyTime(arguments.plan) != SLU_KEYS_NONE) {
      Test::loadKeys(arguments, indices, flags, keys);
      flags = knownKeys(arguments.frame, flags, keys);
    }
    dropUnknownMeshes(arguments.frame, keys, flags, ignore);
  }
  findBoundsInWorld<Test>(arguments, indices, keys, flags, volumes);
  dropItems<kItems>(
      flags, SLU_REJECT_INVALID, [&](uint item) { return volumes[item].radius2 < 0.0f; }, ignore);
  return flags;
}

// Returns the items of `flags` that a view's layer of the pyramid hides. starts: of the levels. volumes: in the world. The
// texels of all items are in flight before the first is used.
template <uint kItems>
__device__ __forceinline__ uint hiddenItemsOf(const Arguments& arguments, const SluOcclusionBlock& view,
                                              SLU_SHARED_POINTER(uint) starts, const Volume (&volumes)[kItems],
                                              uint flags, uint direction) {
  SluFootprint footprints[kItems];
  uint texels[kItems][4];
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    const Volume& volume = volumes[item];
    SluFootprint& footprint = footprints[item];
    footprint = arguments.plan.boundsShape == SLU_SHAPE_SPHERE ? sluSphereFootprint(view, volume.center, volume.radius2)
                                                               : sluBoxFootprint(view, {volume.center, volume.extents});
    if ((flags >> item & 1) == 0 || footprint.outcome != SLU_FOOTPRINT_TEXELS) continue;
    const uint width = sluPyramidLevelSize(view.width, footprint.level);
    const uint right = footprint.lastX - footprint.firstX;
    const uint below = (footprint.lastY - footprint.firstY) * width;
    const uint first =
        sluLevelTexel(view, starts[footprint.level], footprint.level, footprint.firstX, footprint.firstY);
    texels[item][0] = pyramidWord(arguments.frame, first);
    texels[item][1] = pyramidWord(arguments.frame, first + right);
    texels[item][2] = pyramidWord(arguments.frame, first + below);
    texels[item][3] = pyramidWord(arguments.frame, first + below + right);
  }
  uint hidden = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    const SluFootprint& footprint = footprints[item];
    bool isHidden = footprint.outcome == SLU_FOOTPRINT_OUTSIDE;
    if ((flags >> item & 1) != 0 && footprint.outcome == SLU_FOOTPRINT_TEXELS) {
      uint farthest = sluDepthBits(texels[item][0], direction);
      SLU_UNROLL
      for (uint i = 1; i < 4; ++i) {
        farthest = sluFartherBits(farthest, sluDepthBits(texels[item][i], direction), direction);
      }
      isHidden = sluIsBehind(view, footprint, farthest, direction);
    }
    hidden |= isHidden ? 1u << item : 0;
  }
  return hidden & flags;
}

// Writes the words of the warp's items, up to that of the frame's last record. first: the index of the warp's first
// record. Item i of lane l is record 32 * i + l from there on.
template <uint kItems>
__device__ __forceinline__ void storeVisible(const FrameBlock& frame, uint view, uint first, uint visible) {
  uint own = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    const uint votes = __ballot_sync(kFullWarp, (visible >> item & 1) != 0);
    if (laneOfWarp() == item) own = votes;
  }
  const uint record = first + laneOfWarp() * kWarp;  // the first one of the lane's word
  if (laneOfWarp() < kItems && record < frame.recordCount) *visibleWord(frame, frame.visible, view, record) = own;
}

// Arguments::frame has occlusion blocks in the place of views. x: tile; y: view. A block goes on to other views if the
// launch has fewer than the frame, and finds bounds once for all of them.
template <uint kBlocks, typename Test>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    findVisible(const __grid_constant__ Arguments arguments) {
  using T = typename Test::Tile;
  static_assert(T::kGroup == 1);
  assumeFlatBlock();

  const FrameBlock& frame = arguments.frame;
  // Those of all views' layers.
  SLU_SHARED_ARRAY(uint, starts, SLU_MAX_PYRAMID_LEVELS);
  if (threadIdx.x < frame.occlusion[0].levelCount) {
    starts[threadIdx.x] = sluPyramidLevelStart(frame.occlusion[0].width, frame.occlusion[0].height, threadIdx.x);
  }
  __syncthreads();
  const uint inputs = inputCount(frame);
  uint indices[T::kItems];
  indicesOfTile<T>(blockIdx.x * T::kRecords, indices);
  const uint present = presentItems(indices, inputs);
  Volume volumes[T::kItems] = {};
  uint bounded = 0;
  if (isPyramidOfFrame(frame)) bounded = boundedItems<Test>(arguments, indices, present, volumes);
  const uint direction = pyramidWord(frame, SLU_PYRAMID_WORD_DIRECTION);
  SLU_NO_UNROLL
  for (uint view = blockIdx.y; view < frame.viewCount; view += gridDim.y) {
    const uint hidden = hiddenItemsOf(arguments, frame.occlusion[view], starts, volumes, bounded, direction);
    storeVisible<T::kItems>(frame, view, indices[0] - laneOfWarp(), present & ~hidden);
  }
}

}  // namespace slu::cuda
