// Step 5, publish: clamps the counts of a view, writes draw commands and statistics, and leaves the counters zero for
// the next frame. The workgroup that arrives last at the view does this, or in stable order the one that has the last
// tile.

shared uint sharedArrivals;
shared uint sharedDemanded;
shared uint sharedKept;
shared uint sharedOverflow;

uint countArrival(uint view) { return addAt(progressOf(view), 1u); }
void clearArrivals(uint view) { store(progressOf(view), 0u); }

// Returns the value of a counter that other workgroups have added to, and resets it.
uint takeCounter(ScratchPlace base, uint index) { return exchangeAt(wordAt(base, index), 0u); }

// With a mesh table: fills the template of a bucket's draw command with the numbers of its mesh. If the frame does not
// have the mesh, the template keeps the plan's zeros.
void describeDraw(uint bucket, inout BucketBlock block) {
  if (!kHasMeshes) return;
  if ((kOutputs & SLU_OUTPUT_DRAWS_BIT) == 0u) return;
  bucket = sluUnmirrored(bucket, plan.mirroredFirst);
  uint mesh = bucket / plan.meshLayout.lodCount;
  uint lod = bucket % plan.meshLayout.lodCount;
  if (mesh >= meshCount()) return;
  MeshesPlace place = meshAt(mesh);
  MeshesPlace level = wordAt(place, lod * plan.meshLayout.lodStride);
  block.command[0] = load(level, plan.meshLayout.elementCountOffset);
  block.command[2] = meshNumber(level, plan.meshLayout.firstElementOffset, 0u);
  MeshesPlace offsets = wordAt(place, lod * plan.meshLayout.vertexOffsetStride);
  block.command[3] = meshNumber(offsets, plan.meshLayout.vertexOffsetOffset, block.command[3]);
}

// Returns where the draw command at a place of the view begins.
DrawsPlace commandAt(uint view, uint place) {
  return elementAt(DrawsPlace(frame.draws), commandNumber(view, place), plan.draw.stride);
}

void writeCommand(uint view, uint place, uint bucket, BucketBlock block, uint kept) {
  DrawsPlace target = commandAt(view, place);
  uint scale = SLU_DRAW_SCALE(plan.draw, block.command);
  uint first = view * plan.outputsPerView + block.firstOutput;
  for (uint word = 0u; word < plan.draw.wordCount; ++word) {
    uint value = plan.draw.countWord == SLU_COUNTS_WORKGROUPS
                     ? sluWorkgroupWord(word, kept, block.command[0])
                     : sluCommandWord(word, block.command[word], plan.draw.countWord, kept, scale, plan.draw.firstWord,
                                      first, scale);
    store(target, plan.draw.frontWords + word, value);
  }
  if (plan.draw.frontWords == 0u) return;
  uint inFront = plan.draw.front == SLU_FRONT_BUCKET   ? bucket
                 : plan.draw.front == SLU_FRONT_NUMBER ? place
                                                       : block.command[plan.draw.firstWord] + first * scale;
  store(target, 0u, inFront);
}

void clearCommand(uint view, uint place) {
  DrawsPlace target = commandAt(view, place);
  for (uint word = 0u; word < plan.draw.frontWords + plan.draw.wordCount; ++word) store(target, word, 0u);
}

void writeBucketCount(uint segment, uint demanded, uint kept) {
  if ((kOutputs & SLU_OUTPUT_BUCKET_COUNTS_BIT) == 0u) return;
  store(BucketCountsPlace(frame.bucketCounts), 2u * segment, demanded);
  store(BucketCountsPlace(frame.bucketCounts), 2u * segment + 1u, kept);
}

