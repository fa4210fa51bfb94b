// Stable order divides the tiles into chunks, one per workgroup: a fixed number, so that the scan stays small, and no
// workgroup ever waits for another (no forward progress between workgroups is assumed).

// First and last + 1 tile of a chunk.
uvec2 tilesOfChunk(uint chunk, uint inputs) {
  uint tileCount = (inputs + kTile - 1u) / kTile;
  uint tilesPerChunk = (tileCount + pushed.chunkCount - 1u) / pushed.chunkCount;
  return uvec2(min(chunk * tilesPerChunk, tileCount), min((chunk + 1u) * tilesPerChunk, tileCount));
}
