// Compiles a predicate in GLSL into the kernels of a plan.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "routes/vulkan/spirv/shader_variant.h"
#include "routes/vulkan/spirv/shaderc.h"

namespace slu {

class GlslCompiler {
 public:
  // Throws SLU_ERROR_ROUTE_UNAVAILABLE if the system has no shaderc.
  GlslCompiler();

  // Returns the kernel with the predicate as SPIR-V. Throws SLU_ERROR_INVALID_ARGUMENT with the whole log if the source
  // does not compile.
  std::vector<std::uint32_t> compile(Kernel kernel, ShaderVariant variant, const std::string& source,
                                     bool computesKey) const;

 private:
  const Shaderc shaderc_;
  const std::map<std::string, std::string> texts_;
};

}  // namespace slu
