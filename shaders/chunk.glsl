// Frames that count, scan and emit divide their tiles into chunks. One workgroup counts a chunk, and one emits it. No
// workgroup waits for another, and none needs to see what another writes in the same dispatch.
//
// The counting workgroups write a ballot: a bit per record and view that says whether the record is kept. So records
// are tested once, and the emitting workgroups read only those that are kept.

const uint kBallotWords = kTile / 32u;  // of a tile

uint tilesPerChunk(uint inputs) {
  uint tileCount = (inputs + kTile - 1u) / kTile;
  return (tileCount + frame.chunkCount - 1u) / frame.chunkCount;
}

// Returns how many tiles a workgroup goes through. It depends on the record count and not on the live count, which lies
// in memory: compilers assume that such a value differs between invocations, and then allow no barrier in the loop.
uint turnsOfChunk() { return tilesPerChunk(frame.recordCount); }

// Returns the first tile of a chunk, and the one after its last.
uvec2 tilesOfChunk(uint chunk, uint inputs) {
  uint tileCount = (inputs + kTile - 1u) / kTile;
  return min(uvec2(chunk, chunk + 1u) * tilesPerChunk(inputs), uvec2(tileCount));
}

// Returns where the count of a chunk lies. count.comp writes how many records the chunk keeps for the bucket. scan.comp
// replaces that by how many the chunks before it keep. segment numbers the buckets of all views.
ScratchPlace chunkCountAt(uint segment, uint chunk) {
  return wordAt(elementAt(ScratchPlace(plan.chunkCounts), segment, frame.chunkCount), chunk);
}

// Returns where the ballot of a tile begins. Its bits are in the order of the records.
ScratchPlace ballotAt(uint view, uint tile) {
  ScratchPlace first = elementAt(ScratchPlace(plan.tileStatus), view * plan.maxTiles, kBallotWords);
  return elementAt(first, tile, kBallotWords);
}
