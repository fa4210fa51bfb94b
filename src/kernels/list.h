// The list of kernels. Each one is a row: X(name, row, function, blocks, further template arguments of the function).
// `row` says which shape the kernel has and which plans it is for (table.cpp). `blocks` is how many blocks a
// multiprocessor should hold at once (residentBlocks of platform.cuh). A plan uses the last row that suits it, so rows
// go from the general to the special. Whatever exists once per kernel is generated from this list. NVRTC and hosts'
// programs compile this file, so it uses nothing of the standard library.
#pragma once

// Kernels that evaluate any predicate, except of scenes. Live: the policy with the live test (evaluate.cuh).
#define SLU_CUDA_PREDICATE_KERNELS(X, Live)                                         \
  X(compactGeneral, general(), compactGeneral, 5, false, Live)                      \
  X(compactGeneralStable, general().stable(), compactGeneral, 4, true, Live)        \
  X(compactMerged, general().merged(), compactMerged, 4, false, Live)               \
  X(compactMergedStable, general().merged().stable(), compactMerged, 4, true, Live) \
  X(compactBuckets, general().buckets(), compactBuckets, 4, Live)                   \
  X(rankBuckets, general().buckets().ranked(), rankBuckets, 4, Live)                \
  X(countBuckets, general().buckets().stable().preparing(), countBuckets, 1, Live)  \
  X(scatterBuckets, general().buckets().stable().countedBy(CudaKernel::countBuckets), scatterBuckets, 4, Live)

// The same kernels for scenes (shaders/shared/rules.h), and the one that finds out what a pyramid hides. Plans with a
// mesh table always use those for several buckets. Live: the policy Scene of a live test.
#define SLU_CUDA_SCENE_KERNELS(X, Live)                                                \
  X(findVisible, scene().preparing(), findVisible, 4, Live)                            \
  X(compactScene, scene(), compactGeneral, 4, false, Live)                             \
  X(compactSceneStable, scene().stable(), compactGeneral, 4, true, Live)               \
  X(compactMergedScene, scene().merged(), compactMerged, 4, false, Live)               \
  X(compactMergedSceneStable, scene().merged().stable(), compactMerged, 4, true, Live) \
  X(compactSceneBuckets, scene().buckets(), compactBuckets, 4, Live)                   \
  X(rankSceneBuckets, scene().buckets().ranked(), rankBuckets, 4, Live)                \
  X(countSceneBuckets, scene().buckets().stable().preparing(), countBuckets, 1, Live)  \
  X(scatterSceneBuckets, scene().buckets().stable().countedBy(CudaKernel::countSceneBuckets), scatterBuckets, 4, Live)

// Kernels for frames of scenes whose bits of occlusion drop records. Live: the policy Candidates of a scene's.
#define SLU_CUDA_CANDIDATE_KERNELS(X, Live)                                                \
  X(compactCandidates, scene().candidates(), compactGeneral, 4, false, Live)               \
  X(compactMergedCandidates, scene().merged().candidates(), compactMerged, 4, false, Live) \
  X(compactCandidateBuckets, scene().buckets().candidates(), compactBuckets, 4, Live)      \
  X(rankCandidateBuckets, scene().buckets().ranked().candidates(), rankBuckets, 4, Live)

// Kernels that list what any predicate rejects. Live, SceneLive: the policies Rejected of a live test, and of a scene's.
#define SLU_CUDA_REJECT_KERNELS(X, Live, SceneLive)                                 \
  X(listRejects, general().rejects(), compactGeneral, 4, false, Live)               \
  X(listRejectsStable, general().rejects().stable(), compactGeneral, 4, true, Live) \
  X(listSceneRejects, scene().rejects(), compactGeneral, 4, false, SceneLive)       \
  X(listSceneRejectsStable, scene().rejects().stable(), compactGeneral, 4, true, SceneLive)

// Kernels for frames of several views, which read records once for all of them.
#define SLU_CUDA_VIEWS_KERNELS(X)                                                          \
  X(countViews, general().buckets().stable().preparing(), countViews, 4, BuiltInLive)      \
  X(scatterViews, general().ofViews(CudaKernel::countViews), scatterViews, 4, BuiltInLive) \
  X(countSceneViews, scene().buckets().stable().preparing(), countViews, 4, BuiltInScene)  \
  X(scatterSceneViews, scene().ofViews(CudaKernel::countSceneViews), scatterViews, 4, BuiltInScene)

