// Holds what the user asks of a run.
#pragma once

#include <sluice/sluice.h>

#include <cstdint>
#include <filesystem>
#include <glm/glm.hpp>
#include <optional>
#include <string>

#include "options/camera_path.h"
#include "options/plan_switches.h"
#include "scenes/scene_kind.h"

namespace demo {

constexpr uint32_t kMaxInstances = 1 << 24;
constexpr uint32_t kMaxSide = 16384;  // of a picture, in pixels

struct Options {
  bool headless = false;
  bool window = false;
  SceneKind scene = SceneKind::Asteroids;
  std::filesystem::path model;             // empty: the scene's own models
  std::filesystem::path models;            // folder of the scene's own models
  uint32_t instanceCount = 0;              // 0: what suits the device
  bool hasMatrices = false;                // instances of meshes have matrices instead of parts of a transform
  bool hasClusters = false;                // asteroids: records are clusters of the instances' meshes
  float residentDistance = kCityDistance;  // city: nearer districts are resident
  uint32_t frameCount = 16;                // window: 0 for no end
  uint32_t width = 1280;
  uint32_t height = 720;
  SluRoute route = SLU_ROUTE_AUTO;
  SluOrder order = SLU_ORDER_UNORDERED;
  SluFlags deviceFlags = 0;  // SluVulkanDeviceFlagBits
  std::string device;        // index or part of the name; empty: the best one
  double capacityScale = 1.0;
  PlanSwitches plan;
  bool drawCount = true;  // use vkCmdDrawIndexedIndirectCount where the device has it
  bool verify = false;
  bool validation = false;
  bool listDevices = false;
  bool quiet = false;
  std::filesystem::path out = "out";                   // empty: no pictures
  bool finalPicture = false;                           // window: of the last frame
  std::filesystem::path shaders = DEMO_SHADER_FOLDER;  // that the window watches; empty: none
  bool vsync = true;
  bool overlay = true;
  float speed = 12.0f;        // window: of flight, units per second
  bool keepsSettings = true;  // window: reads them before and writes them afterwards
  bool ghosts = false;
  bool inset = false;
  std::optional<uint32_t> pyramidLevel;  // that is shown
  // Headless: each frame must be the same picture without occlusion, or without cones and of whole meshes.
  bool compareOcclusion = false, compareClusters = false;
  std::optional<float> frozenPlace;        // of the path: what is culled is culled for the camera there
  std::optional<glm::uvec2> pick;          // headless: name the instance at this pixel
  std::filesystem::path stats;             // empty: no file
  std::filesystem::path benchmark;         // of all routes; empty: a run of one
  std::filesystem::path path;              // of a recorded camera; empty: the scene's own
  std::optional<CameraPath> recordedPath;  // its frames, as many as are asked for
};

// Returns what --transforms calls them.
inline const char* transformsName(bool hasMatrices) { return hasMatrices ? "matrix" : "parts"; }

// Returns the instances that the scene of the options has by default.
uint32_t defaultInstanceCount(const Options& options, bool isCpu);

// Change the scene of the options, or whether asteroids come in clusters. A number of instances that was the default
// becomes the new one.
void chooseScene(Options& options, SceneKind scene, bool isCpu);
void toggleClusters(Options& options, bool isCpu);

}  // namespace demo
