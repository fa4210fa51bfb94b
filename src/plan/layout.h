// A plan and a frame after validation. They do not depend on the route, and need no further checks.
#pragma once

#include <sluice/occlusion.h>
#include <sluice/sluice.h>

#include <array>
#include <cstdint>
#include <vector>

#include "plan/custom_predicate.h"
#include "shaders/shared/layouts.h"
#include "shaders/shared/rules.h"

namespace slu {

class RouteBuffer;

// Bytes of bounds, by their shape.
constexpr std::uint32_t kSphereBytes = 16;  // x, y, z, radius
constexpr std::uint32_t bytesOf(SluBoundsShape shape) {
  if (shape == SLU_SHAPE_SPHERE) return kSphereBytes;
  return SLU_HAS_VEC4_HALVES(shape) ? 32 : 24;
}
constexpr std::uint32_t bytesOf(SluMatrixForm form) { return form == SLU_MATRIX_COLUMNS_4X4 ? 64 : 48; }

// A plan without draws.
constexpr DrawBlock kNoDraws = {0, 0, 0, 0, SLU_DROPPED, 0, 0, 0};

struct PlanLayout {
  SluOrder order = SLU_ORDER_UNORDERED;
  SluPlacement placement = SLU_PLACEMENT_RESERVED;  // also if a single bucket is packed, or is a list without draws
  bool inPlace = false;
  bool splitsMirrored = false;
  std::uint32_t recordStride = 0;
  std::uint32_t maxRecordCount = 0;
  std::uint32_t maxViewCount = 1;
  std::uint32_t framesInFlight = 0;
  std::uint32_t bufferSetCount = SLU_DEFAULT_BUFFER_SETS;
  SluLiveTest flagTest = SLU_LIVE_ALWAYS;  // of the flag stream, or SLU_LIVE_ALWAYS
  SluLive live{};                          // of the record, or SLU_LIVE_ALWAYS; a record must pass both
  std::uint32_t liveMask = 0;              // of SLU_LIVE_MASK_EQUAL
  std::uint32_t liveValue = 0;
  CustomPredicate predicate;  // used if live.test is SLU_LIVE_CUSTOM
  SluFlags cullFlags = 0;     // those that are not spelled out below
  SluBounds bounds{};
  bool testsLayers = false;    // SLU_CULL_LAYERS_BIT
  bool hasMorePlanes = false;  // SLU_CULL_MORE_PLANES_BIT
  SluLayers layers{};
  SluCones cones{};
  SluIndices indices{};
  SluKey key{};  // keyCount and lodCount are at least 1
  SluLod lod{};
  SluMeshes meshes{};
  SluFlags outputs = 0;            // that the host binds
  std::vector<SluStream> streams;  // with their strides

  // keyCount * lodCount elements, and once more for records that mirror. Frames place packed buckets, so what these say
  // of their outputs is the most that it can be. Of merged plans they are templates, and one element if there are none.
  // Sparse plans have one element, which holds what all buckets share.
  std::vector<BucketBlock> buckets;
  std::uint32_t outputsPerView = 0;
  DrawBlock draw{};
  GroupBlock groups{};
  std::uint32_t zeroCommandCount = 0;  // of merged and sparse plans
  SluFlags drawNeeds = 0;              // bits of SluDrawNeedFlagBits

  // A plan with rejects consists of two, which rejects.h derives: one keeps records, and one lists rejects.
  SluRejects rejects{};                        // of the whole: neither member is 0, unless there is no list
  SluOrder rejectOrder = SLU_ORDER_UNORDERED;  // of the list
  std::uint32_t rejectReasons = 0;             // of the part that lists: bits 1 << SluReject. Else 0
  bool findsVisible =
      false;  // frames that test occlusion find out what the pyramid hides; a part may leave that to another
  bool listsRejects() const { return rejectReasons != 0; }  // in its one bucket, instead of what passes

