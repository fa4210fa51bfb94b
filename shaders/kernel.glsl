// The first include of every kernel: specialization constants, uniforms, places and subgroups.
#ifdef SLU_HLSL  // the kernel is converted to HLSL (cmake/hlsl.cmake)
#define SLU_BOUND
#define SLU_ONE_VIEW
#define SLU_NUMBERED_SUBGROUPS
#define SLU_SEVERAL_DISPATCHES
#ifdef SLU_EMULATED_SUBGROUPS
#define SLU_SLOW_COMPILER  // FXC takes long for unrolled loops
#endif
#endif
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_memory_scope_semantics : require
#if defined(SLU_HLSL) && defined(SLU_PREDICATE)
#extension GL_EXT_samplerless_texture_functions : require
#endif
#ifndef SLU_BOUND
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif
#ifdef SLU_ATOMIC_INT64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif
#ifndef SLU_EMULATED_SUBGROUPS
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif

#ifdef SLU_BOUND
#define SLU_ADDRESS uvec2  // see places.glsl
#endif
#include "shared/frame.h"
#include "shared/rules.h"

layout(local_size_x = SLU_WORKGROUP) in;

// Specialization constants. KernelConstants in src/routes/vulkan/pipelines.h has the same order.
layout(constant_id = 0) const uint kRecordWords = 1u;
layout(constant_id = 1) const uint kLiveTest = SLU_LIVE_ALWAYS;
layout(constant_id = 2) const uint kCullFlags = 0u;
layout(constant_id = 3) const uint kBoundsSource = SLU_BOUNDS_NONE;
layout(constant_id = 4) const uint kTransformFlags = 0u;
layout(constant_id = 5) const uint kKeyed = 0u;
layout(constant_id = 6) const uint kLodCount = 1u;
layout(constant_id = 7) const uint kOutputs = 0u;
layout(constant_id = 8) const uint kBucketBits = 0u;  // bits of the bucket number; 0: one bucket
layout(constant_id = 9) const uint kGroup = 1u;       // consecutive records per invocation and row: 1, 2 or 4
layout(constant_id = 10) const uint kStable = 0u;
layout(constant_id = 11) const uint kSubgroupSize = 32u;  // of emulated subgroups
layout(constant_id = 12) const uint kRows = 4u;
layout(constant_id = 13) const uint kMoves = SLU_MOVES_NONE;  // SLU_MOVES_*
// 1: narrow records lie at multiples of 16 bytes, or other moved records and their copies at multiples of their unit.
layout(constant_id = 14) const uint kAligned = 1u;
// The spin limit of ordered.comp and persistent.comp: how often a workgroup polls a status before it computes the value
// itself.
layout(constant_id = 15) const uint kPatience = 0u;
layout(constant_id = 16) const uint kLists = 1u;  // lists of kept records; 2 in persistent.comp
layout(constant_id = 17) const uint kFlagTest = SLU_LIVE_ALWAYS;  // of flags; kLiveTest: of the record
layout(constant_id = 18) const uint kBoundsShape = SLU_SHAPE_SPHERE;
layout(constant_id = 19) const uint kMatrixForm = SLU_MATRIX_ROWS;
layout(constant_id = 20) const uint kScene = 0u;  // SLU_SCENE_*
layout(constant_id = 21) const uint kMerged = 0u;  // 1: SLU_PLACEMENT_MERGED, which counts as one bucket
layout(constant_id = 22) const uint kRejectReasons = 0u;  // of plans that list rejects: bits 1 << SluReject

// A tile is kRows rows; a row is kGroup consecutive records of each invocation. Items of an invocation are numbered
// row * kGroup + position in the group.
const uint kItems = kRows * kGroup;
const uint kTile = SLU_WORKGROUP * kItems;
const uint kMaxRows = 4u;
const uint kMaxItems = 8u;  // of kernels that list the kept records
const bool kBucketed = kBucketBits != 0u;
// Whether each kept record has a draw command.
const bool kEmitsCommands = kMerged * (kOutputs & SLU_OUTPUT_DRAWS_BIT) != 0u;
const bool kNeedsBounds = SLU_NEEDS_BOUNDS(kCullFlags, kLodCount);
const bool kHasVolumes = (kScene & SLU_SCENE_VOLUMES) != 0u;
const bool kHasMeshes = (kScene & SLU_SCENE_MESHES) != 0u;
const bool kTestsLayers = (kScene & SLU_SCENE_LAYERS) != 0u;
const bool kHasMarks = (kScene & SLU_SCENE_MARKS) != 0u;
const bool kHasMorePlanes = (kScene & SLU_SCENE_MORE_PLANES) != 0u;
const bool kSplitsMirrored = (kScene & SLU_SCENE_MIRRORS) != 0u;
const bool kKeepsLodStates = (kScene & SLU_SCENE_LOD_STATES) != 0u;
const bool kTestsOcclusion = (kScene & SLU_SCENE_OCCLUSION) != 0u;
const bool kTestsCones = (kScene & SLU_SCENE_CONES) != 0u;
const bool kListsRejects = kRejectReasons != 0u;
const bool kCountsRejects =
    SLU_COUNTS_REJECTS(kRejectReasons != 0u ? 0u : kOutputs, kKeyed, kCullFlags, kLodCount, kScene);
