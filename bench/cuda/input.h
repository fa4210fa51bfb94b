// Fills device memory with a workload's input.
#pragma once

#include <cuda_runtime_api.h>

#include "workload/input_recipe.h"

namespace bench {

// input: device memory of the workload's inputBytes().
void fillInput(cudaStream_t stream, const Workload& workload, const InputRecipe& recipe, uint32_t* input);

}  // namespace bench
