#include "competitors/rejects.h"
#include "cuda/cuda_objects.h"
#include "cuda/draw_arguments.h"
#include "cuda/grid.cuh"
#include "cuda/output_check.h"

namespace bench {
namespace {

constexpr uint32_t kPoisonWord = static_cast<uint32_t>(kPoisonByte) * 0x01010101u;

struct Rejects {
  const uint32_t* input;
  uint32_t* output;
  uint32_t keptCount;
  uint32_t recordCount;
  uint32_t recordWords;
  uint32_t elementWords;
  bool indices;
  uint32_t* wrongCount;
};

__device__ bool isDead(const Rejects& rejects, const uint32_t* element) {
  if (!rejects.indices) return element[0] == 0;
  return element[0] < rejects.recordCount && rejects.input[uint64_t{element[0]} * rejects.recordWords] == 0;
}

__global__ void take(Rejects rejects) {
  for (uint64_t i = rejects.keptCount + gridFirst(); i < rejects.recordCount; i += gridStep()) {
    uint32_t* element = rejects.output + i * rejects.elementWords;
    if (!isDead(rejects, element)) atomicAdd(rejects.wrongCount, 1u);
    for (uint32_t word = 0; word < rejects.elementWords; ++word) element[word] = kPoisonWord;
  }
}

}  // namespace

uint32_t takeRejects(const Workload& workload, const FrameSet& set) {
  const auto* input = static_cast<const uint32_t*>(set.input);
  const DeviceMemory wrongCount(sizeof(uint32_t));
  check(cudaMemset(wrongCount.get(), 0, wrongCount.bytes()), "cudaMemset");
  Rejects rejects{};
  rejects.input = input;
  rejects.output = static_cast<uint32_t*>(set.output);
  rejects.keptCount = countKept(nullptr, workload, input).front();
  rejects.recordCount = workload.recordCount;
  rejects.recordWords = workload.recordBytes / 4;
  rejects.elementWords = workload.elementBytes() / 4;
  rejects.indices = workload.outputs == Outputs::Indices;
  rejects.wrongCount = wrongCount.as<uint32_t>();
  take<<<kGridBlocks, kGridThreads>>>(rejects);
  check(cudaGetLastError(), "take");
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  return download<uint32_t>(wrongCount.get(), 1).front();
}

}  // namespace bench
