// What may look into a frame besides the scene: it adds commands at some points of the frame, and entries to its report.
// The frame loop works without what it does.
#pragma once

#include <span>

#include "frame/compaction.h"
#include "frame/presenter.h"

namespace demo {

// slot: of the frame, below kFramesInFlight.
class FrameInspector {
 public:
  virtual ~FrameInspector() = default;

  // Before the frame is recorded. view: that its compaction gets.
  virtual void begin(uint32_t slot, const FrameRequest& request, const FrameConstants& render, const SluView& view) = 0;
  // After the compaction, outside a render pass.
  virtual void recordTests(VkCommandBuffer commands, uint32_t slot) = 0;
  // Last in the renderer's scene pass.
  virtual void drawInScene(VkCommandBuffer commands, uint32_t slot, VkDeviceAddress frameConstants) const = 0;
  // Outside a render pass, while what was kept is there.
  virtual void recordPick(VkCommandBuffer commands, uint32_t slot, VkDeviceAddress frameConstants,
                          const Compaction& kept) const = 0;
  // After the slot's frame has come back. copies: of its buffers, when verifying.
  virtual void report(uint32_t slot, const PerChannel<std::span<std::byte>>& copies, FrameReport& report) const = 0;
};

}  // namespace demo
