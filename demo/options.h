// What the command line asks for.
#pragma once

#include <sluice/sluice.h>

#include <cstdint>
#include <filesystem>
#include <glm/glm.hpp>
#include <optional>
#include <string>

namespace demo {

constexpr uint32_t kMaxInstances = 1 << 24;

enum class SceneKind { Asteroids, Points };
const char* sceneName(SceneKind kind);

struct Options {
  bool headless = false;
  bool window = false;
  SceneKind scene = SceneKind::Asteroids;
  std::filesystem::path model;   // empty: the scene's own models
  std::filesystem::path models;  // folder of the scene's own models
  uint32_t instanceCount = 0;    // 0: what suits the device
  uint32_t frameCount = 16;      // window: 0 for no end
  uint32_t width = 1280;
  uint32_t height = 720;
  SluRoute route = SLU_ROUTE_AUTO;
  SluOrder order = SLU_ORDER_UNORDERED;
  std::string device;  // index or part of the name; empty: the best one
  double capacityScale = 1.0;
  bool drawCount = true;  // use vkCmdDrawIndexedIndirectCount where the device has it
  bool verify = false;
  bool validation = false;
  bool listDevices = false;
  bool quiet = false;
  std::filesystem::path out = "out";  // empty: no pictures
  bool finalPicture = false;          // window: of the last frame
  bool vsync = true;
  bool overlay = true;
  bool ghosts = false;
  bool inset = false;
  std::optional<float> frozenPlace;  // of the path: what is culled is culled for the camera there
  std::optional<glm::uvec2> pick;    // headless: name the instance at this pixel
  std::filesystem::path stats;       // empty: no file
};

// Reads the command line. An empty result means that --help or --version was asked for and answered. Throws Failure
// (ExitCode::BadInput) with a sentence that names the option.
std::optional<Options> parseOptions(int argumentCount, char** arguments);

}  // namespace demo
