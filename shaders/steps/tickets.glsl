// Step 3, reserve, for stable order, one bucket and many tiles: workgroups take tiles by ticket, one after the other.
// The workgroup with the first ticket takes no tile. It turns the counts that tiles publish into prefixes: how many
// records all tiles before a tile keep. A tile polls its prefix after the next tile has been ranked, so that it seldom
// waits (the CUDA route's lookback.cuh says why).
//
// Vulkan guarantees no forward progress to a workgroup that another one waits for. So a workgroup that has polled
// kPatience times in all adds up the counts itself, and counts the tiles that have none (after Smith, Levien and Owens,
// "Decoupled Fallback: A Portable Single-Pass GPU Scan", 2025).
//
// There are two sets of statuses, with a count and a prefix per tile. A frame uses one set, and clears the other one,
// which the previous frame used. The highest bit of the tickets' word says which set is in use. Each access learns all
// that it needs from one word. A workgroup leaves when it has the results of all its accesses, so that the last one to
// leave may reset the tickets' word.

const uint kSecondSet = 1u << 31;
// Limits the loop of the workgroup that scans. Mesa's CPU driver ends a shader's loops after 65,535 iterations in all.
const uint kMostTurns = kPatience <= SLU_CPU_PATIENCE ? SLU_CPU_PATIENCE : ~0u;

uint ticket;    // of invocation 0: the workgroup's last ticket
uint patience;  // of invocation 0: how often it may still poll
// If the workgroup adds up counts itself, each invocation does so for every SLU_WORKGROUP-th tile. foundSum is the sum
// of its tiles before foundNext.
uint foundNext;
uint foundSum;
shared uint sharedSet;
shared uint sharedNext;
shared uint sharedStatus;
shared uint sharedMissing;
shared uint sharedSum;

ScratchPlace statusAt(uint set, uint status) {
  uint firstWord = SLU_OWN_VIEW * SLU_STATUS_WORDS(plan.maxTiles);
  return wordAt(ScratchPlace(plan.tileStatus), firstWord + set * SLU_STATUS_SET(plan.maxTiles) + status);
}
uint prefixOf(uint tile) { return plan.maxTiles + tile; }  // after the counts
ScratchPlace ticketsWord() { return statusAt(2u, 32u); }   // after the sets, and apart from them
ScratchPlace leftWord() { return statusAt(2u, 64u); }

#include "steps/status.glsl"

// Invocation 0 calls these.
void draw() { ticket = addAt(ticketsWord(), 1u); }
bool scans() { return (ticket & ~kSecondSet) == 0u; }

// Returns the tile that the last ticket names, or tileCount if there is none.
uint drawnTile(uint tileCount) {
  uint number = (ticket & ~kSecondSet) - 1u;
  if (number >= tileCount) return tileCount;
  return kPatience == 1u ? tileCount - 1u - number : number;  // the worst order, for tests
}

// Each workgroup calls this at its end, and clears its part of the other set. The last one to leave resets the words
// for the next frame.
void leaveFrame() {
  const uint statusCount = SLU_STATUS_SET(plan.maxTiles);
  const uint step = SLU_WORKGROUP * SLU_WORKGROUP_COUNT;
  for (uint status = SLU_WORKGROUP * gl_WorkGroupID.x + laneIndex; status < statusCount; status += step) {
    store(statusAt(1u - sharedSet, status), 0u, 0u);
  }
  if (laneIndex != 0u || addAt(leftWord(), 1u) + 1u != SLU_WORKGROUP_COUNT) return;
  exchangeAt(leftWord(), 0u);
  exchangeAt(ticketsWord(), ~ticket & kSecondSet);
}

// The workgroup without a tile calls this. Publishes prefixes in the order of the tiles, until all are published or
// kPatience turns in a row have found no new count. Each invocation takes one tile per turn: with two or four, prefixes
// come later.
void scanCounts(uint tileCount) {
  uint first = 0u;    // the tile whose prefix is published next
  uint carried = 0u;  // this prefix
  uint idle = 0u;
  [[dont_unroll]] for (uint turn = 0u; turn < kMostTurns && first < tileCount && idle < kPatience; ++turn) {
    uint tile = first + laneIndex;
    uint count = tile < tileCount ? ask(tile) : 0u;
    if (laneIndex == 0u) sharedMissing = SLU_WORKGROUP;
    barrier();
    uint lower;
    uint present;
    ballot(count != 0u, lower, present);
    if (count == 0u && lower == laneIndex - subgroupFirst) atomicMin(sharedMissing, laneIndex);
    uint kept = max(count, 1u) - 1u;
    uint before;
    sumOfLanes(kept, before);
    uint ready = sharedMissing;  // how many counts precede the first one that is missing
    if (laneIndex < ready) tell(prefixOf(tile), carried + before);
    if (laneIndex + 1u == ready) sharedSum = before + kept;
    barrier();
    if (ready != 0u) carried += sharedSum;
    first += ready;
    idle = ready == 0u ? idle + 1u : 0u;
  }
}

// Goes on to add up the counts of the tiles before `end`, up to the first one that is missing.
void findCounts(uint end) {
  if (kPatience == 1u) {  // in the worst order (drawnTile) `end` decreases from call to call
    foundNext = laneIndex;
    foundSum = 0u;
  }
  [[dont_unroll]] for (; foundNext < end; foundNext += SLU_WORKGROUP) {
    uint status = ask(foundNext);
    if (status == 0u) {
      atomicMin(sharedMissing, foundNext);
      return;
    }
    foundSum += status - 1u;
  }
}

// Returns whether the counts of all tiles before this one are known. Then before is their sum; otherwise missing is a
// tile without a count. In uniform control flow.
bool addUpCounts(uint tile, out uint before, out uint missing) {
  barrier();
  if (laneIndex == 0u) {
    sharedMissing = tile;
    sharedSum = 0u;
  }
  barrier();
  findCounts(tile);
  if (foundSum != 0u) atomicAdd(sharedSum, foundSum);
  barrier();
  before = sharedSum;
  missing = sharedMissing;
  return missing == tile;
}

// Publishes the count of a tile that addUpCounts found missing. kept: how many of its records this invocation has
// counted. In uniform control flow.
void tellMissing(uint tile, uint kept) {
  barrier();
  if (laneIndex == 0u) sharedSum = 0u;
  barrier();
  if (kept != 0u) atomicAdd(sharedSum, kept);
  barrier();
  if (laneIndex == 0u) tell(tile, sharedSum);
}

// All invocations call this to wait for the prefix of a tile. known: its status when it was last polled, or 0. Returns
// the status, or 0 when the spin limit is reached. In uniform control flow.
uint awaitPrefix(uint tile, uint known) {
  if (known != 0u) return known;
  barrier();
  if (laneIndex == 0u) {
    [[dont_unroll]] for (; known == 0u && patience != 0u; --patience) known = ask(prefixOf(tile));
    sharedStatus = known;
  }
  barrier();
  return sharedStatus;
}
