// Every kernel is a row: X(name, row, function), X variadic behind the second. table.cpp gives `row` its meaning: the
// kernel's shape, and the plans that it is for. A plan takes the last row that suits it, so that rows go from the
// general to the special. What needs one of each kernel is made from the list. No use of the standard library: NVRTC and
// the hosts' predicates compile this file.
#pragma once

// Those that evaluate any predicate, with a live test of type Live.
#define SLU_CUDA_PREDICATE_KERNELS(X, Live)                                                   \
  X(compactGeneral, general(kGeneralBlocks), compactGeneral<false, Live>)                     \
  X(compactGeneralStable, general(kGeneralStableBlocks).stable(), compactGeneral<true, Live>) \
  X(compactBuckets, general(kBucketedBlocks).buckets(), compactBuckets<Live>)                 \
  X(countBuckets, general(1).buckets().stable().preparing(), countBuckets<Live>)              \
  X(scatterBuckets, general(kScatteringBlocks).buckets().stable(), scatterBuckets<Live>)

// For plans of which spheres decide alone, large ones and small ones.
#define SLU_CUDA_CULLING_KERNELS(X)                                                                                  \
  X(compactCulled, culled(kCulledItems, kCulledBlocks), compactGeneral<false, ManySpheres>)                          \
  X(compactCulledStable, culled(kCulledItems, kCulledStableBlocks).stable(), compactGeneral<true, ManySpheres>)      \
  X(compactCulledBuckets, culled(kCulledItems, kCulledBucketedBlocks).buckets(), compactBuckets<ManySpheres>)        \
  X(compactFewCulled, culled(kFewCulledItems, kFewCulledBlocks).upTo(kFewCulled), compactGeneral<false, FewSpheres>) \
  X(compactFewCulledStable, culled(kFewCulledItems, kFewCulledStableBlocks).stable().upTo(kFewCulled),               \
    compactGeneral<true, FewSpheres>)                                                                                \
  X(compactFewCulledBuckets, culled(kFewCulledItems, kFewCulledBucketedBlocks).buckets().upTo(kFewCulled),           \
    compactBuckets<FewSpheres>)

// For records that decide for themselves, by their size in bytes.
#define SLU_CUDA_RECORD_KERNELS(X)                                                                                     \
  X(compactStaged, staged(20, 60, kStagedBlocks).ample(), compactStaged<false, 4>)                                     \
  X(compactStagedStable, staged(20, 60, kStagedStableBlocks).stable().ample(), compactStaged<true, 4>)                 \
  X(compactStaged12, staged(12, 12, kStagedBlocks).ample(), compactStaged<false, 5>)                                   \
  X(compactStaged12Stable, staged(12, 12, kStagedStableBlocks).stable().ample(), compactStaged<true, 5>)               \
  X(compactLarge, words(kLargeTileRecords, kLargeBlocks).ample(), compactNarrow<false, 8, 256>)                        \
  X(compactMedium, words(kMediumTileRecords, kMediumBlocks, kMediumThreads).upTo(kManyWords),                          \
    compactNarrow<false, 4, 128>)                                                                                      \
  X(compactDirect4, words(kLargeTileRecords, kDirectWordsBlocks).scarce().above(kManyDirectWords), compactWords)       \
  X(compactSmall, words(kSmallTileRecords, kSmallBlocks).upTo(kFewWords), compactNarrow<false, 1, 256>)                \
  X(compactNarrowStable, words(kNarrowTileRecords, kNarrowStableBlocks).stable(), compactNarrow<true, 4, 256>)         \
  X(compactDirect4Stable, words(kNarrowTileRecords, kDirectStableBlocks).stable().scarce().above(kFewWords),           \
    compactRows<true, Rows4>)                                                                                          \
  X(compactSmallStable,                                                                                                \
    words(kSmallTileRecords, kNarrowStableBlocks).stable().upTo(kFewWords).but(kSmallTileRecords, kNarrowTileRecords), \
    compactNarrow<true, 1, 256>)                                                                                       \
  X(compactDirect8, wide(2, 1, kDirectBlocks).scarce(), compactRows<false, Rows8>)                                     \
  X(compactDirect8Stable, wide(2, 1, kDirectStableBlocks).stable().scarce(), compactRows<true, Rows8>)                 \
  X(compactDirect12, alone(12, kDirect12TileRecords, kDirectBlocks).scarce(), compactRows<false, Rows12>)              \
  X(compactDirect12Stable, alone(12, kDirect12TileRecords, kDirectStableBlocks).stable().scarce(),                     \
    compactRows<true, Rows12>)                                                                                         \
  X(compactDirect16, wide(4, 1, kDirectBlocks).scarce(), compactRows<false, Rows16>)                                   \
  X(compactDirect16Stable, wide(4, 1, kDirectStableBlocks).stable().scarce(), compactRows<true, Rows16>)               \
  X(compactDirect32, wide(4, 2, kDirectBlocks).scarce(), compactRows<false, Rows32>)                                   \
  X(compactDirect32Stable, wide(4, 2, kDirectStableBlocks).stable().scarce(), compactRows<true, Rows32>)               \
  X(compactDirect48, wide(4, 3, kDirectBlocks).scarce(), compactRows<false, Rows48>)                                   \
  X(compactDirect48Stable, wide(4, 3, kDirectStableBlocks).stable().scarce(), compactRows<true, Rows48>)               \
  X(compactDirect64, wide(4, 4, kDirectBlocks).scarce(), compactRows<false, Rows64>)                                   \
  X(compactDirect64Stable, wide(4, 4, kDirectStableBlocks).stable().scarce(), compactRows<true, Rows64>)               \
  X(compactWide8, wide(2, 1, kWide8Blocks).ample(), compactWide<false, 2, 1>)                                          \
  X(compactWide8Stable, wide(2, 1, kWide8StableBlocks).stable().ample(), compactWide<true, 2, 1>)                      \
  X(compactWide16, wide(4, 1, kWideBlocks).ample(), compactWide<false, 4, 1>)                                          \
  X(compactWide16Stable, wide(4, 1, kWideStableBlocks).stable().ample(), compactWide<true, 4, 1>)                      \
  X(compactWide32, wide(4, 2, kWideBlocks).ample(), compactWide<false, 4, 2>)                                          \
  X(compactWide32Stable, wide(4, 2, kWideStableBlocks).stable().ample(), compactWide<true, 4, 2>)                      \
  X(compactWide48, wide(4, 3, kWideBlocks).ample(), compactWide<false, 4, 3>)                                          \
  X(compactWide48Stable, wide(4, 3, kWideStableBlocks).stable().ample(), compactWide<true, 4, 3>)                      \
  X(compactWide64, wide(4, 4, kWideBlocks).ample(), compactWide<false, 4, 4>)                                          \
  X(compactWide64Stable, wide(4, 4, kWideStableBlocks).stable().ample(), compactWide<true, 4, 4>)                      \
  X(compactLong96, longer(6).ample(), compactLong<4, 6>)                                                               \
  X(compactLong128, longer(8).ample(), compactLong<4, 8>)                                                              \
  X(compactSortedShort16, sorted(1, kSortedShortRows, kSortedShortBlocks), compactSorted<1, 4>)

