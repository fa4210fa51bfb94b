// Sparse plans (PlanLayout): more packed buckets than tiles or workgroups can count. Each frame takes five dispatches:
//  1. sparse_rank.comp tests the records. A kept record draws its rank from the counter of its bucket. Decisions remember
//     both, so no record is tested twice.
//  2. sparse_sums.comp adds up the counters of each chunk of buckets.
//  3. sparse_publish.comp scans the sums of the chunks, and publishes.
//  4. sparse_places.comp finds where each bucket begins, writes the draws, and leaves the counters zero.
//  5. sparse_emit.comp writes what is kept. A record's place is where its bucket begins, and its rank.
// But for the counters, no workgroup reads what another one of its dispatch writes.

const uint kLaneBuckets = SLU_SPARSE_CHUNK / SLU_WORKGROUP;  // consecutive ones of a chunk, which an invocation takes

// Returns the buckets of a view, those of the last chunk beyond the plan's own included. These stay empty.
uint roundedBuckets() { return (plan.sparseBucketCount + SLU_SPARSE_CHUNK - 1u) / SLU_SPARSE_CHUNK * SLU_SPARSE_CHUNK; }

// Returns where the counter of a bucket lies. It is zero before and after each frame.
ScratchPlace counterAt(uint view, uint bucket) {
  return wordAt(ScratchPlace(plan.demanded), view * roundedBuckets() + bucket);
}

// Returns where the first place of a bucket that is not empty lies. Places are within the view. They may be beyond its
// capacity.
ScratchPlace firstAt(uint view, uint bucket) {
  return wordAt(ScratchPlace(plan.bucketGroups), view * roundedBuckets() + bucket);
}

// Returns where two words of a chunk lie: how many records its buckets demand, and how many of the buckets are not empty.
// sparse_publish.comp replaces them by those of the chunks before it.
ScratchPlace chunkSumsAt(uint view, uint chunk) {
  return elementAt(ScratchPlace(plan.chunkCounts), view * (roundedBuckets() / SLU_SPARSE_CHUNK) + chunk, 2u);
}

// Returns where the bucket of a record lies, or SLU_DROPPED, and behind it its rank.
ScratchPlace decisionAt(uint view, uint index) {
  return elementAt(elementAt(ScratchPlace(plan.tileStatus), view * plan.maxTiles, 2u * kTile), index, 2u);
}

// Returns the first of the invocation's buckets.
uint ownBuckets(uint chunk) { return chunk * SLU_SPARSE_CHUNK + laneIndex * kLaneBuckets; }

// Returns how many records the invocation's buckets demand, and how many of the buckets are not empty.
uvec2 sumOfBuckets(uint view, uint chunk) {
  uvec2 sum = uvec2(0u);
  for (uint i = 0u; i < kLaneBuckets; ++i) {
    uint demanded = load(counterAt(view, ownBuckets(chunk) + i));
    sum += uvec2(demanded, uint(demanded != 0u));
  }
  return sum;
}

// Sums both numbers over the invocations. lower: those of lower lanes. Returns those of all. In uniform control flow.
uvec2 sumBoth(uvec2 own, out uvec2 lower) {
  uvec2 sum;
  barrier();
  sum.x = sumOfLanes(own.x, lower.x);
  barrier();
  sum.y = sumOfLanes(own.y, lower.y);
  return sum;
}
