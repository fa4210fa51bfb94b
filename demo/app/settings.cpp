#include "app/settings.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "base/failure.h"
#include "viewer/camera_control.h"

namespace demo {
namespace {

using Json = nlohmann::ordered_json;

struct Setting {
  const char* name;
  const char* option;  // that is given in its place; NULL for none
  void (*read)(const Json&, Options&);
  void (*write)(Json&, const Options&);
};

bool truth(const Json& value) {
  if (!value.is_boolean()) failInput("must be true or false");
  return value.get<bool>();
}

double number(const Json& value, double least, double most) {
  const double read = value.is_number() ? value.get<double>() : least - 1.0;
  if (!(read >= least && read <= most)) failInput("must be a number from ", least, " to ", most);
  return read;
}

uint32_t whole(const Json& value, uint32_t least, uint32_t most) {
  if (!value.is_number_integer()) failInput("must be a whole number");
  return static_cast<uint32_t>(number(value, least, most));
}

SluOrder order(const Json& value) {
  if (value == "stable") return SLU_ORDER_STABLE;
  if (value != "unordered") failInput("must be \"unordered\" or \"stable\"");
  return SLU_ORDER_UNORDERED;
}

bool hasMatrices(const Json& value) {
  if (value != "parts" && value != "matrix") failInput("must be \"parts\" or \"matrix\"");
  return value == "matrix";
}

bool isPacked(const Json& value) {
  if (value != "reserved" && value != "packed") failInput("must be \"reserved\" or \"packed\"");
  return value == "packed";
}

SluFlags tests(const Json& value) {
  if (!value.is_array()) failInput("must be a list");
  SluFlags flags = 0;
  for (const Json& name : value) {
    SluFlags bit = 0;
    for (const TestName& test : kTestNames)
      if (name == test.name) bit = test.bit;
    if (!bit) failInput("must list some of \"distance\", \"frustum\", \"size\" and \"cone\"");
    flags |= bit;
  }
  return flags;
}

void writeTests(Json& value, const Options& options) {
  value = Json::array();
  for (const TestName& test : kTestNames)
    if (options.plan.tests & test.bit) value.push_back(test.name);
}

constexpr Setting kSettings[] = {
    {"width", "--size", [](const Json& value, Options& options) { options.width = whole(value, 1, kMaxSide); },
     [](Json& value, const Options& options) { value = options.width; }},
    {"height", "--size", [](const Json& value, Options& options) { options.height = whole(value, 1, kMaxSide); },
     [](Json& value, const Options& options) { value = options.height; }},
    {"vsync", "--vsync", [](const Json& value, Options& options) { options.vsync = truth(value); },
     [](Json& value, const Options& options) { value = options.vsync; }},
    {"overlay", "--overlay", [](const Json& value, Options& options) { options.overlay = truth(value); },
     [](Json& value, const Options& options) { value = options.overlay; }},
    {"speed", nullptr,
     [](const Json& value, Options& options) {
       options.speed = static_cast<float>(number(value, kMinSpeed, kMaxSpeed));
     },
     [](Json& value, const Options& options) { value = options.speed; }},
    {"order", "--order", [](const Json& value, Options& options) { options.order = order(value); },
     [](Json& value, const Options& options) { value = options.order == SLU_ORDER_STABLE ? "stable" : "unordered"; }},
    {"transforms", "--transforms",
     [](const Json& value, Options& options) { options.hasMatrices = hasMatrices(value); },
     [](Json& value, const Options& options) { value = transformsName(options.hasMatrices); }},
    {"cull", "--cull", [](const Json& value, Options& options) { options.plan.tests = tests(value); }, writeTests},
    {"lods", "--lods",
     [](const Json& value, Options& options) { options.plan.lodCount = whole(value, 1, SLU_MAX_LODS); },
     [](Json& value, const Options& options) { value = options.plan.lodCount; }},
    {"oneMesh", "--one-mesh", [](const Json& value, Options& options) { options.plan.isOneMesh = truth(value); },
     [](Json& value, const Options& options) { value = options.plan.isOneMesh; }},
    {"placement", "--placement", [](const Json& value, Options& options) { options.plan.isPacked = isPacked(value); },
     [](Json& value, const Options& options) { value = placementName(options.plan.isPacked); }},
    {"groups", "--groups", [](const Json& value, Options& options) { options.plan.hasGroups = truth(value); },
     [](Json& value, const Options& options) { value = options.plan.hasGroups; }},
    {"capacityScale", "--capacity-scale",
     [](const Json& value, Options& options) { options.capacityScale = number(value, 0.0, 1.0); },
     [](Json& value, const Options& options) { value = options.capacityScale; }},
};

// Returns the value of an environment variable if it is an absolute path. Other values must be ignored (XDG Base
// Directory Specification).
std::filesystem::path folderIn(const char* variable) {
  const char* value = std::getenv(variable);
  const std::filesystem::path folder = value ? value : "";
  return folder.is_absolute() ? folder : std::filesystem::path();
}

// Reads all or throws.
Options withSettings(const Json& json, const std::function<bool(const char*)>& isGiven, Options options) {
  if (!json.is_object()) failInput("it holds no object");
  for (const Setting& setting : kSettings) {
    const auto value = json.find(setting.name);
    if (value == json.end() || (setting.option && isGiven(setting.option))) continue;
    try {
      setting.read(*value, options);
    } catch (const Failure& failure) {
      failInput(setting.name, ' ', failure.what());
    }
  }
  return options;
}

}  // namespace

std::filesystem::path settingsFile() {
#ifdef _WIN32
  const std::filesystem::path folder = folderIn("APPDATA");
#else
  std::filesystem::path folder = folderIn("XDG_CONFIG_HOME");
  if (folder.empty() && !folderIn("HOME").empty()) folder = folderIn("HOME") / ".config";
#endif
  return folder.empty() ? folder : folder / "sluice-demo" / "settings.json";
}

std::string readSettings(const std::filesystem::path& file, const std::function<bool(const char*)>& isGiven,
                         Options& options) {
  std::error_code error;
  if (file.empty() || (!std::filesystem::exists(file, error) && !error)) return "";
  try {
    if (!std::filesystem::is_regular_file(file, error)) failInput("it cannot be read");
    std::ifstream stream(file, std::ios::binary);
    if (!stream) failInput("it cannot be read");
    options = withSettings(Json::parse(stream), isGiven, options);
  } catch (const Json::exception&) {
    return sentence("settings file ", file.string(), " holds no JSON: the defaults are taken");
  } catch (const Failure& failure) {
    return sentence("settings file ", file.string(), ": ", failure.what(), ": the defaults are taken");
  }
  return "";
}

std::string writeSettings(const std::filesystem::path& file, const Options& options) {
  if (file.empty()) return "";
  Json json;
  for (const Setting& setting : kSettings) setting.write(json[setting.name], options);

  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  // The name is random, so that two viewers that end at once do not write into the same file.
  std::filesystem::path unfinished = file;
  unfinished += sentence('.', std::random_device()());
  std::ofstream stream(unfinished, std::ios::binary);
  stream << json.dump(2) << '\n';
  stream.close();
  if (stream) std::filesystem::rename(unfinished, file, error);
  if (stream && !error) return "";
  std::error_code ignored;
  std::filesystem::remove(unfinished, ignored);
  return sentence("settings file ", file.string(), " cannot be written: the settings are not kept");
}

}  // namespace demo
