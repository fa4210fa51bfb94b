// Makes the scenes.
#pragma once

#include <filesystem>

#include "frame/mesh_instances.h"
#include "frame/scene.h"
#include "scenes/scene_kind.h"

namespace demo {

struct SceneInfo {
  const Device& device;
  const Renderer& renderer;
  SluRoute route;  // that compacts the scene's records
  uint32_t instanceCount;
  std::filesystem::path model;   // asteroids: they are made of it; empty: of the scene's own models
  std::filesystem::path models;  // asteroids: folder of the scene's own models
  bool hasMatrices;              // meshes: instead of parts of a transform
  bool drawCount;                // meshes: use vkCmdDrawIndexedIndirectCount where the device has it
  bool mayUseCuda;               // points: simulate in CUDA on the CUDA route
  float residentDistance;        // city: nearer districts are resident
  bool hasClusters;              // asteroids: records are clusters of the instances' meshes
};

// Returns what of the info is about instances of meshes.
MeshInstancesInfo meshInstancesInfo(const SceneInfo& info, std::span<const MeshInstance> instances,
                                    uint32_t viewCount = 1);

std::unique_ptr<Scene> createScene(SceneKind kind, const SceneInfo& info);

std::unique_ptr<Scene> createAsteroids(const SceneInfo& info);
std::unique_ptr<Scene> createAsteroidClusters(const SceneInfo& info);
std::unique_ptr<Scene> createPoints(const SceneInfo& info);
std::unique_ptr<Scene> createPlanes(const SceneInfo& info);
std::unique_ptr<Scene> createCity(const SceneInfo& info);

}  // namespace demo
