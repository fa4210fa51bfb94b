// Checks that structs have no hidden padding.
#include <algorithm>
#include <cstddef>

#include "plan/layout.h"
#include "shaders/shared/frame.h"

namespace slu {

static_assert(sizeof(SluViewBlock) == 192);
static_assert(offsetof(SluViewBlock, planes) == 0);
static_assert(offsetof(SluViewBlock, eyeX) == 96);
static_assert(offsetof(SluViewBlock, eyeY) == 100);
static_assert(offsetof(SluViewBlock, eyeZ) == 104);
static_assert(offsetof(SluViewBlock, minDistance2) == 108);
static_assert(offsetof(SluViewBlock, maxDistance2) == 112);
static_assert(offsetof(SluViewBlock, minSizeRatio2) == 116);
static_assert(offsetof(SluViewBlock, lodDistance2) == 120);
static_assert(offsetof(SluViewBlock, lodRatio2) == 148);
static_assert(offsetof(SluViewBlock, minRadius2) == 152);
static_assert(offsetof(SluViewBlock, lodDistanceScaled2) == 156);
static_assert(offsetof(SluViewBlock, layerMask) == 160);
static_assert(offsetof(SluViewBlock, morePlanes) == 164);
static_assert(offsetof(SluViewBlock, eitherFrustum) == 168);
static_assert(offsetof(SluViewBlock, isOrthographic) == 172);
static_assert(offsetof(SluViewBlock, directionX) == 176);
static_assert(offsetof(SluViewBlock, directionY) == 180);
static_assert(offsetof(SluViewBlock, directionZ) == 184);
static_assert(offsetof(SluViewBlock, directionLength2) == 188);

static_assert(sizeof(BoundsBlock) == 32);
static_assert(offsetof(BoundsBlock, boundsOffset) == 0);
static_assert(offsetof(BoundsBlock, boundsStride) == 4);
static_assert(offsetof(BoundsBlock, transformStride) == 8);
static_assert(offsetof(BoundsBlock, positionOffset) == 12);
static_assert(offsetof(BoundsBlock, scaleOffset) == 16);
static_assert(offsetof(BoundsBlock, rotationOffset) == 20);
static_assert(offsetof(BoundsBlock, matrixOffset) == 24);
static_assert(offsetof(BoundsBlock, neverCullMask) == 28);

static_assert(sizeof(MeshBlock) == 48);
static_assert(offsetof(MeshBlock, stride) == 0);
static_assert(offsetof(MeshBlock, lodCount) == 4);
static_assert(offsetof(MeshBlock, lodCountOffset) == 8);
static_assert(offsetof(MeshBlock, lodMaskOffset) == 12);
static_assert(offsetof(MeshBlock, lodStride) == 16);
static_assert(offsetof(MeshBlock, elementCountOffset) == 20);
static_assert(offsetof(MeshBlock, firstElementOffset) == 24);
static_assert(offsetof(MeshBlock, vertexOffsetOffset) == 28);
static_assert(offsetof(MeshBlock, vertexOffsetStride) == 32);
static_assert(offsetof(MeshBlock, thresholdOffset) == 36);
static_assert(offsetof(MeshBlock, thresholdsGrow) == 40);
static_assert(offsetof(MeshBlock, fromNearSide) == 44);

static_assert(sizeof(BucketBlock) == 32);
static_assert(offsetof(BucketBlock, capacity) == 0);
static_assert(offsetof(BucketBlock, firstOutput) == 4);
static_assert(offsetof(BucketBlock, command) == 8);
static_assert(offsetof(BucketBlock, group) == 28);
static_assert(sizeof(BucketBlock::command) == SLU_COMMAND_WORDS * 4);

static_assert(sizeof(DrawBlock) == 32);
static_assert(offsetof(DrawBlock, wordCount) == 0);
static_assert(offsetof(DrawBlock, stride) == 4);
static_assert(offsetof(DrawBlock, countWord) == 8);
static_assert(offsetof(DrawBlock, firstWord) == 12);
static_assert(offsetof(DrawBlock, scaleWord) == 16);
static_assert(offsetof(DrawBlock, skipEmpty) == 20);
static_assert(offsetof(DrawBlock, frontWords) == 24);
static_assert(offsetof(DrawBlock, front) == 28);

static_assert(sizeof(GroupBlock) == 16);
static_assert(SLU_MAX_GROUPS <= SLU_WORKGROUP, "an invocation for each");
static_assert(SLU_MAX_MERGED_BUCKETS <= 1u << (32 - SLU_LOCAL_BITS), "entries of lists hold them");

static_assert(sizeof(SluStatistics) == 64);
static_assert(offsetof(SluStatistics, inputCount) == 0);
static_assert(offsetof(SluStatistics, demandedCount) == 4);
static_assert(offsetof(SluStatistics, keptCount) == 8);
static_assert(offsetof(SluStatistics, drawCount) == 12);
static_assert(offsetof(SluStatistics, overflow) == 16);
static_assert(offsetof(SluStatistics, rejectedCount) == 20);
static_assert(sizeof(SluBucketCount) == 8);
static_assert(sizeof(SluBucket) == 24);
static_assert(sizeof(SluView) == 172);
static_assert(sizeof(SluMorePlanes) == 100);
static_assert(sizeof(SluStream) == 12);
static_assert(sizeof(SluOcclusionView) == 72);
static_assert(sizeof(SluOcclusionInfo) == offsetof(SluOcclusionInfo, visible) + sizeof(SluBinding));
static_assert(sizeof(SluOcclusionBlock) == 144 && sizeof(SluOcclusionBlock) <= sizeof(SluViewBlock));
static_assert(sizeof(SluRejects) == 8);
static_assert(sizeof(SluCones) == 8);

// Padding at the end of a struct would hide a new field: the size tells the versions of a struct apart.
static_assert(sizeof(SluPlanProperties) == offsetof(SluPlanProperties, visibilityBytes) + 8);
static_assert(sizeof(SluPlanCreateInfo) == offsetof(SluPlanCreateInfo, cones) + sizeof(SluCones));
static_assert(sizeof(SluFrameInfo) == offsetof(SluFrameInfo, rejectCounts) + sizeof(SluBinding));

BoundsBlock PlanLayout::boundsBlock() const {
  const std::uint32_t stride = bounds.source == SLU_BOUNDS_IN_RECORD ? recordStride
                               : bounds.source == SLU_BOUNDS_IN_MESH ? meshes.stride
                                                                     : bounds.stride;
  return {bounds.offset / 4,
          stride / 4,
          (bounds.transformStride == 0 ? recordStride : bounds.transformStride) / 4,
          bounds.positionOffset / 4,
          bounds.scaleOffset / 4,
          bounds.rotationOffset / 4,
          bounds.matrixOffset / 4,
          layers.neverCullMask};
}

MeshBlock PlanLayout::meshBlock() const {
  const auto wordOf = [](bool isThere, std::uint32_t offset) { return isThere ? offset / 4 : SLU_DROPPED; };
  const auto has = [&](SluFlags parts) { return (meshes.parts & parts) != 0; };
  constexpr SluFlags kVertexOffsets = SLU_MESH_VERTEX_OFFSET_BIT | SLU_MESH_LOD_VERTEX_OFFSET_BIT;
  const std::uint32_t lodWords = meshes.lodStride / 4;
  MeshBlock block{};
  block.stride = meshes.stride / 4;
  block.lodCount = key.lodCount;
  block.lodCountOffset = wordOf(has(SLU_MESH_LOD_COUNT_BIT), meshes.lodCountOffset);
  block.lodMaskOffset = wordOf(has(SLU_MESH_LOD_MASK_BIT), meshes.lodMaskOffset);
  block.lodStride = lodWords;
  block.elementCountOffset = meshes.elementCountOffset / 4;
  block.firstElementOffset = wordOf(has(SLU_MESH_FIRST_ELEMENT_BIT), meshes.firstElementOffset);
  block.vertexOffsetOffset = wordOf(has(kVertexOffsets), meshes.vertexOffsetOffset);
  block.vertexOffsetStride = has(SLU_MESH_LOD_VERTEX_OFFSET_BIT) ? lodWords : 0;
  block.thresholdOffset = wordOf(lod.rule != SLU_LOD_VIEW_DISTANCES, meshes.thresholdOffset);
  block.thresholdsGrow = lod.rule == SLU_LOD_MESH_ERRORS ? 1 : 0;
  block.fromNearSide = lod.flags & SLU_LOD_NEAR_SIDE_BIT;
  return block;
}

std::uint32_t PlanLayout::culledBytes() const {
  // Memory delivers 32 bytes at a time.
  const auto read = [](std::uint32_t bytes, std::uint32_t stride) { return std::min((bytes + 31) / 32 * 32, stride); };
  std::uint32_t sum = 0;
  if (bounds.source == SLU_BOUNDS_IN_RECORD) sum += read(bytesOf(bounds.shape), recordStride);
  if (bounds.source == SLU_BOUNDS_PER_RECORD) sum += read(bytesOf(bounds.shape), bounds.stride);
  if (bounds.transformFlags != 0) {
    const bool isMatrix = (bounds.transformFlags & SLU_TRANSFORM_MATRIX_BIT) != 0;
    sum += read(isMatrix ? bytesOf(bounds.matrixForm) : 32, boundsBlock().transformStride * 4);
  }
  if (hasLayers()) sum += read(4, layerStride());
  if (live.test != SLU_LIVE_ALWAYS || indices.streams != 0) sum += read(4, recordStride);
  return sum;
}

bool PlanLayout::readsRecords() const {
  const bool byLiveTest = live.test != SLU_LIVE_ALWAYS;
  const bool byBounds = bounds.source == SLU_BOUNDS_IN_RECORD || transformsAreInRecords();
  const bool byNumbers = key.keyCount > 1 || indices.streams != 0;
  return byLiveTest || byBounds || layersAreInRecords() || byNumbers || (outputs & SLU_OUTPUT_RECORDS_BIT) != 0;
}

}  // namespace slu
