// Rules in whole numbers that all routes share: draw commands, which rejects are counted, when keys are loaded, and
// when records are sorted. sluice/culling.h has the rules that are public. Functions take scalars only, because GLSL
// copies structs that are passed. Rules that depend on specialization constants are macros, because GLSL calls no
// function in a constant expression.
#ifndef SLU_RULES_H
#define SLU_RULES_H

#include "limits.h"
#include "sluice/culling_types.h"

SLU_NAMESPACE_BEGIN

// ---- Draw commands ----

// Returns what the command counts for each kept record. draw: a DrawBlock. command: the words of the bucket's template.
#define SLU_DRAW_SCALE(draw, command) ((draw).scaleWord == SLU_DROPPED ? 1u : (command)[(draw).scaleWord])

// Returns a word of a bucket's command. known: the word of the template. The word at countWord is count * countScale;
// first * firstScale is added to the word at firstWord. The factors are passed because nvcc spills registers if the
// callers multiply.
SLU_FUNCTION uint sluCommandWord(uint word, uint known, uint countWord, uint count, uint countScale, uint firstWord,
                                 uint first, uint firstScale) {
  uint moved = known + (word == firstWord ? first * firstScale : 0u);
  return word == countWord ? count * countScale : moved;
}

// Returns a word of a bucket's command of workgroups: x, y and z. size: records per workgroup, at least 1. Beyond what
// every device dispatches along one axis, which Vulkan and Direct3D say alike, the workgroups are spread over y.
SLU_FUNCTION uint sluWorkgroupWord(uint word, uint kept, uint size) {
  const uint most = 65535u;
  uint groups = kept / size + (kept % size != 0u ? 1u : 0u);
  uint rows = groups <= most ? 1u : (groups - 1u) / most + 1u;
  uint columns = groups / rows + (groups % rows != 0u ? 1u : 0u);
  return word == 0u ? columns : word == 1u ? rows : 1u;
}

// Returns how many draw commands a view has room for. groups: a GroupBlock.
#define SLU_COMMANDS_PER_VIEW(groups, bucketCount) \
  ((groups).capacity != 0u ? (groups).count * (groups).capacity : (bucketCount))

// The same of a sparse plan: no draw is empty.
#define SLU_SPARSE_COMMANDS(sparseBucketCount, outputsPerView) \
  ((sparseBucketCount) < (outputsPerView) ? (sparseBucketCount) : (outputsPerView))

// Returns where a mesh holds a word of the template that draws it, of the fields of a MeshBlock, or SLU_DROPPED: the word
// is 0.
SLU_FUNCTION uint sluTemplateOffset(uint word, uint elementCountOffset, uint firstElementOffset,
                                    uint vertexOffsetOffset) {
  if (word == 0u) return elementCountOffset;
  if (word == 2u) return firstElementOffset;
  return word == 3u ? vertexOffsetOffset : SLU_DROPPED;
}

// Returns whether a bucket has a draw command of its own. It is a macro because nvcc loads both arguments of a function
// first, and spills registers.
#define SLU_HAS_DRAW(kept, skipEmpty) ((kept) > 0u || (skipEmpty) == 0u)

// Returns the group of a draw whose mesh is of group ofMesh, which is not trusted; SLU_DROPPED if there is none. offset:
// what is added, below count.
SLU_FUNCTION uint sluGroup(uint ofMesh, uint offset, uint count) {
  return ofMesh < count - offset ? ofMesh + offset : SLU_DROPPED;
}

// ---- What a plan evaluates ----

// Return whether a live test reads the record, and whether it reads the flag stream. A plan has at most one test of
// each kind.
SLU_FUNCTION bool sluTestsRecord(uint liveTest) {
  return (liveTest >= SLU_LIVE_NON_EMPTY && liveTest <= SLU_LIVE_POSITIVE_FLOAT) || liveTest == SLU_LIVE_MASK_EQUAL;
}
SLU_FUNCTION bool sluReadsFlags(uint liveTest) {
  return liveTest >= SLU_LIVE_FLAG_BITS && liveTest <= SLU_LIVE_FLAG_WORDS;
}

