/* Sluice for hosts that bring a test of their own in GLSL: which records are live, on the Vulkan route.
 *
 * See sluice.h for the conventions, and SLU_MAX_PREDICATE_STATE there for what a predicate may do. A plan with
 * SLU_LIVE_CUSTOM chains one of two structs:
 *  - SluGlslSourceInfo has the source, which the library compiles when the plan is created;
 *  - SluSpirvPredicateInfo has what the build compiled, for hosts that ship no compiler.
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
 *   uint  sluUint(SluRecord record, uint word);       // a word of the record; `word` counts words of 4 bytes
 *   int   sluInt(SluRecord record, uint word);
 *   float sluFloat(SluRecord record, uint word);
 *   uvec4 sluUint4(SluRecord record, uint word);      // four words, in one load where alignment allows
 *   vec4  sluFloat4(SluRecord record, uint word);
 *   uint  sluStateUint(uint word);                    // a word of the state, below 16; 0 behind stateSize
 *   int   sluStateInt(uint word);
 *   float sluStateFloat(uint word);
 *
 * The language is GLSL 4.60. `word` must lie in the record, which is not checked. Products and sums are not contracted,
 * and floats are rounded to nearest even where the device can, so floats give what the same code gives on the CPU;
 * division and functions such as sqrt need not. Names that begin with slu, in any case, and functions named as the
 * library's shaders name theirs, are taken. The same source serves devices with and without buffer addresses. A source
 * in the subset that GLSL and HLSL share serves the Direct3D 12 route, too: see sluice_hlsl.h.
 */
#ifndef SLUICE_SLUICE_GLSL_H
#define SLUICE_SLUICE_GLSL_H

#include <sluice/sluice.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A predicate as GLSL, chained to SluPlanCreateInfo.
 *
 * sluCreatePlan compiles the source into the kernels that the plan dispatches, with shaderc, which takes up to a second
 * for each. It looks for shaderc when it needs it for the first time, as the system finds libraries: for
 * libshaderc_shared.so.1 of the Vulkan SDK, then for libshaderc.so.1 of distributions. If it finds none that works, it
 * returns SLU_ERROR_ROUTE_UNAVAILABLE. Debian 12's libshaderc.so.1 lacks functions and does not work.
 *
 * If the source does not compile, sluCreatePlan returns SLU_ERROR_INVALID_ARGUMENT. The sentence is "plan.source: does
 * not compile: " with the compiler's log, which names the source's lines as plan.source:line. sluGetErrorMessage keeps
 * SLU_MESSAGE_CAPACITY bytes of it; SluLogCallback gets the whole log.
 *
 * Plans of one context share what was compiled if source, stateSize and SLU_PLAN_CUSTOM_KEY_BIT are the same. It is
 * freed with the last of them. If the source contains the letters include, nothing is shared. */
typedef struct SluGlslSourceInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_GLSL_SOURCE_INFO */
  uint32_t structSize;
  const void* pNext;
  const char* source; /* zero-terminated */
  const void* state;  /* copied; the state of every frame that brings none; NULL if stateSize is 0 */
  uint32_t stateSize; /* bytes; 0 to SLU_MAX_PREDICATE_STATE */
  uint32_t reserved;  /* 0 */
} SluGlslSourceInfo;

/* A kernel of the library with a predicate in it, as SPIR-V. sluice_add_predicate writes it. */
typedef struct SluSpirvModule {
  const char* name;           /* of the kernel and its variant, such as "compact_bound" */
  const unsigned char* bytes; /* SPIR-V in the gzip format (RFC 1952) */
  uint32_t byteCount;         /* of bytes */
  uint32_t wordCount;         /* of the SPIR-V */
} SluSpirvModule;

/* A predicate that the host's build compiled, chained to SluPlanCreateInfo. The CMake function
 *
 *   sluice_add_predicate(TARGET NAME brighter SOURCE brighter.glsl [CUSTOM_KEY])
 *
 * of the library's package compiles the source with glslangValidator for every device that the library supports, and
 * gives TARGET, of C or C++, a header NAME.h. That has a function `SluSpirvPredicateInfo NAME(void)`, which returns the
 * struct without a state. */
typedef struct SluSpirvPredicateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_SPIRV_PREDICATE_INFO */
  uint32_t structSize;
  const void* pNext;
  const SluSpirvModule* modules; /* moduleCount elements, read by sluCreatePlan alone */
  uint32_t moduleCount;          /* elements of modules */
  SluBool32 computesKey;         /* 1 with CUSTOM_KEY; must be so with SLU_PLAN_CUSTOM_KEY_BIT, and only then */
  uint64_t shadersHash;          /* stands for the shaders that it was compiled into; must be this library's */
  const void* state;             /* copied; the state of every frame that brings none; NULL if stateSize is 0 */
  uint32_t stateSize;            /* bytes; 0 to SLU_MAX_PREDICATE_STATE */
  uint32_t reserved;             /* 0 */
} SluSpirvPredicateInfo;

#ifdef __cplusplus
}
#endif

#endif
