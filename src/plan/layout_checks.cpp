// That the numbers said twice, for the C ABI and for the kernels, are the same; and that structs have no hidden
// padding.
#include <cstddef>

#include "plan/layout.h"
#include "shaders/shared/limits.h"

namespace slu {

#define SLU_SAME(shared, inApi) static_assert((shared) == static_cast<unsigned>(inApi))

SLU_SAME(SLU_TEST_ALWAYS, SLU_LIVE_ALWAYS);
SLU_SAME(SLU_TEST_NON_EMPTY, SLU_LIVE_NON_EMPTY);
SLU_SAME(SLU_TEST_POSITIVE_INT, SLU_LIVE_POSITIVE_INT);
SLU_SAME(SLU_TEST_POSITIVE_FLOAT, SLU_LIVE_POSITIVE_FLOAT);
SLU_SAME(SLU_TEST_FLAG_BITS, SLU_LIVE_FLAG_BITS);
SLU_SAME(SLU_TEST_FLAG_BYTES, SLU_LIVE_FLAG_BYTES);
SLU_SAME(SLU_TEST_FLAG_WORDS, SLU_LIVE_FLAG_WORDS);

SLU_SAME(SLU_CULLS_DISTANCE, SLU_CULL_DISTANCE_BIT);
SLU_SAME(SLU_CULLS_FRUSTUM, SLU_CULL_FRUSTUM_BIT);
SLU_SAME(SLU_CULLS_SIZE, SLU_CULL_SIZE_BIT);

SLU_SAME(SLU_SPHERES_NONE, SLU_SPHERE_NONE);
SLU_SAME(SLU_SPHERES_IN_RECORD, SLU_SPHERE_IN_RECORD);
SLU_SAME(SLU_SPHERES_PER_RECORD, SLU_SPHERE_PER_RECORD);
SLU_SAME(SLU_SPHERES_PER_KEY, SLU_SPHERE_PER_KEY);

SLU_SAME(SLU_TRANSFORMS_POSITION, SLU_TRANSFORM_POSITION_BIT);
SLU_SAME(SLU_TRANSFORMS_SCALE, SLU_TRANSFORM_SCALE_BIT);
SLU_SAME(SLU_TRANSFORMS_ROTATION, SLU_TRANSFORM_ROTATION_BIT);

SLU_SAME(SLU_WRITES_INDICES, SLU_OUTPUT_INDICES_BIT);
SLU_SAME(SLU_WRITES_RECORDS, SLU_OUTPUT_RECORDS_BIT);
SLU_SAME(SLU_WRITES_DRAWS, SLU_OUTPUT_DRAWS_BIT);
SLU_SAME(SLU_WRITES_DRAW_COUNTS, SLU_OUTPUT_DRAW_COUNTS_BIT);
SLU_SAME(SLU_WRITES_STATISTICS, SLU_OUTPUT_STATISTICS_BIT);
SLU_SAME(SLU_WRITES_BUCKET_COUNTS, SLU_OUTPUT_BUCKET_COUNTS_BIT);

SLU_SAME(SLU_REJECTS_NOT_LIVE, SLU_REJECT_NOT_LIVE);
SLU_SAME(SLU_REJECTS_KEY, SLU_REJECT_KEY);
SLU_SAME(SLU_REJECTS_INVALID, SLU_REJECT_INVALID);
SLU_SAME(SLU_REJECTS_DISTANCE, SLU_REJECT_DISTANCE);
SLU_SAME(SLU_REJECTS_FRUSTUM, SLU_REJECT_FRUSTUM);
SLU_SAME(SLU_REJECTS_SIZE, SLU_REJECT_SIZE);
SLU_SAME(SLU_REJECTS_COUNT, SLU_REJECT_COUNT);
SLU_SAME(SLU_KEPT, SLU_REJECT_COUNT);

SLU_SAME(SLU_OVERFLOWS_CAPACITY, SLU_OVERFLOW_CAPACITY_BIT);
SLU_SAME(SLU_OVERFLOWS_INPUT, SLU_OVERFLOW_INPUT_BIT);
SLU_SAME(SLU_LODS, SLU_MAX_LODS);

static_assert(sizeof(ViewBlock) == 160);
static_assert(offsetof(ViewBlock, planes) == 0);
static_assert(offsetof(ViewBlock, eyeX) == 96);
static_assert(offsetof(ViewBlock, eyeY) == 100);
static_assert(offsetof(ViewBlock, eyeZ) == 104);
static_assert(offsetof(ViewBlock, minDistance2) == 108);
static_assert(offsetof(ViewBlock, maxDistance2) == 112);
static_assert(offsetof(ViewBlock, minSizeRatio2) == 116);
static_assert(offsetof(ViewBlock, lodDistance2) == 120);
static_assert(offsetof(ViewBlock, padding0) == 148);

static_assert(sizeof(BoundsBlock) == 20);
static_assert(offsetof(BoundsBlock, sphereOffset) == 0);
static_assert(offsetof(BoundsBlock, sphereStride) == 4);
static_assert(offsetof(BoundsBlock, positionOffset) == 8);
static_assert(offsetof(BoundsBlock, scaleOffset) == 12);
static_assert(offsetof(BoundsBlock, rotationOffset) == 16);

static_assert(sizeof(BucketBlock) == 32);
static_assert(offsetof(BucketBlock, capacity) == 0);
static_assert(offsetof(BucketBlock, firstOutput) == 4);
static_assert(offsetof(BucketBlock, command) == 8);
static_assert(sizeof(BucketBlock::command) == SLU_COMMAND_WORDS * 4);

static_assert(sizeof(DrawBlock) == 24);
static_assert(offsetof(DrawBlock, wordCount) == 0);
static_assert(offsetof(DrawBlock, stride) == 4);
static_assert(offsetof(DrawBlock, countWord) == 8);
static_assert(offsetof(DrawBlock, firstWord) == 12);
static_assert(offsetof(DrawBlock, scaleWord) == 16);
static_assert(offsetof(DrawBlock, skipEmpty) == 20);

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

// A struct that grows at its end must get another size, so it may not grow into padding.
static_assert(sizeof(SluPlanProperties) == offsetof(SluPlanProperties, transientBytes) + 8);
static_assert(sizeof(SluPlanCreateInfo) == offsetof(SluPlanCreateInfo, reserved) + 4);
static_assert(sizeof(SluFrameInfo) == offsetof(SluFrameInfo, transient) + sizeof(SluBinding));

BoundsBlock PlanLayout::boundsBlock() const {
  const std::uint32_t stride = bounds.source == SLU_SPHERE_IN_RECORD ? recordStride : bounds.stride;
  return {bounds.offset / 4, stride / 4, bounds.positionOffset / 4, bounds.scaleOffset / 4, bounds.rotationOffset / 4};
}

bool PlanLayout::readsRecords() const {
  const bool byLiveTest = live.test != SLU_LIVE_ALWAYS && !readsFlags();
  const bool byBounds = bounds.source == SLU_SPHERE_IN_RECORD || bounds.transformFlags != 0;
  return byLiveTest || byBounds || key.keyCount > 1 || (outputs & SLU_OUTPUT_RECORDS_BIT) != 0;
}

}  // namespace slu
