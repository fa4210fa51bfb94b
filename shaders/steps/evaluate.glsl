// Step 1, evaluate: tests the records of a tile, and finds their buckets.

uint rejects[SLU_REJECT_COUNT];  // of this invocation
const uint kFirstCounted = SLU_REJECT_NOT_LIVE + 1u;  // records that are not live are not counted

bool wordIsLive(uint word) {
  if (kLiveTest == SLU_LIVE_MASK_EQUAL) return sluMatches(word, plan.liveMask, plan.liveValue);
  return sluIsLive(word, sluLiveLimit(kLiveTest));
}

// Returns a word that is not live. It replaces words beyond the input, so that tests need no bounds check.
uint deadWord() { return sluDeadWord(kLiveTest, plan.liveValue); }

// Returns which words pass the live test, a bit each.
uint liveWordsOf(uvec4 four) {
  return uint(wordIsLive(four.x)) | uint(wordIsLive(four.y)) << 1 | uint(wordIsLive(four.z)) << 2 |
         uint(wordIsLive(four.w)) << 3;
}

// Returns which of four words of a record the live test reads, a bit each. firstWord: the number of the first of them.
uint testedWords(uint firstWord) {
  uint mask = 0u;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    if (firstWord + i - plan.liveOffset < max(plan.liveWords, 1u)) mask |= 1u << i;  // 0: the test of one word
  }
  return mask;
}

// Returns whether any of the words that SLU_LIVE_NON_EMPTY names is not 0.
bool isNonEmpty(RecordsPlace words) {
  uint any = 0u;
  uint i = 0u;
  if (SLU_IS_WIDE(wideLive)) {
    for (; i + 4u <= plan.liveWords; i += 4u) {
      uvec4 four = loadFour(wordAt(words, i));
      any |= four.x | four.y | four.z | four.w;
    }
  }
  for (; i < plan.liveWords; ++i) any |= load(words, i);
  return any != 0u;
}

RecordsPlace recordAt(uint index) { return elementAt(RecordsPlace(frame.records), index, kRecordWords); }

// Returns which flags are set: bit j for record first + j. count: how many records there are from first on. Bits beyond
// them are undefined.
uint flagMask(uint first, uint count) {
  if (kFlagTest == SLU_LIVE_ALWAYS) return ~0u;
  if (kFlagTest == SLU_LIVE_FLAG_BITS) return sluFlagBits(load(FlagsPlace(frame.flags), sluFlagWord(first)), first);
  if (kFlagTest == SLU_LIVE_FLAG_BYTES) {
    uint bytes = load(FlagsPlace(frame.flags), first / 4u) >> (8u * (first & 3u));
    return uint((bytes & 0xffu) != 0u) | uint((bytes & 0xff00u) != 0u) << 1 | uint((bytes & 0xff0000u) != 0u) << 2 |
           uint((bytes & 0xff000000u) != 0u) << 3;
  }
  FlagsPlace words = wordAt(FlagsPlace(frame.flags), first);
  if (kGroup == 4u && SLU_IS_WIDE(wideFlags) && count >= kGroup) {
    uvec4 four = loadFour(words);
    return uint(four.x != 0u) | uint(four.y != 0u) << 1 | uint(four.z != 0u) << 2 | uint(four.w != 0u) << 3;
  }
  uint mask = 0u;
  for (uint j = 0u; j < min(count, kGroup); ++j) mask |= uint(load(words, j) != 0u) << j;
  return mask;
}

#ifdef SLU_PREDICATE
#include "steps/predicate.glsl"
#endif

// Returns which records of `flagged` pass the test of the record: bit j for record first + j. Loads the words of
// consecutive records as one vector if possible.
uint recordMask(uint first, uint count, uint flagged) {
  if (kLiveTest == SLU_LIVE_ALWAYS) return flagged;
#ifdef SLU_PREDICATE
  return customMask(first, count, flagged);
#endif
  RecordsPlace words = wordAt(recordAt(first), plan.liveOffset);
  if (kGroup == 4u && kRecordWords == 1u && SLU_IS_WIDE(wideLive) && count >= kGroup) {
    return flagged & liveWordsOf(loadFour(words));
  }
  uint mask = 0u;
  for (uint j = 0u; j < min(count, kGroup); ++j) {
    if (kFlagTest != SLU_LIVE_ALWAYS && (flagged >> j & 1u) == 0u) continue;
    RecordsPlace tested = wordAt(words, j * kRecordWords);
    bool severalWords = kLiveTest == SLU_LIVE_NON_EMPTY && kRecordWords > 1u;
    bool isLive = severalWords ? isNonEmpty(tested) : wordIsLive(load(tested));
    mask |= uint(isLive) << j;
  }
  return mask;
}

// Returns which records are live: bit j for record first + j.
uint liveMask(uint first, uint count) { return recordMask(first, count, flagMask(first, count)); }

