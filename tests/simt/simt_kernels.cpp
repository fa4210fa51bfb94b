#include "simt_kernels.h"

#include <stdexcept>

#include "simt/cuda_on_cpu.h"
//
#include "kernel_functions.h"

namespace slu::test {
namespace {

void launchWith(unsigned workers, const CudaLaunch& launch, const cuda::Arguments& arguments) {
  simt::Launch shape = {
      .grid = {launch.x, launch.y}, .block = launch.block.threads, .sharedBytes = launch.block.sharedBytes};
  if (workers != 0) shape.workers = workers;
  const testing::AssertionResult result = simt::launch(shape, functionOf(launch.kernel), arguments);
  if (!result) throw std::runtime_error(result.message());
}

}  // namespace

void launchOnCpu(const CudaLaunch& launch, const cuda::Arguments& arguments) { launchWith(0, launch, arguments); }

void launchBlockByBlock(const CudaLaunch& launch, const cuda::Arguments& arguments) {
  launchWith(1, launch, arguments);
}

}  // namespace slu::test
