// Defines the output that every other route must produce. The five steps are plain loops over the records, in input
// order, as `stable` plans need it.
#include "routes/cpu/cpu_route.h"

#include <sluice/culling.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "plan/extents.h"
#include "routes/cpu/cpu_pyramid.h"

namespace slu {
namespace {

std::byte* pointerTo(const Binding& binding) {
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(binding.address));
}

// memcpy reads host memory, since the host chose its types and it is aligned to 4 bytes only.
template <typename T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

template <typename T>
void store(std::byte* to, const T& value) {
  std::memcpy(to, &value, sizeof(value));
}

// The inputs of a frame. A pointer is null if the plan does not read that input.
struct Input {
  const std::byte* records = nullptr;
  const std::byte* bounds = nullptr;
  const std::byte* transforms = nullptr;  // the records, if these hold them
  const std::byte* flags = nullptr;
  const std::byte* layers = nullptr;  // of the first record
  const std::byte* meshes = nullptr;
  const SluViewBlock* views = nullptr;
  std::uint32_t meshCount = 0;
  std::uint32_t boundsCount = 0, transformCount = 0, layerCount = 0;  // of streams that records share
  const std::byte* lastLodStates = nullptr;                           // of the first view
  const std::byte* lastVisible = nullptr;                             // so are these; null: no record was visible
  const std::byte* visible = nullptr;
  std::uint32_t phase = 0;  // of occlusion
  std::uint32_t lodFadeStep = 0;
  float lodLeast2 = 1.0f, lodMost2 = 1.0f;  // as in FramePart
  const void* state = nullptr;              // of the predicate
  std::uint32_t count = 0;
  bool clamped = false;  // the live count asked for more
};

// The level of detail of a record, or the reason why it is dropped.
struct Decision {
  std::uint32_t outcome;  // SLU_KEPT or SLU_REJECT_…
  std::uint32_t lod;
  bool isMirrored = false;  // and goes to the buckets of those, if there are any
  std::uint32_t lodState = SLU_LOD_STATE_NONE;
};

// What the bits of occlusion say of a record.
struct Sight {
  std::uint32_t phase;  // 0: nothing
  bool wasVisible;
  bool isVisible;
};

// A volume in the world, as its tests need it.
struct Volume {
  SluBox box;      // of a sphere only the center is used
  float radius2;   // by sluRadius2 or sluHalfDiagonal2
  float stretch2;  // by sluStretch2
  bool isMirrored;
};

// The decision about a record, and the bucket that it goes to if it is kept.
struct Outcome {
  Decision decision;
  std::uint32_t bucket;
};

// Where the kept records of a bucket lie within the view, and how many fit there.
struct Room {
  std::uint32_t first;
  std::uint32_t capacity;
};

// The place of a group's commands within the view, how many fit there, and how many there are.
struct DrawGroup {
  std::uint32_t first;
  std::uint32_t capacity;
  std::uint32_t count;
};

// Where a record's bounds and its transform lie.
struct Places {
  const std::byte* bounds = nullptr;     // null: the frame has no such element, or the plan tests no bounds
  const std::byte* transform = nullptr;  // null without one
};

class CpuPlan final : public RoutePlan {
 public:
  explicit CpuPlan(const PlanLayout& layout)
      : layout_(layout),
        liveLimit_(sluLiveLimit(static_cast<std::uint32_t>(layout.live.test))),
        stagingBytes_(layout.inPlace ? std::uint64_t{layout.maxRecordCount} * layout.recordStride : 0),
        staging_(std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(stagingBytes_))),
        counts_(layout.isSparse() ? layout.ownBucketCount() : layout.bucketCount()),
        groups_(layout.drawCountsPerView()) {
    for (const BucketBlock& bucket : layout.buckets) rooms_.push_back({bucket.firstOutput, bucket.capacity});
    if (layout.isSparse()) rooms_.resize(counts_.size());
  }

  void run(const Frame& frame, void*) override {
    const Input input = readInput(frame);
    if (layout_.findsVisible && sluReadsVisible(input.phase)) findVisible(frame, input);
    for (std::uint32_t view = 0; view < frame.viewCount; ++view) runView(frame, input, view);
  }

  std::uint64_t tileRecords() const override { return 1; }
  std::uint64_t scratchBytes() const override {
    return stagingBytes_ + counts_.size() * sizeof(SluBucketCount) + rooms_.size() * sizeof(Room) +
           groups_.size() * sizeof(DrawGroup);
  }

 private:
  Input readInput(const Frame& frame);
  void runView(const Frame& frame, const Input& input, std::uint32_t view);
  void packBuckets(const Frame& frame, const Input& input, std::uint32_t view);
  void findVisible(const Frame& frame, const Input& input) const;
  bool isHidden(const Input& input, const SluOcclusionBlock& view, const std::byte* pyramid, std::uint32_t index) const;
  Sight sightOf(const Input& input, std::uint32_t view, std::uint32_t index) const;
  Outcome test(const Frame& frame, const Input& input, std::uint32_t view, std::uint32_t index) const;

  // Whether the plan writes a record: it passes all tests, or the plan lists what is rejected for this reason.
  bool isTaken(std::uint32_t outcome) const {
    return layout_.listsRejects() ? sluListsReject(layout_.rejectReasons, outcome) : outcome == SLU_KEPT;
  }

