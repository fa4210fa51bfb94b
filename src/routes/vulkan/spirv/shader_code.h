// The code of kernels, as SPIR-V: the library's own, and kernels with a predicate of the host's in them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "plan/custom_predicate.h"
#include "routes/vulkan/spirv/shader_variant.h"

namespace slu {

class ShaderCode {
 public:
  virtual ~ShaderCode() = default;

  // Returns the kernel's SPIR-V in the variant.
  virtual std::vector<std::uint32_t> of(Kernel kernel, ShaderVariant variant) const = 0;
};

// Returns the code of the library's own kernels.
std::unique_ptr<const ShaderCode> makeOwnCode();

// Returns the code of kernels with the predicate in them. GLSL is compiled when a kernel is asked for. Throws
// SLU_ERROR_ROUTE_UNAVAILABLE if there is no compiler for it.
std::unique_ptr<const ShaderCode> makePredicateCode(const CustomPredicate& predicate);

}  // namespace slu
