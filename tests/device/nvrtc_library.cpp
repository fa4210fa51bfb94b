#include "nvrtc_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace slu::test {
namespace {

std::string readHeader() {
  std::ifstream file(SLUICE_DEVICE_HEADER);
  return {std::istreambuf_iterator<char>(file), {}};
}

void check(nvrtcResult result, const char* call) {
  if (result != NVRTC_SUCCESS) throw std::runtime_error(std::string(call) + ": NVRTC error " + std::to_string(result));
}

// Text that ends in a zero, as NVRTC writes it.
std::string withoutZero(std::string text) {
  if (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

}  // namespace

void Nvrtc::Closer::operator()(void* library) const { dlclose(library); }

template <typename Function>
void Nvrtc::find(Function*& function, const char* name) {
  if (library_ == nullptr) return;
  function = reinterpret_cast<Function*>(dlsym(library_.get(), name));
  if (function != nullptr) return;
  reason_ = std::string(name) + " is missing in NVRTC";
  library_.reset();
}

Nvrtc::Nvrtc() {
  std::vector<std::string> names = {"libnvrtc.so.13", "libnvrtc.so.12"};
  if (const char* name = std::getenv("SLUICE_NVRTC")) names = {name};
  for (const std::string& name : names) {
    // Kept loaded: NVRTC leaves 72 KB behind each time it is unloaded.
    library_.reset(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE));
    if (library_ != nullptr) break;
    reason_ += (reason_.empty() ? "" : "; ") + std::string(dlerror());
  }
  find(createProgram_, "nvrtcCreateProgram");
  find(destroyProgram_, "nvrtcDestroyProgram");
  find(compileProgram_, "nvrtcCompileProgram");
  find(getLogSize_, "nvrtcGetProgramLogSize");
  find(getLog_, "nvrtcGetProgramLog");
  find(getPtxSize_, "nvrtcGetPTXSize");
  find(getPtx_, "nvrtcGetPTX");
  find(getCubinSize_, "nvrtcGetCUBINSize");
  find(getCubin_, "nvrtcGetCUBIN");
  find(getArchitectureCount_, "nvrtcGetNumSupportedArchs");
  find(getArchitectures_, "nvrtcGetSupportedArchs");
}

Nvrtc::Code Nvrtc::compile(const std::string& source, const std::string& architecture) const {
  const std::string header = readHeader(), option = "--gpu-architecture=" + architecture;
  const char* headers[] = {header.c_str()};
  const char* names[] = {"sluice/device.cuh"};
  nvrtcProgram program = nullptr;
  check(createProgram_(&program, source.c_str(), "kernels.cu", 1, headers, names), "nvrtcCreateProgram");
  const auto destroy = [this](_nvrtcProgram* owned) { destroyProgram_(&owned); };
  const std::unique_ptr<_nvrtcProgram, decltype(destroy)> owner(program, destroy);
  const char* options[] = {option.c_str(), "--std=c++17"};

  Code code{};
  code.result = compileProgram_(program, 2, options);
  std::size_t size = 0;
  check(getLogSize_(program, &size), "nvrtcGetProgramLogSize");
  code.log.resize(size);
  check(getLog_(program, code.log.data()), "nvrtcGetProgramLog");
  code.log = withoutZero(code.log);
  if (code.result != NVRTC_SUCCESS) return code;
  check(getPtxSize_(program, &size), "nvrtcGetPTXSize");
  code.ptx.resize(size);
  check(getPtx_(program, code.ptx.data()), "nvrtcGetPTX");
  code.ptx = withoutZero(code.ptx);
  check(getCubinSize_(program, &size), "nvrtcGetCUBINSize");
  code.cubin.resize(size);
  if (size > 0) check(getCubin_(program, code.cubin.data()), "nvrtcGetCUBIN");
  return code;
}

std::vector<int> Nvrtc::architectures() const {
  int count = 0;
  check(getArchitectureCount_(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> numbers(static_cast<std::size_t>(count));
  check(getArchitectures_(numbers.data()), "nvrtcGetSupportedArchs");
  return numbers;
}

}  // namespace slu::test