  bool isFlagged(const Input& input, std::uint32_t index) const;
  bool isLive(const Input& input, const std::byte* record, std::uint32_t index) const;
  std::uint32_t keyWord(const Input& input, const std::byte* record, std::uint32_t index) const;
  SluSphere worldSphere(const std::byte* bounds, const std::byte* transform) const;
  SluMatrix matrixOf(const std::byte* transform) const;
  Volume worldVolume(const std::byte* bounds, const std::byte* transform) const;
  std::uint32_t cullVolume(const Input& input, const SluViewBlock& view, const Volume& volume) const;
  bool facesAway(const SluViewBlock& view, const Places& places, const SluFloat3& center) const;
  std::uint32_t reachedLod(const SluViewBlock& view, const Volume& volume, const std::byte* mesh,
                           std::uint32_t lodCount, float factor2) const;
  Places placesOf(const Input& input, const std::byte* record, std::uint32_t index, std::uint32_t key) const;
  std::size_t lodStateOffset(std::uint32_t view, std::uint32_t index) const;
  std::uint32_t chooseLod(const Input& input, const SluViewBlock& view, const Volume& volume, const std::byte* mesh,
                          std::uint32_t lodCount, std::uint32_t lastState) const;
  Decision cull(const Input& input, const SluViewBlock& view, const Places& places, const std::byte* mesh,
                bool isMarked, bool isHidden, std::uint32_t lastState) const;
  std::uint32_t elementOf(SluIndexedStreamBits stream, std::uint32_t index, const std::byte* record,
                          std::uint32_t offset, std::uint32_t count) const;
  Decision evaluate(const Input& input, const SluViewBlock& view, const Sight& sight, std::uint32_t index,
                    std::uint32_t& key, std::uint32_t lastState) const;
  std::uint32_t reserve(std::uint32_t view, std::uint32_t bucket, std::uint32_t rank);
  void emit(const Frame& frame, const Input& input, std::uint32_t index, std::uint32_t slot) const;
  void storeCommand(std::byte* to, std::uint32_t inFront, const BucketBlock& bucket, std::uint32_t count,
                    std::uint32_t first) const;
  void emitCommand(const Frame& frame, const Input& input, std::uint32_t index, std::uint32_t bucket,
                   std::uint32_t view, std::uint32_t slot) const;
  BucketBlock describe(const Input& input, std::uint32_t bucket) const;
  std::byte* drawsOf(const Frame& frame, std::uint32_t view) const;
  std::uint32_t groupOf(const Input& input, std::uint32_t bucket) const;
  void placeGroups(const Input& input);
  std::uint32_t publishDraws(const Frame& frame, const Input& input, std::uint32_t view, std::uint32_t& overflow);
  void publish(const Frame& frame, const Input& input, std::uint32_t view, SluStatistics& statistics);

  PlanLayout layout_;
  MeshBlock mesh_ = layout_.meshBlock();
  BoundsBlock bounds_ = layout_.boundsBlock();
  std::uint32_t liveLimit_;
  std::uint64_t stagingBytes_;
  std::unique_ptr<std::byte[]> staging_;  // the input of an in-place plan
  std::vector<SluBucketCount> counts_;    // of the current view
  std::vector<Room> rooms_;               // of the current view
  std::vector<DrawGroup> groups_;         // of the current view; one if the plan has none
};

Input CpuPlan::readInput(const Frame& frame) {
  Input input;
  input.records = pointerTo(frame.records);
  input.bounds = pointerTo(frame.bounds);
  if (layout_.bounds.source == SLU_BOUNDS_IN_MESH) input.bounds = pointerTo(frame.meshes);
  input.flags = pointerTo(frame.flags);
  input.meshes = pointerTo(frame.meshes);
  input.views = frame.views.data();
  input.meshCount = frame.meshCount;
  if (frame.liveMeshCount) {
    input.meshCount = std::min(load<std::uint32_t>(pointerTo(frame.liveMeshCount)), frame.meshCount);
  }
  input.boundsCount = frame.boundsCount;
  input.transformCount = frame.transformCount;
  input.layerCount = frame.layerCount;
  input.lastLodStates = pointerTo(frame.lastLodStates);
  input.lastVisible = pointerTo(frame.lastVisible);
  input.visible = pointerTo(frame.visible);
  input.phase = frame.occlusionPhase;
  input.lodFadeStep = frame.lodFadeStep;
  input.lodLeast2 = frame.lodLeast2;
  input.lodMost2 = frame.lodMost2;
  if (layout_.predicate.stateSize != 0) input.state = frame.predicateState.data();
  input.count = frame.recordCount;
  if (frame.liveCount) {
    const auto live = load<std::uint32_t>(pointerTo(frame.liveCount));
    input.clamped = live > frame.recordCount;
    input.count = std::min(live, frame.recordCount);
  }
  const std::size_t bytes = std::size_t{input.count} * layout_.recordStride;
  if (layout_.inPlace && bytes != 0) {
    std::memcpy(staging_.get(), input.records, bytes);
    input.records = staging_.get();
  }
  input.transforms = layout_.readsTransforms() ? pointerTo(frame.transforms) : input.records;
  input.layers = layout_.readsLayers() ? pointerTo(frame.layers) : input.records;
  return input;
}

