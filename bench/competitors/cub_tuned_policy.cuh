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

// Waits in the look-back, in nanoseconds: delay between two looks, writeLatency before the first.
template <unsigned delay, unsigned writeLatency>
using FixedDelay = cub::detail::fixed_delay_constructor_t<delay, writeLatency>;

// There is a policy per record size; kCubIndices stands for indices. CUB tunes only for primitive types: a struct gets
// 40 bytes per thread, or one record, and 128 threads. These are the fastest of 21 to 53 policies per size on an H200,
// 2026-11-23, by the geometric mean over inputs of 16 and 256 MiB with 10, 50 and 100 % kept. The policies for culling
// are the fastest for 2^13 to 2^22 records with 5, 30 and 100 % kept. Words gain nothing from tuning.
template <uint32_t recordBytes>
struct TunedPolicy;

// The policies for culling: of indices by spheres, or of records of 64 bytes by the spheres beside them.
template <Outputs outputs>
struct TunedCullingPolicy;

template <>
struct TunedPolicy<4> : CubPolicy<512, 22, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<8> : CubPolicy<384, 11, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<380, 1140>> {};
template <>
struct TunedPolicy<12> : CubPolicy<128, 12, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<16> : CubPolicy<256, 11, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<24> : CubPolicy<192, 6, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<32> : CubPolicy<256, 5, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<48> : CubPolicy<192, 3, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<64> : CubPolicy<256, 1, cub::BLOCK_LOAD_DIRECT, cub::LOAD_CS, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<96> : CubPolicy<96, 3, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<128> : CubPolicy<128, 2, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedCullingPolicy<Outputs::Indices>
    : CubPolicy<512, 4, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedCullingPolicy<Outputs::Records>
    : CubPolicy<256, 1, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};
template <>
struct TunedPolicy<kCubIndices>
    : CubPolicy<256, 8, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, FixedDelay<350, 450>> {};

constexpr cub::NullType* kCubNoFlags = nullptr;

// Calls what cub::DeviceSelect calls. Without flags, keep judges the elements. With flags it judges these, and a
// NullType takes them as they are.
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
