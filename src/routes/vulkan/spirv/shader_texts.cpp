#include "routes/vulkan/spirv/shader_texts.h"

#include "base/unpack.h"
#include "packed_shader_texts.h"

namespace slu {

// cmake/pack_shader_texts.cmake begins each file with a line of its name.
std::map<std::string, std::string> shaderTexts() {
  const std::string all = unpackText(shader_texts_packed, sizeof(shader_texts_packed), shader_texts_bytes);
  const std::string mark = "\n//file ";
  std::map<std::string, std::string> texts;
  for (std::size_t at = all.find(mark); at != std::string::npos;) {
    const std::size_t name = at + mark.size();
    const std::size_t text = all.find('\n', name) + 1;
    at = all.find(mark, text);
    texts[all.substr(name, text - 1 - name)] = all.substr(text, at == std::string::npos ? at : at + 1 - text);
  }
  return texts;
}

}  // namespace slu