void CpuPlan::runView(const Frame& frame, const Input& input, std::uint32_t view) {
  SluStatistics statistics{};
  statistics.inputCount = input.count;
  statistics.overflow = input.clamped ? SLU_OVERFLOW_INPUT_BIT : 0;
  if (layout_.isPacked()) packBuckets(frame, input, view);
  std::fill(counts_.begin(), counts_.end(), SluBucketCount{});
  for (std::uint32_t index = 0; index < input.count; ++index) {
    const auto [decision, bucket] = test(frame, input, view, index);
    if (frame.lodStates) store(pointerTo(frame.lodStates) + lodStateOffset(view, index), decision.lodState);
    if (decision.outcome != SLU_KEPT) ++statistics.rejectedCount[decision.outcome];
    if (!isTaken(decision.outcome)) continue;
    const std::uint32_t place = layout_.isMerged() || layout_.listsRejects() ? 0 : bucket;
    const std::uint32_t rank = counts_[place].demandedCount++;
    const std::uint32_t slot = reserve(view, place, rank);
    if (slot == SLU_DROPPED) continue;
    emit(frame, input, index, slot);
    if (layout_.emitsCommands()) emitCommand(frame, input, index, bucket, view, rank);
  }
  publish(frame, input, view, statistics);
}

// Counts the records of each bucket, and places the buckets one behind the other.
void CpuPlan::packBuckets(const Frame& frame, const Input& input, std::uint32_t view) {
  std::fill(rooms_.begin(), rooms_.end(), Room{});
  for (std::uint32_t index = 0; index < input.count; ++index) {
    const Outcome outcome = test(frame, input, view, index);
    if (outcome.decision.outcome == SLU_KEPT) ++rooms_[outcome.bucket].capacity;
  }
  std::uint32_t first = 0;
  for (Room& room : rooms_) {
    room = {first, std::min(room.capacity, layout_.outputsPerView - first)};
    first += room.capacity;
  }
}

Outcome CpuPlan::test(const Frame& frame, const Input& input, std::uint32_t view, std::uint32_t index) const {
  std::uint32_t key = 0;
  std::uint32_t lastState = SLU_LOD_STATE_NONE;
  if (input.lastLodStates != nullptr) {
    lastState = load<std::uint32_t>(input.lastLodStates + lodStateOffset(view, index));
  }
  const Decision decision = evaluate(input, frame.views[view], sightOf(input, view, index), index, key, lastState);
  const std::uint32_t first = decision.isMirrored ? layout_.mirroredFirst() : 0;
  return {decision, first + sluBucket(key, layout_.key.lodCount, decision.lod)};
}

// Finds out which records the pyramid does not hide, a word at a time.
void CpuPlan::findVisible(const Frame& frame, const Input& input) const {
  for (std::uint32_t view = 0; view < frame.viewCount; ++view) {
    const SluOcclusionBlock& block = frame.occlusion[view];
    for (std::uint32_t first = 0; first < frame.recordCount; first += 32) {
      std::uint32_t word = 0;
      for (std::uint32_t i = 0; i < 32 && first + i < input.count; ++i) {
        if (!isHidden(input, block, pointerTo(frame.pyramid), first + i)) word |= 1u << i;
      }
      const std::size_t at = std::size_t{view} * visibleStride(layout_) + first / 32;
      store(pointerTo(frame.visible) + at * 4, word);
    }
  }
}

// Whether the pyramid hides all of a record's bounds. Bounds that are not valid, or that the frame does not have, are
// hidden by nothing, and the record is rejected for that.
bool CpuPlan::isHidden(const Input& input, const SluOcclusionBlock& view, const std::byte* pyramid,
                       std::uint32_t index) const {
  const auto word = [&](std::size_t number) { return load<std::uint32_t>(pyramid + number * 4); };
  const std::uint32_t direction = word(SLU_PYRAMID_WORD_DIRECTION);
  if (!sluIsPyramidOf(view, word(SLU_PYRAMID_WORD_VALID), word(SLU_PYRAMID_WORD_WIDTH), word(SLU_PYRAMID_WORD_HEIGHT),
                      word(SLU_PYRAMID_WORD_LAYERS), direction)) {
    return false;
  }
  const std::byte* record =
      input.records == nullptr ? nullptr : input.records + std::size_t{index} * layout_.recordStride;
  std::uint32_t key = 0;
  if (layout_.boundsSource() == SLU_BOUNDS_PER_KEY) {
    if (layout_.isKeyed()) key = sluKey(keyWord(input, record, index), layout_.key.shift, layout_.keyMask());
    if (!sluIsKey(key, layout_.hasMeshes() ? input.meshCount : layout_.key.keyCount)) return false;
  }
  const Places places = placesOf(input, record, index, key);
  if (places.bounds == nullptr) return false;
  const Volume volume = worldVolume(places.bounds, places.transform);
  if (volume.radius2 < 0.0f) return false;
  const SluFootprint footprint = layout_.bounds.shape == SLU_SHAPE_SPHERE
                                     ? sluSphereFootprint(view, volume.box.center, volume.radius2)
                                     : sluBoxFootprint(view, volume.box);
  if (footprint.outcome != SLU_FOOTPRINT_TEXELS) return footprint.outcome == SLU_FOOTPRINT_OUTSIDE;
  std::uint32_t farthest = direction == SLU_DEPTH_REVERSED ? 0x3f800000u : 0u;  // the nearest
  for (std::uint32_t y = footprint.firstY; y <= footprint.lastY; ++y) {
    for (std::uint32_t x = footprint.firstX; x <= footprint.lastX; ++x) {
      const std::uint32_t depth = sluDepthBits(word(sluFootprintTexel(view, footprint.level, x, y)), direction);
      farthest = sluFartherBits(farthest, depth, direction);
    }
  }
  return sluIsBehind(view, footprint, farthest, direction);
}

