#include "cuda/cuda_objects.h"
#include "literature/copy_loops.cuh"
#include "occlusion/levels.cuh"

namespace bench {

using literature::ceilDivide;

void enqueueFolds(CUstream_st* stream, const float* depths, const Levels& levels) {
  const float* finer = depths;
  uint32_t finerWidth = levels.width, finerHeight = levels.height;
  for (uint32_t level = 0; level < levels.count; ++level) {
    const uint32_t width = levels.widthOf(level), height = levels.heightOf(level);
    float* const texels = levels.texels + levels.starts[level];
    const dim3 blocks(ceilDivide(width, kFoldThreads), ceilDivide(height, kFoldThreads));
    foldLevel<<<blocks, dim3(kFoldThreads, kFoldThreads), 0, stream>>>(finer, finerWidth, finerHeight, texels, width,
                                                                       height);
    check(cudaGetLastError(), "foldLevel");
    finer = texels;
    finerWidth = width;
    finerHeight = height;
  }
}

void enqueueReset(CUstream_st* stream, const StreetOutput& output) {
  resetStreetDraws<<<ceilDivide(output.bucketCount, kCullThreads), kCullThreads, 0, stream>>>(output);
  check(cudaGetLastError(), "resetStreetDraws");
}

void enqueueCull(CUstream_st* stream, CullPass pass, const StreetRecords& records, const StreetCamera& camera,
                 const Levels& levels, const uint32_t* last, uint32_t* next, const StreetOutput& output) {
  const uint32_t blocks = ceilDivide(records.count, kCullThreads);
  switch (pass) {
    case CullPass::Whole:
      cullStreet<CullPass::Whole><<<blocks, kCullThreads, 0, stream>>>(records, camera, levels, last, next, output);
      break;
    case CullPass::Early:
      cullStreet<CullPass::Early><<<blocks, kCullThreads, 0, stream>>>(records, camera, levels, last, next, output);
      break;
    case CullPass::Late:
      cullStreet<CullPass::Late><<<blocks, kCullThreads, 0, stream>>>(records, camera, levels, last, next, output);
      break;
  }
  check(cudaGetLastError(), "cullStreet");
}

void enqueueCopy(CUstream_st* stream, const void* from, void* to, uint64_t bytes) {
  using Copied = literature::Chunk<4>;
  const uint64_t chunks = (bytes + sizeof(Copied) - 1) / sizeof(Copied);
  literature::copyWithoutLoop<4><<<ceilDivide(chunks, literature::kCopyThreads), literature::kCopyThreads, 0, stream>>>(
      static_cast<const Copied*>(from), static_cast<Copied*>(to), chunks);
  check(cudaGetLastError(), "copyWithoutLoop");
}

}  // namespace bench
