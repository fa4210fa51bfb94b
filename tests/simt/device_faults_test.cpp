// Calls of device.cuh that its preconditions forbid.
#include "expect_fault.h"
#include "simt/cuda_on_cpu.h"
#include "sluice/device.cuh"

namespace {

namespace device = slu::device;
using simt::expectFault;

TEST(DeviceFaults, LanesThatDoNotCall) {
  unsigned counter = 0;
  const auto divergent = [&] {
    if (threadIdx.x % 3 != 0) device::increment(&counter, device::kFullWarp);
  };
  expectFault({.block = 32}, divergent, {"is stuck in warp 0", "waiting at __shfl_sync, mask 0xffffffff, device.cuh"});
  const auto partial = [&] { device::accumulate(&counter, threadIdx.x, device::kFullWarp); };
  expectFault({.block = 40}, partial, {"is stuck in warp 1", "waiting at __reduce_add_sync"});
}

TEST(DeviceFaults, LanesThatDisagree) {
  unsigned counter = 0;
  expectFault({.block = 32}, [&] { device::add(&counter, 1, threadIdx.x < 9 ? device::kFullWarp : 0xfffffe00u); },
              {"is stuck in warp 0", "mask 0xffffffff, device.cuh", "mask 0xfffffe00, device.cuh"});
  expectFault({.block = 32}, [&] { device::increment(&counter, 0xfffffffeu); }, {"lacks the caller's own lane"});
}

// Between two calls the lanes that run together may change, so that peers lie outside the lanes: their values are
// missing.
TEST(DeviceFaults, LanesAskedForTwice) {
  unsigned wrong = 0;
  const auto kernel = [&] {
    const unsigned peers = device::peersByKey(__activemask(), threadIdx.x % 2);
    const unsigned sum = device::reducePeers(__activemask(), peers, 1u, device::Sum());
    if (device::leads(peers) && sum != device::countLanes(peers)) ++wrong;
  };
  for (unsigned i = 0; i < 100 && wrong == 0; ++i) {
    simt::Launch launch{.block = 32};
    launch.seed += i;
    ASSERT_TRUE(simt::launch(launch, kernel));
  }
  EXPECT_GT(wrong, 0u) << slu::test::describeSeed();
}

TEST(DeviceFaults, TilesOfABlockThatIsTooSmall) {
  using Tile = device::Tile<64, 2>;
  const auto kernel = [] {
    SLU_SHARED_ARRAY(unsigned, counts, Tile::kCounts);
    device::rankTile<Tile>(1, counts);
  };
  expectFault({.block = 32}, kernel, {"uninitialised: reads counts["});
}

TEST(DeviceFaults, CountsAndSlotsThatAreReusedTooEarly) {
  using Tile = device::Tile<64, 2>;
  const auto rankTwice = [] {
    SLU_SHARED_ARRAY(unsigned, counts, Tile::kCounts);
    device::rankTile<Tile>(1, counts);
    device::rankTile<Tile>(2, counts);
  };
  expectFault({.block = 64}, rankTwice, {"race: ", "counts["});
  unsigned counter = 0;
  const auto reserveTwice = [&] {
    SLU_SHARED(unsigned, slot);
    device::reserve(&counter, 1, &slot);
    device::reserve(&counter, 1, &slot);
  };
  expectFault({.block = 64}, reserveTwice, {"race: ", "slot[0]"});
}

}  // namespace
