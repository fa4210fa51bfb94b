#include "viewer/shader_watch.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <vector>

#include "base/failure.h"
#include "vulkan/shader.h"

namespace demo {
namespace {

constexpr std::chrono::milliseconds kInterval(250);

bool isStage(const std::filesystem::path& file) {
  const std::filesystem::path kind = file.extension();
  return kind == ".vert" || kind == ".frag" || kind == ".comp" || kind == ".task" || kind == ".mesh";
}

bool isInclude(const std::filesystem::path& file) { return file.extension() == ".glsl" || file.extension() == ".h"; }

std::string quoted(const std::filesystem::path& path) {
  std::string text = "'";
  for (const char letter : path.string()) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

std::vector<uint32_t> readWords(const std::filesystem::path& file) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  std::vector<uint32_t> words(error ? 0 : bytes / sizeof(uint32_t));
  std::ifstream stream(file, std::ios::binary);
  stream.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(words.size() * sizeof(uint32_t)));
  return stream ? words : std::vector<uint32_t>{};
}

// Returns the words, or none with the compiler's messages.
std::vector<uint32_t> compileShader(const std::filesystem::path& folder, const std::string& name,
                                    std::string& message) {
  const std::filesystem::path source = folder / name;
  const std::filesystem::path output =
      std::filesystem::temp_directory_path() / sentence("sluice-demo-", getpid(), ".spv");
  const std::string command =
      sentence(quoted(DEMO_SHADER_COMPILER), " --quiet --target-env vulkan1.2 -I", quoted(folder), " -I",
               quoted(DEMO_SLUICE_HEADERS), " -o ", quoted(output), ' ', quoted(source), " 2>&1");
  message.clear();
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) failRuntime("the shader compiler ", DEMO_SHADER_COMPILER, " cannot be started");
  std::array<char, 4096> part;
  while (const size_t count = std::fread(part.data(), 1, part.size(), pipe)) message.append(part.data(), count);
  const bool good = pclose(pipe) == 0;
  std::vector<uint32_t> words = good ? readWords(output) : std::vector<uint32_t>{};
  std::error_code ignored;
  std::filesystem::remove(output, ignored);
  if (words.empty() && message.empty()) message = sentence(source.string(), " does not compile");
  return words;
}

}  // namespace

ShaderWatch::ShaderWatch(const std::filesystem::path& folder) : folder_(folder), times_(look()) {}

ShaderWatch::Times ShaderWatch::look() const {
  Times times;
  if (folder_.empty()) return times;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_, error)) {
    const std::filesystem::path& file = entry.path();
    if (isStage(file) || isInclude(file))
      times[file.lexically_relative(folder_).generic_string()] = entry.last_write_time(error);
  }
  return times;
}

bool ShaderWatch::update() {
  if (folder_.empty() || Clock::now() - lastLook_ < kInterval) return false;
  lastLook_ = Clock::now();
  const Times times = look();
  if (times == times_) return false;
  bool includeChanged = false;
  for (const auto& [name, time] : times) {
    const auto before = times_.find(name);
    if (before != times_.end() && before->second == time) continue;
    if (isStage(name)) outdated_.insert(name);
    includeChanged |= isInclude(name);
  }
  if (includeChanged)
    for (const auto& [name, time] : times)
      if (isStage(name)) outdated_.insert(name);
  times_ = times;
  compile();
  return true;
}

// Replaces all outdated shaders or none, so that shaders that belong together change together.
void ShaderWatch::compile() {
  replaced_.clear();
  std::map<std::string, std::vector<uint32_t>> compiled;
  for (const std::string& name : outdated_) {
    compiled[name] = compileShader(folder_, name, error_);
    if (compiled[name].empty()) return;
  }
  error_.clear();
  for (auto& [name, words] : compiled) {
    replaceShader(name, std::move(words));
    replaced_ += (replaced_.empty() ? "" : ", ") + name;
  }
  outdated_.clear();
}

}  // namespace demo
