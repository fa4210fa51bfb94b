// Moves records of 96 and 128 bytes. If few are kept, it is faster to read what is tested first and then the survivors.
// If many are kept, it is faster to read everything at once. What the view's last frame kept decides, since frames
// resemble each other.
#pragma once

#include "../entries/general.cuh"
#include "../movers/wide.cuh"

namespace slu::cuda {

template <uint kBlocks, uint kWords, uint kUnits>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    compactLong(const __grid_constant__ Arguments arguments) {
  // Further blocks would have no tile in compactListed. They might read the word only after the frame has published,
  // and would then run the other algorithm.
  const uint blocks = min(gridDim.x, tileCountOf(inputCount(arguments.frame), kTileRecords));
  if (blockIdx.x >= blocks) return;
  if (*keptManyWord(arguments.frame, blockIdx.y, 0) != 0) {
    compactWhole<false, WideTile<kWords, kUnits>>(arguments, blocks);
  } else {
    compactListed<false, BuiltInLive>(arguments, blocks);
  }
}

// Stable frames of a single listed tile are listed, so that each other frame takes tickets whatever it chooses.
template <uint kBlocks, uint kWords, uint kUnits>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    compactLongStable(const __grid_constant__ Arguments arguments) {
  assumeFlatBlock();
  SLU_SHARED_ARRAY(u64, firstTicket, 1);
  SLU_SHARED_ARRAY(uint, choice, 1);
  const FrameBlock& frame = arguments.frame;
  // All tickets of a frame return the same epoch, and its parity names a word that only the frame before and the frame
  // after write. So blocks agree, even one that begins when the frame has published already.
  if (threadIdx.x == 0) {
    u64 ticket = 0;
    uint isMany = 0;
    if (inputCount(frame) > kTileRecords) {
      const uint even = loadRelaxed(keptManyWord(frame, blockIdx.y, 0));
      const uint odd = loadRelaxed(keptManyWord(frame, blockIdx.y, 1));
      ticket = takeTicket(frame, blockIdx.y);
      isMany = turnOf(epochOf(ticket)) == 0 ? even : odd;
    }
    firstTicket[0] = ticket;
    choice[0] = isMany;
  }
  __syncthreads();
  const FirstTicket taken{true, firstTicket[0]};
  if (choice[0] != 0) {
    compactWhole<true, WideTile<kWords, kUnits>>(arguments, gridDim.x, taken);
  } else {
    compactListed<true, BuiltInLive>(arguments, gridDim.x, taken);
  }
}

}  // namespace slu::cuda