// The reasons for which records are rejected are below it: only some scenes reject for the last ones.
const uint kReasonCount = kTestsCones                 ? SLU_REJECT_CONE + 1u
                          : kTestsOcclusion           ? SLU_REJECT_OTHER_PHASE + 1u
                          : kScene > SLU_SCENE_VOLUMES ? SLU_REJECT_OCCLUDED
                                                       : SLU_REJECT_LOD;
// With meshes the key of a record is tested even if there is only one.
const uint kTestsKeys = kKeyed + (kScene & SLU_SCENE_MESHES);
const bool kTellsReasons = uint(kCountsRejects) + kRejectReasons != 0u;
const uint kKeyTime = SLU_KEY_TIME(kTestsKeys, kNeedsBounds, kBoundsSource, kTellsReasons, SLU_KEYS_AFTER_LIVE);

#include "uniforms.glsl"
#include "places.glsl"

// The functions of culling.h pass a view on by SLU_VIEW_REF. Here they ignore it and read the dispatch's view.
#define SLU_VIEW_REF uint
#include "sluice/culling.h"

// Returns where the view's arrivals are counted, of workgroups or of tiles. If tiles arrive by 64-bit atomics, the
// lower 40 bits of the same word count the kept records.
ScratchPlace progressOf(uint view) { return elementAt(ScratchPlace(plan.progress), view, 2u); }
const uint kKeptBits = 40u;

// Returns where the capacity and the first slot of a packed bucket lie.
ScratchPlace placeAt(uint view, uint bucket) {
  return elementAt(ScratchPlace(plan.places), view * plan.bucketCount + bucket, 2u);
}

// Load and store four words, one by one if they are not aligned.
uvec4 loadUnaligned(RecordsPlace place) {
  if (kAligned != 0u) return loadFour(place);
  return uvec4(load(place), load(place, 1u), load(place, 2u), load(place, 3u));
}
void storeUnaligned(KeptRecordsPlace place, uvec4 four) {
  if (kAligned != 0u) {
    storeFour(place, four);
    return;
  }
  [[unroll]] for (uint i = 0u; i < 4u; ++i) store(place, i, four[i]);
}

// Returns how many records to test: the record count, or the live count clamped to it.
uint inputCount() {
  if (!isGiven(frame.liveCount)) return frame.recordCount;
  return min(load(LiveCountPlace(frame.liveCount)), frame.recordCount);
}

// Returns how many meshes the frame has.
uint meshCount() {
  if (!isGiven(frame.liveMeshCount)) return frame.meshCount;
  return min(load(LiveMeshCountPlace(frame.liveMeshCount)), frame.meshCount);
}

MeshesPlace meshAt(uint mesh) { return elementAt(MeshesPlace(frame.meshes), mesh, plan.meshLayout.stride); }

// Returns a number of a mesh. word: where it lies. SLU_DROPPED: nowhere, and the number is `otherwise`.
uint meshNumber(MeshesPlace mesh, uint word, uint otherwise) {
  if (word == SLU_DROPPED) return otherwise;
  return load(mesh, word);
}

// Returns the number of a draw command in the output. place: within the view.
uint commandNumber(uint view, uint place) {
#ifdef SLU_SPARSE
  return view * SLU_SPARSE_COMMANDS(plan.sparseBucketCount, plan.outputsPerView) + place;
#else
  return view * (kMerged != 0u ? plan.outputsPerView : SLU_COMMANDS_PER_VIEW(plan.groups, plan.bucketCount)) + place;
#endif
}

// Returns the number of tiles. It is at least one, so that a frame without records is published, too.
uint tileCountOf(uint inputs) { return max((inputs + kTile - 1u) / kTile, 1u); }

// ---- Subgroups ----
// Invocations are numbered by their subgroups (laneIndex), since Vulkan does not relate gl_LocalInvocationIndex to
// subgroups. Subgroups may have any size and need not be full.
uint laneIndex;      // of the workgroup, 0 to 255
uint subgroupIndex;
uint subgroupCount;
uint subgroupFirst;  // the lane that the subgroup begins with
uint subgroupLanes;
bool subgroupLeader;

