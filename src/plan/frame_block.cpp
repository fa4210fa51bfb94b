#include "plan/frame_block.h"

#include <algorithm>
#include <cstddef>

#include "plan/extents.h"

namespace slu {
namespace {

static_assert(SLU_FRAME_VIEWS == SLU_MAX_VIEWS);
static_assert(sizeof(FramePart) == 19 * 8 + 20 * 4);
static_assert(sizeof(PlanPart) ==
              8 * 8 + sizeof(DrawBlock) + sizeof(BoundsBlock) + sizeof(MeshBlock) + sizeof(GroupBlock) + 20 * 4);
static_assert(offsetof(PlanPart, draw) % 16 == 0 && offsetof(PlanPart, boundsLayout) % 16 == 0, "as std140 has them");
static_assert(sizeof(FrameBlock) == sizeof(FramePart) + sizeof(PlanPart) + SLU_FRAME_VIEWS * sizeof(SluViewBlock));
static_assert(40 * 8 + 128 <= SLU_STATE_OFFSET, "what its comment says");
static_assert(SLU_STATE_OFFSET + SLU_MAX_PREDICATE_STATE <= SLU_FRAME_BYTES && SLU_STATE_OFFSET % 16 == 0);
static_assert(sizeof(FramePart) <= SLU_STATE_OFFSET);
static_assert(sizeof(SluViewBlock) + sizeof(SluViewBlock::planes) + sizeof(SluOcclusionBlock) + SLU_VIEW_PADDING * 4 ==
              SLU_VIEW_BYTES);
static_assert(SLU_FRAME_VIEWS == 1 << SLU_FRAME_VIEW_BITS);

// One workgroup takes a chunk. There must be enough chunks to fill a GPU, but few enough to keep the scan of their
// counts short and their counters below 16 MiB.
constexpr std::uint32_t kMaxChunks = SLU_MAX_CHUNKS;
constexpr std::uint32_t kMinChunks = 64;
constexpr std::uint32_t kMaxChunkCounters = 1u << 22;

// Returns whether the live test can use vector loads: the words that it reads are aligned to 16 bytes.
bool wideLive(const PlanLayout& layout, const FramePart& part) {
  const bool wideStride = layout.recordStride % 16 == 0 || layout.recordStride == 4;
  return wideStride && (part.records + layout.live.offset) % 16 == 0;
}

bool wideBounds(const PlanLayout& layout, const FramePart& part) {
  const BoundsBlock bounds = layout.boundsBlock();
  return (part.bounds / 4 + bounds.boundsOffset) % 4 == 0 && bounds.boundsStride % 4 == 0;
}

bool wideMatrices(const PlanLayout& layout, const FramePart& part) {
  const BoundsBlock bounds = layout.boundsBlock();
  return (part.transforms / 4 + bounds.matrixOffset) % 4 == 0 && bounds.transformStride % 4 == 0;
}

// Returns the widest unit, in words, in which records can be copied.
std::uint32_t copyWords(const PlanLayout& layout, const FramePart& part) {
  const std::uint64_t bits = part.records | part.keptRecords | layout.recordStride;
  return bits % 16 == 0 ? 4 : bits % 8 == 0 ? 2 : 1;
}

}  // namespace

void fillPlanPart(PlanPart& part, const PlanLayout& layout) {
  part.bucketCount = layout.bucketCount();
  part.outputsPerView = layout.outputsPerView;
  part.liveOffset = layout.live.offset / 4;
  part.liveWords = layout.live.size / 4;
  part.liveMask = layout.liveMask;
  part.liveValue = layout.liveValue;
  part.keyOffset = layout.key.offset / 4;
  part.keyShift = layout.key.shift;
  part.keyMask = layout.keyMask();
  part.keyCount = layout.key.keyCount;
  part.boundsLayout = layout.boundsBlock();
  part.meshLayout = layout.meshBlock();
  part.layerStride = layout.layerStride() / 4;
  part.boundsIndexOffset = layout.indices.boundsOffset / 4;
  part.transformIndexOffset = layout.indices.transformOffset / 4;
  part.layersIndexOffset = layout.indices.layersOffset / 4;
  part.mirroredFirst = layout.mirroredFirst();
  part.draw = layout.draw;
  part.groups = layout.groups;
  part.zeroCommandCount = layout.zeroCommandCount;
  part.neverOccludeMask = layout.neverOccludeMask();
  part.coneOffset = layout.cones.offset / 4;
  part.sparseBucketCount = layout.isSparse() ? layout.ownBucketCount() : 0;
}

FramePart makeFramePart(const PlanLayout& layout, const Frame& frame, std::uint64_t records) {
  FramePart part{};
  part.records = records;
  part.bounds = layout.bounds.source == SLU_BOUNDS_IN_RECORD ? records
                : layout.bounds.source == SLU_BOUNDS_IN_MESH ? frame.meshes.address
                                                             : frame.bounds.address;
  part.transforms = layout.readsTransforms() ? frame.transforms.address : records;
  if (layout.hasLayers()) {
    part.layers = (layout.layersAreInRecords() ? records : frame.layers.address) + layout.layers.offset;
  }
  part.flags = frame.flags.address;
  part.liveCount = frame.liveCount.address;
  part.indices = frame.indices.address;
  part.keptRecords = frame.keptRecords.address;
  part.draws = frame.draws.address;
  part.drawCounts = frame.drawCounts.address;
  part.statistics = frame.statistics.address;
  part.bucketCounts = frame.bucketCounts.address;
  part.meshes = frame.meshes.address;
  part.liveMeshCount = frame.liveMeshCount.address;
  part.recordCount = frame.recordCount;
  part.viewCount = frame.viewCount;
  part.meshCount = frame.meshCount;
  part.boundsCount = frame.boundsCount;
  part.transformCount = frame.transformCount;
  part.layerCount = frame.layerCount;
  if (layout.keepsLodStates()) {
    part.lastLodStates = frame.lastLodStates.address;
    part.lodStates = frame.lodStates.address;
    part.lodStateStride = layout.maxRecordCount;
    part.lodFadeStep = frame.lodFadeStep;
    part.lodLeast2 = frame.lodLeast2;
    part.lodMost2 = frame.lodMost2;
  }
  if (layout.testsOcclusion()) {
    part.occlusionPhase = frame.occlusionPhase;
    part.lastVisible = frame.lastVisible.address;
    part.visible = frame.visible.address;
    part.pyramid = frame.pyramid.address;
    part.visibleStride = visibleStride(layout);
  }
  part.wideLive = wideLive(layout, part);
  part.wideFlags = part.flags % 16 == 0;
  part.wideBounds = wideBounds(layout, part);
  part.wideMatrices = wideMatrices(layout, part);
  part.copyWords = copyWords(layout, part);
  return part;
}

std::uint32_t maxChunkCount(const PlanLayout& layout, std::uint32_t tileRecords) {
  const std::uint32_t segments = layout.maxViewCount * layout.bucketCount();
  const std::uint32_t affordable = std::clamp(kMaxChunkCounters / segments, kMinChunks, kMaxChunks);
  return std::min(divideUp(layout.maxRecordCount, tileRecords), affordable);
}

std::uint64_t bytesOfView(const PlanLayout& layout, const Frame& frame) {
  return std::uint64_t{frame.recordCount} * layout.culledBytes();
}

}  // namespace slu
