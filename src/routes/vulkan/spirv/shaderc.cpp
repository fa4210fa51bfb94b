#include "routes/vulkan/spirv/shaderc.h"

namespace slu {

Shaderc::Shaderc(std::span<const std::string> names)
    : library_(names, "plan.source: needs the library shaderc, which the system does not find") {
  const auto find = [&](auto& function, const char* name) { library_.find(function, name); };
  find(functions_.compilerInitialize, "shaderc_compiler_initialize");
  find(functions_.compilerRelease, "shaderc_compiler_release");
  find(functions_.optionsInitialize, "shaderc_compile_options_initialize");
  find(functions_.optionsRelease, "shaderc_compile_options_release");
  find(functions_.optionsAddMacro, "shaderc_compile_options_add_macro_definition");
  find(functions_.optionsSetTarget, "shaderc_compile_options_set_target_env");
  find(functions_.optionsSetIncludes, "shaderc_compile_options_set_include_callbacks");
  find(functions_.compile, "shaderc_compile_into_spv");
  find(functions_.resultRelease, "shaderc_result_release");
  find(functions_.resultLength, "shaderc_result_get_length");
  find(functions_.resultBytes, "shaderc_result_get_bytes");
  find(functions_.resultMessage, "shaderc_result_get_error_message");
  find(functions_.resultStatus, "shaderc_result_get_compilation_status");
}

std::span<const std::string> shadercNames() {
#ifdef _WIN32
  static const std::string kNames[] = {"shaderc_shared.dll"};
#else
  static const std::string kNames[] = {"libshaderc_shared.so.1", "libshaderc.so.1"};
#endif
  return kNames;
}

}  // namespace slu
