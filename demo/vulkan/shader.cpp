#include "vulkan/shader.h"

#include <map>

namespace demo {
namespace {

std::map<std::string, std::vector<uint32_t>>& replacements() {
  static std::map<std::string, std::vector<uint32_t>> words;
  return words;
}

}  // namespace

std::span<const uint32_t> currentWords(const Shader& shader) {
  const auto replacement = replacements().find(shader.name);
  return replacement == replacements().end() ? shader.words : std::span<const uint32_t>(replacement->second);
}

void replaceShader(const std::string& name, std::vector<uint32_t> words) { replacements()[name] = std::move(words); }

}  // namespace demo
