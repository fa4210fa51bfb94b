#include "plan/extents.h"

#include <algorithm>

namespace slu {
namespace {

// Returns the bytes that `count` elements occupy, stride bytes apart. The last element adds only elementBytes.
std::uint64_t extent(std::uint64_t count, std::uint64_t stride, std::uint64_t elementBytes) {
  return count == 0 ? 0 : (count - 1) * stride + elementBytes;
}

// Returns the bytes from the beginning of an element to the end of its bounds and its cone.
std::uint64_t endOfBounds(const PlanLayout& layout) {
  const std::uint64_t end = std::uint64_t{layout.bounds.offset} + bytesOf(layout.bounds.shape);
  return layout.testsCones() ? std::max(end, layout.cones.offset + std::uint64_t{sizeof(SluCone)}) : end;
}

}  // namespace

std::array<TransformPart, 4> transformParts(const SluBounds& bounds) {
  const bool hasAxes = (bounds.transformFlags & SLU_TRANSFORM_AXIS_SCALE_BIT) != 0;
  return {TransformPart{SLU_TRANSFORM_POSITION_BIT, &SluBounds::positionOffset, 12, "plan.bounds.positionOffset"},
          TransformPart{SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT, &SluBounds::scaleOffset,
                        hasAxes ? 12u : 4u, "plan.bounds.scaleOffset"},
          TransformPart{SLU_TRANSFORM_ROTATION_BIT, &SluBounds::rotationOffset, 16, "plan.bounds.rotationOffset"},
          TransformPart{SLU_TRANSFORM_MATRIX_BIT, &SluBounds::matrixOffset, bytesOf(bounds.matrixForm),
                        "plan.bounds.matrixOffset"}};
}

std::array<MeshPart, 6> meshParts(const SluMeshes& meshes, SluLodRule rule, std::uint32_t lodCount, bool hasDraws) {
  const auto has = [&](SluFlags parts) { return (meshes.parts & parts) != 0; };
  const bool areShared = has(SLU_MESH_VERTEX_OFFSET_BIT);
  return {
      MeshPart{has(SLU_MESH_LOD_COUNT_BIT), &SluMeshes::lodCountOffset, 1, "plan.meshes.lodCountOffset"},
      MeshPart{has(SLU_MESH_LOD_MASK_BIT), &SluMeshes::lodMaskOffset, 1, "plan.meshes.lodMaskOffset"},
      MeshPart{hasDraws, &SluMeshes::elementCountOffset, lodCount, "plan.meshes.elementCountOffset"},
      MeshPart{has(SLU_MESH_FIRST_ELEMENT_BIT), &SluMeshes::firstElementOffset, lodCount,
               "plan.meshes.firstElementOffset"},
      MeshPart{areShared || has(SLU_MESH_LOD_VERTEX_OFFSET_BIT), &SluMeshes::vertexOffsetOffset,
               areShared ? 1 : lodCount, "plan.meshes.vertexOffsetOffset"},
      MeshPart{rule != SLU_LOD_VIEW_DISTANCES, &SluMeshes::thresholdOffset, lodCount, "plan.meshes.thresholdOffset"}};
}

std::uint64_t endOf(const MeshPart& part, const SluMeshes& meshes) {
  return meshes.*part.offset + std::uint64_t{part.lods - 1} * meshes.lodStride + 4;
}

std::uint64_t meshBytes(const PlanLayout& layout, std::uint32_t meshCount) {
  const bool hasDraws = layout.draw.wordCount != 0;
  std::uint64_t end = 0;
  for (const MeshPart& part : meshParts(layout.meshes, layout.lod.rule, layout.key.lodCount, hasDraws)) {
    if (part.isRead) end = std::max(end, endOf(part, layout.meshes));
  }
  if (layout.bounds.source == SLU_BOUNDS_IN_MESH) end = std::max(end, endOfBounds(layout));
  if (layout.hasGroups()) end = std::max(end, std::uint64_t{layout.groups.meshOffset} * 4 + 4);
  return extent(meshCount, layout.meshes.stride, end);
}

std::uint64_t boundsBytes(const PlanLayout& layout, std::uint32_t count) {
  if (layout.bounds.source == SLU_BOUNDS_PER_KEY) count = layout.key.keyCount;
  return extent(count, layout.bounds.stride, endOfBounds(layout));
}

std::uint64_t transformBytes(const PlanLayout& layout, std::uint32_t count) {
  std::uint32_t end = 0;
  for (const TransformPart& part : transformParts(layout.bounds)) {
    if ((layout.bounds.transformFlags & part.bits) != 0) end = std::max(end, layout.bounds.*part.offset + part.bytes);
  }
  return extent(count, layout.bounds.transformStride, end);
}

std::uint64_t layerBytes(const PlanLayout& layout, std::uint32_t count) {
  return extent(count, layout.layers.stride, layout.layers.offset + 4);
}

std::uint64_t flagBytes(SluLiveTest test, std::uint64_t recordCount) {
  const std::uint64_t flagsPerWord = test == SLU_LIVE_FLAG_BITS ? 32 : test == SLU_LIVE_FLAG_BYTES ? 4 : 1;
  return (recordCount + flagsPerWord - 1) / flagsPerWord * 4;
}

std::uint64_t lodStateBytes(const PlanLayout& layout, std::uint32_t recordCount, std::uint32_t viewCount) {
  if (!layout.keepsLodStates() || recordCount == 0) return 0;
  return extent(viewCount, std::uint64_t{layout.maxRecordCount} * 4, std::uint64_t{recordCount} * 4);
}

std::uint32_t visibleStride(const PlanLayout& layout) {
  return layout.testsOcclusion() ? (layout.maxRecordCount + 31u) / 32u : 0;
}

std::uint64_t visibilityBytes(const PlanLayout& layout, std::uint32_t recordCount, std::uint32_t viewCount) {
  if (!layout.testsOcclusion() || recordCount == 0) return 0;
  return extent(viewCount, std::uint64_t{visibleStride(layout)} * 4, std::uint64_t{(recordCount + 31u) / 32u} * 4);
}

std::uint64_t streamInputBytes(const SluStream& stream, std::uint32_t recordCount) {
  return extent(recordCount, stream.inputStride, stream.elementSize);
}

std::uint64_t streamOutputBytes(const PlanLayout& layout, const SluStream& stream, std::uint32_t viewCount) {
  return extent(std::uint64_t{layout.outputsPerView} * viewCount, stream.outputStride, stream.elementSize);
}

OutputBytes outputBytes(const PlanLayout& layout, std::uint32_t viewCount) {
  const std::uint64_t outputs = std::uint64_t{layout.outputsPerView} * viewCount;
  const std::uint64_t buckets = std::uint64_t{layout.bucketCount()} * viewCount;
  const std::uint64_t commands = std::uint64_t{layout.commandsPerView()} * viewCount;
  const auto ifWritten = [&](SluFlags bit, std::uint64_t bytes) { return (layout.outputs & bit) != 0 ? bytes : 0; };
  return {ifWritten(SLU_OUTPUT_INDICES_BIT, outputs * 4),
          ifWritten(SLU_OUTPUT_RECORDS_BIT, outputs * layout.recordStride),
          ifWritten(SLU_OUTPUT_DRAWS_BIT, extent(commands, std::uint64_t{layout.draw.stride} * 4,
                                                 std::uint64_t{layout.draw.frontWords + layout.draw.wordCount} * 4)),
          ifWritten(SLU_OUTPUT_DRAW_COUNTS_BIT, std::uint64_t{layout.drawCountsPerView()} * viewCount * 4),
          ifWritten(SLU_OUTPUT_STATISTICS_BIT, std::uint64_t{viewCount} * sizeof(SluStatistics)),
          ifWritten(SLU_OUTPUT_BUCKET_COUNTS_BIT, buckets * sizeof(SluBucketCount)),
          ifWritten(SLU_OUTPUT_REJECTS_BIT, std::uint64_t{layout.rejects.capacity} * viewCount * 4),
          ifWritten(SLU_OUTPUT_REJECT_COUNTS_BIT, std::uint64_t{viewCount} * sizeof(SluBucketCount))};
}

}  // namespace slu
