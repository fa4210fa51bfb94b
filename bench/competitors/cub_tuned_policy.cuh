// CUB's selections by a policy per size of record, and the policies.
#pragma once

#include <cub/device/device_select.cuh>

#include "competitors/cub.h"

namespace bench {

// The dispatch layer is not a promised interface: it has these parameters in CUB 3.0.
#if CUB_MAJOR_VERSION == 3 && CUB_MINOR_VERSION == 0
#define BENCH_CUB_TUNED 1

template <int threads, int elementsPerThread, cub::BlockLoadAlgorithm load, cub::CacheLoadModifier modifier,
          typename LookBackDelay>
struct CubPolicy {
  struct MaxPolicy : cub::ChainedPolicy<500, MaxPolicy, MaxPolicy> {
    using SelectIfPolicyT =
        cub::AgentSelectIfPolicy<threads, elementsPerThread, load, modifier, cub::BLOCK_SCAN_WARP_SCANS, LookBackDelay>;
  };
};

// In nanoseconds: between two looks back, and before the first.
template <unsigned delay, unsigned writeLatency>
using FixedDelay = cub::detail::fixed_delay_constructor_t<delay, writeLatency>;
template <unsigned delay, unsigned writeLatency>
using BackoffDelay = cub::detail::exponential_backoff_constructor_t<delay, writeLatency>;

// By the size of record, kCubIndices for indices. CUB tunes for primitive types, and gives a struct 40 bytes per thread,
// or one record, and 128 threads: tiles of 5 KiB, 16 KiB for 128 bytes. What it found for integers of 4, 8 and 16 bytes
// on Hopper are tiles of 26, 33 and 40 KiB, the 16-byte ones loaded without a transposition. Records go the same way
// here: 64 bytes in flight per thread and tiles of 24 to 32 KiB, several of which fit into a multiprocessor. Chosen by
// that reasoning, not yet by measurement. Words and indices have CUB's own policy.
template <uint32_t recordBytes>
struct TunedPolicy;

// The same for what is culled: indices by spheres, or records of 64 bytes by the spheres beside them.
template <Outputs outputs>
struct TunedCullingPolicy;

template <>
struct TunedPolicy<4> : CubPolicy<384, 17, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<76, 1150>> {};
template <>
struct TunedPolicy<8> : CubPolicy<384, 8, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<12> : CubPolicy<384, 5, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<16> : CubPolicy<384, 4, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<24> : CubPolicy<384, 3, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<32> : CubPolicy<384, 2, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<48> : CubPolicy<320, 2, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<64> : CubPolicy<256, 2, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<96> : CubPolicy<160, 2, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<128> : CubPolicy<128, 2, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedCullingPolicy<Outputs::Indices>
    : CubPolicy<384, 17, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<76, 1150>> {};
template <>
struct TunedCullingPolicy<Outputs::Records>
    : CubPolicy<256, 2, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<kCubIndices>
    : CubPolicy<384, 17, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<76, 1150>> {};

constexpr cub::NullType* kCubNoFlags = nullptr;

// What cub::DeviceSelect calls: keep judges the elements if there are no flags, and else the flags; a NullType takes
// them as they are.
template <typename Policy, typename Input, typename Flags, typename Element, typename Keep>
cudaError_t selectBy(void* scratch, size_t& bytes, Input input, Flags flags, Element* output, uint32_t* keptCount,
                     int64_t recordCount, Keep keep, cudaStream_t stream) {
  using Dispatch = cub::DispatchSelectIf<Input, Flags, Element*, uint32_t*, Keep, cub::NullType, int64_t,
                                         cub::SelectImpl::Select, Policy>;
  return Dispatch::Dispatch(scratch, bytes, input, flags, output, keptCount, keep, cub::NullType(), recordCount,
                            stream);
}

#else
#define BENCH_CUB_TUNED 0
#endif

}  // namespace bench
