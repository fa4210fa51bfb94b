#include "routes/d3d12/fxc.h"

#include <algorithm>
#include <string_view>

#include "base/com.h"
#include "base/library.h"

namespace slu {
namespace {

// Floats are computed as they are written: the kept set depends on it.
constexpr UINT kFlags = D3DCOMPILE_IEEE_STRICTNESS | D3DCOMPILE_ENABLE_STRICTNESS;

// Returns the log of a source that does not compile, without the warnings for the library's own text. Of functions that
// the compiler inlines several times, it reports the same as often.
std::string logOfSource(std::string_view log) {
  const std::string ofSource = std::string(kSourceName) + "(";
  std::vector<std::string_view> lines;
  for (std::size_t end = 0; !log.empty(); log.remove_prefix(std::min(end + 1, log.size()))) {
    end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, end);
    const bool isOwnWarning = !line.starts_with(ofSource) && line.find(": warning X") != line.npos;
    if (!line.empty() && !isOwnWarning && std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }
  std::string all;
  for (const std::string_view line : lines) {
    if (!all.empty()) all += '\n';
    all += line;
  }
  return all;
}

}  // namespace

Fxc::Fxc() {
  const std::string names[] = {"d3dcompiler_47.dll"};
  const Library library(
      names, "d3d12 needs d3dcompiler_47.dll, which is part of Windows, to compile its shaders; it was not found");
  library.find(compile_, "D3DCompile");
}

std::vector<std::byte> Fxc::compile(const std::string& text, const char* name, bool hasSource) const {
  ComPtr<ID3DBlob> code;
  ComPtr<ID3DBlob> messages;
  const HRESULT result = compile_(text.data(), text.size(), name, nullptr, nullptr, "main", "cs_5_0", kFlags, 0,
                                  code.put(), messages.put());
  if (FAILED(result)) {
    const std::string_view log = messageOf(messages.get());
    failRefused(result, "D3DCompile", name, hasSource, hasSource ? logOfSource(log) : std::string(log));
  }
  return bytesOf(code.get());
}

}  // namespace slu
