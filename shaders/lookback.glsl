// Step 3, reserve, stable, one bucket, few tiles: a single pass in which each tile adds up what those before it keep.
// Vulkan promises no progress to a workgroup while another waits for it. So none relies on another: who has asked for
// counts kPatience times counts the tile that is missing itself (after Smith, Levien and Owens, "Decoupled Fallback: A
// Portable Single-Pass GPU Scan", 2025).
//
// A tile's status is one word: 0, or its count + 1. There are two sets of them: a frame uses one and clears the other,
// which the frame before used. Which is which changes when all workgroups have arrived, so those without a tile do, too:
// each has the state in shared memory by then.

const uint kStatusesPerLane = SLU_LOOK_BACK_TILES / SLU_WORKGROUP;

uvec2 frameState;  // of invocation 0, which puts it into sharedState before a barrier
// Of the view: its frames so far, whose lowest bit names the set in use, and how many tiles the last of them had.
shared uvec2 sharedState;
shared uint sharedMissing;
shared uint sharedBefore;
shared uint sharedCounted;

uint64_t stateOf(uint view) { return plan.chunks + 8ul * view * (1ul + SLU_LOOK_BACK_TILES); }
uint64_t statusOf(uint view, uint frame, uint tile) {
  return wordAt(stateOf(view) + 8ul, SLU_LOOK_BACK_TILES * (frame & 1u) + tile);
}

void tell(uint view, uint tile, uint kept) {
  atomicStore(Words1(statusOf(view, sharedState.x, tile)).v, kept + 1u, gl_ScopeDevice, gl_StorageSemanticsNone,
              gl_SemanticsRelaxed);
}
uint ask(uint view, uint tile) {
  return atomicLoad(Words1(statusOf(view, sharedState.x, tile)).v, gl_ScopeDevice, gl_StorageSemanticsNone,
                    gl_SemanticsRelaxed);
}

void beginLookBack(uint view) {
  if (laneIndex == 0u) frameState = Words2(stateOf(view)).v;
}

// By one invocation, when all workgroups of the view have arrived.
void endLookBack(uint view, uint inputs) { Words2(stateOf(view)).v = uvec2(sharedState.x + 1u, tileCountOf(inputs)); }

// By invocation 0.
void publishCount(uint view, uint tile, uint kept) {
  sharedState = frameState;
  tell(view, tile, kept);
}

// By all workgroups together, whether there are tiles for them or not.
void clearLastFrame(uint view, uint group) {
  const uint step = gl_NumWorkGroups.x;
  for (uint tile = group + laneIndex * step; tile < sharedState.y; tile += SLU_WORKGROUP * step) {
    Words1(statusOf(view, sharedState.x + 1u, tile)).v = 0u;
  }
}

// Whether it is known how many records the tiles before this one keep. Otherwise missing is one that nobody counted.
// In uniform control flow; what was in shared memory before is visible to all afterwards.
bool lookBack(uint view, uint tile, uint patience, out uint before, out uint missing) {
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
      counts[i] = earlier < tile ? ask(view, earlier) : 1u;
      if (counts[i] == 0u) isMissing = true;
    }
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
void publishMissing(uint view, uint tile, uint kept) {
  if (kept != 0u) atomicAdd(sharedCounted, kept);
  barrier();
  if (laneIndex == 0u) tell(view, tile, sharedCounted);
}

// The records kept before the tile, of records that are moved, which are quickly tested again.
uint keptBefore(uint view, uint tile, uint inputs) {
  uint before;
  uint missing;
  uint patience = kPatience;
  [[dont_unroll]] while (!lookBack(view, tile, patience, before, missing)) {
    patience = 1u;
    uint tileBase = missing * kTile;
    uint kept = 0u;
    for (uint i = laneIndex; i < kTile; i += SLU_WORKGROUP) kept += liveMask(tileBase + i, 1u) & 1u;
    publishMissing(view, missing, kept);
  }
  return before;
}
