// Step 3, reserve, for stable order, one bucket and few tiles: a single pass in which each tile adds up the counts of
// the tiles before it. Vulkan guarantees no forward progress to a workgroup that another one waits for. So a workgroup
// that has polled kPatience times counts the missing tile itself (after Smith, Levien and Owens, "Decoupled Fallback: A
// Portable Single-Pass GPU Scan", 2025).
//
// There are two sets of statuses, with a count per tile. A frame uses one set, and clears the other one, which the
// previous frame used. One word per view says which set is in use, and counts the workgroups that have joined the
// frame. Each workgroup, with or without a tile, loads this word and later joins. The last one to join switches the
// word to the other set, for the next frame. All accesses to one word have a single order, and each access learns all
// that it needs from one word. So no access has to be ordered before another.

const uint kStatusesPerLane = SLU_LOOK_BACK_TILES / SLU_WORKGROUP;
const uint kSecondSet = 1u << 31;  // set: the second set is in use; the bits below count who has joined

uint found;     // of invocation 0: the word when it was loaded
uint joined;    // of invocation 0: the word before the workgroup joined
shared uint sharedSet;
shared uint sharedMissing;
shared uint sharedBefore;
shared uint sharedCounted;

// Returns the workgroup's tile, which does not exist if it lies beyond the live count.
uint ownTile() {
  if (kPatience == 1u) return SLU_WORKGROUP_COUNT - 1u - gl_WorkGroupID.x;  // the worst order, for tests
  return gl_WorkGroupID.x;
}

ScratchPlace statusAt(uint set, uint status) {
  uint firstWord = SLU_OWN_VIEW * SLU_LOOK_BACK_WORDS;
  return wordAt(ScratchPlace(plan.tileStatus), firstWord + set * SLU_LOOK_BACK_TILES + status);
}
ScratchPlace joinedOf() { return statusAt(2u, 32u); }  // after the sets

#include "steps/status.glsl"

// Each workgroup calls this long before it needs the set, since memory takes time to answer.
void askForSet() {
  if (laneIndex != 0u) return;
  found = askAt(joinedOf());
}

// Invocation 0 calls this before a barrier.
void takeSet() { sharedSet = uint(found >= kSecondSet); }

// Invocation 0 calls this after takeSet. The atomics of all workgroups are serialized at this word, so a workgroup
// first publishes what other tiles wait for. It needs the result only at the end of the frame.
void joinFrame() { joined = addAt(joinedOf(), 1u); }

// Each workgroup calls this at its end.
void leaveFrame() {
  if (laneIndex != 0u || (joined & ~kSecondSet) + 1u != SLU_WORKGROUP_COUNT) return;
  exchangeAt(joinedOf(), ~joined & kSecondSet);
}

// All workgroups call this, with or without a tile, and share the work.
void clearOtherSet() {
  const uint step = SLU_WORKGROUP_COUNT;
  for (uint status = gl_WorkGroupID.x + laneIndex * step; status < SLU_LOOK_BACK_TILES; status += SLU_WORKGROUP * step) {
    store(statusAt(1u - sharedSet, status), 0u, 0u);
  }
}

// Returns whether the counts of all earlier tiles are known. Then before is their sum; otherwise missing is the first
// tile without a count. Polls `patience` times, at least once. In uniform control flow. What was in shared memory
// before is visible to all afterwards.
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

// Publishes the count of a tile that lookBack found missing. kept: how many of its records this invocation has counted.
// In uniform control flow.
void publishMissing(uint tile, uint kept) {
  if (kept != 0u) atomicAdd(sharedCounted, kept);
  barrier();
  if (laneIndex == 0u) tell(tile, sharedCounted);
}

// Work that does not need the place of the tile fits between beginReserve and endReserve, as in reserve.glsl. In
// uniform control flow.
void beginReserve(uint kept) {
  if (laneIndex != 0u) return;
  takeSet();
  tell(ownTile(), kept);
  joinFrame();
}

// Returns the tile's first slot in the view's output. It is for moved records, since their test is quickly repeated for
// a missing tile. What was in shared memory before is visible to all afterwards.
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
