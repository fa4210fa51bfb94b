// Renders a picture: a multisampled scene pass in linear light, its resolve, and the finished 8-bit image.
#pragma once

#include <array>

#include "render/post_process.h"
#include "vulkan/resources.h"

namespace demo {

// What is drawn between beginScene() and endScene(). All but Rest begin a picture.
enum class ScenePart {
  Whole,
  WholeKeepsDepth,
  First,  // of two parts; it keeps color and depth
  Rest
};
constexpr size_t kScenePartCount = 4;

class Renderer {
 public:
  Renderer(const Device& device, VkExtent2D extent);

  VkExtent2D extent() const { return extent_; }

  // Fills in what all pipelines that draw in the scene pass have in common.
  GraphicsPipelineInfo pipelineInfo(const Shader& vertexCode, const Shader& fragmentCode,
                                    VkPipelineLayout layout) const {
    return {.vertexCode = vertexCode,
            .fragmentCode = fragmentCode,
            .layout = layout,
            .renderPass = renderPasses_.front(),
            .samples = samples_};
  }

  // The scene draws between these two.
  void beginScene(VkCommandBuffer commands, ScenePart part = ScenePart::Whole) const;
  void endScene(VkCommandBuffer commands) const;

  // After a part that keeps it, the depth is in VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, and compute shaders see
  // it.
  VkFormat depthFormat() const;
  VkSampleCountFlagBits samples() const { return samples_; }
  VkImageView depthView() const { return depth_.view(); }

  // Records bloom and tone mapping into the 8-bit image.
  void finish(VkCommandBuffer commands) const { post_.record(commands); }

  // The finished image is in VK_IMAGE_LAYOUT_GENERAL. Compute shaders wrote it.
  VkImage picture() const { return post_.image(); }
  VkImageView pictureView() const { return post_.view(); }

  // Copies the finished image into a buffer of pictureBytes(), as RGBA in dense rows. The host sees it afterwards.
  void copyPicture(VkCommandBuffer commands, const Buffer& destination) const;
  uint64_t pictureBytes() const { return uint64_t{4} * extent_.width * extent_.height; }

  // Returns the memory of all images.
  uint64_t bytes() const { return color_.bytes() + depth_.bytes() + resolved_.bytes() + post_.bytes(); }

 private:
  void createRenderPasses(const Device& device);

  VkExtent2D extent_;
  VkSampleCountFlagBits samples_;
  Image color_;  // multisampled; absent with one sample
  Image depth_;
  Image resolved_;
  std::array<UniqueRenderPass, kScenePartCount> renderPasses_;  // which are compatible
  UniqueFramebuffer framebuffer_;
  PostProcess post_;
};

}  // namespace demo
