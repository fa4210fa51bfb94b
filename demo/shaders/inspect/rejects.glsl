// Which test of a plan drops a record, by the arithmetic of the library: sluice/culling.h.
#extension GL_EXT_buffer_reference_uvec2 : require
#include "rejects.h"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer TestsReference { RejectTests value; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer WordsReference { uint at[]; };

struct TestedRecord {
  uint outcome;
  vec3 center;  // of its bounds in the world
  float radius;
  uint key;
};

// Filled by main before anything else, as the frame's constants are.
RejectTests tests;

#define SLU_VIEW_REF uint
#define SLU_VIEW_AT(view) tests.view
#include "sluice/culling.h"

bool isFinite(float value) { return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u; }

vec3 toVector(SluFloat3 value) { return vec3(value.x, value.y, value.z); }

SluFloat3 vectorAt(WordsReference words, uint first, uint step) {
  return SluFloat3(uintBitsToFloat(words.at[first]), uintBitsToFloat(words.at[first + step]),
                   uintBitsToFloat(words.at[first + 2u * step]));
}

SluFloat4 fourAt(WordsReference words, uint first) {
  SluFloat3 three = vectorAt(words, first, 1u);
  return SluFloat4(three.x, three.y, three.z, uintBitsToFloat(words.at[first + 3u]));
}

bool isLive(WordsReference records, uint record) {
  if (tests.liveTest == SLU_LIVE_ALWAYS) return true;
  uint word = 0u;
  for (uint i = 0u; i < max(tests.liveWords, 1u); ++i) word |= records.at[record + tests.liveWord + i];
  if (tests.liveTest == SLU_LIVE_MASK_EQUAL) return sluMatches(word, tests.liveMask, tests.liveValue);
  return sluIsLive(word, sluLiveLimit(tests.liveTest));
}

bool isFlagged(WordsReference flags, uint index) {
  if (tests.flagTest == SLU_LIVE_ALWAYS) return true;
  if (tests.flagTest == SLU_LIVE_FLAG_BITS) return (sluFlagBits(flags.at[sluFlagWord(index)], index) & 1u) != 0u;
  if (tests.flagTest == SLU_LIVE_FLAG_BYTES) return (flags.at[index / 4u] >> index % 4u * 8u & 0xffu) != 0u;
  return flags.at[index] != 0u;
}

SluSphere sphereAt(WordsReference words, uint first) {
  return SluSphere(vectorAt(words, first, 1u), uintBitsToFloat(words.at[first + 3u]));
}

// Returns where a record's bounds are among those of the stream, or of the table.
uint boundsOf(WordsReference records, uint record, uint key) {
  bool hasIndex = tests.boundsSource == SLU_BOUNDS_PER_RECORD;
  return (hasIndex ? records.at[record + tests.boundsIndexWord] : key) * tests.boundsWords;
}

// Returns the bounds before they are moved. A key that is out of range has none.
SluSphere sphereOf(WordsReference records, WordsReference meshes, uint record, uint key) {
  if (tests.boundsSource == SLU_BOUNDS_IN_RECORD) return sphereAt(records, record + tests.sphereWord);
  if (tests.boundsSource == SLU_BOUNDS_NONE || (key > 0u && !sluIsKey(key, tests.keyCount)))
    return SluSphere(SluFloat3(0.0, 0.0, 0.0), 0.0);
  return sphereAt(meshes, boundsOf(records, record, key) + tests.sphereWord);
}

// Reads SLU_MATRIX_ROWS.
SluMatrix matrixAt(WordsReference words, uint first) {
  return SluMatrix(vectorAt(words, first, 4u), vectorAt(words, first + 1u, 4u), vectorAt(words, first + 2u, 4u),
                   vectorAt(words, first + 3u, 4u));
}

