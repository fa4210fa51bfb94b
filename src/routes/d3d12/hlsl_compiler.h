// What makes bytecode of the kernels' texts: FXC for shader model 5, DXC for shader model 6.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/d3d12_calls.h"

namespace slu {

class HlslCompiler {
 public:
  virtual ~HlslCompiler() = default;

  // Returns the bytecode of a compute shader with the entry point main. May be called by several threads. name: of the
  // kernel, for sentences. hasSource: the text ends with the source of a predicate of the host's, which a #line directive
  // names kSourceName. If the text is refused, throws SLU_ERROR_INVALID_ARGUMENT with what the compiler says of the
  // source, or SLU_ERROR_DRIVER if there is none.
  virtual std::vector<std::byte> compile(const std::string& text, const char* name, bool hasSource) const = 0;
};

inline constexpr char kSourceName[] = "plan.source";

// Throws what HlslCompiler::compile promises of a text that is refused, or SLU_ERROR_OUT_OF_HOST_MEMORY if that is why. call:
// of the compiler. log: what it says, of the source if there is one.
[[noreturn]] void failRefused(HRESULT result, const char* call, const char* name, bool hasSource, std::string_view log);

}  // namespace slu