// One invocation calls this.
void writeTotals(uint view, uint inputs, uint demanded, uint kept, uint drawn, uint overflow) {
  if ((kOutputs & SLU_OUTPUT_DRAW_COUNTS_BIT) != 0u && plan.groups.count == 0u) {
    store(DrawCountsPlace(frame.drawCounts), view, drawn);
  }
  if ((kOutputs & SLU_OUTPUT_STATISTICS_BIT) == 0u) return;
  StatisticsPlace statistics = wordAt(StatisticsPlace(frame.statistics), 16u * view);
  if (kListsRejects) {  // the rest is of the part of the plan that keeps records
    if (overflow != 0u) store(statistics, 4u, load(statistics, 4u) | SLU_OVERFLOW_REJECTS_BIT);
    return;
  }
  if (isGiven(frame.liveCount) && load(LiveCountPlace(frame.liveCount)) > frame.recordCount) {
    overflow |= SLU_OVERFLOW_INPUT_BIT;
  }
  store(statistics, 0u, inputs);
  store(statistics, 1u, demanded);
  store(statistics, 2u, kept);
  store(statistics, 3u, drawn);
  if (overflow != 0u) store(statistics, 4u, load(statistics, 4u) | overflow);
  uint notLive = inputs - demanded;
  [[unroll]] for (uint reason = SLU_REJECT_NOT_LIVE + 1u; reason < SLU_REJECT_COUNT; ++reason) {
    uint count = 0u;
    if (reason < kReasonCount) count = takeCounter(ScratchPlace(plan.rejected), view * SLU_REJECT_COUNT + reason);
    store(statistics, 5u + reason, count);
    notLive -= count;
  }
  store(statistics, 5u + SLU_REJECT_NOT_LIVE, notLive);
  for (uint word = 5u + SLU_REJECT_COUNT; word < 16u; ++word) store(statistics, word, 0u);
}

// Publishes a view of a plan with one bucket. One invocation calls this.
void publishSingle(uint view, uint inputs, uint demanded) {
  BucketBlock block = firstBucket;
  uint kept = min(demanded, block.capacity);
  uint overflow = demanded > kept ? SLU_OVERFLOW_CAPACITY_BIT : 0u;
  if (kMerged != 0u) {
    writeBucketCount(view, demanded, kept);  // where further streams need it
    writeTotals(view, inputs, demanded, kept, plan.draw.wordCount != 0u ? kept : 0u, overflow);
    return;
  }
  describeDraw(0u, block);
  bool draws = plan.draw.wordCount != 0u && SLU_HAS_DRAW(kept, plan.draw.skipEmpty);
  writeBucketCount(view, demanded, kept);
  if ((kOutputs & SLU_OUTPUT_DRAWS_BIT) != 0u) {
    if (draws) {
      writeCommand(view, 0u, 0u, block, kept);
    } else {
      clearCommand(view, 0u);
    }
  }
  writeTotals(view, inputs, demanded, kept, uint(draws), overflow);
}

// Of merged plans with commands: writes zeros behind the commands of the kept records. All invocations of a workgroup
// call this.
void clearRest(uint view, uint demanded) {
  uint capacity = firstBucket.capacity;
  uint kept = min(demanded, capacity);
  uint count = min(plan.zeroCommandCount, capacity - kept);
  [[dont_unroll]] for (uint turn = 0u; turn <= count / SLU_WORKGROUP; ++turn) {
    uint i = turn * SLU_WORKGROUP + laneIndex;
    if (i < count) clearCommand(view, kept + i);
  }
}

// Publishes a view of a plan with one bucket, whose records have been counted in its counter. All invocations of a
// workgroup call this.
void publishCounted(uint view, uint inputs) {
  if (laneIndex == 0u) {
    sharedDemanded = takeCounter(ScratchPlace(plan.demanded), view);
    publishSingle(view, inputs, sharedDemanded);
  }
  if (!kEmitsCommands) return;
  barrier();
  clearRest(view, sharedDemanded);
}

#ifdef SLU_COUNTED_BEFORE

// Places packed buckets one behind the other, each with as much room as is left for what it demands. All invocations of
// a workgroup call this.
void packBuckets(uint view) {
  uint carried = 0u;
  [[dont_unroll]] for (uint first = 0u; first < plan.bucketCount; first += SLU_WORKGROUP) {
    uint bucket = first + laneIndex;
    uint demanded = 0u;
    if (bucket < plan.bucketCount) {
      demanded = load(ScratchPlace(plan.demanded), view * plan.bucketCount + bucket);
    }
    uint before;
    barrier();
    uint sum = sumOfLanes(demanded, before);
    before += carried;
    uint place = min(before, plan.outputsPerView);
    uint end = min(before + demanded, plan.outputsPerView);
    if (bucket < plan.bucketCount) storeTwo(placeAt(view, bucket), uvec2(end - place, place));
    carried += sum;
  }
}

// Loads a bucket, with its place if it is packed.
BucketBlock loadPlaced(uint view, uint bucket) {
  BucketBlock block = loadBucket(ScratchPlace(plan.buckets), bucket);
  if (isGiven(plan.places)) {  // this invocation has placed it
    uvec2 place = loadTwo(placeAt(view, bucket));
    block.capacity = place.x;
    block.firstOutput = place.y;
  }
  return block;
}

// ---- Groups of draws (SluGroups). An invocation has the group of its number. ----

