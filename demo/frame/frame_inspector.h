// What may look into a frame besides the scene: it adds commands at some points of the frame, and entries to its report.
// The frame loop works without what it does.
#pragma once

#include "frame/compaction.h"
#include "frame/presenter.h"

namespace demo {

// slot: of the frame, below kFramesInFlight.
class FrameInspector {
 public:
  virtual ~FrameInspector() = default;

  // Whether it reads what the next frame overwrites, so that one frame may be in flight.
  virtual bool needsFramesAlone() const = 0;

  // Before the frame is recorded. view: that its compaction gets.
  virtual void begin(uint32_t slot, const FrameRequest& request, const FrameConstants& render, const SluView& view) = 0;
  // After the compaction, outside a render pass.
  virtual void recordTests(VkCommandBuffer commands, uint32_t slot) = 0;
  // Last in the renderer's scene pass.
  virtual void drawInScene(VkCommandBuffer commands, uint32_t slot, VkDeviceAddress frameConstants) const = 0;
  // Outside a render pass, while what was kept is there.
  virtual void recordPick(VkCommandBuffer commands, uint32_t slot, VkDeviceAddress frameConstants,
                          const Compaction& kept) const = 0;
  // Among the copies of the frame's results; a barrier that follows makes them visible to the host.
  virtual void recordCopies(VkCommandBuffer commands) const = 0;
  // After the slot's frame has come back.
  virtual void report(uint32_t slot, FrameReport& report) = 0;
};

}  // namespace demo
