#pragma once

#include <cuda_runtime_api.h>

#include "workload/workload.h"

namespace bench {

// Writes a byte per record, 1 for a live one. flags: as aligned as a word, with room for a multiple of four.
void writeLiveFlags(cudaStream_t stream, const Workload& workload, const void* input, uint8_t* flags);

}  // namespace bench