shared uint sharedNext[SLU_WORKGROUP];    // where the next command of a group goes, and at last how many it has
shared uint sharedGroups[SLU_WORKGROUP];  // of the draws that the invocations have, or SLU_DROPPED
uint groupDraws;                          // of the invocation's group

// Returns the group of a bucket's draw, or SLU_DROPPED.
uint groupOf(uint bucket, BucketBlock block) {
  if (!kHasMeshes) return block.group;
  uint unmirrored = sluUnmirrored(bucket, plan.mirroredFirst);
  uint mesh = unmirrored / plan.meshLayout.lodCount;
  uint ofMesh = mesh < meshCount() ? load(meshAt(mesh), plan.groups.meshOffset) : 0u;
  return sluGroup(ofMesh, bucket != unmirrored ? plan.groups.mirroredOffset : 0u, plan.groups.count);
}

ScratchPlace bucketGroupAt(uint view, uint bucket) {
  return wordAt(ScratchPlace(plan.bucketGroups), view * plan.bucketCount + bucket);
}

// Counts the draws of each group, and places the groups. Groups are loaded once, and remembered, since the host may
// change its mesh table meanwhile. All invocations of a workgroup call this.
void beginGroups(uint view) {
  sharedNext[laneIndex] = 0u;
  barrier();
  for (uint bucket = laneIndex; bucket < plan.bucketCount; bucket += SLU_WORKGROUP) {
    BucketBlock block = loadPlaced(view, bucket);
    uint demanded = load(ScratchPlace(plan.demanded), view * plan.bucketCount + bucket);
    uint group = SLU_DROPPED;
    if (SLU_HAS_DRAW(min(demanded, block.capacity), plan.draw.skipEmpty)) {
      group = groupOf(bucket, block);
      if (group != SLU_DROPPED) {
        atomicAdd(sharedNext[group], 1u);
      } else {
        atomicOr(sharedOverflow, SLU_OVERFLOW_DRAWS_BIT);
      }
    }
    store(bucketGroupAt(view, bucket), group);
  }
  barrier();
  groupDraws = sharedNext[laneIndex];
  uint before;
  sumOfLanes(groupDraws, before);
  uint capacity = plan.groups.capacity;
  uint first = capacity != 0u ? laneIndex * capacity : before;
  if (capacity != 0u && groupDraws > capacity) {
    groupDraws = capacity;
    atomicOr(sharedOverflow, SLU_OVERFLOW_DRAWS_BIT);
  }
  barrier();
  sharedNext[laneIndex] = first;
}

// Returns the place of the draw of the invocation's bucket, or SLU_DROPPED. Invocations have buckets in order. In
// uniform control flow.
uint placeInGroup(uint view, uint bucket) {
  uint group = bucket < plan.bucketCount ? load(bucketGroupAt(view, bucket)) : SLU_DROPPED;
  sharedGroups[laneIndex] = group;
  barrier();
  uint place = SLU_DROPPED;
  if (group != SLU_DROPPED) {
    place = sharedNext[group];
    for (uint lane = 0u; lane < laneIndex; ++lane) place += uint(sharedGroups[lane] == group);
    uint capacity = plan.groups.capacity;
    if (capacity != 0u && place >= (group + 1u) * capacity) place = SLU_DROPPED;
  }
  barrier();
  if (group != SLU_DROPPED) atomicAdd(sharedNext[group], 1u);
  return place;
}

// Writes the draw count of each group. If groups have fixed places, clears the rest of their commands. Returns how many
// draws the view has. In uniform control flow.
uint endGroups(uint view) {
  uint before;
  barrier();
  uint drawn = sumOfLanes(groupDraws, before);
  if ((kOutputs & SLU_OUTPUT_DRAW_COUNTS_BIT) != 0u && laneIndex < plan.groups.count) {
    store(DrawCountsPlace(frame.drawCounts), view * plan.groups.count + laneIndex, groupDraws);
  }
  uint capacity = plan.groups.capacity;
  if ((kOutputs & SLU_OUTPUT_DRAWS_BIT) == 0u || capacity == 0u) return drawn;
  sharedNext[laneIndex] = groupDraws;
  barrier();
  for (uint place = laneIndex; place < plan.groups.count * capacity; place += SLU_WORKGROUP) {
    if (place % capacity >= sharedNext[place / capacity]) clearCommand(view, place);
  }
  return drawn;
}

#endif

