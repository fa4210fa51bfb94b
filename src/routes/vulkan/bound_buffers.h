// What plans bind where shaders do not reach buffers by their addresses: descriptor set 2.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "base/vulkan_memory.h"
#include "plan/layout.h"
#include "routes/vulkan/rebinding.h"
#include "routes/vulkan_host/vulkan_buffer.h"
#include "shaders/shared/frame.h"

namespace slu {

class Pipelines;
class BoundBuffers;

// Tells the plans of a route that a buffer goes. Plans may be recorded by other threads meanwhile.
class BufferWatch {
 public:
  void add(BoundBuffers& plan) { plans_.push_back(&plan); }
  void remove(BoundBuffers& plan);
  void forget(const VulkanBuffer& buffer);

 private:
  std::vector<BoundBuffers*> plans_;
};

// Of a plan. With VK_KHR_push_descriptor each frame pushes its descriptors. Otherwise there is a descriptor set per
// combination of buffers, which is written when the combination comes for the first time, and again only when one of its
// buffers has been destroyed, whose frames have completed.
class BoundBuffers {
 public:
  // staging: of plans that copy their input, else empty. setCount: of combinations of buffers, where sets are kept. All
  // that is passed outlives this.
  BoundBuffers(const Device& device, Pipelines& pipelines, const PlanLayout& layout, const BindingMap& map,
               const DeviceBuffer& scratch, const DeviceBuffer& staging, BufferWatch& watch, std::uint32_t setCount);
  ~BoundBuffers();
  BoundBuffers(const BoundBuffers&) = delete;
  BoundBuffers& operator=(const BoundBuffers&) = delete;

  // What one frame binds.
  class Bound {
   private:
    friend BoundBuffers;
    struct Slot {
      const VulkanBuffer* buffer = nullptr;  // null: of the plan's own
      VkDescriptorBufferInfo range{};
    };
    std::array<Slot, SLU_BINDING_COUNT> slots_;
    VkDescriptorSet set_ = VK_NULL_HANDLE;  // null: it is pushed
  };

  // Writes places into part, which has offsets. Throws, naming the binding, if a frame brings more than can be bound.
  Bound place(const Frame& frame, FramePart& part);
  // The same of the dispatch that copies a further stream, whose map is that of mapStreamBindings. part: the stream's.
  Bound placeStream(const Frame& frame, std::uint32_t stream, FramePart& part);
  void bind(VkCommandBuffer commands, VkPipelineLayout layout, const Bound& bound) const;

  void forget(const VulkanBuffer& buffer);

 private:
  struct Set {
    VkDescriptorSet handle;
    bool isUsed = false;
    std::array<Bound::Slot, SLU_BINDING_COUNT> slots{};
  };

  struct Range {
    VkBuffer buffer;
    std::uint64_t size;
  };
  // A buffer of the frame's.
  struct Given {
    std::uint32_t number;
    const char* field;
    const Binding* binding;
    SLU_ADDRESS FramePart::*place;
  };
  Bound placeBuffers(std::span<const Given> buffers, FramePart& part) const;
  std::uint64_t put(const Range& range, const Binding& binding, const char* field, Bound::Slot& slot) const;
  VkDescriptorSet findSet(const std::array<Bound::Slot, SLU_BINDING_COUNT>& slots);
  VkWriteDescriptorSet writeOf(VkDescriptorSet set,
                               const std::array<VkDescriptorBufferInfo, SLU_BINDING_COUNT>& ranges) const;
  std::array<VkDescriptorBufferInfo, SLU_BINDING_COUNT> rangesOf(
      const std::array<Bound::Slot, SLU_BINDING_COUNT>& slots) const;

  const Device& device_;
  const BindingMap map_;
  const PlanLayout& layout_;
  const DeviceBuffer& scratch_;
  const DeviceBuffer& staging_;
  BufferWatch& watch_;
  const std::uint64_t mostBytes_;
  const std::uint64_t alignment_;
  OwnedDescriptorPool pool_;
  std::mutex mutex_;       // of sets_
  std::vector<Set> sets_;  // none where descriptors are pushed
};

}  // namespace slu