// A plan with a table of meshes, with matrices or with occlusion moves spheres by matrices, and compares the squares of
// their radii.
TestedRecord testSphere(WordsReference records, WordsReference meshes, uint record, uint key) {
  SluSphere sphere = sphereOf(records, meshes, record, key);
  WordsReference transforms = records;
  uint transform = record;
  if (tests.transformIndexWord != kNoWord) {
    transforms = WordsReference(uvec2(tests.transforms[0], tests.transforms[1]));
    transform = records.at[record + tests.transformIndexWord] * tests.transformWords;
  }
  uint parts = tests.transformFlags;
  SluFloat3 position = SluFloat3(0.0, 0.0, 0.0);
  SluFloat4 rotation = SluFloat4(0.0, 0.0, 0.0, 1.0);
  float scale = 1.0;
  if ((parts & SLU_TRANSFORM_POSITION_BIT) != 0u)
    position = vectorAt(transforms, transform + tests.positionWord, tests.positionStep);
  if ((parts & SLU_TRANSFORM_SCALE_BIT) != 0u) scale = uintBitsToFloat(transforms.at[transform + tests.scaleWord]);
  if ((parts & SLU_TRANSFORM_ROTATION_BIT) != 0u) rotation = fourAt(transforms, transform + tests.rotationWord);
  bool isPlain = (parts & SLU_TRANSFORM_MATRIX_BIT) == 0u && (tests.cullFlags & SLU_CULL_OCCLUSION_BIT) == 0u;
  if (tests.meshWords == 0u && isPlain) {
    SluSphere moved = sluTransformSphere(sphere, position, scale, rotation, parts);
    return TestedRecord(sluCullSphere(0u, moved, tests.cullFlags), toVector(moved.center), moved.radius, 0u);
  }
  SluMatrix matrix = (parts & SLU_TRANSFORM_MATRIX_BIT) != 0u
                         ? matrixAt(transforms, transform + tests.matrixWord)
                         : sluMatrixOf(position, SluFloat3(scale, scale, scale), rotation, parts);
  SluFloat3 center = sluTransformPoint(matrix, sphere.center);
  float radius2 = sluRadius2(sphere.radius, sluStretch2(matrix));
  uint outcome = sluCullMovedSphere(0u, center, radius2, tests.cullFlags);
  if ((tests.cullFlags & SLU_CULL_CONE_BIT) != 0u && outcome == SLU_KEPT) {
    SluFloat4 words = fourAt(meshes, boundsOf(records, record, key) + tests.coneWord);
    SluCone cone = SluCone(SluFloat3(words.x, words.y, words.z), words.w);
    SluMovedCone moved = sluMoveCone(cone, sphere.radius, matrix, tests.hasFixedFront);
    if (sluIsFacingAway(0u, center, moved)) outcome = SLU_REJECT_CONE;
  }
  return TestedRecord(outcome, toVector(center), sqrt(max(radius2, 0.0)), 0u);
}

// Returns a bit for each level of detail of the mesh that is resident.
uint lodsOf(WordsReference meshes, uint mesh) {
  uint resident = tests.lodMaskWord == kNoWord ? ~0u : meshes.at[mesh + tests.lodMaskWord];
  uint count = tests.lodCountWord == kNoWord ? tests.lodCount : meshes.at[mesh + tests.lodCountWord];
  return sluLodMask(count, resident, tests.lodCount);
}

bool bitOf(uint low, uint high, uint index) {
  return (WordsReference(uvec2(low, high)).at[index / 32u] >> index % 32u & 1u) != 0u;
}

// Returns whether occlusion alone keeps the record from being drawn.
bool isOccluded(uint index) {
  if ((tests.visible[0] | tests.visible[1]) == 0u) return false;
  bool isFirst = (tests.lastVisible[0] | tests.lastVisible[1]) != 0u &&
                 bitOf(tests.lastVisible[0], tests.lastVisible[1], index);
  return !isFirst && !bitOf(tests.visible[0], tests.visible[1], index);
}

TestedRecord testRecord(WordsReference records, WordsReference meshes, WordsReference flags, uint index) {
  uint record = index * tests.recordWords, key = 0u;
  if (tests.keyCount > 0u) key = sluKey(records.at[record + tests.keyWord], tests.keyShift, tests.keyMask);
  bool isKey = tests.keyCount == 0u || sluIsKey(key, tests.keyCount);
  TestedRecord tested = testSphere(records, meshes, record, key);
  tested.key = key;
  if (tests.testsBounds == 0u) tested.outcome = kPassed;
  if (tested.outcome == kPassed && isOccluded(index)) tested.outcome = SLU_REJECT_OCCLUDED;
  if (tests.meshWords > 0u && isKey && tested.outcome == kPassed && lodsOf(meshes, key * tests.meshWords) == 0u)
    tested.outcome = SLU_REJECT_LOD;
  if (!isKey) tested.outcome = SLU_REJECT_KEY;
  if (!isLive(records, record) || !isFlagged(flags, index)) tested.outcome = SLU_REJECT_NOT_LIVE;
  return tested;
}
