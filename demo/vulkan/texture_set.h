// A descriptor set of one image with its sampler, at binding 0, for fragment shaders.
#pragma once

#include <string>

#include "vulkan/device.h"

namespace demo {

class TextureSet {
 public:
  TextureSet() = default;
  // Image and sampler must outlive this. layout is the image's when the set is used.
  TextureSet(const Device& device, VkSampler sampler, VkImageView view, VkImageLayout layout, const std::string& name);

  VkDescriptorSetLayout layout() const { return layout_; }
  VkDescriptorSet get() const { return set_; }

 private:
  UniqueDescriptorSetLayout layout_;
  UniqueDescriptorPool pool_;
  VkDescriptorSet set_ = VK_NULL_HANDLE;  // the pool's
};

}  // namespace demo
