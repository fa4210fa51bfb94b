// The frame loop asks a scene what to compact, how its records change, and how to draw what was kept.
#pragma once

#include <memory>
#include <string>

#include "frame/compaction.h"
#include "frame/frame_report.h"
#include "render/camera.h"
#include "render/renderer.h"

namespace demo {

class Scene {
 public:
  virtual ~Scene() = default;

  virtual const CompactionRequest& compaction() const = 0;
  virtual std::string description() const = 0;

  // Returns the camera at a place of the scene's path, 0 to 1.
  virtual Camera camera(float place) const = 0;
  // Adds the constants that only the scene knows.
  virtual void completeConstants(FrameConstants&) const {}
  virtual SluView view(const Camera& camera, const FrameConstants& constants) const = 0;
  // Returns the views of the plan. The first is the camera's; those of shadows follow it.
  virtual std::vector<SluView> views(const Camera& camera, const FrameConstants& constants) const {
    return {view(camera, constants)};
  }

  // Records commands that change the records. The caller orders them after earlier readers and before later ones.
  virtual bool simulates() const { return false; }
  virtual void simulate(VkCommandBuffer, VkDeviceAddress /*frameConstants*/) const {}

  // Does the same on the CUDA route, in CUDA's default stream, while CUDA has the compaction's buffers.
  virtual bool simulatesInCuda() const { return false; }
  virtual void simulateInCuda(const Compaction&, float /*time*/) const {}

  // Records copies that bring in what is near the eye and take out what is far from it, with the barriers around them.
  // No frame in flight has the slot.
  virtual bool streams() const { return false; }
  virtual void stream(VkCommandBuffer, uint32_t /*slot*/, const glm::vec3& /*eye*/) {}
  // Returns what has come and gone until the last stream().
  virtual std::optional<DistrictCounts> districtCounts() const { return std::nullopt; }

  // Returns a sentence for each difference between the inputs and what the simulation leaves at that time, or what
  // stream() left. inputs are host copies.
  virtual std::vector<std::string> checkSimulation(const PerChannel<std::span<std::byte>>& /*inputs*/,
                                                   float /*time*/) const {
    return {};
  }

  // Records passes that draw the shadows of what the later views kept.
  virtual bool castsShadows() const { return false; }
  virtual void drawShadows(VkCommandBuffer, VkDeviceAddress /*frameConstants*/, const Kept& /*kept*/) const {}

  // Records what lies behind everything, inside the renderer's scene pass, before the draws.
  virtual void drawBackdrop(VkCommandBuffer commands, VkDeviceAddress frameConstants) const = 0;

  // Records draws inside the renderer's scene pass, for each step of a frame.
  virtual void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const = 0;

  // Records draws of everything that a scene of clusters has, as whole meshes, in the order of its records.
  virtual void drawWhole(VkCommandBuffer, VkDeviceAddress /*frameConstants*/) const {}

  // Records the same draws inside the picker's pass, with pipelines that write index and place.
  virtual bool canPick() const { return false; }
  virtual void drawForPicking(VkCommandBuffer, VkDeviceAddress /*frameConstants*/, const Kept& /*kept*/) const {}
};

}  // namespace demo
