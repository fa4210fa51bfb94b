// Step 3, reserve, stable, one bucket, few tiles: a single pass in which each tile adds up what those before it keep.
// Vulkan promises no progress to a workgroup while another waits for it. So none relies on another: who has asked for
// counts kPatience times counts the tile that is missing itself (after Smith, Levien and Owens, "Decoupled Fallback: A
// Portable Single-Pass GPU Scan", 2025).
//
// There are two sets of statuses, a count per tile: a frame uses one and clears the other, which the frame before used. One
// word per view says which set is in use. All workgroups, with a tile or without, load it and then join the frame there, and
// the last to join has it say the other set for the next frame. So each access learns all it needs from one word, whose
// accesses have one order, and none has to be ordered before another.

const uint kStatusesPerLane = SLU_LOOK_BACK_TILES / SLU_WORKGROUP;
const uint kSecondSet = 1u << 31;  // is in use; the bits below are how many workgroups have joined

uint found;     // the word when the workgroup asked; of invocation 0
uint joined;    // the same when it joined
shared uint sharedSet;
shared uint sharedMissing;
shared uint sharedBefore;
shared uint sharedCounted;

// Of a workgroup, unless it is beyond the live count.
uint ownTile() {
  if (kPatience == 1u) return gl_NumWorkGroups.x - 1u - gl_WorkGroupID.x;  // the worst order, for tests
  return gl_WorkGroupID.x;
}

ScratchPlace statusAt(uint set, uint status) {
  uint firstWord = gl_WorkGroupID.y * SLU_LOOK_BACK_WORDS;
  return wordAt(ScratchPlace(plan.tileStatus), firstWord + set * SLU_LOOK_BACK_TILES + status);
}
ScratchPlace joinedOf() { return statusAt(2u, 32u); }  // behind the sets

#include "steps/status.glsl"

// By each workgroup, long before it needs the set: memory takes its time to answer.
void askForSet() {
  if (laneIndex != 0u) return;
  found = askAt(joinedOf());
}

// By invocation 0, before a barrier.
void takeSet() { sharedSet = uint(found >= kSecondSet); }

// By invocation 0, when it has the set. Memory answers those who join one after the other, which takes as long as there
// are workgroups: what other tiles wait for comes first, and the answer is for the end of the frame.
void joinFrame() { joined = addAt(joinedOf(), 1u); }

// By each workgroup at its end.
void leaveFrame() {
  if (laneIndex != 0u || (joined & ~kSecondSet) + 1u != gl_NumWorkGroups.x) return;
  exchangeAt(joinedOf(), ~joined & kSecondSet);
}

// By all workgroups together, whether there are tiles for them or not.
void clearOtherSet() {
  const uint step = gl_NumWorkGroups.x;
  for (uint status = gl_WorkGroupID.x + laneIndex * step; status < SLU_LOOK_BACK_TILES; status += SLU_WORKGROUP * step) {
    store(statusAt(1u - sharedSet, status), 0u, 0u);
  }
}

// Whether it is known how many records the tiles before this one keep. Otherwise missing is one that nobody counted.
// In uniform control flow; what was in shared memory before is visible to all afterwards.
bool lookBack(uint patience, out uint before, out uint missing) {
  const uint tile = ownTile();
  if (laneIndex == 0u) {
    sharedMissing = tile;
    sharedBefore = 0u;
    sharedCounted = 0u;
  }
  barrier();
  uint counts[kStatusesPerLane];
  uint asked = 0u;
  bool isMissing;
  [[dont_unroll]] do {
    isMissing = false;
    [[unroll]] for (uint i = 0u; i < kStatusesPerLane; ++i) {
      uint earlier = i * SLU_WORKGROUP + laneIndex;
      counts[i] = earlier < tile ? ask(earlier) : 1u;
    }
    [[unroll]] for (uint i = 0u; i < kStatusesPerLane; ++i) isMissing = isMissing || counts[i] == 0u;
  } while (isMissing && ++asked < patience);
  uint sum = 0u;
  [[unroll]] for (uint i = 0u; i < kStatusesPerLane; ++i) {
    if (counts[i] == 0u) {
      atomicMin(sharedMissing, i * SLU_WORKGROUP + laneIndex);
    } else {
      sum += counts[i] - 1u;
    }
  }
  if (sum != 0u) atomicAdd(sharedBefore, sum);
  barrier();
  before = sharedBefore;
  missing = sharedMissing;
  barrier();
  return missing == tile;
}

// Of a tile that another workgroup should have counted; kept: records of this invocation. In uniform control flow,
// after it was found missing.
void publishMissing(uint tile, uint kept) {
  if (kept != 0u) atomicAdd(sharedCounted, kept);
  barrier();
  if (laneIndex == 0u) tell(tile, sharedCounted);
}

// Work that needs no place yet fits between the two, as in reserve.glsl. In uniform control flow.
void beginReserve(uint kept) {
  if (laneIndex != 0u) return;
  takeSet();
  tell(ownTile(), kept);
  joinFrame();
}

// The tile's first slot in the view's output, of records that are moved, which are quickly tested again. What was in
// shared memory before is visible to all afterwards.
uint endReserve() {
  uint before;
  uint missing;
  uint patience = kPatience;
  [[dont_unroll]] while (!lookBack(patience, before, missing)) {
    patience = 1u;
    uint tileBase = missing * kTile;
    uint kept = 0u;
    for (uint i = laneIndex; i < kTile; i += SLU_WORKGROUP) kept += liveMask(tileBase + i, 1u) & 1u;
    publishMissing(missing, kept);
  }
  return before;
}
