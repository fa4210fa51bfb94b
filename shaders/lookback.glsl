// Step 3, reserve, stable, one bucket: a single pass in which each tile learns how many records the tiles before it keep.
//  - Of up to SLU_SUMMED_TILES tiles each adds up the counts of those before it.
//  - Of more, the first workgroup takes no tile: it turns the counts into prefixes as they come, and a tile asks for one
//    word instead of looking back over hundreds (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled
//    Look-back", 2016).
// Vulkan promises no progress to a workgroup while another waits for it. So none relies on another: who has asked for a
// count kPatience times counts that tile's records itself (Smith, Levien and Owens, "Decoupled Fallback: A Portable
// Single-Pass GPU Scan", 2025), and the first workgroup just stops.
//
// What workgroups tell each other is one word each, 0 until it is known: a tile's count + 1, or the records kept up to
// its end with the highest bit set. There are two sets of them: a frame uses one and clears the other, which the frame
// before used. Which is which changes when all workgroups have arrived, so those without a tile do, too.

const uint kPrefix = 0x80000000u;
const uint kTilesPerLane = 4u;  // that are asked for at once
const uint kWindow = kTilesPerLane * SLU_WORKGROUP;

uvec2 frameState;  // of invocation 0, which puts it into sharedState before a barrier
// Of the view: its frames so far, of which the lowest bit names the set in use, and how many tiles the last of them had.
shared uvec2 sharedState;
shared uint sharedPrefix;
shared uint sharedBefore;
shared uint sharedMissing;
shared uint sharedCounted;
shared uint sharedRuns[3];  // in turn, so that one barrier per step suffices

uint64_t stateOf(uint view) { return plan.chunks + 4ul * view * (2ul + 4ul * plan.maxTiles); }
uint64_t setOf(uint view, uint frame) { return stateOf(view) + 8ul + 8ul * plan.maxTiles * (frame & 1u); }
uint64_t countOf(uint view, uint tile) { return wordAt(setOf(view, sharedState.x), tile); }
uint64_t prefixOf(uint view, uint tile) { return wordAt(setOf(view, sharedState.x), plan.maxTiles + tile); }

