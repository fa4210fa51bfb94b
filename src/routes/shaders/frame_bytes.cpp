#include "routes/shaders/frame_bytes.h"

#include <cstring>

namespace slu {

std::uint64_t frameBytes(const PlanLayout& layout, std::uint32_t viewCount, bool bindsAllViews) {
  if (!layout.needsViews()) return SLU_FRAME_BYTES;
  return bindsAllViews && viewCount > 1 ? SLU_FRAME_BYTES + kAllViewBytes : viewOffset(viewCount);
}

void writeFrame(std::byte* bytes, const FramePart& part, const Frame& frame, const PlanLayout& layout) {
  std::memcpy(bytes, &part, sizeof(part));
  if (layout.live.test == SLU_LIVE_CUSTOM) {  // with zeros behind the state
    std::memcpy(bytes + SLU_STATE_OFFSET, frame.predicateState.data(), frame.predicateState.size());
  }
  for (std::uint32_t view = 0; layout.needsViews() && view < frame.viewCount; ++view) {
    const SluViewBlock& block = frame.views[view];
    std::byte* slot = bytes + viewOffset(view);
    std::memcpy(slot, &block, sizeof(block));
    if (block.morePlanes == 0) continue;
    std::memcpy(slot + sizeof(block), frame.views[block.morePlanes].planes, sizeof(block.planes));
  }
}

}  // namespace slu
