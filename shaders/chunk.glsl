// Stable order divides the tiles of a frame into several buckets into chunks, one per workgroup that counts: a
// limited number, so that the scan stays small, and no workgroup ever waits for another (no forward progress between
// workgroups is assumed).

uint tilesPerChunk(uint inputs) {
  uint tileCount = (inputs + kTile - 1u) / kTile;
  return (tileCount + frame.chunkCount - 1u) / frame.chunkCount;
}

// First and last + 1 tile of a chunk.
uvec2 tilesOfChunk(uint chunk, uint inputs) {
  uint tileCount = (inputs + kTile - 1u) / kTile;
  return min(uvec2(chunk, chunk + 1u) * tilesPerChunk(inputs), uvec2(tileCount));
}