#define SLU_LOAD_FLOATS(AnyPlace)                                                                                    \
  SluFloat3 loadFloat3(AnyPlace base, uint index) {                                                                  \
    SluFloat3 r;                                                                                                     \
    r.x = uintBitsToFloat(load(base, index));                                                                        \
    r.y = uintBitsToFloat(load(base, index + 1u));                                                                   \
    r.z = uintBitsToFloat(load(base, index + 2u));                                                                   \
    return r;                                                                                                        \
  }                                                                                                                  \
  SluFloat4 loadFloat4(AnyPlace base, uint index, bool wide) {                                                       \
    vec4 four;                                                                                                       \
    if (wide) {                                                                                                      \
      four = uintBitsToFloat(loadFour(wordAt(base, index)));                                                         \
    } else {                                                                                                         \
      [[unroll]] for (uint i = 0u; i < 4u; ++i) four[i] = uintBitsToFloat(load(base, index + i));                    \
    }                                                                                                                \
    SluFloat4 r;                                                                                                     \
    r.x = four.x;                                                                                                    \
    r.y = four.y;                                                                                                    \
    r.z = four.z;                                                                                                    \
    r.w = four.w;                                                                                                    \
    return r;                                                                                                        \
  }
SLU_FOR_PLACES(SLU_LOAD_FLOATS, BoundsPlace, TransformsPlace)

SluFloat3 float3Of(float x, float y, float z) {
  SluFloat3 r;
  r.x = x;
  r.y = y;
  r.z = z;
  return r;
}

// Returns the element of a stream for a record: its own, or if records share the stream, the one whose number is in the
// record's word at `offset`, or SLU_DROPPED if that is not there. stream: one of SLU_SCENE_INDEXED_*. count: of the
// stream's elements.
uint elementOf(uint stream, uint offset, uint count, uint index) {
  if ((kScene & stream) == 0u) return index;
  uint element = load(recordAt(index), offset);
  return element < count ? element : SLU_DROPPED;
}

// Returns the element that holds the bounds of a record.
uint boundsElement(uint index, uint key) {
  if (kBoundsSource == SLU_BOUNDS_PER_KEY) return key;
  return elementOf(SLU_SCENE_INDEXED_BOUNDS, plan.boundsIndexOffset, frame.boundsCount, index);
}

// Returns the element that holds the transform of a record.
uint transformElement(uint index) {
  if (kTransformFlags == 0u) return index;
  return elementOf(SLU_SCENE_INDEXED_TRANSFORMS, plan.transformIndexOffset, frame.transformCount, index);
}

// Returns where bounds are found. They begin boundsOffset words behind the element's beginning.
BoundsPlace boundsAt(uint element) {
  return elementAt(BoundsPlace(frame.bounds), element, plan.boundsLayout.boundsStride);
}

// Returns where the parts of a transform are found.
TransformsPlace transformAt(uint element) {
  return elementAt(TransformsPlace(frame.transforms), element, plan.boundsLayout.transformStride);
}

SluSphere loadSphere(uint element) {
  SluFloat4 packed = loadFloat4(boundsAt(element), plan.boundsLayout.boundsOffset, SLU_IS_WIDE(wideBounds));
  SluSphere sphere;
  sphere.center = float3Of(packed.x, packed.y, packed.z);
  sphere.radius = packed.w;
  return sphere;
}

SluBox loadBox(uint element) {
  BoundsPlace place = wordAt(boundsAt(element), plan.boundsLayout.boundsOffset);
  bool isWide = SLU_IS_WIDE(wideBounds);
  SluFloat4 four = loadFloat4(place, 0u, isWide);
  SluBox box;
  box.center = float3Of(four.x, four.y, four.z);
  if (SLU_HAS_VEC4_HALVES(kBoundsShape)) {
    SluFloat4 second = loadFloat4(place, 4u, isWide);
    box.extents = float3Of(second.x, second.y, second.z);
  } else {
    uvec2 two = isWide ? loadTwo(wordAt(place, 4u)) : uvec2(load(place, 4u), load(place, 5u));
    box.extents = float3Of(four.w, uintBitsToFloat(two.x), uintBitsToFloat(two.y));
  }
  return SLU_HAS_CORNERS(kBoundsShape) ? sluBoxOfCorners(box.center, box.extents) : box;
}

SluFloat3 loadPosition(TransformsPlace transform) {
  SluFloat3 none;
  if ((kTransformFlags & SLU_TRANSFORM_POSITION_BIT) == 0u) return none;
  return loadFloat3(transform, plan.boundsLayout.positionOffset);
}

float loadScale(TransformsPlace transform) {
  if ((kTransformFlags & SLU_TRANSFORM_SCALE_BIT) == 0u) return 1.0;
  return uintBitsToFloat(load(transform, plan.boundsLayout.scaleOffset));
}

SluFloat4 loadRotation(TransformsPlace transform) {
  SluFloat4 none;
  if ((kTransformFlags & SLU_TRANSFORM_ROTATION_BIT) == 0u) return none;
  return loadFloat4(transform, plan.boundsLayout.rotationOffset, false);
}

