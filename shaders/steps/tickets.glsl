// Step 3, reserve, stable, one bucket, many tiles: workgroups take tiles by ticket, one after the other. Who draws the
// first ticket takes none: it turns the counts that tiles tell into their prefixes, what all tiles before them keep, and a
// tile asks for its prefix when the next one has been ranked, so that it seldom waits (the CUDA route's lookback.cuh says
// why).
//
// Vulkan promises no progress to a workgroup while another waits for it. So none relies on another: who has asked
// kPatience times in all adds up the counts itself, and counts tiles that have none (after Smith, Levien and Owens,
// "Decoupled Fallback: A Portable Single-Pass GPU Scan", 2025).
//
// There are two sets of statuses, a count and a prefix per tile: a frame uses one and clears the other, which the frame
// before used. The tickets' word says in its highest bit which is in use. Each access learns all it needs from one word. A
// workgroup leaves when it has the answers to all that it asked for, so that the last one to leave may write the tickets'
// word anew.

const uint kSecondSet = 1u << 31;
// Of the workgroup that scans. Mesa's CPU driver ends a shader's loops after 65,535 iterations in all.
const uint kMostTurns = kPatience <= SLU_CPU_PATIENCE ? SLU_CPU_PATIENCE : ~0u;

uint ticket;    // the workgroup's last; of invocation 0
uint patience;  // how often it still asks; of invocation 0
// What the invocation has added up by itself: of each SLU_WORKGROUP-th tile one up to the next.
uint foundNext;
uint foundSum;
shared uint sharedSet;
shared uint sharedNext;
shared uint sharedStatus;
shared uint sharedMissing;
shared uint sharedSum;

ScratchPlace statusAt(uint set, uint status) {
  uint firstWord = gl_WorkGroupID.y * SLU_STATUS_WORDS(plan.maxTiles);
  return wordAt(ScratchPlace(plan.tileStatus), firstWord + set * SLU_STATUS_SET(plan.maxTiles) + status);
}
uint prefixOf(uint tile) { return plan.maxTiles + tile; }  // behind the counts
ScratchPlace ticketsWord() { return statusAt(2u, 32u); }   // behind the sets, and apart from them
ScratchPlace leftWord() { return statusAt(2u, 64u); }

#include "steps/status.glsl"

// By invocation 0.
void draw() { ticket = addAt(ticketsWord(), 1u); }
bool scans() { return (ticket & ~kSecondSet) == 0u; }

// That the last ticket names; tileCount: none.
uint drawnTile(uint tileCount) {
  uint number = (ticket & ~kSecondSet) - 1u;
  if (number >= tileCount) return tileCount;
  return kPatience == 1u ? tileCount - 1u - number : number;  // the worst order, for tests
}

// By each workgroup at its end, which clears its part of the other set; the last one leaves the words as the next frame
// needs them.
void leaveFrame() {
  const uint statusCount = SLU_STATUS_SET(plan.maxTiles);
  const uint step = SLU_WORKGROUP * gl_NumWorkGroups.x;
  for (uint status = SLU_WORKGROUP * gl_WorkGroupID.x + laneIndex; status < statusCount; status += step) {
    store(statusAt(1u - sharedSet, status), 0u, 0u);
  }
  if (laneIndex != 0u || addAt(leftWord(), 1u) + 1u != gl_NumWorkGroups.x) return;
  exchangeAt(leftWord(), 0u);
  exchangeAt(ticketsWord(), ~ticket & kSecondSet);
}

// By the workgroup that takes no tile: tells the prefixes, in the order of the tiles, until it has told all, or nothing new
// has come for long. A tile per invocation at a time: with two or four, prefixes come later.
void scanCounts(uint tileCount) {
  uint first = 0u;    // tile whose prefix is to be told next
  uint carried = 0u;  // which is this
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
    uint ready = sharedMissing;  // of them, before the first one that is missing
    if (laneIndex < ready) tell(prefixOf(tile), carried + before);
    if (laneIndex + 1u == ready) sharedSum = before + kept;
    barrier();
    if (ready != 0u) carried += sharedSum;
    first += ready;
    idle = ready == 0u ? idle + 1u : 0u;
  }
}

// Goes on to find what tiles before `end` keep, up to the first one that is missing.
void findCounts(uint end) {
  if (kPatience == 1u) {  // in the worst order tiles come from the last one on
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

// Whether the counts of all tiles before this one are there. Otherwise missing is one that nobody counted. In uniform
// control flow.
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

// Of a tile that another workgroup should have counted; kept: records of this invocation. In uniform control flow.
void tellMissing(uint tile, uint kept) {
  barrier();
  if (laneIndex == 0u) sharedSum = 0u;
  barrier();
  if (kept != 0u) atomicAdd(sharedSum, kept);
  barrier();
  if (laneIndex == 0u) tell(tile, sharedSum);
}

// By all invocations, to wait for a tile's prefix, if known, its status, is 0. Returns the status, or 0 when the workgroup
// has lost its patience. In uniform control flow.
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
