#include "routes/vulkan/spirv/shader_code.h"

#include <algorithm>

#include "base/error.h"
#include "routes/vulkan/spirv/contraction.h"
#include "routes/vulkan/spirv/glsl_compiler.h"
#include "routes/vulkan/spirv/packed_spirv.h"

namespace slu {
namespace {

class GlslCode final : public ShaderCode {
 public:
  GlslCode(std::string source, bool computesKey) : source_(std::move(source)), computesKey_(computesKey) {}

  std::vector<std::uint32_t> of(Kernel kernel, ShaderVariant variant) const override {
    return forbidContraction(compiler_.compile(kernel, variant, source_, computesKey_));
  }

 private:
  const GlslCompiler compiler_;
  const std::string source_;
  const bool computesKey_;
};

class SpirvCode final : public ShaderCode {
 public:
  explicit SpirvCode(SpirvModules modules) : modules_(std::move(modules)) {}

  std::vector<std::uint32_t> of(Kernel kernel, ShaderVariant variant) const override {
    const std::string name = shaderName(kernel, variant);
    const std::vector<SpirvModule>& modules = *modules_;
    const auto found = std::ranges::find(modules, name, &SpirvModule::name);
    require(found != modules.end(), "plan.modules: lacks ", name,
            ", which the device needs; pass all that sluice_add_predicate wrote");
    std::vector<std::uint32_t> words;
    try {
      words = unpack({found->bytes.data(), found->bytes.size(), found->wordCount});
    } catch (const Error& error) {
      if (error.result() != SLU_ERROR_INTERNAL) throw;
    }
    require(isSpirv(words), "plan.modules: ", name, " is not what sluice_add_predicate wrote");
    return forbidContraction(words);
  }

 private:
  const SpirvModules modules_;
};

}  // namespace

std::unique_ptr<const ShaderCode> makePredicateCode(const CustomPredicate& predicate) {
  if (predicate.modules) return std::make_unique<const SpirvCode>(predicate.modules);
  return std::make_unique<const GlslCode>(predicate.source, predicate.computesKey);
}

}  // namespace slu
