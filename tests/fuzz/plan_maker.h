// Plans: valid ones that the bytes choose, of which some are mutated afterwards.
#pragma once

#include <sluice/sluice.h>

#include <algorithm>
#include <array>
#include <vector>

#include "host_structs.h"

namespace slu::fuzz {

constexpr std::uint32_t boundsBytes(SluBoundsShape shape) {
  if (shape == SLU_SHAPE_SPHERE) return 16;
  return shape == SLU_SHAPE_BOX || shape == SLU_SHAPE_CORNERS ? 24 : 32;
}
constexpr std::uint32_t matrixBytes(SluMatrixForm form) { return form == SLU_MATRIX_COLUMNS_4X4 ? 64 : 48; }

// A number of a mesh: whether a plan reads it, where its offset is, and of how many LODs it is.
struct MeshNumber {
  bool isRead;
  std::uint32_t SluMeshes::*offset;
  std::uint32_t lods;
};
std::array<MeshNumber, 6> meshNumbers(const SluPlanCreateInfo& info);

constexpr std::uint32_t kMostStreams = 2;  // of plans that were not mutated

struct PlanInput {
  SluPlanCreateInfo info;             // as the library sees it, mutations included; without its pointers
  std::vector<SluBucket> buckets;     // as many as bucketCount says, where that is legal
  std::vector<SluStream> streams;     // likewise
  std::vector<std::uint32_t> groups;  // of buckets, as many as these, or none
  const SluPlanCreateInfo* given;     // in the host's memory

  bool writes(SluFlags outputs) const { return (info.outputs & outputs) != 0; }
};

// Of a plan that was created. Numbers that the library keeps with 0 for 1 are 1 here.
struct PlanFacts {
  explicit PlanFacts(const PlanInput& input);

  SluPlanCreateInfo info;
  std::vector<SluBucket> buckets;         // none where info has none
  std::vector<std::uint32_t> capacities;  // by bucket, at least one; what packed ones share, in each
  std::uint64_t outputsPerView = 0;
  std::vector<SluStream> streams;     // with their strides
  std::vector<std::uint32_t> groups;  // of buckets; none where info has none, or a mesh table tells them
  bool testsBounds;
  bool testsLayers;

  std::uint32_t drawCountsPerView() const { return std::max(info.groups.count, 1u); }
  std::uint64_t commandsPerView() const {
    if (isMerged()) return outputsPerView;
    if (isSparse()) return std::min<std::uint64_t>(ownBucketCount, outputsPerView);
    const std::uint64_t fixed = std::uint64_t{info.groups.count} * info.groups.drawCapacity;
    return fixed != 0 ? fixed : capacities.size();
  }
  std::uint64_t rejectCapacity() const {
    return info.rejects.capacity == 0 ? info.maxRecordCount : info.rejects.capacity;
  }
  bool isPacked() const { return info.placement == SLU_PLACEMENT_PACKED; }
  bool isSparse() const { return isPacked() && ownBucketCount > SLU_MAX_BUCKETS; }
  bool writes(SluFlags outputs) const { return (info.outputs & outputs) != 0; }
  bool hasViews() const { return testsBounds || testsLayers; }
  bool testsOcclusion() const { return (info.cullFlags & SLU_CULL_OCCLUSION_BIT) != 0; }
  bool hasLayers() const { return testsLayers || info.layers.neverCullMask != 0 || info.layers.neverOccludeMask != 0; }
  bool readsLayers() const { return hasLayers() && info.layers.stride != 0; }  // the stream
  // SluIndexedStreamBits of the streams that the plan reads.
  SluFlags indexedStreams() const {
    return info.indices.streams & (testsBounds ? ~SluFlags{0} : SluFlags{SLU_INDEXED_LAYERS_BIT});
  }
  bool isMerged() const { return info.placement == SLU_PLACEMENT_MERGED; }
  std::uint32_t ownBucketCount = 1;  // that keys, LODs and mirroring make of the records
  bool isInPlace() const { return (info.flags & SLU_PLAN_IN_PLACE_BIT) != 0; }
  SluLiveTest flagTest() const;  // or SLU_LIVE_ALWAYS
  bool readsFlags() const { return flagTest() != SLU_LIVE_ALWAYS; }
  bool readsBounds() const {
    return testsBounds && info.bounds.source != SLU_BOUNDS_NONE && info.bounds.source != SLU_BOUNDS_IN_RECORD &&
           info.bounds.source != SLU_BOUNDS_IN_MESH;
  }
  bool readsTransforms() const {
    return testsBounds && info.bounds.transformFlags != 0 && info.bounds.transformStride != 0;
  }
  std::uint32_t transformEnd() const;  // of an element of the stream, the bytes up to the last part's end
  bool hasMeshes() const { return info.meshes.stride != 0; }
  bool keepsLodStates() const { return (info.lod.flags & SLU_LOD_STATES_BIT) != 0; }
  std::uint64_t meshEnd() const;  // of a mesh, the bytes up to the end of what is read last
  bool readsRecords() const;
};

PlanInput makePlanInput(Choices& choices, SluRoute route, HostStructs& structs);

}  // namespace slu::fuzz