SluSphere worldSphere(uint index, uint key) {
  SluSphere sphere = loadSphere(kBoundsSource == SLU_BOUNDS_PER_KEY ? key : index);
  if (kTransformFlags == 0u) return sphere;
  TransformsPlace transform = transformAt(index);
  return sluTransformSphere(sphere, loadPosition(transform), loadScale(transform), loadRotation(transform),
                            kTransformFlags);
}

SluMatrix loadMatrix(TransformsPlace transform) {
  if ((kTransformFlags & SLU_TRANSFORM_MATRIX_BIT) == 0u) {
    float scale = loadScale(transform);
    SluFloat3 axes = float3Of(scale, scale, scale);
    if ((kTransformFlags & SLU_TRANSFORM_AXIS_SCALE_BIT) != 0u) {
      axes = loadFloat3(transform, plan.boundsLayout.scaleOffset);
    }
    return sluMatrixOf(loadPosition(transform), axes, loadRotation(transform), kTransformFlags);
  }
  TransformsPlace place = wordAt(transform, plan.boundsLayout.matrixOffset);
  bool isWide = SLU_IS_WIDE(wideMatrices);
  SluFloat4 first = loadFloat4(place, 0u, isWide);
  SluFloat4 second = loadFloat4(place, 4u, isWide);
  SluFloat4 third = loadFloat4(place, 8u, isWide);
  SluMatrix matrix;
  if (kMatrixForm == SLU_MATRIX_COLUMNS_4X4) {
    SluFloat4 fourth = loadFloat4(place, 12u, isWide);
    matrix.x = float3Of(first.x, first.y, first.z);
    matrix.y = float3Of(second.x, second.y, second.z);
    matrix.z = float3Of(third.x, third.y, third.z);
    matrix.translation = float3Of(fourth.x, fourth.y, fourth.z);
  } else if (kMatrixForm == SLU_MATRIX_COLUMNS_3X4) {
    matrix.x = float3Of(first.x, first.y, first.z);
    matrix.y = float3Of(first.w, second.x, second.y);
    matrix.z = float3Of(second.z, second.w, third.x);
    matrix.translation = float3Of(third.y, third.z, third.w);
  } else {
    matrix.x = float3Of(first.x, second.x, third.x);
    matrix.y = float3Of(first.y, second.y, third.y);
    matrix.z = float3Of(first.z, second.z, third.z);
    matrix.translation = float3Of(first.w, second.w, third.w);
  }
  return matrix;
}

// Returns a volume in the world: its center, and its squared radius in the place of a sphere's. extents: of a box.
// stretch2: by how much thresholds of LODs grow, squared, if they do. isMirrored: if the plan asks for that. element: of
// the bounds. moved: of the transform.
SluSphere worldVolume(uint element, uint moved, out SluFloat3 extents, out float stretch2, out bool isMirrored) {
  SluMatrix matrix;
  if (kTransformFlags != 0u) matrix = loadMatrix(transformAt(moved));
  isMirrored = kSplitsMirrored && sluIsMirrored(matrix);
  stretch2 = 1.0;
  SluSphere volume;
  if (kBoundsShape == SLU_SHAPE_SPHERE) {
    SluSphere sphere = loadSphere(element);
    volume.center = sphere.center;
    if (kTransformFlags != 0u) {
      stretch2 = sluStretch2(matrix);
      volume.center = sluTransformPoint(matrix, sphere.center);
    }
    volume.radius = sluRadius2(sphere.radius, stretch2);
    return volume;
  }
  if (kTransformFlags != 0u && plan.meshLayout.thresholdsGrow != 0u) stretch2 = sluStretch2(matrix);
  SluBox box = loadBox(element);
  SluBox world = box;
  if (kTransformFlags != 0u) world = sluTransformBox(box, matrix);
  volume.center = world.center;
  volume.radius = sluHalfDiagonal2(box.extents, world.extents);
  extents = world.extents;
  return volume;
}

// Finds which records are live, in a mask per row of the invocation. A full tile needs no bounds checks, so that the
// loads of all rows are in flight together.
void liveMasks(uint tileBase, uint inputs, out uint masks[kMaxRows]) {
  if (inputs - tileBase >= kTile) {
    [[unroll]] for (uint row = 0u; row < kRows; ++row) {
      masks[row] = flagMask(tileBase + groupIndex(row) * kGroup, kGroup);
    }
    [[unroll]] for (uint row = 0u; row < kRows; ++row) {
      masks[row] = recordMask(tileBase + groupIndex(row) * kGroup, kGroup, masks[row]);
    }
    return;
  }
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint index = tileBase + groupIndex(row) * kGroup;
    masks[row] = index < inputs ? liveMask(index, inputs - index) : 0u;
  }
}

// Returns the word that holds the key of a record.
uint keyWord(uint index) {
#ifdef SLU_PREDICATE_KEY
  return sluPredicateKey(recordAt(index), index);
#else
  return load(recordAt(index), plan.keyOffset);
#endif
}

