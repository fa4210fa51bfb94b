#include "kernels/nvrtc.h"

#include <cuda.h>
#include <dlfcn.h>

#include "base/error.h"

namespace slu {

void Nvrtc::Closer::operator()(void* library) const { dlclose(library); }

template <typename Function>
void Nvrtc::find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library_.get(), name));
  if (function == nullptr) fail(SLU_ERROR_ROUTE_UNAVAILABLE, "plan.source: needs NVRTC, and ", name_, " has no ", name);
}

Nvrtc::Nvrtc(std::span<const std::string> names) {
  std::string reasons;
  for (const std::string& name : names) {
    name_ = name;
    // RTLD_NODELETE keeps NVRTC loaded, because it leaks 72 KB each time it is unloaded.
    library_.reset(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE));
    if (library_) break;
    reasons += "; ";
    reasons += dlerror();
  }
  if (!library_) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, "plan.source: needs CUDA's NVRTC library, which the system does not find",
         reasons);
  }
  find(functions_.createProgram, "nvrtcCreateProgram");
  find(functions_.destroyProgram, "nvrtcDestroyProgram");
  find(functions_.addNameExpression, "nvrtcAddNameExpression");
  find(functions_.compileProgram, "nvrtcCompileProgram");
  find(functions_.getProgramLogSize, "nvrtcGetProgramLogSize");
  find(functions_.getProgramLog, "nvrtcGetProgramLog");
  find(functions_.getLoweredName, "nvrtcGetLoweredName");
  find(functions_.getCubinSize, "nvrtcGetCUBINSize");
  find(functions_.getCubin, "nvrtcGetCUBIN");
  find(functions_.getPtxSize, "nvrtcGetPTXSize");
  find(functions_.getPtx, "nvrtcGetPTX");
  find(functions_.getArchitectureCount, "nvrtcGetNumSupportedArchs");
  find(functions_.getArchitectures, "nvrtcGetSupportedArchs");
  find(functions_.getErrorString, "nvrtcGetErrorString");
}

std::span<const std::string> nvrtcNames() {
  static const std::string kNames[] = {"libnvrtc.so." + std::to_string(CUDA_VERSION / 1000), "libnvrtc.so"};
  return kNames;
}

}  // namespace slu
