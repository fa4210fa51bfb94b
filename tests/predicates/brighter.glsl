// Of the records whose fourth word is a large float: what sluUint4, sluFloat4 and the signed functions read.
bool sluPredicate(SluRecord record, uint index) {
  uvec4 words = sluUint4(record, 0u);
  bool isSame = words.y == sluUint(record, 1u) && sluFloat4(record, 0u).w == sluFloat(record, 3u);
  return isSame && sluInt(record, 0u) == int(words.x) && uintBitsToFloat(words.w) > sluStateFloat(0u) &&
         sluStateInt(1u) == -5 && sluStateUint(2u) == 0u;
}
