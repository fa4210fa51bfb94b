// Writes into buffers that frames in flight read. The host puts the bytes into memory of the frame's own, and the frame
// copies them to their places before it compacts.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "frame/presenter.h"
#include "vulkan/resources.h"

namespace demo {

class FrameWrites {
 public:
  explicit FrameWrites(const Device& device);

  // Has the next frame write the bytes, a multiple of 4 at a multiple of 4. What one frame writes must not overlap.
  void add(const Buffer& target, uint64_t offset, std::span<const std::byte> bytes);

  // Records the copies of all that was added, with the barriers before and after them. No frame in flight has the slot.
  void record(VkCommandBuffer commands, uint32_t slot);

 private:
  struct Copies {
    VkBuffer target;
    std::vector<VkBufferCopy> regions;
  };

  const Device& device_;
  VkPipelineStageFlags readers_;
  std::vector<std::byte> bytes_;  // that were added
  std::vector<Copies> copies_;    // from these bytes, by buffer
  std::array<Buffer, kFramesInFlight> staging_;
};

}  // namespace demo
