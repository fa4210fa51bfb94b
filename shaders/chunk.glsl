// Stable order divides the tiles into chunks, one per workgroup. Of several buckets they are so few that the scan of their
// counts stays small; of one there is a chunk per tile where the device allows it.

// First and last + 1 tile of a chunk.
uvec2 tilesOfChunk(uint chunk, uint inputs) {
  uint tileCount = tileCountOf(inputs);
  uint tilesPerChunk = (tileCount + pushed.chunkCount - 1u) / pushed.chunkCount;
  return uvec2(min(chunk * tilesPerChunk, tileCount), min((chunk + 1u) * tilesPerChunk, tileCount));
}
