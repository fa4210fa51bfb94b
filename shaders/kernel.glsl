// What every kernel begins with: constants of the pipeline, what frames bring, subgroups.
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_memory_scope_semantics : require
#ifndef SLU_BOUND
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif
#ifdef SLU_ATOMIC_INT64
#extension GL_EXT_shader_atomic_int64 : require
#endif
#ifndef SLU_EMULATED_SUBGROUPS
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif

#ifdef SLU_BOUND
#define SLU_ADDRESS uvec2  // places.glsl says what they are
#endif
#include "shared/frame.h"
#include "shared/rules.h"

layout(local_size_x = SLU_WORKGROUP) in;

// One pipeline per combination; src/routes/vulkan/pipelines.h names them in this order.
layout(constant_id = 0) const uint kRecordWords = 1u;
layout(constant_id = 1) const uint kLiveTest = SLU_LIVE_ALWAYS;
layout(constant_id = 2) const uint kCullFlags = 0u;
layout(constant_id = 3) const uint kSphereSource = SLU_SPHERE_NONE;
layout(constant_id = 4) const uint kTransformFlags = 0u;
layout(constant_id = 5) const uint kKeyed = 0u;
layout(constant_id = 6) const uint kLodCount = 1u;
layout(constant_id = 7) const uint kOutputs = 0u;
layout(constant_id = 8) const uint kBucketBits = 0u;  // bits of the bucket number; 0: one bucket
layout(constant_id = 9) const uint kGroup = 1u;       // consecutive records per invocation and row: 1, 2 or 4
layout(constant_id = 10) const uint kStable = 0u;
layout(constant_id = 11) const uint kSubgroupSize = 32u;  // of emulated subgroups
layout(constant_id = 12) const uint kRows = 4u;
layout(constant_id = 13) const uint kMoves = SLU_MOVES_NONE;  // how records that decide for themselves leave, read once
// Narrow records lie at multiples of 16, others that are moved and their copies at multiples of their units.
layout(constant_id = 14) const uint kAligned = 1u;
// ordered.comp and persistent.comp: how often a workgroup asks in vain for what another is to tell.
layout(constant_id = 15) const uint kPatience = 0u;
layout(constant_id = 16) const uint kLists = 1u;  // of kept records, in turn
layout(constant_id = 17) const uint kFlagTest = SLU_LIVE_ALWAYS;  // kLiveTest: of the record

// A tile is kRows rows; a row is kGroup consecutive records of each invocation. Items of an invocation are numbered
// row * kGroup + position in the group.
const uint kItems = kRows * kGroup;
const uint kTile = SLU_WORKGROUP * kItems;
const uint kMaxRows = 4u;
const uint kMaxItems = 8u;  // of kernels with lists
const bool kBucketed = kBucketBits != 0u;
const bool kNeedsView = SLU_NEEDS_VIEW(kCullFlags, kLodCount);
const bool kCountsRejects = SLU_COUNTS_REJECTS(kOutputs, kKeyed, kCullFlags, kLodCount);
const uint kKeyTime = SLU_KEY_TIME(kKeyed, kNeedsView, kSphereSource, kCountsRejects, SLU_KEYS_AFTER_LIVE);

#include "uniforms.glsl"
#include "places.glsl"

// The culling arithmetic reads the dispatch's view, whatever is passed.
#define SLU_VIEW_REF uint
#include "sluice/culling.h"

// Of a view, in scratch: how many workgroups or tiles have arrived. With 64-bit atomics the word that tiles arrive at
// also counts the kept records, in its lower 40 bits.
ScratchPlace progressOf(uint view) { return elementAt(ScratchPlace(plan.progress), view, 2u); }
const uint kKeptBits = 40u;

// Four words; one by one where they are not aligned.
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

// Records to test, after the clamp of a live count.
uint inputCount() {
  if (!isGiven(frame.liveCount)) return frame.recordCount;
  return min(load(LiveCountPlace(frame.liveCount)), frame.recordCount);
}

// At least one, so that somebody publishes.
uint tileCountOf(uint inputs) { return max((inputs + kTile - 1u) / kTile, 1u); }

// ---- Subgroups ----
// An invocation's number is derived from its subgroup, since nothing else ties the two orders together. Subgroups may
// have any size and need not be full.
uint laneIndex;      // of the workgroup, 0 to 255
uint subgroupIndex;
uint subgroupCount;
uint subgroupFirst;  // the lane that the subgroup begins with
uint subgroupLanes;
bool subgroupLeader;

// Of the invocation's group of records in a row, within the tile: a subgroup takes its rows one behind the other, so that
// subgroups need to tell each other one count only.
uint groupIndex(uint row) { return subgroupFirst * kRows + row * subgroupLanes + (laneIndex - subgroupFirst); }
// Of an item's record.
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

// The flags set in the subgroup: those of lower lanes, and all. In uniform control flow.
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

// Of values in the subgroup: the sum of those of lower lanes, and of all. In uniform control flow.
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

// HLSL has no number of a subgroup. Subgroups take theirs as they come: invocations are numbered by their subgroup's
// number, so any distinct numbers below the count do, and records stay in order.
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
  if (SLU_SUBGROUP_COUNT * gl_SubgroupSize == SLU_WORKGROUP) {  // all are full, and nobody needs to ask the others
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
