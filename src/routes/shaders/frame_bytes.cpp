#include "routes/shaders/frame_bytes.h"

#include <cstring>

#include "plan/kept_lists.h"

namespace slu {

std::uint64_t frameBytes(const PlanLayout& layout, std::uint32_t viewCount, bool bindsAllViews) {
  return streamOffset(layout, viewCount, bindsAllViews, static_cast<std::uint32_t>(layout.streams.size()));
}

std::uint64_t streamOffset(const PlanLayout& layout, std::uint32_t viewCount, bool bindsAllViews,
                           std::uint32_t stream) {
  const std::uint64_t bytes = std::uint64_t{SLU_FRAME_BYTES} * stream;
  if (!layout.needsViews()) return SLU_FRAME_BYTES + bytes;
  return (bindsAllViews && viewCount > 1 ? SLU_FRAME_BYTES + kAllViewBytes : viewOffset(viewCount)) + bytes;
}

FramePart streamPart(FramePart part, const SluStream& stream, const StreamBinding& binding) {
  part.records = binding.input.address;
  part.keptRecords = binding.output.address;
  part.copyWords = unitWords(stream, binding);
  part.streamInputWords = stream.inputStride / 4;
  part.streamOutputWords = stream.outputStride / 4;
  return part;
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
    if (block.morePlanes != 0) {
      std::memcpy(slot + sizeof(block), frame.views[block.morePlanes].planes, sizeof(block.planes));
    }
    if (sluReadsVisible(frame.occlusionPhase)) {
      std::memcpy(slot + kOcclusionOffset, &frame.occlusion[view], sizeof(SluOcclusionBlock));
    }
  }
}

}  // namespace slu
