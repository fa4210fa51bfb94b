// Step 5, publish: the last workgroup of the frame clamps the counts and writes draw commands and statistics.

shared uint sharedTicket;
shared uint sharedDemanded;
shared uint sharedKept;
shared uint sharedOverflow;

// True in the workgroup that arrives last, to which what the others wrote and counted before is visible.
bool arrivesLast() {
  memoryBarrierBuffer();
  barrier();
  if (laneIndex == 0u) sharedTicket = atomicAdd(Words1(frame.ticket).v, 1u);
  barrier();
  memoryBarrierBuffer();
  return sharedTicket + 1u == gl_NumWorkGroups.x * gl_NumWorkGroups.y;
}

// The value of a counter that other workgroups added to.
uint loadCounter(uint64_t base, uint index) { return atomicAdd(Words1(wordAt(base, index)).v, 0u); }

void writeCommand(uint64_t target, BucketBlock block, uint kept, uint firstOutput) {
  uint scale = frame.draw.scaleWord == SLU_DROPPED ? 1u : block.command[frame.draw.scaleWord];
  for (uint word = 0u; word < frame.draw.wordCount; ++word) {
    uint value = block.command[word];
    if (word == frame.draw.countWord) value = kept * scale;
    if (word == frame.draw.firstWord) value += firstOutput * scale;
    store(target, word, value);
  }
}

// Draws of up to 256 buckets, moved together behind the `drawn` before them. Returns their number.
uint publishBuckets(uint view, uint firstBucket, uint drawn) {
  uint bucket = firstBucket + laneIndex;
  bool exists = bucket < frame.bucketCount;
  uint segment = view * frame.bucketCount + bucket;
  BucketBlock block;
  uint demanded = 0u;
  uint kept = 0u;
  if (exists) {
    block = loadBucket(bucket);
    demanded = loadCounter(frame.demanded, segment);
    kept = min(demanded, block.capacity);
    atomicAdd(sharedDemanded, demanded);
    atomicAdd(sharedKept, kept);
    if (demanded > kept) atomicOr(sharedOverflow, SLU_OVERFLOWS_CAPACITY);
    if ((kOutputs & SLU_WRITES_BUCKET_COUNTS) != 0u) {
      store(frame.bucketCounts, 2u * segment, demanded);
      store(frame.bucketCounts, 2u * segment + 1u, kept);
    }
  }
  if (frame.draw.wordCount == 0u) return 0u;

  bool flags[kMaxItems];
  uint ranks[kMaxItems];
  for (uint item = 0u; item < kItems; ++item) flags[item] = false;
  flags[0] = exists && (kept > 0u || frame.draw.skipEmpty == 0u);
  uint count = rank(flags, ranks);
  if (flags[0] && (kOutputs & SLU_WRITES_DRAWS) != 0u) {
    uint place = view * frame.bucketCount + drawn + ranks[0];
    uint64_t target = frame.draws + 4ul * (uint64_t(place) * frame.draw.stride);
    writeCommand(target, block, kept, view * frame.outputsPerView + block.firstOutput);
  }
  return count;
}

void publishView(uint view, uint inputs) {
  if (laneIndex == 0u) {
    sharedDemanded = 0u;
    sharedKept = 0u;
    sharedOverflow = frame.liveCount != 0ul && load(frame.liveCount) > frame.recordCount ? SLU_OVERFLOWS_INPUT : 0u;
  }
  barrier();
  uint drawn = 0u;
  [[dont_unroll]] for (uint bucket = 0u; bucket < frame.bucketCount; bucket += SLU_WORKGROUP) {
    drawn += publishBuckets(view, bucket, drawn);
  }
  if ((kOutputs & SLU_WRITES_DRAWS) != 0u) {
    for (uint place = drawn + laneIndex; place < frame.bucketCount; place += SLU_WORKGROUP) {
      uint64_t target =
          frame.draws + 4ul * (uint64_t(view * frame.bucketCount + place) * frame.draw.stride);
      for (uint word = 0u; word < frame.draw.wordCount; ++word) store(target, word, 0u);
    }
  }
  if ((kOutputs & SLU_WRITES_DRAW_COUNTS) != 0u && laneIndex == 0u) store(frame.drawCounts, view, drawn);
  barrier();
  if ((kOutputs & SLU_WRITES_STATISTICS) != 0u && laneIndex == 0u) {
    uint64_t statistics = wordAt(frame.statistics, 16u * view);
    store(statistics, 0u, inputs);
    store(statistics, 1u, sharedDemanded);
    store(statistics, 2u, sharedKept);
    store(statistics, 3u, drawn);
    store(statistics, 4u, load(statistics, 4u) | sharedOverflow);
    for (uint reason = 0u; reason < SLU_REJECTS_COUNT; ++reason) {
      store(statistics, 5u + reason, loadCounter(frame.rejected, view * SLU_REJECTS_COUNT + reason));
    }
    for (uint word = 5u + SLU_REJECTS_COUNT; word < 16u; ++word) store(statistics, word, 0u);
  }
  barrier();
}

void publish(uint inputs) {
  [[dont_unroll]] for (uint view = 0u; view < frame.viewCount; ++view) publishView(view, inputs);
}
