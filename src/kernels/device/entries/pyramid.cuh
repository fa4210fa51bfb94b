// Folds depths into a pyramid. shaders/pyramid.comp does the same in GLSL, and says how.
#pragma once

#include "../platform/platform.cuh"
#include "../platform/pyramid_arguments.h"

namespace slu::cuda {

constexpr uint kPyramidEdge = SLU_PYRAMID_EDGE;
constexpr uint kPyramidTile = kPyramidEdge * kPyramidEdge;  // texels of the first level of a tile
constexpr uint kPyramidItems = kPyramidTile / kThreads;     // of a thread
constexpr uint kPyramidRows = kThreads / kPyramidEdge;      // that a block takes at once
static_assert(SLU_PYRAMID_WORKGROUP == kThreads);

// One layer of a build. The pyramid is accessed relaxed, since other blocks write what the last one reads.
class PyramidLayer {
 public:
  __device__ __forceinline__ PyramidLayer(const PyramidArguments& arguments, uint layer)
      : block_(arguments.block),
        direction_(arguments.direction),
        depths_(at<const uint>(arguments.depths, layer * arguments.layerWords)),
        texels_(at<uint>(arguments.pyramid,
                         sluPyramidTexel(arguments.block.width, arguments.block.height, layer, 0u, 0u, 0u))) {}

  __device__ __forceinline__ uint farther(uint a, uint b) const { return sluFartherBits(a, b, direction_); }
  __device__ __forceinline__ uint levelWord(uint level) const {
    return sluPyramidLevelStart(block_.width, block_.height, level);
  }
  __device__ __forceinline__ uint widthOf(uint level) const { return sluPyramidLevelSize(block_.width, level); }
  __device__ __forceinline__ uint heightOf(uint level) const { return sluPyramidLevelSize(block_.height, level); }

  // Returns the farthest of the four pixels of a texel of level 0.
  __device__ __forceinline__ uint foldPixels(uint x, uint y) const {
    const auto load = [&](u64 word) { return sluDepthBits(depths_[word], direction_); };
    return fold(x, y, block_.width, block_.height, block_.rowWords, load);
  }

  // Returns the farthest of the four texels of the level `below` that a texel of the next level has. word: the first
  // word of the level `below`.
  __device__ __forceinline__ uint foldTexels(uint word, uint below, uint x, uint y) const {
    const uint width = widthOf(below);
    const auto load = [&](u64 offset) { return loadRelaxed(texels_ + word + offset); };
    return fold(x, y, width, heightOf(below), width, load);
  }

  // Stores a texel, unless the level does not have it. word: the first word of the level.
  __device__ __forceinline__ void store(uint word, uint level, uint x, uint y, uint depth) const {
    const uint width = widthOf(level);
    if (x < width && y < heightOf(level)) storeRelaxed(texels_ + word + u64{y} * width + x, depth);
  }

 private:
  // Coordinates beyond the last pixel are clamped to it.
  template <typename Load>
  __device__ __forceinline__ uint fold(uint x, uint y, uint width, uint height, uint pitch, const Load& load) const {
    const uint left = min(2 * x, width - 1), right = min(2 * x + 1, width - 1);
    const u64 upper = u64{min(2 * y, height - 1)} * pitch, lower = u64{min(2 * y + 1, height - 1)} * pitch;
    return farther(farther(load(upper + left), load(upper + right)), farther(load(lower + left), load(lower + right)));
  }

