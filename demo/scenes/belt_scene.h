// The base of the scenes of the asteroid belt. It has the camera's path, the backdrop and the meshes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "render/mesh_library.h"
#include "scenes/backdrop.h"
#include "scenes/belt.h"
#include "scenes/scenes.h"

namespace demo {

class BeltScene : public Scene {
 public:
  Camera camera(float place) const override;
  SluView view(const Camera& camera, const FrameConstants& constants) const override;
  void drawBackdrop(VkCommandBuffer commands, VkDeviceAddress frameConstants) const override {
    backdrop_.draw(commands, frameConstants);
  }

 protected:
  struct Push {
    VkDeviceAddress frame, instances, indices;
  };
  static constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

  // Reads the meshes. Throws Failure (Cause::BadInput) if that fails.
  explicit BeltScene(const SceneInfo& info);

  const Device& device_;
  MeshLibrary meshes_;            // until the instances take it
  std::vector<BeltMesh> shares_;  // of the meshes
  std::string modelNote_;

 private:
  void addOwnModels(const std::filesystem::path& folder);
  // Adds the model as one piece, and its parts as debris around it.
  void addModel(const std::filesystem::path& file);
  void addMesh(std::span<TriangleMesh> versions, BeltMesh share);

  bool hasClusters_;
  Backdrop backdrop_;
};

}  // namespace demo
