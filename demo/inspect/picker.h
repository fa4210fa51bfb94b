// Which instance is seen at a pixel: the scene drawn once more into a picture of that pixel alone, in which each
// instance leaves its number.
#pragma once

#include <array>
#include <functional>

#include "frame/presenter.h"
#include "vulkan/pipelines.h"
#include "vulkan/resources.h"

namespace demo {

// What Scene::drawForPicking draws with: one sample, reversed depth, and for the pixel the record's index in the input
// and its place in the kept indices. info: layout, topology, and a vertex shader for picks with its attributes.
UniquePipeline createPickPipeline(const Device& device, GraphicsPipelineInfo info, const std::string& name);

class Picker {
 public:
  explicit Picker(const Device& device);

  // Outside a render pass. draw records inside the pass what fills a picture of the extent.
  void record(VkCommandBuffer commands, uint32_t slot, glm::uvec2 pixel, VkExtent2D extent,
              const std::function<void()>& draw) const;

  // After the slot's frame has come back. Nothing: no instance is seen there.
  std::optional<PickedRecord> read(uint32_t slot) const;

 private:
  UniqueRenderPass pass_;
  Image records_, depth_;
  UniqueFramebuffer framebuffer_;
  std::array<Buffer, kFramesInFlight> results_;
};

}  // namespace demo
