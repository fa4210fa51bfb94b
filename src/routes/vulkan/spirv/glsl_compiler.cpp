#include "routes/vulkan/spirv/glsl_compiler.h"

#include <cstring>
#include <memory>
#include <new>

#include "base/error.h"
#include "routes/vulkan/spirv/shader_texts.h"

namespace slu {
namespace {

// Values of shaderc's enums.
constexpr int kComputeShader = 2;  // shaderc_compute_shader
constexpr int kTargetVulkan = 0;
constexpr std::uint32_t kVulkan11 = 1u << 22 | 1u << 12, kVulkan12 = 1u << 22 | 2u << 12;
constexpr int kCompiled = 0, kNotCompiled = 2;

const char kSourceName[] = "plan.source";

template <auto release>
struct Releaser {
  const ShadercFunctions& functions;
  template <typename Handle>
  void operator()(Handle* handle) const {
    (functions.*release)(handle);
  }
};
using OwnedCompiler = std::unique_ptr<shaderc_compiler, Releaser<&ShadercFunctions::compilerRelease>>;
using OwnedOptions = std::unique_ptr<shaderc_compile_options, Releaser<&ShadercFunctions::optionsRelease>>;
using OwnedResult = std::unique_ptr<shaderc_compilation_result, Releaser<&ShadercFunctions::resultRelease>>;

template <typename Owner, typename Handle>
Owner own(const ShadercFunctions& functions, Handle* handle) {
  if (handle == nullptr) throw std::bad_alloc();
  return Owner(handle, {functions});
}

// The callbacks of one compilation share this. C code calls them, so they throw nothing.
struct Includes {
  const std::map<std::string, std::string>& texts;
  ShadercInclude found;
};

// Finds the library's own files alone: by their names, or beside the file that includes them.
ShadercInclude* resolve(void* userData, const char* requested, int, const char* requesting, std::size_t) noexcept {
  auto& includes = *static_cast<Includes*>(userData);
  static constexpr char kUnknown[] = "the library has no such file, and a source includes no others";
  includes.found = {"", 0, kUnknown, sizeof(kUnknown) - 1, nullptr};  // without a name it is an error
  try {
    const std::string folder(requesting, static_cast<std::size_t>(std::strrchr(requesting, '/') != nullptr
                                                                      ? std::strrchr(requesting, '/') + 1 - requesting
                                                                      : 0));
    for (const std::string& name : {folder + requested, std::string(requested)}) {
      const auto place = includes.texts.find(name);
      if (place == includes.texts.end()) continue;
      includes.found = {place->first.c_str(), place->first.size(), place->second.c_str(), place->second.size(),
                        nullptr};
      break;
    }
  } catch (const std::bad_alloc&) {
  }
  return &includes.found;
}

void releaseNothing(void*, ShadercInclude*) noexcept {}

}  // namespace

GlslCompiler::GlslCompiler() : shaderc_(shadercNames()), texts_(shaderTexts()) {}

std::vector<std::uint32_t> GlslCompiler::compile(Kernel kernel, ShaderVariant variant, const std::string& source,
                                                 bool computesKey) const {
  const ShadercFunctions& shaderc = shaderc_.functions();
  const auto compiler = own<OwnedCompiler>(shaderc, shaderc.compilerInitialize());
  const auto options = own<OwnedOptions>(shaderc, shaderc.optionsInitialize());
  const auto define = [&](const char* macro) {
    shaderc.optionsAddMacro(options.get(), macro, std::strlen(macro), nullptr, 0);
  };
  for (const char* macro : shaderMacros(variant)) define(macro);
  define("SLU_PREDICATE");
  if (computesKey) define("SLU_PREDICATE_KEY");
  shaderc.optionsSetTarget(options.get(), kTargetVulkan, isForVulkan11(variant) ? kVulkan11 : kVulkan12);
  Includes includes{texts_, {}};
  shaderc.optionsSetIncludes(options.get(), resolve, releaseNothing, &includes);

  const std::string file = std::string(kernelName(kernel)) + ".comp";
  const std::string text = texts_.at(file) + "\n#line 1 \"" + kSourceName + "\"\n" + source + "\n";
  const auto result = own<OwnedResult>(shaderc, shaderc.compile(compiler.get(), text.c_str(), text.size(),
                                                                kComputeShader, file.c_str(), "main", options.get()));
  const int status = shaderc.resultStatus(result.get());
  if (status != kCompiled) {
    std::string log = shaderc.resultMessage(result.get());
    log.erase(log.find_last_not_of('\n') + 1);
    if (status == kNotCompiled) fail(SLU_ERROR_INVALID_ARGUMENT, "plan.source: does not compile: ", log);
    fail(SLU_ERROR_DRIVER, "shaderc_compile_into_spv: status ", status, ": ", log);
  }
  std::vector<std::uint32_t> words(shaderc.resultLength(result.get()) / sizeof(std::uint32_t));
  std::memcpy(words.data(), shaderc.resultBytes(result.get()), words.size() * sizeof(std::uint32_t));
  return words;
}

}  // namespace slu