// Keys are below this. With meshes they name one that the frame has.
uint keyLimit() {
  if (kHasMeshes) return meshCount();
  return plan.keyCount;
}

// Loads the keys of the items that are kept so far. Items whose key the plan or the frame does not have are rejected.
void testKeys(uint tileBase, inout uint outcomes[kMaxItems], out uint keys[kMaxItems]) {
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    keys[item] = 0u;
    if (kKeyed != 0u && outcomes[item] == SLU_KEPT) keys[item] = keyWord(tileBase + localIndex(item));
  }
  uint limit = keyLimit();
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    keys[item] = sluKey(keys[item], plan.keyShift, plan.keyMask);
    if (outcomes[item] == SLU_KEPT && !sluIsKey(keys[item], limit)) outcomes[item] = SLU_REJECT_KEY;
  }
}

// Loads the spheres of the items that are kept so far.
void loadSpheres(uint tileBase, uint keys[kMaxItems], uint outcomes[kMaxItems], out SluSphere spheres[kMaxItems]) {
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    if (outcomes[item] == SLU_KEPT) spheres[item] = worldSphere(tileBase + localIndex(item), keys[item]);
  }
}

// Culls the items that are kept so far. lods: the levels of detail of those that remain. Each plane is loaded once, for
// all items. The distances of rejected items are computed from undefined spheres, and not used: that saves branches.
void cullSpheres(uint view, SluSphere spheres[kMaxItems], inout uint outcomes[kMaxItems], out uint lods[kMaxItems]) {
  float distances2[kMaxItems];
  float leasts[kMaxItems];
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    distances2[item] = sluDistance2(view, spheres[item].center);
    leasts[item] = SLU_FARTHEST;
  }
  if ((kCullFlags & SLU_CULL_FRUSTUM_BIT) != 0u) {
    [[unroll]] for (uint plane = 0u; plane < SLU_PLANES; ++plane) {
      [[unroll]] for (uint item = 0u; item < kItems; ++item) {
        leasts[item] = sluLeast(leasts[item], sluPlaneDistance(view, plane, spheres[item].center));
      }
    }
  }
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    if (outcomes[item] == SLU_KEPT) {
      outcomes[item] = sluCull(view, spheres[item].radius, distances2[item], leasts[item], kCullFlags);
    }
    lods[item] = sluLod(view, distances2[item], kLodCount);
  }
}

// The volumes of a scene's items. They do not depend on the view.
struct Volumes {
  SluSphere volumes[kMaxItems];  // their radii are squared
  SluFloat3 extents[kMaxItems];  // of boxes
  float stretches2[kMaxItems];
  uint mirrored;  // which items mirror, a bit each, if the plan asks for that
};

const float kNoRadius2 = -1.0;  // of bounds that the frame does not have, and which are invalid

// Finds the elements that hold the bounds and transforms of the items that are kept so far.
void findElements(uint tileBase, uint keys[kMaxItems], uint outcomes[kMaxItems], out uint elements[kMaxItems],
                  out uint moved[kMaxItems]) {
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    elements[item] = 0u;
    moved[item] = 0u;
    if (outcomes[item] == SLU_KEPT) {
      elements[item] = boundsElement(tileBase + localIndex(item), keys[item]);
      moved[item] = transformElement(tileBase + localIndex(item));
    }
  }
}

// Returns whether the frame has both.
bool areThere(uint element, uint moved) {
  if ((kScene & (SLU_SCENE_INDEXED_BOUNDS | SLU_SCENE_INDEXED_TRANSFORMS)) == 0u) return true;
  return element != SLU_DROPPED && moved != SLU_DROPPED;
}

// Loads the volumes of the items that are kept so far.
void loadVolumes(uint tileBase, uint keys[kMaxItems], uint outcomes[kMaxItems], out Volumes loaded) {
  uint elements[kMaxItems];
  uint moved[kMaxItems];
  findElements(tileBase, keys, outcomes, elements, moved);
  loaded.mirrored = 0u;
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    bool isThere = areThere(elements[item], moved[item]);
    if (!isThere) loaded.volumes[item].radius = kNoRadius2;
    if (outcomes[item] == SLU_KEPT && isThere) {
      bool isMirrored;
      loaded.volumes[item] =
          worldVolume(elements[item], moved[item], loaded.extents[item], loaded.stretches2[item], isMirrored);
      loaded.mirrored |= uint(isMirrored) << item;
    }
  }
}

// Returns which of the items that are kept so far mirror, a bit each, where no volumes are loaded.
uint loadMirrored(uint tileBase, uint keys[kMaxItems], uint outcomes[kMaxItems]) {
  if (!kSplitsMirrored) return 0u;
  uint elements[kMaxItems];
  uint moved[kMaxItems];
  findElements(tileBase, keys, outcomes, elements, moved);
  uint mirrored = 0u;
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    if (outcomes[item] == SLU_KEPT && areThere(elements[item], moved[item])) {
      mirrored |= uint(sluIsMirrored(loadMatrix(transformAt(moved[item])))) << item;
    }
  }
  return mirrored;
}