Sight CpuPlan::sightOf(const Input& input, std::uint32_t view, std::uint32_t index) const {
  if (input.phase == 0) return {};
  const std::size_t at = (std::size_t{view} * visibleStride(layout_) + index / 32) * 4;
  const auto bitOf = [&](const std::byte* bits) { return (load<std::uint32_t>(bits + at) >> (index % 32) & 1u) != 0; };
  return {input.phase, input.lastVisible != nullptr && bitOf(input.lastVisible),
          sluReadsVisible(input.phase) && bitOf(input.visible)};
}

// Returns where a state of LODs lies, in bytes.
std::size_t CpuPlan::lodStateOffset(std::uint32_t view, std::uint32_t index) const {
  return (std::size_t{view} * layout_.maxRecordCount + index) * 4;
}

bool CpuPlan::isFlagged(const Input& input, std::uint32_t index) const {
  switch (layout_.flagTest) {
    case SLU_LIVE_FLAG_BITS:
      return (sluFlagBits(load<std::uint32_t>(input.flags + std::size_t{sluFlagWord(index)} * 4), index) & 1u) != 0;
    case SLU_LIVE_FLAG_BYTES:
      return input.flags[index] != std::byte{0};
    case SLU_LIVE_FLAG_WORDS:
      return load<std::uint32_t>(input.flags + std::size_t{index} * 4) != 0;
    default:
      return true;
  }
}

bool CpuPlan::isLive(const Input& input, const std::byte* record, std::uint32_t index) const {
  const std::byte* field = record + layout_.live.offset;
  std::uint32_t any = 0;
  switch (layout_.live.test) {
    case SLU_LIVE_NON_EMPTY:
      for (std::uint32_t at = 0; at < layout_.live.size; at += 4) any |= load<std::uint32_t>(field + at);
      return sluIsLive(any, liveLimit_);
    case SLU_LIVE_POSITIVE_INT:
    case SLU_LIVE_POSITIVE_FLOAT:
      return sluIsLive(load<std::uint32_t>(field), liveLimit_);
    case SLU_LIVE_MASK_EQUAL:
      return sluMatches(load<std::uint32_t>(field), layout_.liveMask, layout_.liveValue);
    case SLU_LIVE_CUSTOM:
      return layout_.predicate.isLive(input.state, record, index) != 0;
    default:
      return true;
  }
}

// Returns the word that the record's key is taken from.
std::uint32_t CpuPlan::keyWord(const Input& input, const std::byte* record, std::uint32_t index) const {
  const SluHostKeyFunction custom = layout_.predicate.keyWord;
  return custom != nullptr ? custom(input.state, record, index) : load<std::uint32_t>(record + layout_.key.offset);
}

// Returns whether bounds are moved by a part.
bool moves(const SluBounds& bounds, SluTransformFlagBits part) { return (bounds.transformFlags & part) != 0; }

SluFloat3 positionOf(const SluBounds& bounds, const std::byte* transform) {
  if (!moves(bounds, SLU_TRANSFORM_POSITION_BIT)) return {};
  return load<SluFloat3>(transform + bounds.positionOffset);
}

SluFloat4 rotationOf(const SluBounds& bounds, const std::byte* transform) {
  if (!moves(bounds, SLU_TRANSFORM_ROTATION_BIT)) return {};
  return load<SluFloat4>(transform + bounds.rotationOffset);
}

float scaleOf(const SluBounds& bounds, const std::byte* transform) {
  return moves(bounds, SLU_TRANSFORM_SCALE_BIT) ? load<float>(transform + bounds.scaleOffset) : 1.0f;
}

SluSphere CpuPlan::worldSphere(const std::byte* bounds, const std::byte* transform) const {
  const SluBounds& by = layout_.bounds;
  return sluTransformSphere(load<SluSphere>(bounds), positionOf(by, transform), scaleOf(by, transform),
                            rotationOf(by, transform), by.transformFlags);
}

SluMatrix CpuPlan::matrixOf(const std::byte* transform) const {
  const SluBounds& by = layout_.bounds;
  if (!moves(by, SLU_TRANSFORM_MATRIX_BIT)) {
    const float scale = scaleOf(by, transform);
    const SluFloat3 axes = moves(by, SLU_TRANSFORM_AXIS_SCALE_BIT) ? load<SluFloat3>(transform + by.scaleOffset)
                                                                   : SluFloat3{scale, scale, scale};
    return sluMatrixOf(positionOf(by, transform), axes, rotationOf(by, transform), by.transformFlags);
  }
  const std::byte* matrix = transform + by.matrixOffset;
  const std::size_t columnStep = by.matrixForm == SLU_MATRIX_ROWS          ? 4
                                 : by.matrixForm == SLU_MATRIX_COLUMNS_4X4 ? 16
                                                                           : 12;
  const std::size_t rowStep = by.matrixForm == SLU_MATRIX_ROWS ? 16 : 4;
  const auto column = [&](std::size_t number) {
    const std::byte* at = matrix + number * columnStep;
    return SluFloat3{load<float>(at), load<float>(at + rowStep), load<float>(at + 2 * rowStep)};
  };
  return {column(0), column(1), column(2), column(3)};
}

