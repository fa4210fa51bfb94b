// Renders a picture: a multisampled scene pass in linear light, its resolve, and the finished 8-bit image.
#pragma once

#include "render/post_process.h"
#include "vulkan/resources.h"

namespace demo {

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
            .renderPass = renderPass_,
            .samples = samples_};
  }

  // The scene draws between these two.
  void beginScene(VkCommandBuffer commands) const;
  void endScene(VkCommandBuffer commands) const;

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
  void createRenderPass(const Device& device);

  VkExtent2D extent_;
  VkSampleCountFlagBits samples_;
  Image color_;  // multisampled; absent with one sample
  Image depth_;
  Image resolved_;
  UniqueRenderPass renderPass_;
  UniqueFramebuffer framebuffer_;
  PostProcess post_;
};

}  // namespace demo
