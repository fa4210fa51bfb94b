/* Sluice for hosts that bring a test of their own in HLSL: which records are live, on the Direct3D 12 route.
 *
 * See sluice.h for the conventions, and SLU_MAX_PREDICATE_STATE there for what a predicate may do. A plan with
 * SLU_LIVE_CUSTOM chains SluHlslSourceInfo.
 *
 * The source defines a function, and whatever that needs. With SLU_PLAN_CUSTOM_KEY_BIT it defines two:
 *
 *   bool sluPredicate(SluRecord record, uint index) { return sluFloat(record, 3u) > sluStateFloat(0u); }
 *   uint sluPredicateKey(SluRecord record, uint index) { return sluUint(record, 2u) % 7u; }
 *
 * The first is true for a live record. The second is the word that holds the record's key, from which SluKey::shift
 * and SluKey::bits take the key. `index` is the record's index in the input. `record` is the record's place, for these
 * functions, which the library defines:
 *
 *   uint   sluUint(SluRecord record, uint word);      // a word of the record; `word` counts words of 4 bytes
 *   int    sluInt(SluRecord record, uint word);
 *   float  sluFloat(SluRecord record, uint word);
 *   uint4  sluUint4(SluRecord record, uint word);     // four words, in one load
 *   float4 sluFloat4(SluRecord record, uint word);
 *   uint   sluStateUint(uint word);                   // a word of the state, below 16; 0 behind stateSize
 *   int    sluStateInt(uint word);
 *   float  sluStateFloat(uint word);
 *
 * These are the functions of sluice_glsl.h, so what both languages have is one source for both routes: scalars,
 * arithmetic, functions, `if`, `for`. For that, GLSL's names of vectors (vec2 to vec4, those of int and uint), of
 * uintBitsToFloat and of its like are defined here, too. The macro `SLU_PREDICATE_KEY` is defined on both routes if
 * keys are computed, and `SLU_HLSL` on this route alone, for what differs.
 *
 * The language is HLSL of shader model 5.0, or 6.0 with SluD3D12DeviceInfo::shaderModel 6, and #include finds nothing.
 * Predicates in shader model 6 were compiled alone, and never executed.
 * `word` must lie in the record, which is not checked. Products and sums are not contracted, and floats are rounded to
 * nearest even, so floats give what the same code gives on the CPU; division and functions such as sqrt need not.
 * Denormals are 0 in shader model 5, and what the driver makes of them in 6: what they decide may differ. A source
 * declares no buffers and no groupshared variables, and has no barriers and no wave operations. Taken are names that
 * begin with slu, in any case, with gl_, SPIRV or an underscore, and main, comp_main and stage_input.
 */
#ifndef SLUICE_SLUICE_HLSL_H
#define SLUICE_SLUICE_HLSL_H

#include <sluice/sluice.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A predicate as HLSL, chained to SluPlanCreateInfo.
 *
 * sluCreatePlan compiles the source into those kernels of the plan that ask it, by the compiler of the library's own
 * shaders (SluD3D12DeviceInfo). That takes seconds. If there is no compiler, it returns SLU_ERROR_ROUTE_UNAVAILABLE.
 *
 * If the source does not compile, sluCreatePlan returns SLU_ERROR_INVALID_ARGUMENT. The sentence is "plan.source: does
 * not compile: " with the compiler's log, which names the source's lines as plan.source(line,columns), or in shader
 * model 6 as plan.source:line:column.
 * sluGetErrorMessage keeps SLU_MESSAGE_CAPACITY bytes of it; SluLogCallback gets the whole log.
 *
 * Plans of one context share what was compiled if source and SLU_PLAN_CUSTOM_KEY_BIT are the same; stateSize and the
 * state may differ. The context keeps it for plans to come. sluGetD3D12Shaders gets it with the rest, and each kernel's
 * source with it, by which plans of a later run find it. */
typedef struct SluHlslSourceInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_HLSL_SOURCE_INFO */
  uint32_t structSize;
  const void* pNext;
  const char* source; /* zero-terminated */
  const void* state;  /* copied; the state of every frame that brings none; NULL if stateSize is 0 */
  uint32_t stateSize; /* bytes; 0 to SLU_MAX_PREDICATE_STATE */
  uint32_t reserved;  /* 0 */
} SluHlslSourceInfo;

#ifdef __cplusplus
}
#endif

#endif