Volume CpuPlan::worldVolume(const std::byte* bounds, const std::byte* transform) const {
  const bool isMoved = layout_.bounds.transformFlags != 0;
  const SluMatrix matrix = isMoved ? matrixOf(transform) : SluMatrix{};
  const float stretch2 = isMoved ? sluStretch2(matrix) : 1.0f;
  const bool isMirrored = sluIsMirrored(matrix);
  if (layout_.bounds.shape == SLU_SHAPE_SPHERE) {
    const auto sphere = load<SluSphere>(bounds);
    const SluFloat3 center = isMoved ? sluTransformPoint(matrix, sphere.center) : sphere.center;
    return {{center, {}}, sluRadius2(sphere.radius, stretch2), stretch2, isMirrored};
  }
  const std::size_t half = bytesOf(layout_.bounds.shape) / 2;
  const auto first = load<SluFloat3>(bounds), second = load<SluFloat3>(bounds + half);
  const SluBox box = SLU_HAS_CORNERS(layout_.bounds.shape) ? sluBoxOfCorners(first, second) : SluBox{first, second};
  const SluBox world = isMoved ? sluTransformBox(box, matrix) : box;
  return {world, sluHalfDiagonal2(box.extents, world.extents), stretch2, isMirrored};
}

std::uint32_t CpuPlan::cullVolume(const Input& input, const SluViewBlock& view, const Volume& volume) const {
  const bool isSphere = layout_.bounds.shape == SLU_SHAPE_SPHERE;
  const SluFlags flags = layout_.cullFlags;
  const auto leastOf = [&](const SluViewBlock& planes) {
    return isSphere ? sluLeastDistance(planes, volume.box.center, flags)
                    : sluLeastBoxDistance(planes, volume.box, flags);
  };
  float least = leastOf(view);
  if (view.morePlanes != 0) least = sluJoinedLeast(view, least, leastOf(input.views[view.morePlanes]));
  return sluCullVolume(view, layout_.bounds.shape, volume.radius2, sluDistance2(view, volume.box.center), least, flags);
}

// Whether the triangles of a cluster face away. center: of its bounds, in the world.
bool CpuPlan::facesAway(const SluViewBlock& view, const Places& places, const SluFloat3& center) const {
  const auto sphere = load<SluSphere>(places.bounds);
  const auto cone = load<SluCone>(places.bounds - layout_.bounds.offset + layout_.cones.offset);
  const SluMatrix matrix = places.transform != nullptr ? matrixOf(places.transform) : sluMatrixOf({}, {}, {}, 0);
  return sluIsFacingAway(view, center,
                         sluMoveCone(cone, sphere.radius, matrix, layout_.cones.flags & SLU_CONE_FIXED_FRONT_FACE_BIT));
}

// Returns the last level that is reached, of lodCount. mesh: null for a plan without a table. factor2: of the distance,
// squared.
std::uint32_t CpuPlan::reachedLod(const SluViewBlock& view, const Volume& volume, const std::byte* mesh,
                                  std::uint32_t lodCount, float factor2) const {
  const float distance2 = sluMul(sluScaledDistance2(view, sluDistance2(view, volume.box.center)), factor2);
  const float radius2 = mesh_.fromNearSide != 0 ? sluMul(volume.radius2, view.lodRatio2) : 0.0f;
  const float growth2 = mesh_.thresholdsGrow != 0 ? volume.stretch2 : 1.0f;
  std::uint32_t lod = 0;
  for (std::uint32_t i = 1; i < lodCount; ++i) {
    float threshold2 = view.lodDistance2[i - 1];
    if (mesh_.thresholdOffset != SLU_DROPPED) {
      const std::size_t word = mesh_.thresholdOffset + i * std::size_t{mesh_.lodStride};
      threshold2 = sluThreshold2(load<float>(mesh + word * 4), growth2);
    }
    if (sluReachesLod(threshold2, radius2, distance2)) lod = i;
  }
  return lod;
}

// Returns the level that a record of valid bounds gets, of lodCount. mesh: null for a plan without a table.
std::uint32_t CpuPlan::chooseLod(const Input& input, const SluViewBlock& view, const Volume& volume,
                                 const std::byte* mesh, std::uint32_t lodCount, std::uint32_t lastState) const {
  const std::uint32_t lastLod = sluLodOfState(lastState, layout_.key.lodCount);
  if (lastLod == SLU_LOD_NONE) return reachedLod(view, volume, mesh, lodCount, 1.0f);
  const std::uint32_t least = reachedLod(view, volume, mesh, lodCount, input.lodLeast2);
  return sluHeldLod(lastLod, least, reachedLod(view, volume, mesh, lodCount, input.lodMost2));
}

