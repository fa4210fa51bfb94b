// A predicate of the host's: what its GLSL uses, and the functions that it defines. sluice/sluice_glsl.h documents
// both. The source stands at the end of the kernel, so that its macros change nothing of the library.

#ifdef SLU_HLSL

// The kernel is converted to HLSL before there is a source. Loads from textures that do not exist stand for the calls:
// no compiler changes or drops them, since it does not know what they return, and the register tells which is which.
// cmake/pack_hlsl.cmake replaces them by calls to the functions of steps/predicate.hlsl.
layout(set = SLU_REGISTER_SPACE, binding = SLU_REGISTER_PREDICATE) uniform utexture2D predicateCalls;
bool sluPredicate(RecordsPlace record, uint index) {
  return texelFetch(predicateCalls, ivec2(wordNumber(record), index), 0).x != 0u;
}
#ifdef SLU_PREDICATE_KEY
layout(set = SLU_REGISTER_SPACE, binding = SLU_REGISTER_PREDICATE_KEY) uniform utexture2D predicateKeyCalls;
uint sluPredicateKey(RecordsPlace record, uint index) {
  return texelFetch(predicateKeyCalls, ivec2(wordNumber(record), index), 0).x;
}
#endif

#else

#define SluRecord RecordsPlace

uint sluUint(SluRecord record, uint word) { return load(record, word); }
int sluInt(SluRecord record, uint word) { return int(load(record, word)); }
float sluFloat(SluRecord record, uint word) { return uintBitsToFloat(load(record, word)); }
uvec4 sluUint4(SluRecord record, uint word) {
  // frame.wideLive: the records begin at a multiple of 16, and so does each if it has a multiple of four words.
  if (kRecordWords % 4u == 0u && SLU_IS_WIDE(wideLive) && word % 4u == 0u) return loadFour(wordAt(record, word));
  return uvec4(load(record, word), load(record, word + 1u), load(record, word + 2u), load(record, word + 3u));
}
vec4 sluFloat4(SluRecord record, uint word) { return uintBitsToFloat(sluUint4(record, word)); }

uint sluStateUint(uint word) { return stateWords[word / 4u][word % 4u]; }
int sluStateInt(uint word) { return int(sluStateUint(word)); }
float sluStateFloat(uint word) { return uintBitsToFloat(sluStateUint(word)); }

bool sluPredicate(SluRecord record, uint index);
#ifdef SLU_PREDICATE_KEY
uint sluPredicateKey(SluRecord record, uint index);
#endif

#endif

// Returns which records of `flagged` are live: bit j for record first + j.
uint customMask(uint first, uint count, uint flagged) {
  uint mask = 0u;
  for (uint j = 0u; j < min(count, kGroup); ++j) {
    if ((flagged >> j & 1u) == 0u) continue;
    mask |= uint(sluPredicate(recordAt(first + j), first + j)) << j;
  }
  return mask;
}