// Kernels for plans in which only spheres decide, large plans and small ones.
#define SLU_CUDA_CULLING_KERNELS(X)                                                                                 \
  X(compactCulled, culled(kCulledItems), compactGeneral, 5, false, ManySpheres)                                     \
  X(compactCulledStable, culled(kCulledItems).stable(), compactGeneral, 6, true, ManySpheres)                       \
  X(compactCulledBuckets, culled(kCulledItems).buckets(), compactBuckets, 4, ManySpheres)                           \
  X(rankCulledBuckets, culled(kCulledItems).buckets().ranked(), rankBuckets, 4, ManySpheres)                        \
  X(compactFewCulled, culled(kFewCulledItems).upTo(kFewCulled), compactGeneral, 6, false, FewSpheres)               \
  X(compactFewCulledStable, culled(kFewCulledItems).stable().upTo(kFewCulled), compactGeneral, 5, true, FewSpheres) \
  X(compactFewCulledBuckets, culled(kFewCulledItems).buckets().upTo(kFewCulled), compactBuckets, 5, FewSpheres)     \
  X(rankFewCulledBuckets, culled(kFewCulledItems).buckets().upTo(kFewCulled).ranked(), rankBuckets, 5, FewSpheres)

// Kernels for plans in which only spheres decide, and whose draws a mesh table describes.
#define SLU_CUDA_MESH_KERNELS(X)                                                                                     \
  X(compactMeshSpheres, meshSpheres().buckets(), compactBuckets, 4, MeshSpheres)                                     \
  X(rankMeshSpheres, meshSpheres().buckets().ranked(), rankBuckets, 4, MeshSpheres)                                  \
  X(countMeshSpheres, meshSpheres().buckets().stable().preparing(), countBuckets, 1, MeshSpheres)                    \
  X(scatterMeshSpheres, meshSpheres().buckets().stable().countedBy(CudaKernel::countMeshSpheres), scatterBuckets, 4, \
    MeshSpheres)

// Kernels for moved records (shaders/shared/limits.h), by their size in bytes.
#define SLU_CUDA_RECORD_KERNELS(X)                                                                                    \
  X(compactStaged, staged(20, 60).ample(), compactStaged, 6, false, 4)                                                \
  X(compactStagedStable, staged(20, 60).stable().ample(), compactStaged, 5, true, 4)                                  \
  X(compactStaged12, staged(12, 12).ample(), compactStaged, 6, false, 5)                                              \
  X(compactStaged12Stable, staged(12, 12).stable().ample(), compactStaged, 5, true, 5)                                \
  X(compactLarge, words(kLargeTileRecords).ample(), compactNarrow, 4, false, 8, 256)                                  \
  X(compactMedium, words(kMediumTileRecords, kMediumThreads).upTo(kManyWords), compactNarrow, 12, false, 4, 128)      \
  X(compactDirect4, words(kLargeTileRecords).scarce().above(kManyDirectWords), compactWords, 4)                       \
  X(compactSmall, words(kSmallTileRecords).upTo(kFewWords), compactNarrow, 6, false, 1, 256)                          \
  X(compactNarrowStable, words(kNarrowTileRecords).stable(), compactNarrow, 5, true, 4, 256)                          \
  X(compactDirect4Stable, words(kNarrowTileRecords).stable().scarce().above(kFewWords), compactRows, 4, true, Rows4)  \
  X(compactSmallStable, words(kSmallTileRecords).stable().upTo(kFewWords).but(kSmallTileRecords, kNarrowTileRecords), \
    compactNarrow, 5, true, 1, 256)                                                                                   \
  X(compactDirect8, wide(2, 1).scarce(), compactRows, 6, false, Rows8)                                                \
  X(compactDirect8Stable, wide(2, 1).stable().scarce(), compactRows, 4, true, Rows8)                                  \
  X(compactDirect12, alone(12, kDirect12TileRecords).scarce(), compactRows, 6, false, Rows12)                         \
  X(compactDirect12Stable, alone(12, kDirect12TileRecords).stable().scarce(), compactRows, 4, true, Rows12)           \
  X(compactDirect16, wide(4, 1).scarce(), compactRows, 6, false, Rows16)                                              \
  X(compactDirect16Stable, wide(4, 1).stable().scarce(), compactRows, 4, true, Rows16)                                \
  X(compactDirect32, wide(4, 2).scarce(), compactRows, 6, false, Rows32)                                              \
  X(compactDirect32Stable, wide(4, 2).stable().scarce(), compactRows, 4, true, Rows32)                                \
  X(compactDirect48, wide(4, 3).scarce(), compactRows, 6, false, Rows48)                                              \
  X(compactDirect48Stable, wide(4, 3).stable().scarce(), compactRows, 4, true, Rows48)                                \
  X(compactDirect64, wide(4, 4).scarce(), compactRows, 6, false, Rows64)                                              \
  X(compactDirect64Stable, wide(4, 4).stable().scarce(), compactRows, 4, true, Rows64)                                \
  X(compactWide8, wide(2, 1).ample(), compactWide, 5, false, 2, 1)                                                    \
  X(compactWide8Stable, wide(2, 1).stable().ample(), compactWide, 4, true, 2, 1)                                      \
  X(compactWide16, wide(4, 1).ample(), compactWide, 6, false, 4, 1)                                                   \
  X(compactWide16Stable, wide(4, 1).stable().ample(), compactWide, 5, true, 4, 1)                                     \
  X(compactWide32, wide(4, 2).ample(), compactWide, 6, false, 4, 2)                                                   \
  X(compactWide32Stable, wide(4, 2).stable().ample(), compactWide, 5, true, 4, 2)                                     \
  X(compactWide48, wide(4, 3).ample(), compactWide, 6, false, 4, 3)                                                   \
  X(compactWide48Stable, wide(4, 3).stable().ample(), compactWide, 5, true, 4, 3)                                     \
  X(compactWide64, wide(4, 4).ample(), compactWide, 6, false, 4, 4)                                                   \
  X(compactWide64Stable, wide(4, 4).stable().ample(), compactWide, 5, true, 4, 4)                                     \
  X(compactLong96, longer(6).ample(), compactLong, 5, 4, 6)                                                           \
  X(compactLong96Stable, longerStable(6).ample(), compactLongStable, 4, 4, 6)                                         \
  X(compactLong128, longer(8).ample(), compactLong, 5, 4, 8)                                                          \
  X(compactLong128Stable, longerStable(8).ample(), compactLongStable, 4, 4, 8)                                        \
  X(compactSortedShort16, sorted(1, kSortedShortRows), compactSorted, 3, 1, 4)

