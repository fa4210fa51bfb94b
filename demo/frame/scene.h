// What the frame loop knows about a scene: what it wants compacted, how it changes, and how it draws what was kept.
#pragma once

#include <memory>
#include <string>

#include "frame/compaction.h"
#include "render/camera.h"
#include "render/renderer.h"

namespace demo {

class Scene {
 public:
  virtual ~Scene() = default;

  virtual const CompactionRequest& compaction() const = 0;
  virtual std::string description() const = 0;

  // The camera at a place of its path, 0 to 1.
  virtual Camera camera(float place) const = 0;
  // Adds what only the scene knows.
  virtual void completeConstants(FrameConstants&) const {}
  virtual SluView view(const Camera& camera, const FrameConstants& constants) const = 0;

  // Changes the records by commands; the caller orders them after earlier readers and before later ones.
  virtual bool simulates() const { return false; }
  virtual void simulate(VkCommandBuffer, VkDeviceAddress /*frameConstants*/) const {}

  // On the CUDA route instead: in CUDA's default stream, while CUDA has the compaction's buffers.
  virtual bool simulatesInCuda() const { return false; }
  virtual void simulateInCuda(const Compaction&, float /*time*/) const {}

  // What of the inputs is not as the simulation leaves them at that time, a sentence each; or nothing. inputs: host
  // copies.
  virtual std::vector<std::string> checkSimulation(const PerChannel<std::span<std::byte>>& /*inputs*/,
                                                   float /*time*/) const {
    return {};
  }

  // Inside the renderer's scene pass.
  virtual void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Compaction& kept) const = 0;

  // Inside a pass of createPickPass: what draw draws, by index and place.
  virtual bool canPick() const { return false; }
  virtual void drawForPicking(VkCommandBuffer, VkDeviceAddress /*frameConstants*/, const Compaction& /*kept*/) const {}
};

}  // namespace demo
