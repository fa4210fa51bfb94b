#include "cuda/cuda_objects.h"
#include "cuda/grid.cuh"
#include "cuda/input.h"

namespace bench {
namespace {

__global__ void fill(InputRecipe recipe, uint32_t* words, uint64_t wordCount) {
  for (uint64_t i = gridFirst(); i < wordCount; i += gridStep()) words[i] = recipe.inputWord(i);
}

}  // namespace

void fillInput(cudaStream_t stream, const Workload& workload, const InputRecipe& recipe, uint32_t* input) {
  fill<<<kGridBlocks, kGridThreads, 0, stream>>>(recipe, input, workload.inputBytes() / 4);
  check(cudaGetLastError(), "fill");
}

}  // namespace bench
