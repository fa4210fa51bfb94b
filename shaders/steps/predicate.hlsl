// What a predicate of the host's in HLSL uses, as steps/predicate.glsl has it for GLSL. sluice/sluice_hlsl.h documents it.
// cmake/pack_hlsl.cmake appends this to the kernels that ask a predicate, and defines sluRecordWords and sluStateWords, the
// kernel's own names. The source stands behind it, so that its macros change nothing of the library.

// GLSL's names, for sources in the common subset.
typedef float2 vec2;
typedef float3 vec3;
typedef float4 vec4;
typedef int2 ivec2;
typedef int3 ivec3;
typedef int4 ivec4;
typedef uint2 uvec2;
typedef uint3 uvec3;
typedef uint4 uvec4;
#define uintBitsToFloat asfloat
#define intBitsToFloat asfloat
#define floatBitsToUint asuint
#define floatBitsToInt asint

#define SLU_HLSL

struct SluRecord {
  uint first;  // the number of its first word in the buffer
};

uint sluUint(SluRecord record, uint word) { return sluRecordWords.Load((record.first + word) * 4u); }
int sluInt(SluRecord record, uint word) { return asint(sluUint(record, word)); }
float sluFloat(SluRecord record, uint word) { return asfloat(sluUint(record, word)); }
uint4 sluUint4(SluRecord record, uint word) { return sluRecordWords.Load4((record.first + word) * 4u); }
float4 sluFloat4(SluRecord record, uint word) { return asfloat(sluUint4(record, word)); }

uint sluStateUint(uint word) {
  uint4 words = sluStateWords[word / 4u];
  uint part = word % 4u;
  return part < 2u ? (part == 0u ? words.x : words.y) : (part == 2u ? words.z : words.w);
}
int sluStateInt(uint word) { return asint(sluStateUint(word)); }
float sluStateFloat(uint word) { return asfloat(sluStateUint(word)); }

bool sluPredicate(SluRecord record, uint index);
#ifdef SLU_PREDICATE_KEY
uint sluPredicateKey(SluRecord record, uint index);
#endif

// These stand in the place of the loads of steps/predicate.glsl. call: the record's first word, its index, and 0.
SluRecord sluCalledRecord(int3 call) {
  SluRecord record;
  record.first = uint(call.x);
  return record;
}
uint sluAskPredicate(int3 call) { return sluPredicate(sluCalledRecord(call), uint(call.y)) ? 1u : 0u; }
#ifdef SLU_PREDICATE_KEY
uint sluAskPredicateKey(int3 call) { return sluPredicateKey(sluCalledRecord(call), uint(call.y)); }
#endif
