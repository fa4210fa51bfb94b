// Checks that structs have no hidden padding.
#include <cstddef>

#include "plan/layout.h"

namespace slu {

static_assert(sizeof(SluViewBlock) == 160);
static_assert(offsetof(SluViewBlock, planes) == 0);
static_assert(offsetof(SluViewBlock, eyeX) == 96);
static_assert(offsetof(SluViewBlock, eyeY) == 100);
static_assert(offsetof(SluViewBlock, eyeZ) == 104);
static_assert(offsetof(SluViewBlock, minDistance2) == 108);
static_assert(offsetof(SluViewBlock, maxDistance2) == 112);
static_assert(offsetof(SluViewBlock, minSizeRatio2) == 116);
static_assert(offsetof(SluViewBlock, lodDistance2) == 120);
static_assert(offsetof(SluViewBlock, padding0) == 148);

static_assert(sizeof(BoundsBlock) == 32);
static_assert(offsetof(BoundsBlock, boundsOffset) == 0);
static_assert(offsetof(BoundsBlock, boundsStride) == 4);
static_assert(offsetof(BoundsBlock, transformStride) == 8);
static_assert(offsetof(BoundsBlock, positionOffset) == 12);
static_assert(offsetof(BoundsBlock, scaleOffset) == 16);
static_assert(offsetof(BoundsBlock, rotationOffset) == 20);
static_assert(offsetof(BoundsBlock, matrixOffset) == 24);
static_assert(offsetof(BoundsBlock, padding0) == 28);

static_assert(sizeof(BucketBlock) == 32);
static_assert(offsetof(BucketBlock, capacity) == 0);
static_assert(offsetof(BucketBlock, firstOutput) == 4);
static_assert(offsetof(BucketBlock, command) == 8);
static_assert(sizeof(BucketBlock::command) == SLU_COMMAND_WORDS * 4);

static_assert(sizeof(DrawBlock) == 32);
static_assert(offsetof(DrawBlock, wordCount) == 0);
static_assert(offsetof(DrawBlock, stride) == 4);
static_assert(offsetof(DrawBlock, countWord) == 8);
static_assert(offsetof(DrawBlock, firstWord) == 12);
static_assert(offsetof(DrawBlock, scaleWord) == 16);
static_assert(offsetof(DrawBlock, skipEmpty) == 20);
static_assert(offsetof(DrawBlock, padding0) == 24);

static_assert(sizeof(SluStatistics) == 64);
static_assert(offsetof(SluStatistics, inputCount) == 0);
static_assert(offsetof(SluStatistics, demandedCount) == 4);
static_assert(offsetof(SluStatistics, keptCount) == 8);
static_assert(offsetof(SluStatistics, drawCount) == 12);
static_assert(offsetof(SluStatistics, overflow) == 16);
static_assert(offsetof(SluStatistics, rejectedCount) == 20);
static_assert(offsetof(SluStatistics, reserved) == 44);
static_assert(sizeof(SluBucketCount) == 8);
static_assert(sizeof(SluBucket) == 24);
static_assert(sizeof(SluView) == 148);

// Padding at the end of a struct would hide a new field: the size tells the versions of a struct apart.
static_assert(sizeof(SluPlanProperties) == offsetof(SluPlanProperties, transientBytes) + 8);
static_assert(sizeof(SluPlanCreateInfo) == offsetof(SluPlanCreateInfo, reserved) + 4);
static_assert(sizeof(SluFrameInfo) == offsetof(SluFrameInfo, transient) + sizeof(SluBinding));

BoundsBlock PlanLayout::boundsBlock() const {
  const std::uint32_t stride = bounds.source == SLU_BOUNDS_IN_RECORD ? recordStride : bounds.stride;
  return {bounds.offset / 4,
          stride / 4,
          (bounds.transformStride == 0 ? recordStride : bounds.transformStride) / 4,
          bounds.positionOffset / 4,
          bounds.scaleOffset / 4,
          bounds.rotationOffset / 4,
          bounds.matrixOffset / 4,
          0};
}

bool PlanLayout::readsRecords() const {
  const bool byLiveTest = live.test != SLU_LIVE_ALWAYS;
  const bool byBounds = bounds.source == SLU_BOUNDS_IN_RECORD || transformsAreInRecords();
  return byLiveTest || byBounds || key.keyCount > 1 || (outputs & SLU_OUTPUT_RECORDS_BIT) != 0;
}

}  // namespace slu
