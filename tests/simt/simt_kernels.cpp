#include "simt_kernels.h"

#include <stdexcept>

#include "simt/cuda_on_cpu.h"
//
#include "kernel_functions.h"

namespace slu::test {

void launchOnCpu(const CudaLaunch& launch, const cuda::Arguments& arguments) {
  const testing::AssertionResult result = simt::launch(
      {.grid = {launch.x, launch.y}, .block = launch.block.threads, .sharedBytes = launch.block.sharedBytes},
      functionOf(launch.kernel), arguments);
  if (!result) throw std::runtime_error(result.message());
}

}  // namespace slu::test
