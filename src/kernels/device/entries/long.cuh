// Moves records of 96 and 128 bytes in any order. If few are kept, it is faster to read what is tested first and then
// the survivors. If many are kept, it is faster to read everything at once. What the view's last frame kept decides,
// since frames resemble each other.
#pragma once

#include "../entries/general.cuh"
#include "../movers/wide.cuh"

namespace slu::cuda {

template <uint kBlocks, uint kWords, uint kUnits>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    compactLong(const __grid_constant__ Arguments arguments) {
  // Further blocks would have no tile in compactListed. They might read keptMany only after the frame has published,
  // and would then run the other algorithm.
  const uint blocks = min(gridDim.x, tileCountOf(inputCount(arguments.frame), kTileRecords));
  if (blockIdx.x >= blocks) return;
  if (keptMany(arguments.frame, blockIdx.y)) {
    compactWhole<false, WideTile<kWords, kUnits>>(arguments, blocks);
  } else {
    compactListed<false, BuiltInLive>(arguments, blocks);
  }
}

}  // namespace slu::cuda