// Returns the first bucket of the records that mirror as the item does: 0, or plan.mirroredFirst.
uint firstBucketOf(uint mirrored, uint item) {
  return kSplitsMirrored && (mirrored >> item & 1u) != 0u ? plan.mirroredFirst : 0u;
}

// Joins the items' least distances with those from the view's more planes, if it has any. These are not among the planes
// of sluPlaneDistance: choosing between the two there would slow down all other plans.
void addMorePlanes(uint view, Volumes loaded, inout float leasts[kMaxItems]) {
  if (!kHasMorePlanes || SLU_VIEW_AT(view).morePlanes == 0u) return;
  float moreLeasts[kMaxItems];
  [[unroll]] for (uint item = 0u; item < kItems; ++item) moreLeasts[item] = SLU_FARTHEST;
  [[dont_unroll]] for (uint plane = 0u; plane < SLU_PLANES; ++plane) {
    SluFloat3 normal = float3Of(SLU_MORE_PLANES(view)[plane].x, SLU_MORE_PLANES(view)[plane].y,
                                SLU_MORE_PLANES(view)[plane].z);
    float w = SLU_MORE_PLANES(view)[plane].w;
    [[unroll]] for (uint item = 0u; item < kItems; ++item) {
      float inside = sluAdd(sluDot(normal, loaded.volumes[item].center), w);
      if (kBoundsShape != SLU_SHAPE_SPHERE) inside = sluAdd(inside, sluDot(sluAbs3(normal), loaded.extents[item]));
      moreLeasts[item] = sluLeast(moreLeasts[item], inside);
    }
  }
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    leasts[item] = sluJoinedLeast(view, leasts[item], moreLeasts[item]);
  }
}

// Culls volumes as cullSpheres does spheres, but not those that are marked. With one function for both, NVIDIA's
// compiler makes slower code of spheres.
void cullVolumes(uint view, Volumes loaded, uint layers[kMaxItems], inout uint outcomes[kMaxItems],
                 out float distances2[kMaxItems]) {
  float leasts[kMaxItems];
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    distances2[item] = sluDistance2(view, loaded.volumes[item].center);
    leasts[item] = SLU_FARTHEST;
  }
  if ((kCullFlags & SLU_CULL_FRUSTUM_BIT) != 0u) {
    [[unroll]] for (uint plane = 0u; plane < SLU_PLANES; ++plane) {
      [[unroll]] for (uint item = 0u; item < kItems; ++item) {
        float inside = sluPlaneDistance(view, plane, loaded.volumes[item].center);
        if (kBoundsShape != SLU_SHAPE_SPHERE) inside = sluAdd(inside, sluReach(view, plane, loaded.extents[item]));
        leasts[item] = sluLeast(leasts[item], inside);
      }
    }
    addMorePlanes(view, loaded, leasts);
  }
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    bool isMarked = kHasMarks && (layers[item] & plan.boundsLayout.neverCullMask) != 0u;
    if (outcomes[item] == SLU_KEPT && !isMarked) {
      float radius2 = loaded.volumes[item].radius;
      outcomes[item] = sluCullVolume(view, kBoundsShape, radius2, distances2[item], leasts[item], kCullFlags);
    }
  }
}

// Returns whether the triangles of an item's cluster face away from the eye. element and moved: as for worldVolume. Only
// items that are kept so far need it, so what worldVolume has loaded is loaded again: it comes from a cache, and takes no
// registers until then.
bool facesAway(uint view, uint element, uint moved, SluFloat3 center) {
  SluFloat4 words = loadFloat4(boundsAt(element), plan.coneOffset, false);
  SluCone cone;
  cone.axis = float3Of(words.x, words.y, words.z);
  cone.cutoff = words.w;
  SluMatrix matrix;
  if (kTransformFlags != 0u) {
    matrix = loadMatrix(transformAt(moved));
  } else {
    SluFloat4 noRotation;
    matrix = sluMatrixOf(center, center, noRotation, 0u);
  }
  SluMovedCone world = sluMoveCone(cone, loadSphere(element).radius, matrix, kScene & SLU_SCENE_FIXED_FRONT);
  return sluIsFacingAway(view, center, world);
}

// Rejects the items of those that are kept so far whose triangles all face away, but not those that are marked.
void testCones(uint view, uint tileBase, uint keys[kMaxItems], Volumes loaded, uint layers[kMaxItems],
               inout uint outcomes[kMaxItems]) {
  if (!kTestsCones) return;
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    bool isMarked = kHasMarks && (layers[item] & plan.boundsLayout.neverCullMask) != 0u;
    if (outcomes[item] == SLU_KEPT && !isMarked) {
      uint element = boundsElement(tileBase + localIndex(item), keys[item]);
      uint moved = transformElement(tileBase + localIndex(item));
      if (facesAway(view, element, moved, loaded.volumes[item].center)) outcomes[item] = SLU_REJECT_CONE;
    }
  }
}

