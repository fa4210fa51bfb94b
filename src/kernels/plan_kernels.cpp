#include "kernels/plan_kernels.h"

#include <algorithm>
#include <array>

#include "base/cuda_error.h"
#include "kernels/kernel_image.h"
#include "kernels/kernel_names.h"

namespace slu {
namespace {

// Kernels that are loaded into the driver: the library's own, and those of a predicate's source.
class LoadedKernels final : public PlanKernels {
 public:
  explicit LoadedKernels(const CudaContext& context) : cuda_(context.functions()) {}

  void add(CudaKernel kernel, CUfunction function) { functions_[static_cast<std::size_t>(kernel)] = function; }

  void add(const std::vector<CudaKernel>& kernels, std::shared_ptr<const SourceLibrary> source) {
    for (std::size_t i = 0; i < kernels.size(); ++i) add(kernels[i], source->functions[i]);
    source_ = std::move(source);
  }

  // Lets launches of the kernel ask for so much shared memory. All plans on the device must set the same value, since
  // they share the kernel.
  void allowShared(CudaKernel kernel, std::uint32_t bytes) const {
    check(cuda_.cuFuncSetAttribute(functionOf(kernel), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                   static_cast<int>(bytes)),
          "cuFuncSetAttribute");
  }

  int residentBlocks(CudaKernel kernel, const BlockShape& block) const override {
    int blocks = 0;
    check(cuda_.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, functionOf(kernel),
                                                            static_cast<int>(block.threads), block.sharedBytes),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    return blocks;
  }

  void launch(const CudaLaunch& launch, const cuda::Arguments& arguments, CUstream stream) const override {
    void* parameters[] = {const_cast<cuda::Arguments*>(&arguments)};
    check(cuda_.cuLaunchKernel(functionOf(launch.kernel), launch.x, launch.y, 1, launch.block.threads, 1, 1,
                               launch.block.sharedBytes, stream, parameters, nullptr),
          "cuLaunchKernel");
  }

 private:
  CUfunction functionOf(CudaKernel kernel) const { return functions_[static_cast<std::size_t>(kernel)]; }

  const CudaFunctions& cuda_;
  std::shared_ptr<const SourceLibrary> source_;           // null without a predicate's source
  std::array<CUfunction, kCudaKernelCount> functions_{};  // null where the plan does not launch the kernel
};

// Kernels of a plan whose predicate is compiled into the host's program, and with it the kernels that evaluate it.
class HostKernels final : public PlanKernels {
 public:
  HostKernels(const CustomPredicate& predicate, std::unique_ptr<const LoadedKernels> others)
      : launch_(predicate.launch), blocks_(predicate.blocks), others_(std::move(others)) {}

  int residentBlocks(CudaKernel kernel, const BlockShape& block) const override {
    if (!evaluates(kernel)) return others_->residentBlocks(kernel, block);
    int blocks = 0;
    check(static_cast<CUresult>(blocks_(static_cast<std::uint32_t>(kernel), &blocks)), "SluCudaPredicateInfo.blocks");
    return blocks;
  }

  void launch(const CudaLaunch& launch, const cuda::Arguments& arguments, CUstream stream) const override {
    if (!evaluates(launch.kernel)) return others_->launch(launch, arguments, stream);
    check(static_cast<CUresult>(
              launch_(static_cast<std::uint32_t>(launch.kernel), launch.x, launch.y, &arguments, stream)),
          "SluCudaPredicateInfo.launch");
  }