// Publishes up to SLU_WORKGROUP buckets, from `first` on. Their draw commands follow the `drawn` earlier ones without
// gaps. Returns how many there are.
uint publishBuckets(uint view, uint first, uint drawn) {
  uint bucket = first + laneIndex;
  bool exists = bucket < plan.bucketCount;
  uint segment = view * plan.bucketCount + bucket;
  BucketBlock block;
  uint kept = 0u;
  if (exists) {
#ifdef SLU_COUNTED_BEFORE
    block = loadPlaced(view, bucket);
#else
    block = loadBucket(ScratchPlace(plan.buckets), bucket);
#endif
    describeDraw(bucket, block);
    uint demanded = takeCounter(ScratchPlace(plan.demanded), segment);
    kept = min(demanded, block.capacity);
    atomicAdd(sharedDemanded, demanded);
    atomicAdd(sharedKept, kept);
    if (demanded > kept) atomicOr(sharedOverflow, SLU_OVERFLOW_CAPACITY_BIT);
    writeBucketCount(segment, demanded, kept);
  }
  if (plan.draw.wordCount == 0u) return 0u;

#ifdef SLU_COUNTED_BEFORE
  if (plan.groups.count != 0u) {
    uint place = placeInGroup(view, bucket);
    if (place != SLU_DROPPED && (kOutputs & SLU_OUTPUT_DRAWS_BIT) != 0u) writeCommand(view, place, bucket, block, kept);
    return 0u;
  }
#endif
  bool draws = exists && SLU_HAS_DRAW(kept, plan.draw.skipEmpty);
  uint drawnBefore;
  barrier();
  uint count = sumOfLanes(uint(draws), drawnBefore);
  if (draws && (kOutputs & SLU_OUTPUT_DRAWS_BIT) != 0u) writeCommand(view, drawn + drawnBefore, bucket, block, kept);
  return count;
}

// Publishes a view of a plan with several buckets. All invocations of a workgroup call this.
void publishSeveral(uint view, uint inputs) {
  if (laneIndex == 0u) {
    sharedDemanded = 0u;
    sharedKept = 0u;
    sharedOverflow = 0u;
  }
  barrier();
  uint drawn = 0u;
#ifdef SLU_COUNTED_BEFORE
  if (plan.groups.count != 0u) beginGroups(view);
#endif
  [[dont_unroll]] for (uint bucket = 0u; bucket < plan.bucketCount; bucket += SLU_WORKGROUP) {
    drawn += publishBuckets(view, bucket, drawn);
  }
#ifdef SLU_COUNTED_BEFORE
  if (plan.groups.count != 0u) drawn = endGroups(view);
#endif
  if ((kOutputs & SLU_OUTPUT_DRAWS_BIT) != 0u && plan.groups.capacity == 0u) {
    for (uint place = drawn + laneIndex; place < plan.bucketCount; place += SLU_WORKGROUP) clearCommand(view, place);
  }
  barrier();
  if (laneIndex == 0u) writeTotals(view, inputs, sharedDemanded, sharedKept, drawn, sharedOverflow);
}

#ifndef SLU_SEVERAL_DISPATCHES

uint arrivalsBefore;  // of invocation 0: those before the workgroup

// The workgroup calls this when it has counted everything. If other invocations than 0 have counted, each has executed
// memoryBarrierBuffer and then a barrier. Nothing waits for what the workgroup stores between this and endArrival.
void beginArrival(uint view) {
  if (laneIndex != 0u) return;
  memoryBarrierBuffer();  // orders what the others counted before the arrival
  arrivalsBefore = countArrival(view);
}

// Returns whether the workgroup is the last of the view. It then sees all that was counted. In uniform control flow.
bool endArrival(uint view) {
  if (laneIndex == 0u) sharedArrivals = arrivalsBefore;
  barrier();
  if (sharedArrivals + 1u != SLU_WORKGROUP_COUNT) return false;
  memoryBarrierBuffer();
  barrier();
  memoryBarrierBuffer();  // orders what the others load after the arrival of invocation 0
  if (laneIndex == 0u) clearArrivals(view);
  return true;
}

// Arrives, with nothing to store in between. Returns whether the workgroup is the last of the view.
bool arrivesLast(uint view) {
  memoryBarrierBuffer();
  barrier();
  beginArrival(view);
  return endArrival(view);
}

// Arrives. The last workgroup of the view publishes.
void arrive(uint view, uint inputs) {
  if (!arrivesLast(view)) return;
  if (plan.bucketCount == 1u) {
    publishCounted(view, inputs);
  } else {
    publishSeveral(view, inputs);
  }
}

#endif
