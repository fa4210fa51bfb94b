// The code of kernels, as SPIR-V: the library's own, and kernels with a predicate of the host's in them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "plan/custom_predicate.h"
#include "routes/vulkan/shader_variant.h"

namespace slu {

class ShaderCode {
 public:
  virtual ~ShaderCode() = default;

  // The kernel as the device and the way to reach buffers need it.
  virtual std::vector<std::uint32_t> of(Kernel kernel, ShaderVariant variant) const = 0;
};

std::unique_ptr<const ShaderCode> makeOwnCode();

// Of a predicate in GLSL, which is compiled when a kernel is asked for, or in SPIR-V. Throws
// SLU_ERROR_ROUTE_UNAVAILABLE if GLSL finds no compiler.
std::unique_ptr<const ShaderCode> makePredicateCode(const CustomPredicate& predicate);

}  // namespace slu
