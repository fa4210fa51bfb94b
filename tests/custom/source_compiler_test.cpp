// Source through NVRTC, without a GPU, and through one that is played.
#include "kernels/source_compiler.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "sentence.h"
#include "sources.h"

namespace slu::test {
namespace {

#define SLU_NUMBER(name, ...) CudaKernel::name,
constexpr CudaKernel kAllKernels[] = {SLU_CUDA_PREDICATE_KERNELS(SLU_NUMBER, ) SLU_CUDA_SCENE_KERNELS(
    SLU_NUMBER, ) SLU_CUDA_CANDIDATE_KERNELS(SLU_NUMBER, ) SLU_CUDA_REJECT_KERNELS(SLU_NUMBER, , )};
#undef SLU_NUMBER
constexpr CudaKernel kOneKernel[] = {CudaKernel::compactGeneral};

CustomPredicate predicateOf(const std::string& source, std::uint32_t stateSize, std::vector<std::string> options = {}) {
  CustomPredicate predicate;
  predicate.source = source;
  predicate.stateSize = stateSize;
  predicate.options = std::move(options);
  return predicate;
}

const std::string kBody = "__device__ bool operator()(const void*, unsigned index) const { return index > 3; }";

bool holds(const std::vector<char>& image, const std::string& text) {
  return std::search(image.begin(), image.end(), text.begin(), text.end()) != image.end();
}

class Sources : public testing::Test {
 protected:
  void SetUp() override {
    try {
      nvrtc_ = std::make_unique<Nvrtc>(nvrtcNames());
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
  CompiledKernels compile(const CustomPredicate& predicate, std::span<const CudaKernel> kernels, int capability,
                          KernelCode code = KernelCode::native) {
    return compileSource(nvrtc_->functions(), predicate, kernels, capability, code);
  }
  // That compiling fails with a sentence that begins so and has all the parts.
  void expectRefused(const CustomPredicate& predicate, const char* beginning,
                     std::initializer_list<const char*> parts) {
    const std::string sentence = sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { compile(predicate, kOneKernel, 90); });
    EXPECT_EQ(sentence.find(beginning), 0u) << sentence;
    for (const char* part : parts) EXPECT_PRED_FORMAT2(testing::IsSubstring, part, sentence);
  }
  std::vector<int> architectures() const {
    int count = 0;
    EXPECT_EQ(nvrtc_->functions().getArchitectureCount(&count), 0);
    std::vector<int> numbers(static_cast<std::size_t>(count));
    EXPECT_EQ(nvrtc_->functions().getArchitectures(numbers.data()), 0);
    return numbers;
  }

 private:
  std::unique_ptr<Nvrtc> nvrtc_;
};

TEST_F(Sources, BecomeEveryKernel) {
  const CompiledKernels kernels = compile(predicateOf(sourceOf("Weighted"), 64), kAllKernels, 90);
  ASSERT_EQ(kernels.names.size(), std::size(kAllKernels));
  for (const std::string& name : kernels.names) EXPECT_TRUE(holds(kernels.image, name)) << name;
}

TEST_F(Sources, CompileForEachFamilyOfGpus) {
  const std::vector<int> known = architectures();
  int compiled = 0;
  for (const int capability : {75, 80, 86, 89, 90, 100, 120}) {
    if (std::find(known.begin(), known.end(), capability) == known.end()) continue;
    EXPECT_TRUE(holds(compile(predicateOf(sourceOf("Weighted"), 64), kOneKernel, capability).image,
                      "\x7f"
                      "ELF"))
        << capability;
    ++compiled;
  }
  EXPECT_GE(compiled, 4);
}

TEST_F(Sources, BecomeTheKernelsAskedForAlone) {
  const CompiledKernels kernels = compile(predicateOf(sourceOf("Aligned"), 16), kOneKernel, 90);
  EXPECT_TRUE(holds(kernels.image, "compactGeneral"));
  for (const char* other : {"compactBuckets", "countBuckets", "scatterBuckets", "scanBuckets"}) {
    EXPECT_FALSE(holds(kernels.image, other)) << other;
  }
}

TEST_F(Sources, AreCompiledToPtxForDevicesNewerThanTheCompiler) {
  const std::vector<int> known = architectures();
  const std::string newest = std::to_string(*std::max_element(known.begin(), known.end()));
  const CompiledKernels kernels = compile(predicateOf(sourceOf("Thirds"), 0), kOneKernel, 999);
  EXPECT_TRUE(holds(kernels.image, ".target sm_" + newest));
  EXPECT_EQ(kernels.image.back(), '\0');
  EXPECT_SENTENCE(
      sentenceOf(SLU_ERROR_MISSING_FEATURE, [&] { compile(predicateOf(sourceOf("Thirds"), 0), kOneKernel, 20); }),
      "plan.source: ");
}

TEST_F(Sources, AreCompiledToPtxWhereTheyAreToBePortable) {
  const CompiledKernels kernels = compile(predicateOf(sourceOf("Thirds"), 0), kOneKernel, 90, KernelCode::portable);
  EXPECT_TRUE(holds(kernels.image, ".target sm_90\n"));
  EXPECT_TRUE(holds(kernels.image, ".entry " + kernels.names[0] + "("));
  EXPECT_EQ(kernels.image.back(), '\0');
}

// Without a rounding mode, products and sums may be contracted later. 76 is no device, so that PTX comes out.
TEST_F(Sources, AreNotContractedUnlessTheirOptionsSaySo) {
  const auto mayContract = [&](std::vector<std::string> options) {
    const auto image = compile(predicateOf(sourceOf("Weighted"), 64, std::move(options)), kOneKernel, 76).image;
    return holds(image, "mul.f32") || holds(image, "fma.");
  };
  EXPECT_FALSE(mayContract({}));
  EXPECT_TRUE(mayContract({"--fmad=true"}));
}

TEST_F(Sources, MayRedefineWhatTheKernelsUse) {
  const std::string source = "#define min nonsense\n#define uint nonsense\nstruct SluPredicate { " + kBody + " };";
  EXPECT_FALSE(compile(predicateOf(source, 0), kAllKernels, 90).image.empty());
}

TEST_F(Sources, GetTheirOptions) {
  const CustomPredicate predicate = predicateOf("struct SluPredicate { WORD a; " + kBody + " };", 8);
  expectRefused(predicate, "plan.source: does not compile: plan.source(1): error", {"WORD"});
  CustomPredicate defined = predicate;
  defined.options = {"-DWORD=long long"};
  EXPECT_FALSE(compile(defined, kOneKernel, 90).image.empty());
  defined.options = {"--no-such-option"};
  expectRefused(defined, "plan.options: ", {"no-such-option"});
}

TEST_F(Sources, ThatDoNotCompileGetTheWholeLog) {
  std::string source = "struct SluPredicate { " + kBody + " };\n\n";
  for (int i = 0; i < 40; ++i) source += "unknown" + std::to_string(i) + " f" + std::to_string(i) + "();\n";
  expectRefused(predicateOf(source, 0), "plan.source: does not compile: plan.source(3): error",
                {"unknown0", "unknown39", "plan.source(42): error", "80 errors detected"});
}

TEST_F(Sources, WithoutAPredicateThatFitsAreRefused) {
  const char* beginning = "plan.source: does not compile: ";
  expectRefused(predicateOf("struct Other {};", 0), beginning, {"SluPredicate"});
  expectRefused(predicateOf("struct SluPredicate {};", 0), beginning, {"error"});
  expectRefused(predicateOf("struct SluPredicate { int a; " + kBody + " };", 8), beginning, {"plan.stateSize is 8"});
  expectRefused(predicateOf("struct SluPredicate { int a; " + kBody + " };", 0), beginning, {"plan.stateSize is 0"});
  expectRefused(predicateOf("struct SluPredicate { int a[17]; " + kBody + " };", 68), beginning, {"64 bytes at most"});
  expectRefused(predicateOf("struct SluPredicate { __device__ ~SluPredicate() {} int a; " + kBody + " };", 4),
                beginning, {"copied as bytes"});
  expectRefused(predicateOf("struct alignas(32) SluPredicate { int a; " + kBody + " };", 32), beginning,
                {"aligned to 16"});
  expectRefused(predicateOf("#include <vector>\nstruct SluPredicate { " + kBody + " };", 0), beginning, {"vector"});
  expectRefused(predicateOf("struct SluPredicate { " + kBody + " }; /* never ends", 0), beginning, {});
}

// NVRTC played: counts programs and fails where a test says so.
struct PlayedNvrtc {
  std::map<std::string, int> failures;  // results by name of the call
  std::string log = "the log\n";
  int programs = 0;