// places: by placesOf. mesh: null for a plan without a table. isMarked: the record is never culled. isHidden: by the
// pyramid. lastState: of its LODs.
Decision CpuPlan::cull(const Input& input, const SluViewBlock& view, const Places& places, const std::byte* mesh,
                       bool isMarked, bool isHidden, std::uint32_t lastState) const {
  std::uint32_t lodCount = layout_.key.lodCount;
  if (layout_.needsBounds() && !layout_.hasVolumes()) {
    const SluSphere sphere = worldSphere(places.bounds, places.transform);
    return {sluCullSphere(view, sphere, layout_.cullFlags), sluLod(view, sluDistance2(view, sphere.center), lodCount)};
  }
  Decision decision{SLU_KEPT, 0};
  Volume volume{};
  if (places.bounds != nullptr) {
    volume = worldVolume(places.bounds, places.transform);
    decision.outcome = cullVolume(input, view, volume);
    if (decision.outcome == SLU_KEPT && layout_.testsCones() && facesAway(view, places, volume.box.center)) {
      decision.outcome = SLU_REJECT_CONE;
    }
    decision.isMirrored = volume.isMirrored;
  } else if (layout_.needsBounds()) {
    decision.outcome = SLU_REJECT_INVALID;
  }
  const bool isValid = decision.outcome != SLU_REJECT_INVALID;
  if (isMarked) decision.outcome = SLU_KEPT;
  if (isHidden && decision.outcome == SLU_KEPT) decision.outcome = SLU_REJECT_OCCLUDED;
  std::uint32_t mask = sluLodMask(lodCount, ~0u, lodCount);
  if (mesh != nullptr) {
    const auto number = [&](std::uint32_t offset) {
      return offset == SLU_DROPPED ? ~0u : load<std::uint32_t>(mesh + std::size_t{offset} * 4);
    };
    lodCount = std::min(number(mesh_.lodCountOffset), lodCount);
    mask = sluLodMask(lodCount, number(mesh_.lodMaskOffset), lodCount);
  }
  if (lodCount > 1 && isValid) decision.lod = chooseLod(input, view, volume, mesh, lodCount, lastState);
  const std::uint32_t lodState = sluNextLodState(lastState, decision.lod, layout_.key.lodCount, input.lodFadeStep);
  decision.lod = sluResidentLod(mask, decision.lod, lodCount);
  if (decision.outcome == SLU_KEPT && decision.lod == SLU_MAX_LODS) decision.outcome = SLU_REJECT_LOD;
  if (decision.outcome == SLU_KEPT) decision.lodState = lodState;
  return decision;
}

// Returns the element of a stream for a record: its own, or the one whose number is in the record's word at `offset`, or
// SLU_DROPPED if the stream does not have that. count: of the stream's elements.
std::uint32_t CpuPlan::elementOf(SluIndexedStreamBits stream, std::uint32_t index, const std::byte* record,
                                 std::uint32_t offset, std::uint32_t count) const {
  if ((layout_.indices.streams & stream) == 0) return index;
  const auto element = load<std::uint32_t>(record + offset);
  return element < count ? element : SLU_DROPPED;
}

Places CpuPlan::placesOf(const Input& input, const std::byte* record, std::uint32_t index, std::uint32_t key) const {
  if (!layout_.needsBounds()) return {};
  const SluIndices& by = layout_.indices;
  const bool areKeyed = layout_.boundsSource() == SLU_BOUNDS_PER_KEY;
  const std::size_t ofBounds =
      areKeyed ? key : elementOf(SLU_INDEXED_BOUNDS_BIT, index, record, by.boundsOffset, input.boundsCount);
  const std::size_t ofTransform =
      elementOf(SLU_INDEXED_TRANSFORMS_BIT, index, record, by.transformOffset, input.transformCount);
  if (ofBounds == SLU_DROPPED || ofTransform == SLU_DROPPED) return {};
  const std::byte* bounds = layout_.bounds.source == SLU_BOUNDS_IN_RECORD ? input.records : input.bounds;
  Places places{bounds + (ofBounds * bounds_.boundsStride + bounds_.boundsOffset) * 4, nullptr};
  if (layout_.bounds.transformFlags != 0) {
    places.transform = input.transforms + ofTransform * bounds_.transformStride * 4;
  }
  return places;
}

Decision CpuPlan::evaluate(const Input& input, const SluViewBlock& view, const Sight& sight, std::uint32_t index,
                           std::uint32_t& key, std::uint32_t lastState) const {
  const std::byte* record =
      input.records == nullptr ? nullptr : input.records + std::size_t{index} * layout_.recordStride;
  if (!isFlagged(input, index) || !isLive(input, record, index)) return {SLU_REJECT_NOT_LIVE, 0};

  const SluKey& selector = layout_.key;
  if (layout_.isKeyed()) key = sluKey(keyWord(input, record, index), selector.shift, layout_.keyMask());
  if (!sluIsKey(key, layout_.hasMeshes() ? input.meshCount : selector.keyCount)) return {SLU_REJECT_KEY, 0};
  std::uint32_t layers = 0;
  const SluIndices& by = layout_.indices;
  if (layout_.hasLayers()) {
    const std::uint32_t element = elementOf(SLU_INDEXED_LAYERS_BIT, index, record, by.layersOffset, input.layerCount);
    const std::size_t first = std::size_t{element} * layout_.layerStride();
    if (element != SLU_DROPPED) layers = load<std::uint32_t>(input.layers + first + layout_.layers.offset);
  }
  if (layout_.testsLayers && sluIsInNoLayer(view, layers)) return {SLU_REJECT_LAYER, 0};
  const bool isNeverOccluded = (layers & layout_.neverOccludeMask()) != 0;
  if (sluIsOfOtherPhase(sight.phase, sight.wasVisible || isNeverOccluded)) return {SLU_REJECT_OTHER_PHASE, 0};
  if (layout_.scene() == 0 && !layout_.needsBounds()) return {SLU_KEPT, 0};

  const std::byte* mesh = layout_.hasMeshes() ? input.meshes + std::size_t{key} * layout_.meshes.stride : nullptr;
  const bool isMarked = (layers & layout_.layers.neverCullMask) != 0;
  const bool isHidden = sluReadsVisible(sight.phase) && !sight.isVisible && !isNeverOccluded;
  return cull(input, view, placesOf(input, record, index, key), mesh, isMarked, isHidden, lastState);
}