// Kernels for moved records whose launches ask for more shared memory than every GPU grants. Only `cuda` has them.
#define SLU_CUDA_LARGE_KERNELS(X)                                                      \
  X(compactPiped8, piped(2), compactPiped, 1, 2)                                       \
  X(compactPiped12, piped(3), compactPiped, 1, 3)                                      \
  X(compactPiped20, piped(5), compactPiped, 1, 5)                                      \
  X(compactPiped28, piped(7), compactPiped, 1, 7)                                      \
  X(compactPiped36, piped(9), compactPiped, 1, 9)                                      \
  X(compactSorted16, sorted(1, kSortedRows), compactSorted, 2, 1, 8)                   \
  X(compactSorted32, sorted(2, kSortedRows), compactSorted, 2, 2, 8)                   \
  X(compactSorted48, sorted(3, kSortedRows), compactSorted, 2, 3, 8)                   \
  X(compactSorted64, sorted(4, kSortedRows), compactSorted, 2, 4, 8)                   \
  X(compactSorted16Stable, sorted(1, kSortedRows).stable(), compactSortedStable, 2, 1) \
  X(compactSorted32Stable, sorted(2, kSortedRows).stable(), compactSortedStable, 2, 2) \
  X(compactSorted48Stable, sorted(3, kSortedRows).stable(), compactSortedStable, 2, 3) \
  X(compactSorted64Stable, sorted(4, kSortedRows).stable(), compactSortedStable, 2, 4)

// Kernels that `inline` can launch.
#define SLU_CUDA_PORTABLE_KERNELS(X)                                                                 \
  SLU_CUDA_PREDICATE_KERNELS(X, BuiltInLive)                                                         \
  SLU_CUDA_SCENE_KERNELS(X, BuiltInScene)                                                            \
  SLU_CUDA_CANDIDATE_KERNELS(X, BuiltInCandidates)                                                   \
  SLU_CUDA_REJECT_KERNELS(X, RejectedLive, RejectedScene)                                            \
  SLU_CUDA_VIEWS_KERNELS(X)                                                                          \
  SLU_CUDA_CULLING_KERNELS(X)                                                                        \
  SLU_CUDA_MESH_KERNELS(X)                                                                           \
  SLU_CUDA_RECORD_KERNELS(X)                                                                         \
  X(scanBuckets, general().buckets().stable().preparing(), scanBuckets, 1)                           \
  X(publishCounted, general().by(kPublishThreads).buckets().stable().preparing(), publishCounted, 1) \
  X(sumSparse, general().buckets().ranked().following(), sumSparse, 1)                               \
  X(placeSparse, general().buckets().ranked().following(), placeSparse, 1)                           \
  X(scatterDecided, general().buckets().stable().following(), scatterDecided, 6)                     \
  X(emitRanked, general().buckets().ranked().following(), emitRanked, 5)                             \
  X(gatherStreams, general().stable().following(), gatherStreams, 5)

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