  static PlayedNvrtc* current;
  static int result(const char* call) {
    const auto found = current->failures.find(call);
    return found == current->failures.end() ? 0 : found->second;
  }
  static int give(const std::string& text, char* to) {
    std::copy(text.begin(), text.end(), to);
    to[text.size()] = '\0';
    return 0;
  }

  PlayedNvrtc() { current = this; }
  ~PlayedNvrtc() { current = nullptr; }
  NvrtcFunctions functions() const {
    NvrtcFunctions f;
    using Program = NvrtcFunctions::Program;
    f.createProgram = [](Program* program, const char*, const char*, int, const char* const*, const char* const*) {
      if (result("create") != 0) return result("create");
      *program = reinterpret_cast<Program>(current);
      ++current->programs;
      return 0;
    };
    f.destroyProgram = [](Program* program) {
      EXPECT_EQ(*program, reinterpret_cast<Program>(current));
      --current->programs;
      return 0;
    };
    f.addNameExpression = [](Program, const char*) { return result("add"); };
    f.compileProgram = [](Program, int, const char* const*) { return result("compile"); };
    f.getProgramLogSize = [](Program, std::size_t* size) { return *size = current->log.size() + 1, result("logSize"); };
    f.getProgramLog = [](Program, char* to) { return give(current->log, to); };
    f.getLoweredName = [](Program, const char*, const char** name) { return *name = "name", result("name"); };
    f.getCubinSize = [](Program, std::size_t* size) { return *size = 6, result("cubinSize"); };
    f.getCubin = [](Program, char* to) { return give("cubin", to), result("cubin"); };
    f.getArchitectureCount = [](int* count) { return *count = 1, result("architectures"); };
    f.getArchitectures = [](int* architectures) { return *architectures = 90, 0; };
    f.getErrorString = [](int) { return "NVRTC_ERROR"; };
    return f;
  }
};
PlayedNvrtc* PlayedNvrtc::current = nullptr;

TEST(PlayedSources, LeaveNoProgramBehind) {
  PlayedNvrtc nvrtc;
  const auto compile = [&] { return compileSource(nvrtc.functions(), predicateOf("", 0), kOneKernel, 90); };
  EXPECT_EQ(compile().names, std::vector<std::string>{"name"});
  EXPECT_EQ(nvrtc.programs, 0);
  for (const char* call : {"create", "add", "compile", "name", "cubinSize", "cubin", "architectures"}) {
    nvrtc.failures = {{call, 11}};
    EXPECT_THROW(compile(), Error) << call;
    EXPECT_EQ(nvrtc.programs, 0) << call;
  }
}

TEST(PlayedSources, FailuresAreToldApart) {
  PlayedNvrtc nvrtc;
  const auto expectFailure = [&](int result, SluResult expected, const char* sentence) {
    nvrtc.failures = {{"compile", result}};
    EXPECT_EQ(sentenceOf(expected, [&] { compileSource(nvrtc.functions(), predicateOf("", 0), kOneKernel, 90); }),
              sentence);
  };
  expectFailure(1, SLU_ERROR_OUT_OF_HOST_MEMORY, "nvrtcCompileProgram: NVRTC_ERROR: the log");
  expectFailure(5, SLU_ERROR_INVALID_ARGUMENT, "plan.options: NVRTC refuses one: the log");
  expectFailure(6, SLU_ERROR_INVALID_ARGUMENT, "plan.source: does not compile: the log");
  expectFailure(7, SLU_ERROR_DRIVER, "nvrtcCompileProgram: NVRTC_ERROR: the log");
}

}  // namespace
}  // namespace slu::test
