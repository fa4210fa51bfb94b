// Every kernel: X(name, function), X variadic. What needs one of each is made from it.
#pragma once

// Those that evaluate any predicate, with a live test of type Live.
#define SLU_CUDA_PREDICATE_KERNELS(X, Live)           \
  X(compactGeneral, compactGeneral<false, Live>)      \
  X(compactGeneralStable, compactGeneral<true, Live>) \
  X(compactBuckets, compactBuckets<Live>)             \
  X(countBuckets, countBuckets<Live>)                 \
  X(scatterBuckets, scatterBuckets<Live>)

// For plans of which spheres decide alone, large ones and small ones.
#define SLU_CUDA_CULLING_KERNELS(X)                           \
  X(compactCulled, compactGeneral<false, ManySpheres>)        \
  X(compactCulledStable, compactGeneral<true, ManySpheres>)   \
  X(compactCulledBuckets, compactBuckets<ManySpheres>)        \
  X(compactFewCulled, compactGeneral<false, FewSpheres>)      \
  X(compactFewCulledStable, compactGeneral<true, FewSpheres>) \
  X(compactFewCulledBuckets, compactBuckets<FewSpheres>)

// By the size of a record in bytes.
#define SLU_CUDA_RECORD_KERNELS(X)                    \
  X(compactLarge, compactNarrow<false, 8, 256>)       \
  X(compactMedium, compactNarrow<false, 4, 128>)      \
  X(compactSmall, compactNarrow<false, 1, 256>)       \
  X(compactNarrowStable, compactNarrow<true, 4, 256>) \
  X(compactSmallStable, compactNarrow<true, 1, 256>)  \
  X(compactDirect4, compactWords<4>)                  \
  X(compactDirect4Large, compactWords<8>)             \
  X(compactDirect4Stable, compactRows<true, Rows4>)   \
  X(compactDirect8, compactRows<false, Rows8>)        \
  X(compactDirect8Stable, compactRows<true, Rows8>)   \
  X(compactDirect12, compactRows<false, Rows12>)      \
  X(compactDirect12Stable, compactRows<true, Rows12>) \
  X(compactDirect16, compactRows<false, Rows16>)      \
  X(compactDirect16Stable, compactRows<true, Rows16>) \
  X(compactDirect32, compactRows<false, Rows32>)      \
  X(compactDirect32Stable, compactRows<true, Rows32>) \
  X(compactDirect48, compactRows<false, Rows48>)      \
  X(compactDirect48Stable, compactRows<true, Rows48>) \
  X(compactDirect64, compactRows<false, Rows64>)      \
  X(compactDirect64Stable, compactRows<true, Rows64>) \
  X(compactWide8, compactWide<false, 2, 1>)           \
  X(compactWide8Stable, compactWide<true, 2, 1>)      \
  X(compactWide16, compactWide<false, 4, 1>)          \
  X(compactWide16Stable, compactWide<true, 4, 1>)     \
  X(compactWide32, compactWide<false, 4, 2>)          \
  X(compactWide32Stable, compactWide<true, 4, 2>)     \
  X(compactWide48, compactWide<false, 4, 3>)          \
  X(compactWide48Stable, compactWide<true, 4, 3>)     \
  X(compactWide64, compactWide<false, 4, 4>)          \
  X(compactWide64Stable, compactWide<true, 4, 4>)     \
  X(compactStaged12, compactStaged<false, 5>)         \
  X(compactStaged12Stable, compactStaged<true, 5>)    \
  X(compactStaged, compactStaged<false, 4>)           \
  X(compactStagedStable, compactStaged<true, 4>)      \
  X(compactPiped8, compactPiped<2>)                   \
  X(compactPiped12, compactPiped<3>)                  \
  X(compactPiped20, compactPiped<5>)                  \
  X(compactPiped28, compactPiped<7>)                  \
  X(compactPiped36, compactPiped<9>)                  \
  X(compactLong96, compactLong<4, 6>)                 \
  X(compactLong128, compactLong<4, 8>)                \
  X(compactSorted16, compactSorted<1, 8>)             \
  X(compactSorted32, compactSorted<2, 8>)             \
  X(compactSorted48, compactSorted<3, 8>)             \
  X(compactSorted64, compactSorted<4, 8>)             \
  X(compactSortedShort16, compactSorted<1, 4>)        \
  X(compactSorted16Stable, compactSortedStable<1>)    \
  X(compactSorted32Stable, compactSortedStable<2>)    \
  X(compactSorted48Stable, compactSortedStable<3>)    \
  X(compactSorted64Stable, compactSortedStable<4>)

#define SLU_CUDA_KERNELS(X)                  \
  SLU_CUDA_PREDICATE_KERNELS(X, BuiltInLive) \
  SLU_CUDA_CULLING_KERNELS(X)                \
  SLU_CUDA_RECORD_KERNELS(X)                 \
  X(scanBuckets, scanBuckets)

namespace slu {

#define SLU_ENUMERATOR(name, ...) name,
enum class CudaKernel : unsigned { SLU_CUDA_KERNELS(SLU_ENUMERATOR) };
#undef SLU_ENUMERATOR

constexpr unsigned kCudaKernelCount = static_cast<unsigned>(CudaKernel::scanBuckets) + 1;

}  // namespace slu