// Finds the last level of detail that each item reaches. lodCounts: how many its mesh has. Each level is judged for
// all items before the next one, so that the loads of all items are in flight together. Unrolled levels would be much
// code, which SwiftShader compiles for minutes. lastStates: of plans that keep states, by which a level may be held.
void reachLods(uint view, uint keys[kMaxItems], uint outcomes[kMaxItems], uint lodCounts[kMaxItems],
               Volumes loaded, float distances2[kMaxItems], uint lastStates[kMaxItems], inout uint lods[kMaxItems]) {
  uint mosts[kMaxItems];  // the levels at the greatest distances; lods: at the least
  [[unroll]] for (uint item = 0u; item < kItems; ++item) mosts[item] = 0u;
  float ratio2 = SLU_VIEW_AT(view).lodRatio2;
  bool isNear = plan.meshLayout.fromNearSide != 0u;
  bool grow = plan.meshLayout.thresholdsGrow != 0u;
  bool areOfMeshes = kHasMeshes && plan.meshLayout.thresholdOffset != SLU_DROPPED;
  [[dont_unroll]] for (uint lod = 1u; lod < kLodCount; ++lod) {
    float thresholds[kMaxItems];
    uint word = plan.meshLayout.thresholdOffset + lod * plan.meshLayout.lodStride;
    [[unroll]] for (uint item = 0u; item < kItems; ++item) {
      thresholds[item] = 0.0;
      if (areOfMeshes && outcomes[item] == SLU_KEPT) thresholds[item] = uintBitsToFloat(load(meshAt(keys[item]), word));
    }
    [[unroll]] for (uint item = 0u; item < kItems; ++item) {
      float threshold2 = SLU_VIEW_LOD_DISTANCE2(view, lod - 1u);
      if (areOfMeshes) threshold2 = sluThreshold2(thresholds[item], grow ? loaded.stretches2[item] : 1.0);
      float radius2 = isNear ? sluMul(loaded.volumes[item].radius, ratio2) : 0.0;
      float distance2 = sluScaledDistance2(view, distances2[item]);
      if (kKeepsLodStates) {
        bool isHeld = sluLodOfState(lastStates[item], kLodCount) != SLU_LOD_NONE;
        float most2 = sluMul(distance2, isHeld ? frame.lodMost2 : 1.0);
        if (lod < lodCounts[item] && sluReachesLod(threshold2, radius2, most2)) mosts[item] = lod;
        distance2 = sluMul(distance2, isHeld ? frame.lodLeast2 : 1.0);
      }
      bool isReached = sluReachesLod(threshold2, radius2, distance2);
      if (lod < lodCounts[item] && isReached) lods[item] = lod;
    }
  }
  if (!kKeepsLodStates) return;
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    lods[item] = sluHeldLod(sluLodOfState(lastStates[item], kLodCount), lods[item], mosts[item]);
  }
}

// Loads the last states of the levels of detail of the items that are kept so far, if the plan keeps them.
void loadLodStates(uint view, uint tileBase, uint outcomes[kMaxItems], out uint lastStates[kMaxItems]) {
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    lastStates[item] = SLU_LOD_STATE_NONE;
    if (kKeepsLodStates && isGiven(frame.lastLodStates) && outcomes[item] == SLU_KEPT) {
      LastLodStatesPlace states = elementAt(LastLodStatesPlace(frame.lastLodStates), view, frame.lodStateStride);
      lastStates[item] = load(states, tileBase + localIndex(item));
    }
  }
}

// Stores the states of all items, also of those that are not kept. states: of those that are.
void storeLodStates(uint view, uint tileBase, uint inputs, uint outcomes[kMaxItems], uint states[kMaxItems]) {
  if (!kKeepsLodStates) return;
  LodStatesPlace place = elementAt(LodStatesPlace(frame.lodStates), view, frame.lodStateStride);
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    uint index = tileBase + localIndex(item);
    if (index < inputs) store(place, index, outcomes[item] == SLU_KEPT ? states[item] : SLU_LOD_STATE_NONE);
  }
}

// Loads the layers of the items that are kept so far.
void loadLayers(uint tileBase, uint outcomes[kMaxItems], out uint layers[kMaxItems]) {
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    layers[item] = 0u;
    if ((kTestsLayers || kHasMarks) && outcomes[item] == SLU_KEPT) {
      uint element = elementOf(SLU_SCENE_INDEXED_LAYERS, plan.layersIndexOffset, frame.layerCount,
                               tileBase + localIndex(item));
      if (element != SLU_DROPPED) layers[item] = load(elementAt(LayersPlace(frame.layers), element, plan.layerStride));
    }
  }
}

// Rejects items that are in none of the view's layers.
void testLayers(uint view, uint layers[kMaxItems], inout uint outcomes[kMaxItems]) {
  if (!kTestsLayers) return;
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    bool isRejected = sluIsInNoLayer(view, layers[item]);
    if (outcomes[item] == SLU_KEPT && isRejected) outcomes[item] = SLU_REJECT_LAYER;
  }
}

