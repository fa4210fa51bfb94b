// Every kernel: X(name, function), X variadic. What needs one of each is made from it.
#pragma once

// Those that evaluate any predicate, with a live test of type Live.
#define SLU_CUDA_PREDICATE_KERNELS(X, Live)           \
  X(compactGeneral, compactGeneral<false, Live>)      \
  X(compactGeneralStable, compactGeneral<true, Live>) \
  X(compactBuckets, compactBuckets<Live>)             \
  X(countBuckets, countBuckets<Live>)                 \
  X(scatterBuckets, scatterBuckets<Live>)

#define SLU_CUDA_KERNELS(X)                      \
  SLU_CUDA_PREDICATE_KERNELS(X, BuiltInLive)     \
  X(compactNarrow, compactNarrow<false, 4>)      \
  X(compactNarrowStable, compactNarrow<true, 4>) \
  X(compactSmall, compactNarrow<false, 1>)       \
  X(compactSmallStable, compactNarrow<true, 1>)  \
  X(compactWide1, compactWide<false, 1>)         \
  X(compactWide1Stable, compactWide<true, 1>)    \
  X(compactWide2, compactWide<false, 2>)         \
  X(compactWide2Stable, compactWide<true, 2>)    \
  X(compactWide4, compactWide<false, 4>)         \
  X(compactWide4Stable, compactWide<true, 4>)    \
  X(scanBuckets, scanBuckets)

namespace slu {

#define SLU_ENUMERATOR(name, ...) name,
enum class CudaKernel : unsigned { SLU_CUDA_KERNELS(SLU_ENUMERATOR) };
#undef SLU_ENUMERATOR

constexpr unsigned kCudaKernelCount = static_cast<unsigned>(CudaKernel::scanBuckets) + 1;

}  // namespace slu
