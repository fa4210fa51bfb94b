// NVRTC, loaded while the tests run.
#pragma once

#include <nvrtc.h>

#include <memory>
#include <string>
#include <vector>

namespace slu::test {

class Nvrtc {
 public:
  // Finds the library by the environment's SLUICE_NVRTC, a file's name, or else as the system finds libraries.
  Nvrtc();

  bool isLoaded() const { return library_ != nullptr; }
  const std::string& reason() const { return reason_; }  // why it is not loaded

  struct Code {
    nvrtcResult result;
    std::string log;
    std::string ptx;
    std::vector<char> cubin;  // for real architectures, sm_90, not virtual ones, compute_90
  };
  // Compiles C++17 source that may include <sluice/device.cuh> and nothing else.
  Code compile(const std::string& source, const std::string& architecture) const;

  std::vector<int> architectures() const;  // 75, 80...

 private:
  struct Closer {
    void operator()(void* library) const;
  };
  template <typename Function>
  void find(Function*& function, const char* name);

  std::unique_ptr<void, Closer> library_;
  std::string reason_;
  decltype(&nvrtcCreateProgram) createProgram_ = nullptr;
  decltype(&nvrtcDestroyProgram) destroyProgram_ = nullptr;
  decltype(&nvrtcCompileProgram) compileProgram_ = nullptr;
  decltype(&nvrtcGetProgramLogSize) getLogSize_ = nullptr;
  decltype(&nvrtcGetProgramLog) getLog_ = nullptr;
  decltype(&nvrtcGetPTXSize) getPtxSize_ = nullptr;
  decltype(&nvrtcGetPTX) getPtx_ = nullptr;
  decltype(&nvrtcGetCUBINSize) getCubinSize_ = nullptr;
  decltype(&nvrtcGetCUBIN) getCubin_ = nullptr;
  decltype(&nvrtcGetNumSupportedArchs) getArchitectureCount_ = nullptr;
  decltype(&nvrtcGetSupportedArchs) getArchitectures_ = nullptr;
};

}  // namespace slu::test
