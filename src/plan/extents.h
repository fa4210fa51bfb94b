// Computes how many bytes a frame's bindings need.
#pragma once

#include "plan/layout.h"

namespace slu {

// A member is 0 if the plan does not write that output.
struct OutputBytes {
  std::uint64_t indices, keptRecords, draws, drawCounts, statistics, bucketCounts, rejects, rejectCounts;
};
OutputBytes outputBytes(const PlanLayout& layout, std::uint32_t viewCount);

// A part of a transform: where its offset is said, and how many bytes lie there.
struct TransformPart {
  SluFlags bits;
  std::uint32_t SluBounds::*offset;
  std::uint32_t bytes;
  const char* field;
};
std::array<TransformPart, 4> transformParts(const SluBounds& bounds);

// A number of a mesh: whether the plan reads it, where its offset is said, of how many LODs it is, and its field.
struct MeshPart {
  bool isRead;
  std::uint32_t SluMeshes::*offset;
  std::uint32_t lods;
  const char* field;
};
// lodCount: at least 1. hasDraws: of the plan.
std::array<MeshPart, 6> meshParts(const SluMeshes& meshes, SluLodRule rule, std::uint32_t lodCount, bool hasDraws);
// Returns where the number ends, counted from the beginning of the mesh.
std::uint64_t endOf(const MeshPart& part, const SluMeshes& meshes);

// Return the bytes of inputs. count: of records, or of elements that records share.
std::uint64_t boundsBytes(const PlanLayout& layout, std::uint32_t count);  // the count of bounds per key is known
std::uint64_t transformBytes(const PlanLayout& layout, std::uint32_t count);
std::uint64_t layerBytes(const PlanLayout& layout, std::uint32_t count);
std::uint64_t meshBytes(const PlanLayout& layout, std::uint32_t meshCount);
std::uint64_t flagBytes(SluLiveTest test, std::uint64_t recordCount);
// The last states of LODs, which are as many as those that are written; 0 if the plan keeps none.
std::uint64_t lodStateBytes(const PlanLayout& layout, std::uint32_t recordCount, std::uint32_t viewCount);
// The words of a view's bits of visibility, and the bytes of a frame's; 0 if the plan tests no occlusion.
std::uint32_t visibleStride(const PlanLayout& layout);
std::uint64_t visibilityBytes(const PlanLayout& layout, std::uint32_t recordCount, std::uint32_t viewCount);
// A stream's input and its output; 0 without records or outputs.
std::uint64_t streamInputBytes(const SluStream& stream, std::uint32_t recordCount);
std::uint64_t streamOutputBytes(const PlanLayout& layout, const SluStream& stream, std::uint32_t viewCount);

}  // namespace slu
