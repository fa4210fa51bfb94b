// Looks into a frame: adds commands at some points of it, and entries to its report. A renderer needs none of this.
#pragma once

#include "frame/compaction.h"
#include "frame/presenter.h"

namespace demo {

// slot is the frame's, below kFramesInFlight.
class FrameInspector {
 public:
  virtual ~FrameInspector() = default;

  // Returns whether it reads what the next frame overwrites, so that only one frame may be in flight.
  virtual bool needsFramesAlone() const = 0;

  // Comes before the frame is recorded. views and steps are what the compaction gets.
  virtual void begin(uint32_t slot, const FrameRequest& request, const FrameConstants& render,
                     std::span<const SluView> views, std::span<const CompactionStep> steps) = 0;
  // Comes after the last step of the compaction, outside a render pass.
  virtual void recordTests(VkCommandBuffer commands, uint32_t slot) = 0;
  // Comes last in the renderer's scene pass.
  virtual void drawInScene(VkCommandBuffer commands, uint32_t slot, VkDeviceAddress frameConstants) const = 0;
  // Comes after the draws, outside a render pass, while the compaction's outputs are still there.
  virtual void recordPick(VkCommandBuffer commands, uint32_t slot, VkDeviceAddress frameConstants,
                          const Kept& kept) const = 0;
  // Comes with the copies of the frame's results. A barrier that follows makes them visible to the host.
  virtual void recordCopies(VkCommandBuffer commands, uint32_t slot) const = 0;
  // Comes after the slot's frame has completed.
  virtual void report(uint32_t slot, FrameReport& report) = 0;
};

}  // namespace demo
