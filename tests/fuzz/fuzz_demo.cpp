// The demo's command line, camera paths and settings. The first byte of an input chooses which: 'p' and 's' are followed
// by the file; 'o' by an argument per line, where a line % stands for the name of the file behind the first empty line.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <glm/geometric.hpp>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "app/command_line.h"
#include "app/settings.h"
#include "base/failure.h"
#include "expect.h"

namespace {

using slu::fuzz::expect;

// A folder of the process's own, with one file in it.
class TestFile {
 public:
  TestFile() {
    std::string name = (std::filesystem::temp_directory_path() / "fuzz_demo.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder " + name);
    folder_ = name;
    setenv("XDG_CONFIG_HOME", name.c_str(), 1);  // no settings of the user's
  }
  ~TestFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;

  std::filesystem::path name() const { return folder_ / "file.json"; }
  void write(const std::string& text) const { std::ofstream(name(), std::ios::binary) << text; }

 private:
  std::filesystem::path folder_;
};

const TestFile& testFile() {
  static const TestFile file;
  return file;
}

// Runs body, which may refuse its input with a sentence, and in no other way.
template <typename Body>
void mayRefuse(const Body& body) {
  try {
    body();
  } catch (const demo::Failure& failure) {
    expect(failure.cause() == demo::Cause::BadInput, "another cause than bad input");
    expect(*failure.what() != 0, "a failure without a sentence");
  }
}

bool isFinite(const glm::vec3& vector) {
  return std::isfinite(vector.x) && std::isfinite(vector.y) && std::isfinite(vector.z);
}

void expectOptions(const demo::Options& options) {
  expect(
      options.width >= 1 && options.width <= demo::kMaxSide && options.height >= 1 && options.height <= demo::kMaxSide,
      "the size is ", options.width, 'x', options.height);
  expect(options.capacityScale >= 0.0 && options.capacityScale <= 1.0, "capacityScale is ", options.capacityScale);
  expect(options.plan.lodCount >= 1 && options.plan.lodCount <= SLU_MAX_LODS, "lodCount is ", options.plan.lodCount);
  expect((options.plan.tests & ~demo::kAllTests) == 0, "tests are ", options.plan.tests);
  expect(options.speed > 0.0f && std::isfinite(options.speed), "speed is ", options.speed);
  expect(options.instanceCount <= demo::kMaxInstances, "instanceCount is ", options.instanceCount);
  expect(options.frameCount <= 1000000, "frameCount is ", options.frameCount);
}

void expectPath(const demo::CameraPath& path) {
  expect(!path.frames.empty(), "a path without frames");
  const float first = path.frames.front().time, last = path.frames.back().time;
  for (const float share : {-1.0f, 0.0f, 0.3f, 0.5f, 1.0f, 2.0f}) {
    const demo::PathFrame frame = path.at(first + share * (last - first));
    expect(isFinite(frame.camera.eye) && isFinite(frame.camera.direction), "a camera is not finite");
    expect(glm::length(frame.camera.direction) > 0.0f, "a camera looks nowhere");
  }
  expect(path.resampled(7).frames.size() == 7, "a path resampled has other frames");
}

void feedPath(const std::string& text) {
  testFile().write(text);
  mayRefuse([&] {
    const demo::CameraPath path = demo::readPath(testFile().name());
    expectPath(path);
    demo::writePath(testFile().name(), path);
    const demo::CameraPath again = demo::readPath(testFile().name());
    expect(again.scene == path.scene && again.frames.size() == path.frames.size(), "a path is not what was written");
    for (std::size_t i = 0; i < path.frames.size(); ++i) {
      expect(again.frames[i].time == path.frames[i].time && again.frames[i].camera.eye == path.frames[i].camera.eye,
             "frame ", i, " of a path is not what was written");
    }
  });
}

void feedSettings(const std::string& text) {
  const auto isGiven = [](const char*) { return false; };
  testFile().write(text);
  demo::Options options;
  options.width = 333;
  const std::string problem = demo::readSettings(testFile().name(), isGiven, options);
  expect(problem.empty() || options.width == 333, "damaged settings were taken");
  expectOptions(options);
  expect(demo::writeSettings(testFile().name(), options).empty(), "settings cannot be written");
  demo::Options again;
  expect(demo::readSettings(testFile().name(), isGiven, again).empty(), "settings cannot be read again");
  expect(again.width == options.width && again.speed == options.speed && again.plan == options.plan &&
             again.capacityScale == options.capacityScale && again.order == options.order,
         "settings are not what was written");
}

void feedOptions(const std::string& text) {
  std::vector<std::string> arguments = {"sluice-demo"};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    line.erase(std::find(line.begin(), line.end(), '\0'), line.end());
    arguments.push_back(line == "%" ? testFile().name().string() : line);
  }
  testFile().write({std::istreambuf_iterator<char>(lines), {}});
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  const std::ostringstream unread;
  std::streambuf* const printed = std::cout.rdbuf(unread.rdbuf());  // --help
  mayRefuse([&] {
    const auto options = demo::parseOptions(static_cast<int>(pointers.size()), pointers.data());
    if (!options) return;
    expectOptions(*options);
    if (options->recordedPath) expectPath(*options->recordedPath);
  });
  std::cout.rdbuf(printed);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  testFile();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'p') feedPath(text);
  if (data[0] == 's') feedSettings(text);
  if (data[0] == 'o') feedOptions(text);
  return 0;
}
