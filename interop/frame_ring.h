// The frames in flight.
#pragma once

#include <cstdint>

#include "error.h"

namespace slu {

// Frames are numbered from 1, and both timelines reach a frame's number in that frame. A frame's slot picks its command
// buffers, scratch and whatever else one frame must not share with the next.
class FrameRing {
 public:
  struct Frame {
    std::uint32_t slot;
    std::uint64_t value;  // to signal on both timelines
  };

  explicit FrameRing(std::uint32_t slotCount) : slotCount_(slotCount) {
    require(slotCount != 0, "frame ring: needs a slot");
  }

  // completed: the last frame the host knows to have finished, read from a timeline (vkGetSemaphoreCounterValue), not
  // waited for. Throws, and begins nothing, while the slot's last frame is in flight.
  Frame begin(std::uint64_t completed) {
    const std::uint64_t value = begun_ + 1;
    require(completed <= begun_, "frame ring: frame ", completed, " cannot have completed, the last begun is ", begun_);
    require(value <= completed + slotCount_, "frame ring: frame ", value, " needs the slot of frame ",
            value - slotCount_, ", which is in flight; completed is frame ", completed);
    begun_ = value;
    return {static_cast<std::uint32_t>((value - 1) % slotCount_), value};
  }

 private:
  std::uint64_t slotCount_;
  std::uint64_t begun_ = 0;
};

}  // namespace slu
