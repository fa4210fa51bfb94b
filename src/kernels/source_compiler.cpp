#include "kernels/source_compiler.h"

#include <algorithm>

#include "base/error.h"
#include "kernels/kernel_headers.h"

namespace slu {
namespace {

// Values of nvrtcResult.
constexpr int kSuccess = 0;
constexpr int kOutOfMemory = 1;
constexpr int kInvalidOption = 5;
constexpr int kCompilation = 6;

const char* nameExpression(CudaKernel kernel) {
  switch (kernel) {
#define SLU_CASE(name, row, function, ...) \
  case CudaKernel::name:                   \
    return "slu::cuda::" #function "<" #__VA_ARGS__ ">";
    SLU_CUDA_PREDICATE_KERNELS(SLU_CASE, slu::cuda::CustomLive<SluPredicate>)
    SLU_CUDA_SCENE_KERNELS(SLU_CASE, slu::cuda::Scene<slu::cuda::CustomLive<SluPredicate>>)
    SLU_CUDA_CANDIDATE_KERNELS(SLU_CASE, slu::cuda::Candidates<slu::cuda::Scene<slu::cuda::CustomLive<SluPredicate>>>)
    SLU_CUDA_REJECT_KERNELS(SLU_CASE, slu::cuda::Rejected<slu::cuda::CustomLive<SluPredicate>>,
                            slu::cuda::Rejected<slu::cuda::Scene<slu::cuda::CustomLive<SluPredicate>>>)
#undef SLU_CASE
    default:
      fail(SLU_ERROR_INTERNAL, "kernel ", static_cast<unsigned>(kernel), " evaluates no predicate");
  }
}

// The library's headers come first, so that macros of the source do not change them.
std::string programOf(const CustomPredicate& predicate) {
  const std::string size = std::to_string(predicate.stateSize);
  const std::string hasKey = predicate.computesKey ? "" : "!";
  const std::string hasSize = predicate.stateSize == 0 ? "__is_empty(SluPredicate)" : "sizeof(SluPredicate) == " + size;
  return "#include \"../entries/general.cuh\"\n#include \"../entries/merged.cuh\"\n"
         "#include \"../entries/occlude.cuh\"\n#include \"../entries/ranked.cuh\"\n"
         "#include \"../entries/custom.cuh\"\n#line 1 \"plan.source\"\n" +
         predicate.source + "\n#line 1 \"plan.stateSize\"\nstatic_assert(" + hasSize + ", \"plan.stateSize is " + size +
         ", and must be the size of SluPredicate\");\n#line 1 \"plan.flags\"\nstatic_assert(" + hasKey +
         "slu::cuda::kComputesKey<SluPredicate>, \"SluPredicate has a member `key` with SLU_PLAN_CUSTOM_KEY_BIT in "
         "plan.flags, "
         "and only then\");\n";
}

void checkNvrtc(const NvrtcFunctions& nvrtc, int result, const char* call, const std::string& log = {}) {
  if (result == kSuccess) return;
  fail(result == kOutOfMemory ? SLU_ERROR_OUT_OF_HOST_MEMORY : SLU_ERROR_DRIVER, call, ": ",
       nvrtc.getErrorString(result), log.empty() ? "" : ": ", log);
}

// An NVRTC program. It owns the handle.
class Program {
 public:
  Program(const NvrtcFunctions& nvrtc, const std::string& text) : nvrtc_(nvrtc) {
    std::vector<const char*> texts, names;
    for (const KernelHeader& header : kernelHeaders()) {
      texts.push_back(header.text);
      names.push_back(header.name);
    }
    checkNvrtc(nvrtc,
               nvrtc.createProgram(&program_, text.c_str(), "sluice", static_cast<int>(texts.size()), texts.data(),
                                   names.data()),
               "nvrtcCreateProgram");
  }
  ~Program() { nvrtc_.destroyProgram(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void instantiate(CudaKernel kernel) {
    checkNvrtc(nvrtc_, nvrtc_.addNameExpression(program_, nameExpression(kernel)), "nvrtcAddNameExpression");
  }

  void compile(const std::vector<std::string>& options) {
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    const int result = nvrtc_.compileProgram(program_, static_cast<int>(pointers.size()), pointers.data());
    if (result == kSuccess) return;
    if (result == kCompilation) fail(SLU_ERROR_INVALID_ARGUMENT, "plan.source: does not compile: ", log());
    if (result == kInvalidOption) fail(SLU_ERROR_INVALID_ARGUMENT, "plan.options: NVRTC refuses one: ", log());
    checkNvrtc(nvrtc_, result, "nvrtcCompileProgram", log());
  }

  std::string loweredName(CudaKernel kernel) const {
    const char* name = nullptr;
    checkNvrtc(nvrtc_, nvrtc_.getLoweredName(program_, nameExpression(kernel), &name), "nvrtcGetLoweredName");
    return name;
  }

  std::vector<char> cubin() const { return read(nvrtc_.getCubinSize, nvrtc_.getCubin, "nvrtcGetCUBIN"); }
  std::vector<char> ptx() const { return read(nvrtc_.getPtxSize, nvrtc_.getPtx, "nvrtcGetPTX"); }

 private:
  std::vector<char> read(int (*getSize)(NvrtcFunctions::Program, std::size_t*),
                         int (*getData)(NvrtcFunctions::Program, char*), const char* call) const {
    std::size_t bytes = 0;
    checkNvrtc(nvrtc_, getSize(program_, &bytes), call);
    std::vector<char> data(bytes);
    if (bytes != 0) checkNvrtc(nvrtc_, getData(program_, data.data()), call);
    return data;
  }

  // Returns the log without the line ends and the zero at its end.
  std::string log() const {
    const std::vector<char> text = read(nvrtc_.getProgramLogSize, nvrtc_.getProgramLog, "nvrtcGetProgramLog");
    std::string log(text.begin(), text.end());
    log.erase(log.find_last_not_of(std::string("\0\n", 2)) + 1);
    return log;
  }

  const NvrtcFunctions& nvrtc_;
  NvrtcFunctions::Program program_ = nullptr;
};

// Returns the architecture to compile for: the device's own, or a virtual one for portable code and if NVRTC is older
// than the device.
std::string architectureFor(const NvrtcFunctions& nvrtc, int computeCapability, KernelCode code) {
  int count = 0;
  checkNvrtc(nvrtc, nvrtc.getArchitectureCount(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> known(static_cast<std::size_t>(count));
  checkNvrtc(nvrtc, nvrtc.getArchitectures(known.data()), "nvrtcGetSupportedArchs");
  int best = 0;
  for (const int architecture : known) {
    if (architecture <= computeCapability) best = std::max(best, architecture);
  }
  if (best == 0) {
    fail(SLU_ERROR_MISSING_FEATURE, "plan.source: NVRTC compiles for no GPU as old as compute capability ",
         computeCapability / 10, ".", computeCapability % 10);
  }
  const bool isNative = code == KernelCode::native && best == computeCapability;
  return (isNative ? "sm_" : "compute_") + std::to_string(best);
}

}  // namespace

CompiledKernels compileSource(const NvrtcFunctions& nvrtc, const CustomPredicate& predicate,
                              std::span<const CudaKernel> kernels, int computeCapability, KernelCode code) {
  const std::string architecture = architectureFor(nvrtc, computeCapability, code);
  std::vector<std::string> options = {"--gpu-architecture=" + architecture, "--std=c++17", "--fmad=false"};
  options.insert(options.end(), predicate.options.begin(), predicate.options.end());
  Program program(nvrtc, programOf(predicate));
  for (const CudaKernel kernel : kernels) program.instantiate(kernel);
  program.compile(options);

  CompiledKernels compiled;
  for (const CudaKernel kernel : kernels) compiled.names.push_back(program.loweredName(kernel));
  compiled.image = architecture.starts_with("sm_") ? program.cubin() : program.ptx();
  return compiled;
}

}  // namespace slu
