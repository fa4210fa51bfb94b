#include "routes/d3d12/hlsl_compiler.h"

#include "base/error.h"

namespace slu {

void failRefused(HRESULT result, const char* call, const char* name, bool hasSource, std::string_view log) {
  if (result == E_OUTOFMEMORY) fail(SLU_ERROR_OUT_OF_HOST_MEMORY, call, ": out of memory for the kernel ", name);
  if (hasSource) fail(SLU_ERROR_INVALID_ARGUMENT, kSourceName, ": does not compile: ", log);
  fail(SLU_ERROR_DRIVER, call, ": refuses the kernel ", name, ": ", log);
}

}  // namespace slu