// For records that decide for themselves, too, by launches that ask for more shared memory than all GPUs grant: `cuda`
// alone has these.
#define SLU_CUDA_LARGE_KERNELS(X)                                                                        \
  X(compactPiped8, piped(2), compactPiped<2>)                                                            \
  X(compactPiped12, piped(3), compactPiped<3>)                                                           \
  X(compactPiped20, piped(5), compactPiped<5>)                                                           \
  X(compactPiped28, piped(7), compactPiped<7>)                                                           \
  X(compactPiped36, piped(9), compactPiped<9>)                                                           \
  X(compactSorted16, sorted(1, kSortedRows, kSortedBlocks), compactSorted<1, 8>)                         \
  X(compactSorted32, sorted(2, kSortedRows, kSortedBlocks), compactSorted<2, 8>)                         \
  X(compactSorted48, sorted(3, kSortedRows, kSortedBlocks), compactSorted<3, 8>)                         \
  X(compactSorted64, sorted(4, kSortedRows, kSortedBlocks), compactSorted<4, 8>)                         \
  X(compactSorted16Stable, sorted(1, kSortedRows, kSortedStableBlocks).stable(), compactSortedStable<1>) \
  X(compactSorted32Stable, sorted(2, kSortedRows, kSortedStableBlocks).stable(), compactSortedStable<2>) \
  X(compactSorted48Stable, sorted(3, kSortedRows, kSortedStableBlocks).stable(), compactSortedStable<3>) \
  X(compactSorted64Stable, sorted(4, kSortedRows, kSortedStableBlocks).stable(), compactSortedStable<4>)

// Those that `inline` can launch.
#define SLU_CUDA_PORTABLE_KERNELS(X)         \
  SLU_CUDA_PREDICATE_KERNELS(X, BuiltInLive) \
  SLU_CUDA_CULLING_KERNELS(X)                \
  SLU_CUDA_RECORD_KERNELS(X)                 \
  X(scanBuckets, general(1).buckets().stable().preparing(), scanBuckets)

#define SLU_CUDA_KERNELS(X)    \
  SLU_CUDA_PORTABLE_KERNELS(X) \
  SLU_CUDA_LARGE_KERNELS(X)

namespace slu {

#define SLU_ENUMERATOR(name, ...) name,
enum class CudaKernel : unsigned { SLU_CUDA_KERNELS(SLU_ENUMERATOR) };
#undef SLU_ENUMERATOR

#define SLU_ONE(...) +1
constexpr unsigned kCudaKernelCount = SLU_CUDA_KERNELS(SLU_ONE);
#undef SLU_ONE

}  // namespace slu
