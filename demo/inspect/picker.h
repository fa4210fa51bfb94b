// Finds the instance at a pixel: draws the scene once more, into a picture of that pixel alone, where each instance
// writes its number.
#pragma once

#include <array>
#include <functional>

#include "frame/presenter.h"
#include "vulkan/pipelines.h"
#include "vulkan/resources.h"

namespace demo {

// Makes the pipeline of Scene::drawForPicking. It writes the record's index in the input and its place in the kept
// indices, with one sample and reversed depth. info has the layout, the topology, and a vertex shader for picks with
// its attributes.
UniquePipeline createPickPipeline(const Device& device, GraphicsPipelineInfo info, const std::string& name);

class Picker {
 public:
  explicit Picker(const Device& device);

  // Comes outside a render pass. draw is called inside the picker's pass, and draws for a picture of the extent.
  void record(VkCommandBuffer commands, uint32_t slot, glm::uvec2 pixel, VkExtent2D extent,
              const std::function<void()>& draw) const;

  // Comes after the slot's frame has completed. Returns nothing when no instance is at the pixel.
  std::optional<PickedRecord> read(uint32_t slot) const;

 private:
  UniqueRenderPass pass_;
  Image records_, depth_;
  UniqueFramebuffer framebuffer_;
  std::array<Buffer, kFramesInFlight> results_;
};

}  // namespace demo
