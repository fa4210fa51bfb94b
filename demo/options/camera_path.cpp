#include "options/camera_path.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/failure.h"
#include "options/options.h"
#include "render/camera.h"

namespace demo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "sluice-demo camera path";
constexpr int kVersion = 1;
constexpr size_t kMaxPathFrames = 1000000;
constexpr uintmax_t kMaxFileBytes = 1u << 30;
// Beyond, a step of a float is a visible part of a unit.
constexpr float kMaxCoordinate = 1e6f;
// The largest upward part of the unit direction. Closer to straight up, the direction to the right is undefined.
constexpr float kMaxUp = 0.99999f;

// A JSON value and how a sentence names it.
class Field {
 public:
  Field(const Json& json, std::string name, const std::filesystem::path& file)
      : json_(json), name_(std::move(name)), file_(file) {}

  template <typename... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    failInput("--path: ", file_.string(), ": ", name_, ' ', parts...);
  }

  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }
  Field operator[](const char* key) const {
    const std::string name = name_ == kWhole ? key : name_ + '.' + key;
    if (!has(key)) failInput("--path: ", file_.string(), ": ", name, " is missing");
    return {json_.at(key), name, file_};
  }
  Field operator[](size_t index) const { return {json_.at(index), sentence(name_, '[', index, ']'), file_}; }
  size_t count() const {
    if (!json_.is_array()) fail("is not a list");
    return json_.size();
  }

  std::string text() const {
    if (!json_.is_string()) fail("is not a text");
    return json_.get<std::string>();
  }
  uint32_t integer(uint32_t most) const {
    if (!json_.is_number_unsigned() || json_.get<uint64_t>() < 1 || json_.get<uint64_t>() > most)
      fail("is not a whole number from 1 to ", most);
    return json_.get<uint32_t>();
  }
  float number() const {
    const double value = json_.is_number() ? json_.get<double>() : std::nan("");
    if (!(std::abs(value) <= static_cast<double>(kMaxCoordinate)))
      fail("is not a number between ", -kMaxCoordinate, " and ", kMaxCoordinate);
    return static_cast<float>(value);
  }
  glm::vec3 vector() const {
    if (count() != 3) fail("is not a list of three numbers");
    return {(*this)[size_t{0}].number(), (*this)[size_t{1}].number(), (*this)[size_t{2}].number()};
  }

  static constexpr const char* kWhole = "the file";

 private:
  const Json& json_;
  std::string name_;
  const std::filesystem::path& file_;
};

PathView readView(const Field& field) {
  const Field direction = field["direction"];
  const PathView view = {field["eye"].vector(), direction.vector()};
  if (glm::length(view.direction) < 1e-6f) direction.fail("has no length");
  if (std::abs(glm::normalize(view.direction).y) > kMaxUp) direction.fail("points straight up or down");
  return view;
}

PathFrame readFrame(const Field& field) {
  PathFrame frame = {field["time"].number(), readView(field["camera"]), std::nullopt};
  if (field.has("culling")) frame.culling = readView(field["culling"]);
  return frame;
}

CameraPath readFields(const Field& whole) {
  if (whole["format"].text() != kFormat) whole["format"].fail("is not \"", kFormat, '"');
  const Field version = whole["version"];
  if (version.integer(std::numeric_limits<int>::max()) != kVersion)
    version.fail("is not ", kVersion, ", which is all that this program reads");
  const Field size = whole["size"], frames = whole["frames"];
  if (size.count() != 2) size.fail("is not a list of two numbers");
  CameraPath path = {whole["scene"].text(),
                     whole["instances"].integer(kMaxInstances),
                     size[size_t{0}].integer(kMaxSide),
                     size[size_t{1}].integer(kMaxSide),
                     {}};
  if (!frames.count() || frames.count() > kMaxPathFrames) frames.fail("has not 1 to ", kMaxPathFrames, " frames");
  for (size_t index = 0; index < frames.count(); ++index) {
    path.frames.push_back(readFrame(frames[index]));
    if (index && path.frames[index].time <= path.frames[index - 1].time)
      frames[index]["time"].fail("is not after the one before");
  }
  return path;
}

Json vectorJson(const glm::vec3& vector) { return {vector.x, vector.y, vector.z}; }

Json viewJson(const PathView& view) {
  return {{"eye", vectorJson(view.eye)}, {"direction", vectorJson(view.direction)}};
}

// Directions turn, so that none between two has no length or points straight up.
glm::vec3 turned(const glm::vec3& from, const glm::vec3& to, float share) {
  const glm::vec3 a = glm::normalize(from), b = glm::normalize(to);
  const float yaw = std::atan2(a.x, -a.z), pitch = std::asin(a.y);
  const float turn = std::remainder(std::atan2(b.x, -b.z) - yaw, glm::two_pi<float>());
  const float newYaw = yaw + share * turn, newPitch = pitch + share * (std::asin(b.y) - pitch);
  return {std::sin(newYaw) * std::cos(newPitch), std::sin(newPitch), -std::cos(newYaw) * std::cos(newPitch)};
}

}  // namespace

PathFrame CameraPath::at(float time) const {
  const auto later = std::upper_bound(frames.begin(), frames.end(), time,
                                      [](float wanted, const PathFrame& frame) { return wanted < frame.time; });
  if (later == frames.begin()) return frames.front();
  PathFrame frame = *(later - 1);
  if (later == frames.end() || time == frame.time) return frame;
  const float share = (time - frame.time) / (later->time - frame.time);
  const PathView &from = frame.camera, &to = later->camera;
  frame.time = time;
  frame.camera = {from.eye + share * (to.eye - from.eye), turned(from.direction, to.direction, share)};
  return frame;
}

CameraPath CameraPath::resampled(uint32_t frameCount) const {
  CameraPath path = {scene, instanceCount, width, height, {}};
  const float first = frames.front().time, duration = frames.back().time - first;
  for (uint32_t frame = 0; frame < frameCount; ++frame) {
    const bool isLast = frame && frame + 1 == frameCount;
    path.frames.push_back(at(isLast ? frames.back().time : first + placeOnPath(frame, frameCount) * duration));
  }
  return path;
}

CameraPath readPath(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) failInput("--path: file ", file.string(), " does not exist");
  if (std::filesystem::file_size(file, error) > kMaxFileBytes) failInput("--path: ", file.string(), " is too large");
  std::ifstream stream(file, std::ios::binary);
  Json json;
  try {
    json = Json::parse(stream);
  } catch (const Json::exception& damaged) {
    failInput("--path: ", file.string(), ": the file is not JSON: ", damaged.what());
  }
  return readFields({json, Field::kWhole, file});
}

void writePath(const std::filesystem::path& file, const CameraPath& path) {
  Json json;
  json["format"] = kFormat;
  json["version"] = kVersion;
  json["scene"] = path.scene;
  json["instances"] = path.instanceCount;
  json["size"] = {path.width, path.height};
  json["frames"] = Json::array();
  for (const PathFrame& frame : path.frames) {
    Json entry = {{"time", frame.time}, {"camera", viewJson(frame.camera)}};
    if (frame.culling) entry["culling"] = viewJson(*frame.culling);
    json["frames"].push_back(std::move(entry));
  }
  std::ofstream stream(file, std::ios::binary);
  stream << json.dump(1) << '\n';
  stream.close();
  if (!stream) failInput("--out: file ", file.string(), " cannot be written");
}

}  // namespace demo
