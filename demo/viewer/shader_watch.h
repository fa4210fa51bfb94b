// Compiles shaders again when their sources change, in builds that know a compiler (see CMakeLists.txt).
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace demo {

class ShaderWatch {
 public:
  // folder holds the sources, in subfolders. It is empty when nothing is watched.
  explicit ShaderWatch(const std::filesystem::path& folder);

  // Call it between frames; it looks a few times a second. Returns whether shaders were replaced or the error changed.
  bool update();
  // Returns the names of the shaders that the last update replaced. Empty when it failed.
  const std::string& replaced() const { return replaced_; }
  // Returns the compiler's messages. Empty when the sources compile.
  const std::string& error() const { return error_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Times = std::map<std::string, std::filesystem::file_time_type>;

  Times look() const;
  void compile();

  std::filesystem::path folder_;
  Times times_;
  std::set<std::string> outdated_;
  Clock::time_point lastLook_ = Clock::now();
  std::string replaced_, error_;
};

}  // namespace demo
