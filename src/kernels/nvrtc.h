// NVRTC, CUDA's compiler as a library. It is loaded when it is needed.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/library.h"

struct _nvrtcProgram;

namespace slu {

// The functions as nvrtc.h declares them. That header need not be installed. Results are values of nvrtcResult. Tests
// replace the functions.
struct NvrtcFunctions {
  using Program = _nvrtcProgram*;
  int (*createProgram)(Program*, const char* source, const char* name, int headerCount, const char* const* headers,
                       const char* const* includeNames) = nullptr;
  int (*destroyProgram)(Program*) = nullptr;
  int (*addNameExpression)(Program, const char*) = nullptr;
  int (*compileProgram)(Program, int optionCount, const char* const* options) = nullptr;
  int (*getProgramLogSize)(Program, std::size_t*) = nullptr;
  int (*getProgramLog)(Program, char*) = nullptr;
  int (*getLoweredName)(Program, const char* expression, const char** name) = nullptr;
  int (*getCubinSize)(Program, std::size_t*) = nullptr;
  int (*getCubin)(Program, char*) = nullptr;
  int (*getPtxSize)(Program, std::size_t*) = nullptr;
  int (*getPtx)(Program, char*) = nullptr;
  int (*getArchitectureCount)(int*) = nullptr;
  int (*getArchitectures)(int*) = nullptr;
  const char* (*getErrorString)(int) = nullptr;
};

// Keeps the NVRTC library open during the object's lifetime.
class Nvrtc {
 public:
  // Opens the first of the names that the system finds. Throws SLU_ERROR_ROUTE_UNAVAILABLE if it finds none, with what
  // it says of each, or if the library lacks a function.
  explicit Nvrtc(std::span<const std::string> names);

  const NvrtcFunctions& functions() const { return functions_; }

 private:
  Library library_;
  NvrtcFunctions functions_;
};

// Returns the names of the library: first that of the major version of CUDA with which this library was built.
std::span<const std::string> nvrtcNames();

}  // namespace slu
