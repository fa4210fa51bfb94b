// Compiled by nvcc for the GPU, and by the host's compiler for the CPU executor of tests/simt.
#ifndef __CUDACC__
#include "simt/cuda_on_cpu.h"
#define __shared__ static thread_local  // the executor runs a block's threads on one thread of the host
#endif

#include "example_append.cuh"
#include "example_cells.cuh"
#include "example_histogram.cuh"
#include "example_tiles.cuh"
#include "examples.h"

namespace slu::test {

const ExampleKernels exampleKernels = {listAlive, listAliveByTile, Tile::kRecords, histogram, addMasses, findNearest};

}  // namespace slu::test