uint ask(uint64_t address) {
  return atomicLoad(Words1(address).v, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}
void tell(uint64_t address, uint value) {
  atomicStore(Words1(address).v, value, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

// 0 when patience ends.
uint await(uint64_t address, uint patience) {
  uint known = ask(address);
  [[dont_unroll]] for (uint i = 1u; i < patience && known == 0u; ++i) known = ask(address);
  return known;
}

void beginLookBack(uint view) {
  if (laneIndex == 0u) frameState = Words2(stateOf(view)).v;
}

// By one invocation, when all workgroups of the view have arrived.
void endLookBack(uint view, uint inputs) { Words2(stateOf(view)).v = uvec2(sharedState.x + 1u, tileCountOf(inputs)); }

// By invocation 0.
void publishCount(uint view, uint tile, uint kept) {
  sharedState = frameState;
  tell(countOf(view, tile), kept + 1u);
}

// Workgroups that take no tile but scan, 0 or 1.
uint scanningGroups() { return gl_NumWorkGroups.x - pushed.chunkCount; }

// Each workgroup that takes tiles, whether there are any for it or not, clears its part of the other set.
void clearLastFrame(uint view, uint chunk) {
  uint64_t words = setOf(view, sharedState.x + 1u);
  for (uint tile = chunk + laneIndex * pushed.chunkCount; tile < sharedState.y; tile += SLU_WORKGROUP * pushed.chunkCount) {
    store(words, tile, 0u);
    store(words, plan.maxTiles + tile, 0u);
  }
}

// By a workgroup that takes no tile.
void scanTiles(uint view, uint tileCount) {
  if (laneIndex == 0u) sharedRuns[0] = kWindow;
  barrier();
  uint before = 0u;
  uint first = 0u;  // the tiles from here on have no prefix
  uint asked = 0u;  // in vain
  [[dont_unroll]] for (uint step = 0u; first < tileCount && asked < kPatience; ++step) {
    uint counts[kTilesPerLane];
    [[unroll]] for (uint i = 0u; i < kTilesPerLane; ++i) {
      uint tile = first + laneIndex * kTilesPerLane + i;
      counts[i] = tile < tileCount ? ask(countOf(view, tile)) : 0u;
    }
    if (laneIndex == 0u) sharedRuns[(step + 1u) % 3u] = kWindow;
    [[unroll]] for (uint i = 0u; i < kTilesPerLane; ++i) {
      if (counts[i] == 0u) atomicMin(sharedRuns[step % 3u], laneIndex * kTilesPerLane + i);
    }
    barrier();
    uint run = sharedRuns[step % 3u];  // of counts that are known
    asked = run == 0u ? asked + 1u : 0u;
    if (run == 0u) continue;
    uint sum = 0u;
    [[unroll]] for (uint i = 0u; i < kTilesPerLane; ++i) {
      if (laneIndex * kTilesPerLane + i < run) sum += counts[i] - 1u;
    }
    uint total;
    uint prefix = before + exclusiveSum(sum, total);
    [[unroll]] for (uint i = 0u; i < kTilesPerLane; ++i) {
      uint place = laneIndex * kTilesPerLane + i;
      if (place >= run) continue;
      prefix += counts[i] - 1u;
      tell(prefixOf(view, first + place), kPrefix | prefix);
    }
    before += total;
    first += run;
  }
}

// Whether it is known how many records the tiles before this one keep. Otherwise missing is a tile that nobody has
// counted. In uniform control flow; what was in shared memory before is visible to all afterwards.
bool lookBack(uint view, uint tile, uint patience, out uint before, out uint missing) {
  bool isScanned = scanningGroups() != 0u && tile != 0u;
  if (laneIndex == 0u) {
    sharedPrefix = isScanned ? await(prefixOf(view, tile - 1u), patience) : 0u;
    sharedBefore = 0u;
    sharedMissing = tile;
    sharedCounted = 0u;
  }
  shareReserved();
  barrier();
  uint known = sharedPrefix;
  missing = tile;
  before = known & ~kPrefix;
  if (known != 0u) return true;

  // Without an answer, from the last of some tiles on, where its prefix is known.
  uint first = isScanned ? tile - tile % kWindow : 0u;
  if (first != 0u) known = ask(prefixOf(view, first - 1u));
  if (known == 0u) first = 0u;
  uint sum = 0u;
  [[dont_unroll]] for (uint begin = first + laneIndex; begin < tile; begin += kWindow) {
    uint counts[kTilesPerLane];
    [[unroll]] for (uint i = 0u; i < kTilesPerLane; ++i) {
      uint earlier = begin + i * SLU_WORKGROUP;
      counts[i] = earlier < tile ? ask(countOf(view, earlier)) : 1u;
    }
    [[unroll]] for (uint i = 0u; i < kTilesPerLane; ++i) {
      uint earlier = begin + i * SLU_WORKGROUP;
      if (counts[i] == 0u) counts[i] = await(countOf(view, earlier), patience);
      if (counts[i] == 0u) atomicMin(sharedMissing, earlier);
      sum += max(counts[i], 1u) - 1u;
    }
  }
  if (sum != 0u) atomicAdd(sharedBefore, sum);
  barrier();
  missing = sharedMissing;
  before = (known & ~kPrefix) + sharedBefore;
  barrier();
  if (missing != tile) return false;
  if (isScanned && laneIndex == 0u) tell(prefixOf(view, tile - 1u), kPrefix | before);  // spares others the same
  return true;
}

// Of a tile that another workgroup should have counted; kept: records of this invocation. In uniform control flow, after
// it was found missing.
void publishMissing(uint view, uint tile, uint kept) {
  if (kept != 0u) atomicAdd(sharedCounted, kept);
  barrier();
  if (laneIndex == 0u) tell(countOf(view, tile), sharedCounted + 1u);
}

// The records kept before the tile, of records that are moved, which are quickly tested again.
uint keptBefore(uint view, uint tile, uint inputs) {
  uint before;
  uint missing;
  uint patience = kPatience;
  [[dont_unroll]] while (!lookBack(view, tile, patience, before, missing)) {
    patience = 0u;
    uint tileBase = missing * kTile;
    uint kept = 0u;
    for (uint i = laneIndex; i < kTile; i += SLU_WORKGROUP) kept += liveMask(tileBase + i, 1u) & 1u;
    publishMissing(view, missing, kept);
  }
  return before;
}
