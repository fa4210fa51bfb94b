// Stable order, from the chunks' counts to where each chunk begins; kMostChunks: as many as a frame may have.

shared uint sharedSums[SLU_WORKGROUP];

// Sum over the lower lanes (Hillis and Steele 1986); total is that of all.
uint exclusiveSum(uint value, out uint total) {
  uint inclusive = value;
  sharedSums[laneIndex] = inclusive;
  barrier();
  for (uint distance = 1u; distance < SLU_WORKGROUP; distance *= 2u) {
    uint lower = laneIndex >= distance ? sharedSums[laneIndex - distance] : 0u;
    barrier();
    inclusive += lower;
    sharedSums[laneIndex] = inclusive;
    barrier();
  }
  total = sharedSums[SLU_WORKGROUP - 1u];
  return inclusive - value;
}

const uint kChunksPerLane = kMostChunks / SLU_WORKGROUP;

// Turns the counts of a bucket's chunks into the records kept before each, and returns their sum. isCounting: other
// workgroups counted in this dispatch. In uniform control flow.
uint scanChunks(uint segment, bool isCounting) {
  uint64_t row = plan.chunks + 4ul * (uint64_t(segment) * pushed.chunkCount);
  uint first = laneIndex * kChunksPerLane;
  uint counts[kChunksPerLane];
  uint sum = 0u;
  [[unroll]] for (uint i = 0u; i < kChunksPerLane; ++i) {
    counts[i] = 0u;
    if (first + i < pushed.chunkCount) {
      counts[i] = isCounting ? atomicAdd(Words1(wordAt(row, first + i)).v, 0u) : load(row, first + i);
    }
  }
  [[unroll]] for (uint i = 0u; i < kChunksPerLane; ++i) sum += counts[i];
  uint total;
  uint before = exclusiveSum(sum, total);
  [[unroll]] for (uint i = 0u; i < kChunksPerLane; ++i) {
    if (first + i < pushed.chunkCount) store(row, first + i, before);
    before += counts[i];
  }
  return total;
}
