// Compiles shaders anew when their sources change, in builds that know a compiler (see CMakeLists.txt).
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace demo {

class ShaderWatch {
 public:
  // folder: of the sources and their subfolders; empty for none.
  explicit ShaderWatch(const std::filesystem::path& folder);

  // Call it between frames; it looks a few times a second. True: shaders were replaced, or the error is another.
  bool update();
  // Names of those that the last update replaced; empty when it failed.
  const std::string& replaced() const { return replaced_; }
  // What the compiler said; empty when the sources compile.
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
