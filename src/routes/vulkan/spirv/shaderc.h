// shaderc, a compiler of GLSL as a library. It is loaded when it is needed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/library.h"

struct shaderc_compiler;
struct shaderc_compile_options;
struct shaderc_compilation_result;

namespace slu {

// As shaderc.h has it. That header need not be installed.
struct ShadercInclude {
  const char* name;
  std::size_t nameLength;
  const char* text;
  std::size_t textLength;
  void* userData;
};

// The functions as shaderc.h declares them; enums are ints.
struct ShadercFunctions {
  using Resolve = ShadercInclude* (*)(void* userData, const char* requested, int type, const char* requesting,
                                      std::size_t depth);
  using Release = void (*)(void* userData, ShadercInclude* include);

  shaderc_compiler* (*compilerInitialize)() = nullptr;
  void (*compilerRelease)(shaderc_compiler*) = nullptr;
  shaderc_compile_options* (*optionsInitialize)() = nullptr;
  void (*optionsRelease)(shaderc_compile_options*) = nullptr;
  void (*optionsAddMacro)(shaderc_compile_options*, const char* name, std::size_t nameLength, const char* value,
                          std::size_t valueLength) = nullptr;
  void (*optionsSetTarget)(shaderc_compile_options*, int target, std::uint32_t version) = nullptr;
  void (*optionsSetIncludes)(shaderc_compile_options*, Resolve, Release, void* userData) = nullptr;
  shaderc_compilation_result* (*compile)(shaderc_compiler*, const char* text, std::size_t length, int kind,
                                         const char* file, const char* entry, const shaderc_compile_options*) = nullptr;
  void (*resultRelease)(shaderc_compilation_result*) = nullptr;
  std::size_t (*resultLength)(const shaderc_compilation_result*) = nullptr;
  const char* (*resultBytes)(const shaderc_compilation_result*) = nullptr;
  const char* (*resultMessage)(const shaderc_compilation_result*) = nullptr;
  int (*resultStatus)(const shaderc_compilation_result*) = nullptr;
};

// Keeps the library open during the object's lifetime.
class Shaderc {
 public:
  // Opens the first of the names that the system finds. Throws SLU_ERROR_ROUTE_UNAVAILABLE if it finds none, with what
  // it says of each, or if the library lacks a function.
  explicit Shaderc(std::span<const std::string> names);

  const ShadercFunctions& functions() const { return functions_; }

 private:
  Library library_;
  ShadercFunctions functions_;
};

// Returns the names of the library: that of the Vulkan SDK, then that of distributions.
std::span<const std::string> shadercNames();

}  // namespace slu
