// Draws Dear ImGui's lists over the finished picture. The packaged Vulkan backend of Dear ImGui cannot do that: it
// calls the loader's functions by their names, and volk has variables of these names.
#pragma once

#include <array>

#include "frame/presenter.h"
#include "render/renderer.h"
#include "vulkan/pipelines.h"
#include "vulkan/texture_set.h"

struct ImDrawData;

namespace demo {

class OverlayRenderer {
 public:
  // Takes the font texture of the current context of Dear ImGui.
  explicit OverlayRenderer(const Device& device);

  // Sets the picture that is drawn over from now on. Nothing may be in flight.
  void setTarget(const Renderer& renderer);

  // Compute shaders must have written the picture. Transfers may read it afterwards.
  void record(VkCommandBuffer commands, uint32_t slot, const ImDrawData& data);

 private:
  struct Geometry {
    Buffer vertices, indices;
  };

  void createRenderPass();
  void createFont();
  void createPipeline();
  void fill(Geometry& geometry, const ImDrawData& data) const;
  void drawLists(VkCommandBuffer commands, const ImDrawData& data) const;

  const Device& device_;
  UniqueRenderPass renderPass_;
  Image font_;
  UniqueSampler sampler_;
  TextureSet set_;
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_;
  UniqueFramebuffer framebuffer_;
  VkExtent2D extent_ = {};
  std::array<Geometry, kFramesInFlight> geometry_;
};

}  // namespace demo
