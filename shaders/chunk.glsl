// Frames that count, scan and emit divide their tiles into chunks, one per workgroup that counts and one that emits. No
// workgroup waits for another, and none needs to see what another writes in the same dispatch.
//
// The counting workgroups leave a ballot behind, a bit per record and view that says whether the record is kept. So records
// are tested once, and the emitting workgroups read those that are kept only.

const uint kBallotWords = kTile / 32u;  // of a tile

uint tilesPerChunk(uint inputs) {
  uint tileCount = (inputs + kTile - 1u) / kTile;
  return (tileCount + frame.chunkCount - 1u) / frame.chunkCount;
}

// A workgroup takes as many turns whatever the live count is: compilers take a value that memory holds for one that
// differs between invocations, and no barrier may depend on such a value.
uint turnsOfChunk() { return tilesPerChunk(frame.recordCount); }

// First and last + 1 tile of a chunk.
uvec2 tilesOfChunk(uint chunk, uint inputs) {
  uint tileCount = (inputs + kTile - 1u) / kTile;
  return min(uvec2(chunk, chunk + 1u) * tilesPerChunk(inputs), uvec2(tileCount));
}

// Of a view's bucket and a chunk: how many records are kept; after the scan, how many the chunks before it keep.
ScratchPlace chunkCountAt(uint segment, uint chunk) {
  return wordAt(elementAt(ScratchPlace(plan.chunkCounts), segment, frame.chunkCount), chunk);
}

// The ballot of a tile, in the order of its records.
ScratchPlace ballotAt(uint view, uint tile) {
  ScratchPlace first = elementAt(ScratchPlace(plan.tileStatus), view * plan.maxTiles, kBallotWords);
  return elementAt(first, tile, kBallotWords);
}
