// What a frame brings to shaders besides its buffers: FramePart, the state of a predicate, and its views.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plan/layout.h"
#include "shaders/shared/frame.h"

namespace slu {

// Returns where a view lies in it.
constexpr std::uint32_t viewOffset(std::uint32_t view) { return SLU_FRAME_BYTES + view * SLU_VIEW_BYTES; }

// Where a view's SluOcclusionBlock lies, from the view on.
constexpr std::uint32_t kOcclusionOffset = sizeof(SluViewBlock) + sizeof(SluViewBlock::planes);
static_assert(kOcclusionOffset % 16 == 0 && offsetof(SluOcclusionBlock, margin) == 7 * 16, "as std140 has its parts");

constexpr std::uint64_t kAllViewBytes = std::uint64_t{SLU_FRAME_VIEWS} * SLU_VIEW_BYTES;

// Returns its size, with that of further streams: a FramePart each. bindsAllViews: frames of several views may bind all of them at once.
std::uint64_t frameBytes(const PlanLayout& layout, std::uint32_t viewCount, bool bindsAllViews);

// Returns where the data of a further stream lies, behind that of the frame. bindsAllViews: as above.
std::uint64_t streamOffset(const PlanLayout& layout, std::uint32_t viewCount, bool bindsAllViews, std::uint32_t stream);

// Returns the data of a further stream, for buffers by address: that of the frame with the stream as its records. part: the
// frame's.
FramePart streamPart(FramePart part, const SluStream& stream, const StreamBinding& binding);

void writeFrame(std::byte* bytes, const FramePart& part, const Frame& frame, const PlanLayout& layout);

}  // namespace slu