// Returns a word that fails the live test of a record. For SLU_LIVE_MASK_EQUAL, ~liveValue differs from liveValue in
// every bit of the mask, and the mask is not 0.
SLU_FUNCTION uint sluDeadWord(uint liveTest, uint liveValue) {
  return liveTest == SLU_LIVE_MASK_EQUAL ? ~liveValue : 0u;
}

// keyed: 1 if the plan has several keys, else 0. lodCount: at least 1. Products and sums mean `and` and `or`, because
// glslangValidator makes invalid SPIR-V of && between specialization constants.

// Returns whether culling or levels of detail read bounds. cullFlags: without SLU_CULL_LAYERS_BIT, here and wherever
// kernels have them.
#define SLU_NEEDS_BOUNDS(cullFlags, lodCount) ((cullFlags) + (lodCount)-1u != 0u)

// How a box lies in memory: by its corners, and with a word behind either half.
#define SLU_HAS_CORNERS(shape) ((shape) == SLU_SHAPE_CORNERS || (shape) == SLU_SHAPE_CORNERS_VEC4)
#define SLU_HAS_VEC4_HALVES(shape) ((shape) >= SLU_SHAPE_BOX_VEC4)

// What only kernels of scenes can do. A plan with any of these bits needs such a kernel.
//  - Volumes: bounds are tested as volumes (sluice/culling.h), and LODs are chosen by sluReachesLod.
//  - Meshes: there is a mesh table.
//  - Layers: SLU_CULL_LAYERS_BIT.
//  - Marks: SluLayers::neverCullMask.
//  - Mirrors: SLU_PLAN_SPLIT_MIRRORED_BIT.
//  - More planes: SLU_CULL_MORE_PLANES_BIT.
//  - Occlusion: SLU_CULL_OCCLUSION_BIT.
//  - Cones: SLU_CULL_CONE_BIT. Fixed front: SLU_CONE_FIXED_FRONT_FACE_BIT.
//  - Indexed streams: SluIndices::streams, from the bit SLU_SCENE_INDEXED_BOUNDS on in the order of their bits.
//  - LOD states: SLU_LOD_STATES_BIT.
#define SLU_SCENE_VOLUMES 1u
#define SLU_SCENE_MESHES 2u
#define SLU_SCENE_LAYERS 4u
#define SLU_SCENE_MARKS 8u
#define SLU_SCENE_INDEXED_BOUNDS 16u
#define SLU_SCENE_INDEXED_TRANSFORMS 32u
#define SLU_SCENE_INDEXED_LAYERS 64u
#define SLU_SCENE_MIRRORS 128u
#define SLU_SCENE_LOD_STATES 256u
#define SLU_SCENE_MORE_PLANES 512u
#define SLU_SCENE_OCCLUSION 1024u
#define SLU_SCENE_CONES 2048u
#define SLU_SCENE_FIXED_FRONT 4096u

// ---- Phases ----
// A frame that tests occlusion first finds out what the pyramid does not hide, a bit per view and record. Its tests then
// read bits alone. phase: an SluOcclusionPhase, or 0.

// Returns whether the other phase decides about a record. isFirst: of the records that the first phase keeps, which are
// those of lastVisible and those that are never occluded.
SLU_FUNCTION bool sluIsOfOtherPhase(uint phase, bool isFirst) {
  return phase == SLU_OCCLUSION_FIRST ? !isFirst : phase == SLU_OCCLUSION_SECOND && isFirst;
}

// Returns whether frames of a phase read which records the pyramid hides.
SLU_FUNCTION bool sluReadsVisible(uint phase) { return phase == SLU_OCCLUSION_SINGLE || phase == SLU_OCCLUSION_SECOND; }

