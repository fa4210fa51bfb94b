// What a frame's dispatches bind: FramePart and the views. It stays as it is while a command buffer may read it, so it
// lies in memory of the host's, or in slots of the plan's that frames take in turn.
#pragma once

#include <span>

#include "base/vulkan_memory.h"
#include "plan/layout.h"
#include "routes/shaders/frame_bytes.h"
#include "routes/vulkan/bound_buffers.h"
#include "routes/vulkan/pipelines.h"
#include "routes/vulkan_host/vulkan_buffer.h"
#include "shaders/shared/frame.h"

namespace slu {

// A descriptor set with a pool of its own, its bindings 0 and on, which are never written again.
class UniformSet {
 public:
  struct Binding {
    VkDescriptorType type;
    VkDescriptorBufferInfo range;
  };

  UniformSet() = default;
  UniformSet(const Device& device, VkDescriptorSetLayout layout, std::span<const Binding> bindings);

  VkDescriptorSet get() const { return set_; }

 private:
  OwnedDescriptorPool pool_;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
};

// Sets for frames' data in a buffer: FramePart and a view, or all views, both at dynamic offsets.
struct FrameSets {
  UniformSet ofOneView;
  UniformSet ofAllViews;  // none if the buffer is too small for that
};
FrameSets makeFrameSets(const Device& device, VkDescriptorSetLayout layout, VkBuffer buffer, std::uint64_t size);

// A buffer of the host's. Frame data may lie in it if it is mapped, large enough, and may be bound as uniforms.
struct UniformBuffer : VulkanBuffer {
  explicit UniformBuffer(BufferWatch& bufferWatch) : watch(bufferWatch) {}
  ~UniformBuffer() override { watch.forget(*this); }

  BufferWatch& watch;
  std::byte* mapped = nullptr;  // null unless it may
  FrameSets frameSets;
};

class FrameData {
 public:
  enum class Views { one, all };

  // Where the data of one frame is bound.
  struct Place {
    const FrameSets* sets;
    std::uint32_t offset;  // of FramePart
    std::byte* mapped;     // the same
    VkDescriptorSet setOf(Views views) const {
      return views == Views::all ? sets->ofAllViews.get() : sets->ofOneView.get();
    }
    std::uint32_t offsetOf(std::uint32_t view, bool hasViews) const {
      return hasViews ? offset + viewOffset(view) : offset;
    }
  };

  // plan: outlives this. bindsAllViews: frames of several views may bind all of them at once.
  FrameData(const Device& device, VkDescriptorSetLayout layout, const PlanLayout& plan, bool bindsAllViews);

  std::uint64_t slotBytes() const { return slots_.size; }

  // Writes it: into frame.transient, or else the next slot.
  Place write(const FramePart& part, const Frame& frame);

 private:
  const PlanLayout& plan_;
  const std::uint32_t slotCount_;
  const std::uint64_t slotStride_;
  std::uint32_t next_ = 0;
  DeviceBuffer slots_;  // mapped
  FrameSets slotSets_;
};

}  // namespace slu