 private:
  const SluCudaLaunchFunction launch_;
  const SluCudaBlocksFunction blocks_;
  const std::unique_ptr<const LoadedKernels> others_;
};

// Returns 90 for 9.0.
int computeCapability(const CudaContext& context) {
  return 10 * context.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
         context.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

// Loads the library's kernels. If the image has no code for the device, one of the two calls fails.
std::unique_ptr<const KernelLibrary> loadBuiltIn(const CudaContext& context) {
  const CudaScope scope(context);
  try {
    auto library = std::make_unique<const KernelLibrary>(context, kernelImage());
    library->kernel(kernelName(CudaKernel::compactGeneral));
    return library;
  } catch (const CudaError& error) {
    if (error.code() != CUDA_ERROR_NO_BINARY_FOR_GPU && error.code() != CUDA_ERROR_NOT_FOUND) throw;
  }
  const int capability = computeCapability(context);
  fail(SLU_ERROR_MISSING_FEATURE,
       "this build of the library has no CUDA code for the device, whose compute capability is ", capability / 10, ".",
       capability % 10);
}

// Returns whether the loaded code has bulk copies. A GPU of sm_90 or newer may run code that was compiled for an older
// one.
bool hasPipes(const SharedKernels& shared) {
  constexpr int kVersionWithPipes = 90;
  int version = 0;
  check(shared.context.functions().cuFuncGetAttribute(&version, CU_FUNC_ATTRIBUTE_PTX_VERSION,
                                                      shared.builtIn(CudaKernel::compactPiped12)),
        "cuFuncGetAttribute");
  return version >= kVersionWithPipes;
}

CompiledKernels compileFor(const CudaContext& context, const CustomPredicate& predicate,
                           const std::vector<CudaKernel>& kernels) {
  const Nvrtc nvrtc(nvrtcNames());
  return compileSource(nvrtc.functions(), predicate, kernels, computeCapability(context));
}

// Returns the kernels of the schedule that evaluate a custom predicate.
std::vector<CudaKernel> customKernels(const PlanLayout& layout, const CudaSchedule& schedule) {
  if (layout.live.test != SLU_LIVE_CUSTOM) return {};
  return schedule.evaluatingKernels();
}

// Loads the library's kernels that the plan launches, except those that evaluate a custom predicate.
std::unique_ptr<LoadedKernels> takeBuiltIn(const SharedKernels& shared, const CudaSchedule& schedule,
                                           const std::vector<CudaKernel>& custom) {
  auto loaded = std::make_unique<LoadedKernels>(shared.context);
  for (const CudaKernel kernel : schedule.kernels()) {
    if (std::ranges::find(custom, kernel) == custom.end()) loaded->add(kernel, shared.builtIn(kernel));
  }
  return loaded;
}

}  // namespace

SourceLibrary::SourceLibrary(const CudaContext& context, const CompiledKernels& compiled)
    : library(context, compiled.image) {
  for (const std::string& name : compiled.names) functions.push_back(library.kernel(name));
}

SharedKernels::SharedKernels(const CudaContext& given) : context(given), library_(loadBuiltIn(given)) {}

CUfunction SharedKernels::builtIn(CudaKernel kernel) const { return library_->kernel(kernelName(kernel)); }
CUfunction SharedKernels::pyramidKernel() const { return library_->kernel(pyramidKernelName()); }

LaunchLimits launchLimits(const SharedKernels& shared, const PlanLayout& layout) {
  const CudaContext& context = shared.context;
  const int most = context.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  // A multiprocessor holds several blocks that sort, so that one loads while another stores.
  const int share = context.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) /
                        static_cast<int>(rowOf(CudaKernel::compactSorted16).blocks) -
                    context.attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  const auto of = [](int bytes, std::uint32_t declared) { return static_cast<std::uint32_t>(bytes) - declared; };
  return {.sortedBytes = of(std::min(most, share), cuda::kSortedDeclaredBytes),
          .pipedBytes = suitsPipes(layout) && hasPipes(shared) ? of(most, cuda::kPipedDeclaredBytes) : 0};
}

std::unique_ptr<const PlanKernels> makePlanKernels(SharedKernels& shared, const PlanLayout& layout,
                                                   const LaunchLimits& limits, const CudaSchedule& schedule) {
  const CustomPredicate& predicate = layout.predicate;
  const std::vector<CudaKernel> custom = customKernels(layout, schedule);
  std::unique_ptr<LoadedKernels> loaded = takeBuiltIn(shared, schedule, custom);
  if (custom.empty()) {
    if (schedule.blockOf(schedule.kernel()).sharedBytes != 0) {
      loaded->allowShared(schedule.kernel(), limits.sortedBytes);
    }
    if (const std::optional<CudaKernel> piped = schedule.pipedKernel()) {
      loaded->allowShared(*piped, schedule.blockOf(*piped).sharedBytes);
    }
    return loaded;
  }
  if (predicate.launch == nullptr) {
    const auto load = [&] {
      return std::make_shared<const SourceLibrary>(shared.context, compileFor(shared.context, predicate, custom));
    };
    loaded->add(custom, shared.sources.get(predicate, custom, load));
    return loaded;
  }
  auto made = std::make_unique<const HostKernels>(predicate, std::move(loaded));
  for (const CudaKernel kernel : custom) made->residentBlocks(kernel, schedule.blockOf(kernel));  // loads it
  return made;
}

}  // namespace slu