  bool isPacked() const { return placement == SLU_PLACEMENT_PACKED; }
  bool isMerged() const { return placement == SLU_PLACEMENT_MERGED; }
  // Returns whether there are more packed buckets than are described one by one. Frames count them in any order, and
  // draw those that are not empty.
  bool isSparse() const { return isPacked() && ownBucketCount() > SLU_MAX_BUCKETS; }
  bool hasGroups() const { return groups.count != 0; }
  // Returns whether a pass of its own publishes. It runs when all records are counted, and before those of packed buckets
  // are written.
  bool publishesApart() const { return isPacked() || hasGroups(); }
  // Returns whether the shaders keep input order: if a pass of its own publishes, they count before it and scatter behind
  // it. Sparse plans do not.
  bool keepsOrderInShaders() const { return order == SLU_ORDER_STABLE || (publishesApart() && !isSparse()); }
  // Returns how many buckets have an element of their own. Those of a merged plan are one: its records' own only name
  // templates. Those of a sparse plan are one: what a view keeps has no gaps.
  std::uint32_t bucketCount() const { return isMerged() ? 1 : static_cast<std::uint32_t>(buckets.size()); }
  std::uint32_t ownBucketCount() const { return key.keyCount * key.lodCount * (splitsMirrored ? 2 : 1); }  // of records
  std::uint32_t drawCountsPerView() const { return hasGroups() ? groups.count : 1; }
  std::uint32_t commandsPerView() const {
    if (isSparse()) return SLU_SPARSE_COMMANDS(ownBucketCount(), outputsPerView);
    return isMerged() ? outputsPerView : SLU_COMMANDS_PER_VIEW(groups, bucketCount());
  }
  std::uint32_t mirroredFirst() const { return splitsMirrored ? key.keyCount * key.lodCount : 0; }
  std::uint32_t keyMask() const { return key.bits == 0 || key.bits == 32 ? 0xffffffffu : (1u << key.bits) - 1u; }
  BoundsBlock boundsBlock() const;
  MeshBlock meshBlock() const;

  // These functions return what a frame must bind.
  bool readsFlags() const { return flagTest != SLU_LIVE_ALWAYS; }
  bool readsBounds() const { return bounds.source == SLU_BOUNDS_PER_RECORD || bounds.source == SLU_BOUNDS_PER_KEY; }
  bool transformsAreInRecords() const { return bounds.transformFlags != 0 && bounds.transformStride == 0; }
  bool readsTransforms() const { return bounds.transformFlags != 0 && bounds.transformStride != 0; }
  bool readsRecords() const;
  bool testsOcclusion() const { return (cullFlags & SLU_CULL_OCCLUSION_BIT) != 0; }
  bool testsCones() const { return (cullFlags & SLU_CULL_CONE_BIT) != 0; }
  std::uint32_t neverOccludeMask() const {
    return testsOcclusion() ? layers.neverOccludeMask | layers.neverCullMask : 0;
  }
  bool hasMarks() const { return (layers.neverCullMask | layers.neverOccludeMask) != 0; }
  bool hasLayers() const { return testsLayers || hasMarks(); }
  bool layersAreInRecords() const { return hasLayers() && layers.stride == 0; }
  bool readsLayers() const { return hasLayers() && layers.stride != 0; }
  bool needsBounds() const { return SLU_NEEDS_BOUNDS(cullFlags, key.lodCount); }
  bool needsViews() const { return needsBounds() || testsLayers; }

  // Returns the bytes from one record's layers to the next one's.
  std::uint32_t layerStride() const { return layers.stride == 0 ? recordStride : layers.stride; }

  // Returns whether bounds are tested, and as volumes (sluice/culling.h).
  bool hasVolumes() const {
    constexpr SluFlags kMatrices = SLU_TRANSFORM_AXIS_SCALE_BIT | SLU_TRANSFORM_MATRIX_BIT;
    const bool areVolumes = bounds.shape != SLU_SHAPE_SPHERE || (bounds.transformFlags & kMatrices) != 0 ||
                            splitsMirrored || hasMorePlanes || testsOcclusion() || testsCones();
    return needsBounds() && (areVolumes || lod.flags != 0 || hasMeshes() || hasLayers() || indices.streams != 0);
  }
  bool hasMeshes() const { return meshes.stride != 0; }
  // Why a record is rejected does not depend on its states.
  bool keepsLodStates() const { return (lod.flags & SLU_LOD_STATES_BIT) != 0 && !listsRejects(); }
  // Returns SLU_SCENE_*.
  std::uint32_t scene() const {
    return (hasVolumes() ? SLU_SCENE_VOLUMES : 0u) | (hasMeshes() ? SLU_SCENE_MESHES : 0u) |
           (testsLayers ? SLU_SCENE_LAYERS : 0u) | (hasMarks() ? SLU_SCENE_MARKS : 0u) |
           (splitsMirrored ? SLU_SCENE_MIRRORS : 0u) | (hasMorePlanes ? SLU_SCENE_MORE_PLANES : 0u) |
           (testsOcclusion() ? SLU_SCENE_OCCLUSION : 0u) | (testsCones() ? SLU_SCENE_CONES : 0u) |
           ((cones.flags & SLU_CONE_FIXED_FRONT_FACE_BIT) != 0 ? SLU_SCENE_FIXED_FRONT : 0u) |
           indices.streams * SLU_SCENE_INDEXED_BOUNDS | (keepsLodStates() ? SLU_SCENE_LOD_STATES : 0u);
  }

  // Returns what kernels read: the bounds of a mesh are those of its key.
  std::uint32_t boundsSource() const {
    return static_cast<std::uint32_t>(bounds.source == SLU_BOUNDS_IN_MESH ? SLU_BOUNDS_PER_KEY : bounds.source);
  }