// Returns the output number, or SLU_DROPPED if the bucket is full.
std::uint32_t CpuPlan::reserve(std::uint32_t view, std::uint32_t bucket, std::uint32_t rank) {
  const Room& room = rooms_[bucket];
  if (rank >= room.capacity) return SLU_DROPPED;
  ++counts_[bucket].keptCount;
  return view * layout_.outputsPerView + room.first + rank;
}

void CpuPlan::emit(const Frame& frame, const Input& input, std::uint32_t index, std::uint32_t slot) const {
  if (frame.indices) store(pointerTo(frame.indices) + std::size_t{slot} * 4, index);
  if (frame.keptRecords) {
    const std::size_t stride = layout_.recordStride;
    std::memcpy(pointerTo(frame.keptRecords) + slot * stride, input.records + index * stride, stride);
  }
  for (std::size_t i = 0; i < layout_.streams.size(); ++i) {
    const SluStream& stream = layout_.streams[i];
    std::memcpy(pointerTo(frame.streams[i].output) + std::size_t{slot} * stream.outputStride,
                pointerTo(frame.streams[i].input) + std::size_t{index} * stream.inputStride, stream.elementSize);
  }
}

// Returns the bucket with its draw's template.
BucketBlock CpuPlan::describe(const Input& input, std::uint32_t bucket) const {
  BucketBlock block = layout_.buckets[std::min<std::size_t>(bucket, layout_.buckets.size() - 1)];
  bucket = sluUnmirrored(bucket, layout_.mirroredFirst());
  const std::uint32_t mesh = bucket / layout_.key.lodCount, lod = bucket % layout_.key.lodCount;
  if (!layout_.hasMeshes() || mesh >= input.meshCount) return block;
  const auto number = [&](std::uint32_t offset, std::uint32_t stride) {
    const std::size_t word = std::size_t{mesh} * mesh_.stride + offset + std::size_t{lod} * stride;
    return offset == SLU_DROPPED ? 0 : load<std::uint32_t>(input.meshes + word * 4);
  };
  block.command[0] = number(mesh_.elementCountOffset, mesh_.lodStride);
  block.command[2] = number(mesh_.firstElementOffset, mesh_.lodStride);
  if (mesh_.vertexOffsetOffset != SLU_DROPPED) {
    block.command[3] = number(mesh_.vertexOffsetOffset, mesh_.vertexOffsetStride);
  }
  return block;
}

// Returns the group of a bucket's draw, or SLU_DROPPED. A plan without groups has one.
std::uint32_t CpuPlan::groupOf(const Input& input, std::uint32_t bucket) const {
  const GroupBlock& groups = layout_.groups;
  if (!layout_.hasGroups()) return 0;
  if (groups.meshOffset == SLU_DROPPED) return layout_.buckets[bucket].group;
  const std::uint32_t unmirrored = sluUnmirrored(bucket, layout_.mirroredFirst());
  const std::size_t mesh = unmirrored / layout_.key.lodCount;
  std::uint32_t ofMesh = 0;
  if (mesh < input.meshCount) {
    ofMesh = load<std::uint32_t>(input.meshes + (mesh * mesh_.stride + groups.meshOffset) * 4);
  }
  return sluGroup(ofMesh, bucket != unmirrored ? groups.mirroredOffset : 0, groups.count);
}

// Places the commands of all groups.
void CpuPlan::placeGroups(const Input& input) {
  const std::uint32_t fixed = layout_.groups.capacity;
  for (DrawGroup& group : groups_) group = {};
  for (std::uint32_t i = 0; i < counts_.size(); ++i) {
    if (!SLU_HAS_DRAW(counts_[i].keptCount, layout_.draw.skipEmpty)) continue;
    const std::uint32_t group = groupOf(input, i);
    if (group != SLU_DROPPED) ++groups_[group].capacity;
  }
  std::uint32_t first = 0;
  for (DrawGroup& group : groups_) {
    if (fixed != 0) group.capacity = fixed;
    group.first = first;
    first += group.capacity;
  }
}

// Stores a command that draws `count`, with the word in front of it unless that is a word of the command.
void CpuPlan::storeCommand(std::byte* to, std::uint32_t inFront, const BucketBlock& bucket, std::uint32_t count,
                           std::uint32_t first) const {
  const DrawBlock& draw = layout_.draw;
  const std::uint32_t scale = SLU_DRAW_SCALE(draw, bucket.command);
  std::uint32_t words[1 + SLU_COMMAND_WORDS];  // from 1 on the command
  words[0] = draw.front < SLU_COMMAND_WORDS ? bucket.command[draw.firstWord] + first * scale : inFront;
  for (std::uint32_t word = 0; word < draw.wordCount; ++word) {
    words[1 + word] =
        draw.countWord == SLU_COUNTS_WORKGROUPS
            ? sluWorkgroupWord(word, count, bucket.command[0])
            : sluCommandWord(word, bucket.command[word], draw.countWord, count, scale, draw.firstWord, first, scale);
  }
  std::memcpy(to, words + 1 - draw.frontWords, std::size_t{draw.frontWords + draw.wordCount} * 4);
}

