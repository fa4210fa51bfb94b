#include "kernels/plan_kernels.h"

#include <algorithm>
#include <array>

#include "base/cuda_error.h"
#include "base/error.h"
#include "kernels/kernel_functions.h"

namespace slu {
namespace {

// The library's own.
class BuiltInKernels final : public PlanKernels {
 public:
  int residentBlocks(CudaKernel kernel, const BlockShape& block) const override {
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernelFunction(kernel),
                                                        static_cast<int>(block.threads), block.sharedBytes),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return blocks;
  }

  void launch(const CudaLaunch& launch, const cuda::Arguments& arguments, cudaStream_t stream) const override {
    void* parameters[] = {const_cast<cuda::Arguments*>(&arguments)};
    check(cudaLaunchKernel(kernelFunction(launch.kernel), dim3(launch.x, launch.y), dim3(launch.block.threads),
                           parameters, launch.block.sharedBytes, stream),
          "cudaLaunchKernel");
  }
};

// Compiled into the host's program.
class HostKernels final : public PlanKernels {
 public:
  explicit HostKernels(const CustomPredicate& predicate) : launch_(predicate.launch), blocks_(predicate.blocks) {}

  int residentBlocks(CudaKernel kernel, const BlockShape& block) const override {
    if (kernel == CudaKernel::scanBuckets) return BuiltInKernels().residentBlocks(kernel, block);
    int blocks = 0;
    check(static_cast<cudaError_t>(blocks_(static_cast<std::uint32_t>(kernel), &blocks)),
          "SluCudaPredicateInfo.blocks");
    return blocks;
  }

  void launch(const CudaLaunch& launch, const cuda::Arguments& arguments, cudaStream_t stream) const override {
    if (launch.kernel == CudaKernel::scanBuckets) return BuiltInKernels().launch(launch, arguments, stream);
    check(static_cast<cudaError_t>(
              launch_(static_cast<std::uint32_t>(launch.kernel), launch.x, launch.y, &arguments, stream)),
          "SluCudaPredicateInfo.launch");
  }

 private:
  const SluCudaLaunchFunction launch_;
  const SluCudaBlocksFunction blocks_;
};

int attribute(const CudaContext& context, cudaDeviceAttr name) {
  int value = 0;
  check(context.functions().deviceGetAttribute(&value, name, context.device()), "cudaDeviceGetAttribute");
  return value;
}

// 90 for 9.0.
int computeCapability(const CudaContext& context) {
  return 10 * attribute(context, cudaDevAttrComputeCapabilityMajor) +
         attribute(context, cudaDevAttrComputeCapabilityMinor);
}

// Launches of the kernel may ask for so much, of which all plans on the device think alike.
void allowShared(CudaKernel kernel, std::uint32_t bytes) {
  check(cudaFuncSetAttribute(kernelFunction(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)),
        "cudaFuncSetAttribute");
}

// Whether the kernels have copies that run by themselves: a GPU of sm_90 or newer may run code that was compiled for
// older ones, or have none that is the library's.
bool hasPipes(const CudaContext& context) {
  constexpr int kVersionWithPipes = 90;
  cudaFuncAttributes compiled{};
  const cudaError_t result =
      context.functions().funcGetAttributes(&compiled, kernelFunction(CudaKernel::compactPiped12));
  forget(result);
  return result == cudaSuccess && compiled.ptxVersion >= kVersionWithPipes;
}

CompiledKernels compileFor(const CudaContext& context, const CustomPredicate& predicate,
                           const std::vector<CudaKernel>& kernels) {
  const Nvrtc nvrtc(nvrtcNames());
  return compileSource(nvrtc.functions(), predicate, kernels, computeCapability(context));
}

// Compiled from source.
class SourceKernels final : public PlanKernels {
 public:
  SourceKernels(const CudaContext& context, const std::vector<CudaKernel>& kernels,
                std::shared_ptr<const SourceLibrary> library)
      : driver_(context.driver()), library_(std::move(library)) {
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      functions_[static_cast<std::size_t>(kernels[i])] = library_->functions[i];
    }
  }

