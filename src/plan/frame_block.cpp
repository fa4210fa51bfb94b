#include "plan/frame_block.h"

#include <algorithm>

namespace slu {
namespace {

static_assert(SLU_FRAME_VIEWS == SLU_MAX_VIEWS);
static_assert(sizeof(FramePart) == 10 * 8 + 6 * 4);
static_assert(sizeof(BoundPart) == sizeof(FramePart) + SLU_LODS * 4);
static_assert(sizeof(PushedPart) == 128, "sluice_vulkan.h says so");
static_assert(sizeof(PlanPart) == 6 * 8 + 8 * 4 + sizeof(BoundsBlock) + sizeof(DrawBlock) + 4);
static_assert(sizeof(FrameBlock) == sizeof(FramePart) + sizeof(PlanPart) + SLU_FRAME_VIEWS * sizeof(ViewBlock));

// One workgroup takes a chunk, so enough to fill a GPU, yet so few that the scan of their counts is short and their
// counters stay below 16 MiB.
constexpr std::uint32_t kMaxChunks = SLU_MAX_CHUNKS;
constexpr std::uint32_t kMinChunks = 64;
constexpr std::uint32_t kMaxChunkCounters = 1u << 22;

// Whether what the live test reads lies at multiples of the width of its vector loads.
bool wideLive(const PlanLayout& layout, const FrameBlock& block) {
  if (layout.readsFlags()) return block.flags % 16 == 0;
  const bool wideStride = layout.recordStride % 16 == 0 || layout.recordStride == 4;
  return wideStride && (block.records + layout.live.offset) % 16 == 0;
}

bool wideSpheres(const FrameBlock& block) {
  return (block.spheres / 4 + block.bounds.sphereOffset) % 4 == 0 && block.bounds.sphereStride % 4 == 0;
}

// The widest unit, in words, in which records can be copied.
std::uint32_t copyWords(const PlanLayout& layout, const FrameBlock& block) {
  const std::uint64_t bits = block.records | block.keptRecords | layout.recordStride;
  return bits % 16 == 0 ? 4 : bits % 8 == 0 ? 2 : 1;
}

}  // namespace

void fillPlanPart(FrameBlock& block, const PlanLayout& layout) {
  block.bucketCount = layout.bucketCount();
  block.outputsPerView = layout.outputsPerView;
  block.liveOffset = layout.live.offset / 4;
  block.liveWords = layout.live.size / 4;
  block.keyOffset = layout.key.offset / 4;
  block.keyShift = layout.key.shift;
  block.keyMask = layout.keyMask();
  block.keyCount = layout.key.keyCount;
  block.bounds = layout.boundsBlock();
  block.draw = layout.draw;
}

void fillFramePart(FrameBlock& block, const PlanLayout& layout, const Frame& frame, std::uint64_t records) {
  block.records = records;
  block.spheres = layout.bounds.source == SLU_SPHERE_IN_RECORD ? records : frame.spheres.address;
  block.flags = frame.flags.address;
  block.liveCount = frame.liveCount.address;
  block.indices = frame.indices.address;
  block.keptRecords = frame.keptRecords.address;
  block.draws = frame.draws.address;
  block.drawCounts = frame.drawCounts.address;
  block.statistics = frame.statistics.address;
  block.bucketCounts = frame.bucketCounts.address;
  block.recordCount = frame.recordCount;
  block.wideLive = wideLive(layout, block);
  block.wideSpheres = wideSpheres(block);
  block.copyWords = copyWords(layout, block);
  if (layout.needsViews()) std::copy_n(frame.views.begin(), frame.viewCount, block.views);
}

std::uint32_t maxChunkCount(const PlanLayout& layout, std::uint32_t tileRecords) {
  const std::uint32_t segments = layout.maxViewCount * layout.bucketCount();
  const std::uint32_t affordable = std::clamp(kMaxChunkCounters / segments, kMinChunks, kMaxChunks);
  return std::min(divideUp(layout.maxRecordCount, tileRecords), affordable);
}

}  // namespace slu