  const PyramidBlock& block_;
  const uint direction_;
  const uint* const depths_;
  uint* const texels_;
};

// Writes what a tile has of the levels from `first` on. shared: two times kPyramidTile words. All threads of the block
// call this.
template <typename Shared>
__device__ __forceinline__ void foldTile(const PyramidArguments& arguments, const PyramidLayer& layer, uint first,
                                         uint tileX, uint tileY, Shared& shared) {
  const uint levels = sluPyramidLevels(arguments.block.width, arguments.block.height);
  const uint x = tileX * kPyramidEdge + threadIdx.x % kPyramidEdge;
  const uint y = tileY * kPyramidEdge + threadIdx.x / kPyramidEdge;
  uint word = layer.levelWord(first);
  uint folded[kPyramidItems];
  if (first == 0) {
    SLU_UNROLL
    for (uint i = 0; i < kPyramidItems; ++i) folded[i] = layer.foldPixels(x, y + i * kPyramidRows);
  } else {
    const uint below = layer.levelWord(first - 1);
    SLU_UNROLL
    for (uint i = 0; i < kPyramidItems; ++i) folded[i] = layer.foldTexels(below, first - 1, x, y + i * kPyramidRows);
  }
  __syncthreads();  // the last tile of this block has been read
  SLU_UNROLL
  for (uint i = 0; i < kPyramidItems; ++i) {
    layer.store(word, first, x, y + i * kPyramidRows, folded[i]);
    shared[threadIdx.x + i * kThreads] = folded[i];
  }
  uint edge = kPyramidEdge;
  for (uint level = first + 1; level < levels && edge > 1; ++level) {
    word += layer.widthOf(level - 1) * layer.heightOf(level - 1);
    const uint from = (level - first - 1) % 2 * kPyramidTile;
    const uint corner = from + threadIdx.x / (edge / 2) * 2 * edge + threadIdx.x % (edge / 2) * 2;
    __syncthreads();
    edge /= 2;
    if (threadIdx.x < edge * edge) {
      const uint depth = layer.farther(layer.farther(shared[corner], shared[corner + 1]),
                                       layer.farther(shared[corner + 2 * edge], shared[corner + 2 * edge + 1]));
      layer.store(word, level, tileX * edge + threadIdx.x % edge, tileY * edge + threadIdx.x / edge, depth);
      shared[kPyramidTile - from + threadIdx.x] = depth;
    }
  }
}

// Folds the levels of a layer that follow those of its tiles. All threads of the block call this.
template <typename Shared>
__device__ __forceinline__ void foldRest(const PyramidArguments& arguments, const PyramidLayer& layer, Shared& shared) {
  const uint levels = sluPyramidLevels(arguments.block.width, arguments.block.height);
  for (uint first = SLU_PYRAMID_STEP; first < levels; first += SLU_PYRAMID_STEP) {
    const uint columns = (layer.widthOf(first) + kPyramidEdge - 1) / kPyramidEdge;
    const uint rows = (layer.heightOf(first) + kPyramidEdge - 1) / kPyramidEdge;
    for (uint tile = 0; tile < columns * rows; ++tile) {
      foldTile(arguments, layer, first, tile % columns, tile / columns, shared);
    }
    __syncthreads();
  }
}

// Counts this block. The last one of `count` to arrive sees what the others have written, and has the counter ready for
// the next build. isLast: a word of shared memory. All threads of the block call this. Returns whether it is the last
// one.
template <typename Shared>
__device__ __forceinline__ bool arriveAtPyramid(const PyramidArguments& arguments, uint counter, uint count,
                                                Shared& isLast) {
  __syncthreads();
  if (threadIdx.x == 0) {
    uint* const arrivals = at<uint>(arguments.arrivals, counter);
    __threadfence();
    isLast[0] = atomicAdd(arrivals, 1u) + 1 == count;
    __threadfence();
    if (isLast[0] != 0) atomicExch(arrivals, 0u);
  }
  __syncthreads();
  return isLast[0] != 0;
}

// One thread writes the header, whose first word makes the pyramid valid.
__device__ __forceinline__ void writeHeader(const PyramidArguments& arguments) {
  if (threadIdx.x != 0) return;
  const PyramidBlock& block = arguments.block;
  uint* const header = at<uint>(arguments.pyramid);
  header[SLU_PYRAMID_WORD_WIDTH] = block.width;
  header[SLU_PYRAMID_WORD_HEIGHT] = block.height;
  header[SLU_PYRAMID_WORD_LAYERS] = block.layerCount;
  header[SLU_PYRAMID_WORD_LEVELS] = sluPyramidLevels(block.width, block.height);
  header[SLU_PYRAMID_WORD_DIRECTION] = arguments.direction;
  header[SLU_PYRAMID_WORD_LAYER_WORDS] = sluPyramidLayerWords(block.width, block.height);
  header[SLU_PYRAMID_WORD_FRAME] = block.frameNumber;
  for (uint word = SLU_PYRAMID_WORD_FRAME + 1; word < SLU_PYRAMID_HEADER_WORDS; ++word) header[word] = 0;
  __threadfence();
  storeRelaxed(header + SLU_PYRAMID_WORD_VALID, SLU_PYRAMID_VALID);
}

// x: tile of a layer, row by row; y: layer.
template <uint>
__global__ void __launch_bounds__(kThreads) buildPyramid(const __grid_constant__ PyramidArguments arguments) {
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, shared, 2 * kPyramidTile);
  SLU_SHARED_ARRAY(uint, isLast, 1);

  if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0) {
    storeRelaxed(at<uint>(arguments.pyramid, SLU_PYRAMID_WORD_VALID), 0u);
  }
  const PyramidLayer layer(arguments, blockIdx.y);
  const uint columns = (layer.widthOf(0) + kPyramidEdge - 1) / kPyramidEdge;
  foldTile(arguments, layer, 0, blockIdx.x % columns, blockIdx.x / columns, shared);
  if (!arriveAtPyramid(arguments, blockIdx.y, gridDim.x, isLast)) return;
  foldRest(arguments, layer, shared);
  if (arriveAtPyramid(arguments, gridDim.y, gridDim.y, isLast)) writeHeader(arguments);
}

}  // namespace slu::cuda