  int residentBlocks(CudaKernel kernel, const BlockShape& block) const override {
    int blocks = 0;
    if (kernel == CudaKernel::scanBuckets) return BuiltInKernels().residentBlocks(kernel, block);
    check(driver_.occupancyMaxActiveBlocks(&blocks, functionOf(kernel), static_cast<int>(block.threads),
                                           block.sharedBytes),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    return blocks;
  }

  void launch(const CudaLaunch& launch, const cuda::Arguments& arguments, cudaStream_t stream) const override {
    if (launch.kernel == CudaKernel::scanBuckets) return BuiltInKernels().launch(launch, arguments, stream);
    void* parameters[] = {const_cast<cuda::Arguments*>(&arguments)};
    check(driver_.launchKernel(functionOf(launch.kernel), launch.x, launch.y, 1, launch.block.threads, 1, 1,
                               launch.block.sharedBytes, stream, parameters, nullptr),
          "cuLaunchKernel");
  }

 private:
  CUfunction functionOf(CudaKernel kernel) const { return functions_[static_cast<std::size_t>(kernel)]; }

  const CudaDriverFunctions& driver_;
  const std::shared_ptr<const SourceLibrary> library_;
  std::array<CUfunction, kCudaKernelCount> functions_{};  // null where the plan does not launch the kernel
};

}  // namespace

SourceLibrary::SourceLibrary(const CudaContext& context, const CompiledKernels& compiled)
    : library(context, compiled.image) {
  for (const std::string& name : compiled.names) functions.push_back(library.kernel(name));
}

void requireKernels(const CudaContext& context) {
  const CudaScope scope(context);
  cudaFuncAttributes compiled{};
  const cudaError_t result =
      context.functions().funcGetAttributes(&compiled, kernelFunction(CudaKernel::compactGeneral));
  if (result != cudaErrorNoKernelImageForDevice && result != cudaErrorInvalidDeviceFunction) {
    return check(result, "cudaFuncGetAttributes");
  }
  forget(result);
  const int capability = computeCapability(context);
  fail(SLU_ERROR_MISSING_FEATURE,
       "this build of the library has no CUDA code for the device, whose compute capability is ", capability / 10, ".",
       capability % 10);
}

LaunchLimits launchLimits(const CudaContext& context, const PlanLayout& layout) {
  const int most = attribute(context, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  // A multiprocessor holds kSortedBlocks that sort, of which one loads while another stores.
  static_assert(cuda::kSortedStableBlocks == cuda::kSortedBlocks);
  const int share =
      attribute(context, cudaDevAttrMaxSharedMemoryPerMultiprocessor) / static_cast<int>(cuda::kSortedBlocks) -
      attribute(context, cudaDevAttrReservedSharedMemoryPerBlock);
  const auto of = [](int bytes, std::uint32_t declared) { return static_cast<std::uint32_t>(bytes) - declared; };
  return {.sortedBytes = of(std::min(most, share), cuda::kSortedDeclaredBytes),
          .pipedBytes = suitsPipes(layout) && hasPipes(context) ? of(most, cuda::kPipedDeclaredBytes) : 0};
}

std::unique_ptr<const PlanKernels> makePlanKernels(const CudaContext& context, const PlanLayout& layout,
                                                   const LaunchLimits& limits, const CudaSchedule& schedule,
                                                   SourceCache<SourceLibrary>& sources) {
  const CustomPredicate& predicate = layout.predicate;
  std::unique_ptr<const PlanKernels> made;
  if (layout.live.test != SLU_LIVE_CUSTOM) {
    if (schedule.blockOf(schedule.kernel()).sharedBytes != 0) {
      allowShared(schedule.kernel(), limits.sortedBytes);
    }
    made = std::make_unique<BuiltInKernels>();
    if (const std::optional<CudaKernel> piped = schedule.pipedKernel()) {
      const BlockShape block = schedule.blockOf(*piped);
      allowShared(*piped, block.sharedBytes);
      made->residentBlocks(*piped, block);  // as below
    }
  } else if (predicate.launch != nullptr) {
    made = std::make_unique<HostKernels>(predicate);
  } else {
    const std::vector<CudaKernel> kernels = evaluatingKernels(schedule.kernel());
    const auto load = [&] {
      return std::make_shared<const SourceLibrary>(context, compileFor(context, predicate, kernels));
    };
    made = std::make_unique<SourceKernels>(context, kernels, sources.get(predicate, kernels, load));
  }
  // Loads them now: a stream may capture the first frame.
  const CudaLaunches launches = schedule.launches(Frame{});
  for (std::uint32_t i = 0; i < launches.count; ++i) {
    made->residentBlocks(launches.items[i].kernel, launches.items[i].block);
  }
  return made;
}

}  // namespace slu
