// device.cuh without its barriers, in a namespace of its own: the executor must see that they are missing.
#include "expect_fault.h"
#include "simt/cuda_on_cpu.h"

#define device device_without_barriers
#define __syncthreads() static_cast<void>(0)
#include "sluice/device.cuh"
#undef __syncthreads
#undef device

namespace {

namespace device = slu::device_without_barriers;

TEST(DeviceBarriers, ARankedTileNeedsOne) {
  using Tile = device::Tile<64, 2>;
  const auto kernel = [] {
    SLU_SHARED_ARRAY(unsigned, counts, Tile::kCounts);
    device::rankTile<Tile>(1, counts);
  };
  simt::expectFault({.block = 64}, kernel, {"counts["});
}

TEST(DeviceBarriers, AReservationNeedsOne) {
  unsigned counter = 0;
  const auto kernel = [&] {
    SLU_SHARED(unsigned, slot);
    device::reserve(&counter, 1, &slot);
  };
  simt::expectFault({.block = 64}, kernel, {"slot[0]"});
}

}  // namespace
