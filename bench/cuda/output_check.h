// Proves on the GPU that an output is a right answer, at any size, by code that shares nothing with the competitors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cuda/competitor.h"
#include "cuda/cuda_objects.h"
#include "workload/input_recipe.h"

namespace bench {

// Kept records per view and bucket, counted in the input. Waits for the stream.
std::vector<uint32_t> countKept(cudaStream_t stream, const Workload& workload, const uint32_t* input);

// Says where a set's output lies and what it was made from.
struct CheckedOutput {
  const Workload* workload;
  const InputRecipe* recipe;                // of the input
  const std::vector<uint32_t>* keptCounts;  // of the input, per view and bucket
  FrameSet set;
  uint32_t bucketCapacity;
  uint64_t allocatedBytes;  // of set.output, poisoned before the frame
};

// The first difference as a sentence, or nothing. A live record's first word names its index. An output is right when
// each bucket holds as many elements as were counted, each equals the live record it names, belongs to the bucket and
// appears once, stable ones with rising indices; and when all other bytes are still poison. Waits for the stream.
std::optional<std::string> outputDifference(cudaStream_t stream, const CheckedOutput& checked);

// Checks a copy: it must be the whole input, unchanged, with poison behind it.
std::optional<std::string> copyDifference(cudaStream_t stream, const CheckedOutput& checked);

// Fills a set's output.
void poisonOutput(cudaStream_t stream, void* output, uint64_t bytes);

}  // namespace bench