// Returns where the commands of the view begin, or null if the frame binds none.
std::byte* CpuPlan::drawsOf(const Frame& frame, std::uint32_t view) const {
  if (!frame.draws) return nullptr;
  return pointerTo(frame.draws) + std::size_t{layout_.draw.stride} * 4 * view * layout_.commandsPerView();
}

// Writes the command of a kept record. place: within the view.
void CpuPlan::emitCommand(const Frame& frame, const Input& input, std::uint32_t index, std::uint32_t bucket,
                          std::uint32_t view, std::uint32_t place) const {
  const DrawBlock& draw = layout_.draw;
  const std::uint32_t inFront = draw.front == SLU_FRONT_BUCKET   ? bucket
                                : draw.front == SLU_FRONT_RECORD ? index
                                                                 : place;
  std::byte* to = drawsOf(frame, view);
  if (to == nullptr) return;
  storeCommand(to + std::size_t{draw.stride} * 4 * place, inFront, describe(input, bucket), 1, index);
}

// Counts the draws of each group. If the frame binds draws, writes them, unless each record has one, and zeros behind
// them. Returns the number of draws.
std::uint32_t CpuPlan::publishDraws(const Frame& frame, const Input& input, std::uint32_t view,
                                    std::uint32_t& overflow) {
  const DrawBlock& draw = layout_.draw;
  if (draw.wordCount == 0) return 0;
  const std::size_t strideBytes = std::size_t{draw.stride} * 4;
  const std::size_t commandBytes = std::size_t{draw.frontWords + draw.wordCount} * 4;
  const std::size_t commandCount = layout_.commandsPerView();
  std::byte* draws = drawsOf(frame, view);
  const auto clear = [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end && draws != nullptr; ++i) std::memset(draws + strideBytes * i, 0, commandBytes);
  };
  const auto clearBehind = [&](std::size_t drawn) {
    clear(drawn, std::min(drawn + layout_.zeroCommandCount, commandCount));
  };
  if (layout_.isMerged()) {
    clearBehind(counts_.front().keptCount);
    groups_.front().count = counts_.front().keptCount;
    return groups_.front().count;
  }
  placeGroups(input);
  if (!layout_.isSparse()) clear(0, commandCount);
  std::uint32_t drawCount = 0;
  for (std::uint32_t i = 0; i < counts_.size(); ++i) {
    if (!SLU_HAS_DRAW(counts_[i].keptCount, draw.skipEmpty)) continue;
    const std::uint32_t number = groupOf(input, i);
    if (number == SLU_DROPPED || groups_[number].count == groups_[number].capacity) {
      overflow |= SLU_OVERFLOW_DRAWS_BIT;
      continue;
    }
    DrawGroup& group = groups_[number];
    const std::uint32_t place = group.first + group.count++;
    ++drawCount;
    if (draws == nullptr) continue;
    const BucketBlock bucket = describe(input, i);
    const std::uint32_t first = view * layout_.outputsPerView + rooms_[i].first;
    storeCommand(draws + strideBytes * place, draw.front == SLU_FRONT_BUCKET ? i : place, bucket, counts_[i].keptCount,
                 first);
  }
  if (layout_.isSparse()) clearBehind(drawCount);
  return drawCount;
}

void CpuPlan::publish(const Frame& frame, const Input& input, std::uint32_t view, SluStatistics& statistics) {
  for (const SluBucketCount& count : counts_) {
    statistics.demandedCount += count.demandedCount;
    statistics.keptCount += count.keptCount;
    if (count.demandedCount > count.keptCount) statistics.overflow |= SLU_OVERFLOW_CAPACITY_BIT;
  }
  statistics.drawCount = publishDraws(frame, input, view, statistics.overflow);
  for (std::size_t i = 0; i < groups_.size() && frame.drawCounts; ++i) {
    store(pointerTo(frame.drawCounts) + (view * groups_.size() + i) * 4, groups_[i].count);
  }
  if (frame.bucketCounts) {
    const std::size_t bytes = counts_.size() * sizeof(SluBucketCount);
    std::memcpy(pointerTo(frame.bucketCounts) + view * bytes, counts_.data(), bytes);
  }
  if (frame.statistics) {
    std::byte* to = pointerTo(frame.statistics) + view * sizeof(SluStatistics);
    SluStatistics stored = load<SluStatistics>(to);
    if (layout_.listsRejects()) {  // the rest is of the part that keeps records
      if ((statistics.overflow & SLU_OVERFLOW_CAPACITY_BIT) != 0) stored.overflow |= SLU_OVERFLOW_REJECTS_BIT;
      statistics = stored;
    }
    statistics.overflow |= stored.overflow;
    store(to, statistics);
  }
}

class CpuRoute final : public Route {
 public:
  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) override {
    if (info.hostPointer == nullptr) return nullptr;
    auto buffer = std::make_unique<RouteBuffer>();
    buffer->address = reinterpret_cast<std::uintptr_t>(info.hostPointer);
    return buffer;
  }

  void checkUse(const RouteBuffer&, Use, const char*) const override {}

  std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) override { return std::make_unique<CpuPlan>(layout); }

  std::unique_ptr<RoutePyramid> createPyramid(const PyramidLayout& layout, const void*) override {
    return makeCpuPyramid(layout);
  }
};

}  // namespace

std::unique_ptr<Route> makeCpuRoute() { return std::make_unique<CpuRoute>(); }

}  // namespace slu
