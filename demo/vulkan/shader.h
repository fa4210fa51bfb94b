// A shader is SPIR-V with the name of its source.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace demo {

struct Shader {
  const char* name;                 // of the source below demo/shaders: "post/tonemap.comp"
  std::span<const uint32_t> words;  // that the program is built with
};

// Pipelines are made from these words: the built-in ones, or those that replaced them.
std::span<const uint32_t> currentWords(const Shader& shader);
void replaceShader(const std::string& name, std::vector<uint32_t> words);

}  // namespace demo