// Rejects items about which the other phase of the frame decides. Returns which items the pyramid hides, a bit each: it is
// undefined for items that are rejected.
uint testPhase(uint view, uint tileBase, uint layers[kMaxItems], inout uint outcomes[kMaxItems]) {
  uint hidden = 0u;
  if (!kTestsOcclusion || frame.occlusionPhase == 0u) return 0u;
  bool readsLast = frame.occlusionPhase != SLU_OCCLUSION_SINGLE && isGiven(frame.lastVisible);
  bool readsVisible = sluReadsVisible(frame.occlusionPhase);
  LastVisiblePlace lastWords = elementAt(LastVisiblePlace(frame.lastVisible), view, frame.visibleStride);
  VisiblePlace words = elementAt(VisiblePlace(frame.visible), view, frame.visibleStride);
  uint lastBits[kMaxItems];
  uint bits[kMaxItems];
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    uint index = tileBase + localIndex(item);
    lastBits[item] = 0u;
    bits[item] = 0u;
    if (outcomes[item] == SLU_KEPT && readsLast) lastBits[item] = load(lastWords, index / 32u);
    if (outcomes[item] == SLU_KEPT && readsVisible) bits[item] = load(words, index / 32u);
  }
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    uint bit = 1u << (tileBase + localIndex(item)) % 32u;
    bool isNeverOccluded = kHasMarks && (layers[item] & plan.neverOccludeMask) != 0u;
    bool isFirst = (lastBits[item] & bit) != 0u || isNeverOccluded;
    bool isOfOther = sluIsOfOtherPhase(frame.occlusionPhase, isFirst);
    if (outcomes[item] == SLU_KEPT && isOfOther) outcomes[item] = SLU_REJECT_OTHER_PHASE;
    hidden |= uint(readsVisible && (bits[item] & bit) == 0u && !isNeverOccluded) << item;
  }
  return hidden;
}

// Rejects the items of those that are kept so far which the pyramid hides.
void rejectHidden(uint hidden, inout uint outcomes[kMaxItems]) {
  if (!kTestsOcclusion) return;
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    if (outcomes[item] == SLU_KEPT && (hidden >> item & 1u) != 0u) outcomes[item] = SLU_REJECT_OCCLUDED;
  }
}

// Finds the levels of detail of the items of a scene that are kept so far, and rejects those without one that is
// resident. It is the last test, after which the states are stored. distances2: of volumes.
void chooseLods(uint view, uint tileBase, uint inputs, uint keys[kMaxItems], Volumes loaded,
                float distances2[kMaxItems], inout uint outcomes[kMaxItems], out uint lods[kMaxItems]) {
  uint lodCounts[kMaxItems];
  uint masks[kMaxItems];  // of the levels that are resident
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    lods[item] = 0u;
    lodCounts[item] = kLodCount;
    masks[item] = ~0u;
    if (kHasMeshes && outcomes[item] == SLU_KEPT) {
      MeshesPlace mesh = meshAt(keys[item]);
      lodCounts[item] = meshNumber(mesh, plan.meshLayout.lodCountOffset, kLodCount);
      masks[item] = meshNumber(mesh, plan.meshLayout.lodMaskOffset, ~0u);
    }
  }
  uint states[kMaxItems];
  if (kLodCount > 1u) {
    loadLodStates(view, tileBase, outcomes, states);
    reachLods(view, keys, outcomes, lodCounts, loaded, distances2, states, lods);
    [[unroll]] for (uint item = 0u; item < kItems; ++item) {
      if (kHasMarks && sluIsInvalid(loaded.volumes[item].radius, distances2[item])) lods[item] = 0u;
      if (kKeepsLodStates) states[item] = sluNextLodState(states[item], lods[item], kLodCount, frame.lodFadeStep);
    }
  }
  if (kHasMeshes) {
    [[unroll]] for (uint item = 0u; item < kItems; ++item) {
      lods[item] = sluResidentLod(sluLodMask(lodCounts[item], masks[item], kLodCount), lods[item], kLodCount);
      if (outcomes[item] == SLU_KEPT && lods[item] == SLU_MAX_LODS) outcomes[item] = SLU_REJECT_LOD;
    }
  }
#ifndef SLU_TESTED_BEFORE  // another dispatch has stored them
  storeLodStates(view, tileBase, inputs, outcomes, states);
#endif
}