  bool isKeyed() const { return key.keyCount > 1; }
  bool countsRejects() const {
    return !listsRejects() && SLU_COUNTS_REJECTS(outputs, isKeyed() ? 1u : 0u, cullFlags, key.lodCount, scene());
  }
  std::uint32_t keyTime() const {
    const std::uint32_t early = sluEarlyKeyTime(flagTest, live.test, recordStride, live.offset, key.offset);
    // A record's state of LODs depends on all tests, so that the last one must not come later. So does the first test that
    // a record fails.
    const bool isEarly = countsRejects() || keepsLodStates() || listsRejects();
    return SLU_KEY_TIME(isKeyed() ? 1u : 0u, needsBounds(), boundsSource(), isEarly, early);
  }

  // Returns about how many bytes culling reads of a record.
  std::uint32_t culledBytes() const;

  // Returns whether frames of several views may read records once for all of them: the ballots do not take too much
  // memory, no predicate of the host's decides, there is no command per record, the plan is not sparse, no rejects are
  // listed, and nothing tests occlusion.
  bool mayReadOnceForAllViews() const {
    constexpr std::uint64_t kMostBallotBytes = 64u << 20;
    const std::uint64_t ballotBytes = std::uint64_t{maxViewCount} * maxRecordCount / 8;
    return needsViews() && maxViewCount > 1 && live.test != SLU_LIVE_CUSTOM && !isMerged() && !isSparse() &&
           !listsRejects() && !testsOcclusion() && ballotBytes <= kMostBallotBytes;
  }

  // Returns the outputs that frames write. The elements of further streams are gathered by indices and bucket counts,
  // which frames write to scratch if the host does not bind them (kept_lists.h).
  SluFlags written() const {
    return streams.empty() ? outputs : outputs | SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  }

  // Returns the outputs that hold an element for each kept record.
  SluFlags emitted() const {
    return written() & (SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT | (emitsCommands() ? SLU_OUTPUT_DRAWS_BIT : 0));
  }
  // Returns whether a command is written for each kept record.
  bool emitsCommands() const { return isMerged() && (outputs & SLU_OUTPUT_DRAWS_BIT) != 0; }

  // Returns whether only the bytes of a record decide whether it is kept and in which bucket, and the record is all
  // that is written for it.
  bool movesRecords() const {
    return !readsFlags() && sluTestsRecord(live.test) && !needsViews() && !hasMeshes() && !isMerged() && !isSparse() &&
           emitted() == SLU_OUTPUT_RECORDS_BIT;
  }
  bool movesRecordsAlone() const { return movesRecords() && key.keyCount == 1; }
};

// A bound range: address is that of its first byte in the route's address space. It is the offset if the route knows the
// buffer by its handle alone.
struct Binding {
  const RouteBuffer* buffer = nullptr;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;  // that the frame reads or writes there, at most
  explicit operator bool() const { return buffer != nullptr; }
};

struct StreamBinding {
  Binding input, output;
};

// The values that a frame waits for and signals on the two timelines that CUDA and the host's graphics API share. The value
// 0 means that the frame does not wait or signal.
struct HandoffValues {
  std::uint64_t wait = 0;
  std::uint64_t signal = 0;
};

struct Frame {
  HandoffValues handoff;
  std::uint32_t recordCount = 0;  // the upper bound if liveCount is bound
  std::uint32_t viewCount = 1;
  std::uint32_t meshCount = 0;                                        // the upper bound if liveMeshCount is bound
  std::uint32_t boundsCount = 0, transformCount = 0, layerCount = 0;  // of streams that records share
  std::uint32_t morePlanesCount = 0;
  std::array<SluViewBlock, SLU_MAX_VIEWS> views;  // and behind them their more planes, as FrameBlock has them
  alignas(16) PredicateState predicateState{};    // used if live.test is SLU_LIVE_CUSTOM
  Binding transient;  // not bound if the plan has slots, or if its route needs no memory per frame
  Binding liveCount, records, bounds, transforms, flags, layers, meshes, liveMeshCount, lastLodStates;
  Binding lastVisible, pyramid;
  Binding indices, keptRecords, draws, drawCounts, statistics, bucketCounts, lodStates, rejects, rejectCounts, visible;
  const Frame* whole = nullptr;  // of the part that lists rejects (rejects.h): the frame with all that it binds
  std::array<StreamBinding, SLU_MAX_STREAMS> streams;  // as many as the plan has
  std::uint32_t lodFadeStep = 0;
  float lodLeast2 = 1.0f, lodMost2 = 1.0f;                 // as in FramePart
  std::uint32_t occlusionPhase = 0;                        // an SluOcclusionPhase; 0: the frame tests no occlusion
  std::array<SluOcclusionBlock, SLU_MAX_VIEWS> occlusion;  // of the views, if sluReadsVisible(occlusionPhase)
};

}  // namespace slu