// Returns the number of the invocation's group of records in a row, within the tile. The rows of a subgroup are
// consecutive, so that subgroups share only one count each.
uint groupIndex(uint row) { return subgroupFirst * kRows + row * subgroupLanes + (laneIndex - subgroupFirst); }
// Returns the index of an item's record within the tile.
uint localIndex(uint item) { return groupIndex(item / kGroup) * kGroup + item % kGroup; }

#ifdef SLU_EMULATED_SUBGROUPS

shared uint sharedBallot[SLU_WORKGROUP / 32];

void initSubgroups() {
  laneIndex = gl_LocalInvocationIndex;
  subgroupIndex = laneIndex / kSubgroupSize;
  subgroupCount = SLU_WORKGROUP / kSubgroupSize;
  subgroupFirst = subgroupIndex * kSubgroupSize;
  subgroupLanes = kSubgroupSize;
  subgroupLeader = laneIndex % kSubgroupSize == 0u;
}

uint bitsBelow(uint bit) {
  uint count = 0u;
  for (uint word = 0u; word < bit / 32u; ++word) count += bitCount(sharedBallot[word]);
  return (bit & 31u) == 0u ? count : count + bitCount(sharedBallot[bit / 32u] & ((1u << (bit & 31u)) - 1u));
}

// Counts the flags set in the subgroup: those of lower lanes, and all. In uniform control flow.
void ballot(bool flag, out uint below, out uint total) {
  barrier();
  if (laneIndex < SLU_WORKGROUP / 32) sharedBallot[laneIndex] = 0u;
  barrier();
  if (flag) atomicOr(sharedBallot[laneIndex / 32u], 1u << (laneIndex & 31u));
  barrier();
  uint first = bitsBelow(subgroupIndex * kSubgroupSize);
  below = bitsBelow(laneIndex) - first;
  total = bitsBelow((subgroupIndex + 1u) * kSubgroupSize) - first;
}

shared uint sharedValues[SLU_WORKGROUP];

// Sums the values of the subgroup: those of lower lanes (below), and all (returned). In uniform control flow.
uint sumOfSubgroup(uint value, out uint below) {
  barrier();
  sharedValues[laneIndex] = value;
  barrier();
  uint sum = 0u;
  below = 0u;
  for (uint lane = subgroupFirst; lane < subgroupFirst + subgroupLanes; ++lane) {
    if (lane == laneIndex) below = sum;
    sum += sharedValues[lane];
  }
  return sum;
}

#else

#ifdef SLU_NUMBERED_SUBGROUPS

// HLSL has no index of a subgroup, so subgroups draw theirs from a counter. Any distinct indices will do: lanes are
// numbered by them, so records stay in order.
shared uint sharedSubgroups;

uint numberSubgroups() {
  if (gl_LocalInvocationIndex == 0u) sharedSubgroups = 0u;
  barrier();
  uint number = 0u;
  if (subgroupElect()) number = atomicAdd(sharedSubgroups, 1u);
  number = subgroupBroadcastFirst(number);
  barrier();
  return number;
}
#define SLU_SUBGROUP_INDEX numberSubgroups()
#define SLU_SUBGROUP_COUNT sharedSubgroups

#else

#define SLU_SUBGROUP_INDEX gl_SubgroupID
#define SLU_SUBGROUP_COUNT gl_NumSubgroups

#endif

shared uint sharedSizes[SLU_MAX_SUBGROUPS];

void initSubgroups() {
  subgroupIndex = SLU_SUBGROUP_INDEX;
  subgroupCount = SLU_SUBGROUP_COUNT;
  subgroupLeader = subgroupElect();
  if (SLU_SUBGROUP_COUNT * gl_SubgroupSize == SLU_WORKGROUP) {  // all subgroups are full
    subgroupFirst = subgroupIndex * gl_SubgroupSize;
    subgroupLanes = gl_SubgroupSize;
    laneIndex = subgroupFirst + gl_SubgroupInvocationID;
    return;
  }
  uvec4 present = subgroupBallot(true);
  subgroupLanes = subgroupBallotBitCount(present);
  if (subgroupLeader) sharedSizes[subgroupIndex] = subgroupLanes;
  barrier();
  subgroupFirst = 0u;
  for (uint i = 0u; i < subgroupIndex; ++i) subgroupFirst += sharedSizes[i];
  laneIndex = subgroupFirst + subgroupBallotExclusiveBitCount(present);
}

void ballot(bool flag, out uint below, out uint total) {
  uvec4 flags = subgroupBallot(flag);
  below = subgroupBallotExclusiveBitCount(flags);
  total = subgroupBallotBitCount(flags);
}

uint sumOfSubgroup(uint value, out uint below) {
  below = subgroupExclusiveAdd(value);
  return subgroupAdd(value);
}

#endif
