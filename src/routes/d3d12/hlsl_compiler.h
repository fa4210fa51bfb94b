// What makes bytecode of the kernels' texts: FXC for shader model 5, DXC for shader model 6.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace slu {

class HlslCompiler {
 public:
  virtual ~HlslCompiler() = default;

  // Returns the bytecode of a compute shader with the entry point main. May be called by several threads. name: of the
  // kernel, for sentences. Throws SLU_ERROR_DRIVER if the text is refused.
  virtual std::vector<std::byte> compile(const std::string& text, const char* name) const = 0;
};

}  // namespace slu