// Returns the bucket of the records that do not mirror, whose key and level of detail are those of a bucket. mirroredFirst:
// as in PlanPart.
SLU_FUNCTION uint sluUnmirrored(uint bucket, uint mirroredFirst) {
  return mirroredFirst != 0u && bucket >= mirroredFirst ? bucket - mirroredFirst : bucket;
}

// Returns whether rejects are counted by reason. The number of records that are not live follows from the other counts,
// so a plan with no other test counts nothing. scene: SLU_SCENE_*.
#define SLU_COUNTS_REJECTS(outputs, keyed, cullFlags, lodCount, scene) \
  (((outputs)&SLU_OUTPUT_STATISTICS_BIT) * ((keyed) + (cullFlags) + (lodCount)-1u + (scene)) != 0u)

// Returns whether a list of rejects has a record. reasons: of the list, bits 1 << SluReject. outcome: of the tests;
// SLU_KEPT is no reason.
SLU_FUNCTION bool sluListsReject(uint reasons, uint outcome) { return (reasons >> outcome & 1u) != 0u; }

// When the keys of records are loaded.
#define SLU_KEYS_NONE 0u           // there are none
#define SLU_KEYS_WITH_LIVE 1u      // of all records, together with what the live test reads
#define SLU_KEYS_AFTER_LIVE 2u     // of the records that are live
#define SLU_KEYS_AFTER_CULLING 3u  // of those that culling leaves

// Returns when keys are loaded. That is before culling if the key names the bounds, or if statistics or a list of rejects
// have a record for the first test that it fails (tellsReasons). Otherwise the keys of culled records are not loaded.
// early: when keys are loaded if not after culling.
#define SLU_KEY_TIME(keyed, needsBounds, boundsSource, tellsReasons, early) \
  ((keyed) == 0u                          ? SLU_KEYS_NONE                   \
   : !(needsBounds)                       ? (early)                         \
   : (boundsSource) == SLU_BOUNDS_PER_KEY ? (early)                         \
   : (tellsReasons)                       ? (early)                         \
                                          : SLU_KEYS_AFTER_CULLING)

#ifdef __cplusplus  // what hosts decide when they create a plan

// Returns when keys are loaded if not after culling: with the live test, if that reads no more sectors of 32 bytes.
// Offsets and sizes are in bytes. Flags are tested before records.
SLU_FUNCTION uint sluEarlyKeyTime(uint flagTest, uint liveTest, uint recordBytes, uint liveOffset, uint keyOffset) {
  if (flagTest != SLU_LIVE_ALWAYS) return SLU_KEYS_AFTER_LIVE;
  if (liveTest == SLU_LIVE_ALWAYS) return SLU_KEYS_WITH_LIVE;
  return recordBytes <= 32u || liveOffset / 32u == keyOffset / 32u ? SLU_KEYS_WITH_LIVE : SLU_KEYS_AFTER_LIVE;
}

// Returns whether records are sorted by bucket before they are stored. This is for moved records in several buckets, if
// a tile of them fits into shared memory. Plans of fewer records than leastRecords are not sorted: tiles of thousands
// of records would leave most of the GPU idle, which costs more than scattered stores do.
SLU_FUNCTION bool sluSorts(bool movesRecords, uint bucketCount, uint recordCount, uint leastRecords, uint tileBytes,
                           uint sharedBytes) {
  return movesRecords && bucketCount > 1u && recordCount >= leastRecords && tileBytes <= sharedBytes;
}

// leastRecords of sluSorts, of shaders and of CUDA kernels. With few buckets stores are less scattered, so that CUDA
// kernels sort only larger plans.
#define SLU_SORTED_BY_SHADERS_FROM 0x20000u
SLU_FUNCTION uint sluSortedByCudaFrom(uint bucketCount) { return bucketCount < 64u ? 0x40001u : 0x20001u; }

#endif

SLU_NAMESPACE_END

#endif