// Tests the items that are kept so far as those of a scene, and their keys if these are loaded after culling. lods: the
// levels of detail of those that remain. Bounds and mesh numbers of items that an earlier test rejects are not loaded,
// nor those of items that the pyramid hides, unless they are told by the first test that they fail. Returns which items
// mirror, a bit each, if the plan asks for that.
uint testScene(uint view, uint tileBase, uint inputs, inout uint keys[kMaxItems], inout uint outcomes[kMaxItems],
               out uint lods[kMaxItems]) {
  Volumes loaded;
  float distances2[kMaxItems];
  uint layers[kMaxItems];
  loadLayers(tileBase, outcomes, layers);
  testLayers(view, layers, outcomes);
  uint hidden = testPhase(view, tileBase, layers, outcomes);
  if (!kTellsReasons) rejectHidden(hidden, outcomes);
  if (kHasVolumes) {
    loadVolumes(tileBase, keys, outcomes, loaded);
    cullVolumes(view, loaded, layers, outcomes, distances2);
    testCones(view, tileBase, keys, loaded, layers, outcomes);
    rejectHidden(hidden, outcomes);
  } else {
    loaded.mirrored = loadMirrored(tileBase, keys, outcomes);
  }
  if (kKeyTime == SLU_KEYS_AFTER_CULLING) testKeys(tileBase, outcomes, keys);
  chooseLods(view, tileBase, inputs, keys, loaded, distances2, outcomes, lods);
  return loaded.mirrored;
}

// Begins the tests of this invocation's items with which of them are live. masks: per row.
void beginOutcomes(uint tileBase, uint inputs, uint masks[kMaxRows], out uint outcomes[kMaxItems],
                   out uint keys[kMaxItems]) {
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    bool isLive = tileBase + localIndex(item) < inputs && (masks[item / kGroup] >> item % kGroup & 1u) != 0u;
    outcomes[item] = isLive ? SLU_KEPT : SLU_REJECT_NOT_LIVE;
    keys[item] = 0u;
  }
}

// Finds the buckets of this invocation's items, or SLU_DROPPED. A plan that lists rejects has those of its reasons in
// bucket 0. masks: per row, which records are live. Each test is made for all items before the next test, so that the
// loads of all items are in flight together.
void evaluateLive(uint view, uint tileBase, uint inputs, uint masks[kMaxRows], out uint buckets[kMaxItems]) {
  uint outcomes[kMaxItems];  // SLU_KEPT, or the first test that failed
  uint keys[kMaxItems];
  uint lods[kMaxItems];
  beginOutcomes(tileBase, inputs, masks, outcomes, keys);
  [[unroll]] for (uint item = 0u; item < kItems; ++item) lods[item] = 0u;
  if (kKeyTime == SLU_KEYS_AFTER_LIVE) testKeys(tileBase, outcomes, keys);
  uint mirrored = 0u;
  if (kScene != 0u) {
    mirrored = testScene(view, tileBase, inputs, keys, outcomes, lods);
  } else {
    if (kNeedsBounds) {
      SluSphere spheres[kMaxItems];
      loadSpheres(tileBase, keys, outcomes, spheres);
      cullSpheres(view, spheres, outcomes, lods);
    }
    if (kKeyTime == SLU_KEYS_AFTER_CULLING) testKeys(tileBase, outcomes, keys);
  }
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    uint bucket = firstBucketOf(mirrored, item) + sluBucket(keys[item], kLodCount, lods[item]);
    bool isTaken = outcomes[item] == SLU_KEPT;
    if (kListsRejects) {
      bucket = 0u;
      isTaken = sluListsReject(kRejectReasons, outcomes[item]) && tileBase + localIndex(item) < inputs;
    }
    buckets[item] = isTaken ? bucket : SLU_DROPPED;
    if (kCountsRejects) {
      [[unroll]] for (uint reason = kFirstCounted; reason < kReasonCount; ++reason) {
        rejects[reason] += uint(outcomes[item] == reason);
      }
    }
  }
}

void evaluateTile(uint view, uint tileBase, uint inputs, out uint buckets[kMaxItems]) {
  uint masks[kMaxRows];
  liveMasks(tileBase, inputs, masks);
  evaluateLive(view, tileBase, inputs, masks, buckets);
}

shared uint sharedRejects[SLU_REJECT_COUNT];

void clearRejects() {
  if (!kCountsRejects) return;
  [[unroll]] for (uint reason = 0u; reason < SLU_REJECT_COUNT; ++reason) rejects[reason] = 0u;
  if (laneIndex < SLU_REJECT_COUNT) sharedRejects[laneIndex] = 0u;
}

// Adds the invocation's rejects to the workgroup's. After a barrier that follows clearRejects.
void joinRejects() {
  if (!kCountsRejects) return;
  [[unroll]] for (uint reason = kFirstCounted; reason < kReasonCount; ++reason) {
    if (rejects[reason] != 0u) atomicAdd(sharedRejects[reason], rejects[reason]);
  }
}

// Adds the workgroup's rejects to the view's. After a barrier that follows joinRejects.
void addJoinedRejects(uint view) {
  if (!kCountsRejects) return;
  if (laneIndex < SLU_REJECT_COUNT && sharedRejects[laneIndex] != 0u) {
    addAt(wordAt(ScratchPlace(plan.rejected), view * SLU_REJECT_COUNT + laneIndex), sharedRejects[laneIndex]);
  }
}

// Does both. In uniform control flow.
void addRejects(uint view) {
  if (!kCountsRejects) return;
  joinRejects();
  barrier();
  addJoinedRejects(view);
}
