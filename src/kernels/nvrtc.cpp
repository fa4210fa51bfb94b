#include "kernels/nvrtc.h"

#include <cuda.h>

namespace slu {

Nvrtc::Nvrtc(std::span<const std::string> names)
    : library_(names, "plan.source: needs CUDA's NVRTC library, which the system does not find") {
  const auto find = [&](auto& function, const char* name) { library_.find(function, name); };
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
  const std::string major = std::to_string(CUDA_VERSION / 1000);
#ifdef _WIN32
  static const std::string kNames[] = {"nvrtc64_" + major + "0_0.dll"};  // one for all minor versions
#else
  static const std::string kNames[] = {"libnvrtc.so." + major, "libnvrtc.so"};
#endif
  return kNames;
}

}  // namespace slu
