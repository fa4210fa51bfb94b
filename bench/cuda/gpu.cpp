#include "cuda/gpu.h"

#include <fstream>
#include <sstream>

#include "cuda/cuda_objects.h"
#include "cuda/hold_stream.h"

namespace bench {
namespace {

uint32_t attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return static_cast<uint32_t>(value);
}

// The file begins "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05 ..." or similar: the version is the first
// word of digits and periods.
std::string kernelDriver() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  std::istringstream words(line);
  for (std::string word; words >> word;)
    if (word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos) return word;
  return {};
}

}  // namespace

GpuDescription openGpu(int device) {
  int count = 0;
  if (const cudaError_t result = cudaGetDeviceCount(&count); result != cudaSuccess || count == 0)
    failDevice("no CUDA device: ", result == cudaSuccess ? "none is visible" : cudaGetErrorString(result));
  if (device >= count) failInput("--device: there is no device ", device, "; the last one is ", count - 1);
  check(cudaSetDevice(device), "cudaSetDevice");

  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  GpuDescription gpu;
  gpu.name = properties.name;
  gpu.computeCapability = sentence(properties.major, ".", properties.minor);
  if (const cudaError_t result = findKernelImage(); result != cudaSuccess)
    failDevice("no code for ", gpu.name, ", compute capability ", gpu.computeCapability, ": ",
               cudaGetErrorString(result));
  gpu.multiprocessorCount = static_cast<uint32_t>(properties.multiProcessorCount);
  gpu.cacheBytes = static_cast<uint64_t>(properties.l2CacheSize);
  gpu.memoryBytes = properties.totalGlobalMem;
  gpu.coreClockMHz = attribute(cudaDevAttrClockRate, device) / 1000;
  gpu.memoryClockMHz = attribute(cudaDevAttrMemoryClockRate, device) / 1000;
  gpu.driver = kernelDriver();
  int version = 0;
  check(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
  gpu.cudaDriver = static_cast<uint32_t>(version);
  check(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
  gpu.cudaRuntime = static_cast<uint32_t>(version);
  return gpu;
}

}  // namespace bench
