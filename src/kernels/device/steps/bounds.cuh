// A part of step 1: loads the bounds of records, moves them into the world, and tests them. Spheres and volumes
// (sluice/culling.h) have functions of the same names.
#pragma once

#include "../platform/platform.cuh"

namespace slu::cuda {

__device__ __forceinline__ SluFloat3 loadFloat3(const float* from) {
  SluFloat3 r;
  r.x = __ldg(from);
  r.y = __ldg(from + 1);
  r.z = __ldg(from + 2);
  return r;
}

// Returns in units of how many words a stream is loaded: 4, 2 or 1. isWide: all elements are aligned to 16 bytes.
// first: the address of the first one. stride: in words.
__device__ __forceinline__ uint unitOf(bool isWide, u64 first, uint stride) {
  if (isWide) return 4;
  return ((static_cast<uint>(first) / 4 | stride) & 1) == 0 ? 2 : 1;
}

// Loads the first kQuads times four words at the sources of the items of `flags`, each time by loadQuad(from).
template <uint kQuads, uint kItems, typename LoadQuad>
__device__ __forceinline__ void loadQuadsBy(const float* const (&sources)[kItems], uint flags,
                                            float4 (&loaded)[kQuads][kItems], const LoadQuad& loadQuad) {
  SLU_UNROLL
  for (uint quad = 0; quad < kQuads; ++quad) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      if ((flags >> item & 1) != 0) loaded[quad][item] = loadQuad(sources[item] + 4 * quad);
    }
  }
}

// Loads them in units of 4, 2 or 1 words, as unitOf returns it.
template <uint kQuads, uint kItems>
__device__ __forceinline__ void loadQuads(const float* const (&sources)[kItems], uint unit, uint flags,
                                          float4 (&loaded)[kQuads][kItems]) {
  if (unit == 4) {
    loadQuadsBy(sources, flags, loaded, [](const float* from) { return __ldg(reinterpret_cast<const float4*>(from)); });
  } else if (unit == 2) {
    loadQuadsBy(sources, flags, loaded, [](const float* from) {
      const float2* pairs = reinterpret_cast<const float2*>(from);
      const float2 first = __ldg(pairs), second = __ldg(pairs + 1);
      return float4{first.x, first.y, second.x, second.y};
    });
  } else {
    loadQuadsBy(sources, flags, loaded, [](const float* from) {
      return float4{__ldg(from), __ldg(from + 1), __ldg(from + 2), __ldg(from + 3)};
    });
  }
}

// Finds which elements of a stream belong to the items of `flags`: those of their own numbers, or if records share the
// stream, those whose numbers their words at `offset` hold. Returns the items of `flags` whose elements are there. stream:
// one of SLU_SCENE_INDEXED_*. count: of the stream's elements.
template <uint kItems>
__device__ __forceinline__ uint findElements(const Arguments& arguments, uint stream, uint offset, uint count,
                                             const uint (&indices)[kItems], uint flags, uint (&elements)[kItems]) {
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) elements[item] = indices[item];
  if ((arguments.plan.scene & stream) == 0) return flags;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    const u64 word = static_cast<u64>(indices[item]) * arguments.plan.recordWords + offset;
    if ((flags >> item & 1) != 0) elements[item] = __ldg(at<const uint>(arguments.frame.records, word));
  }
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    if (elements[item] >= count) flags &= ~(1u << item);
  }
  return flags;
}

// Finds where the bounds of the items lie.
template <uint kItems>
__device__ __forceinline__ void findBounds(const Arguments& arguments, const uint (&elements)[kItems],
                                           const float* (&sources)[kItems]) {
  const FrameBlock& frame = arguments.frame;
  const u64 first = reinterpret_cast<u64>(at<const float>(frame.bounds, frame.boundsLayout.boundsOffset));
  const uint strideBytes = 4 * frame.boundsLayout.boundsStride;  // an address is one multiplication and addition
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    sources[item] = reinterpret_cast<const float*>(first + static_cast<u64>(elements[item]) * strideBytes);
  }
}

// Loads the spheres of the items of `flags`, as they are before a transform.
template <typename Test, uint kItems>
__device__ __forceinline__ void loadSpheres(const Arguments& arguments, const uint (&indices)[kItems],
                                            const uint (&keys)[kItems], uint flags, SluSphere (&spheres)[kItems]) {
  uint elements[kItems];
  const float* sources[kItems];
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    elements[item] = Test::boundsHaveKeys(arguments.plan) ? keys[item] : indices[item];
  }
  findBounds(arguments, elements, sources);
  float4 loaded[1][kItems] = {};
  loadQuads(sources, arguments.frame.wideBounds != 0 ? 4 : 1, flags, loaded);
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    const float4& words = loaded[0][item];
    spheres[item] = {{words.x, words.y, words.z}, words.w};
  }
}

// Returns where a transform begins. element: that of a record, or of the stream.
__device__ __forceinline__ const float* transformOf(const FrameBlock& frame, uint element) {
  const uint strideBytes = 4 * frame.boundsLayout.transformStride;
  return reinterpret_cast<const float*>(static_cast<u64>(frame.transforms) + static_cast<u64>(element) * strideBytes);
}

__device__ __forceinline__ SluSphere moveSphere(const Arguments& arguments, const SluSphere& sphere, uint index) {
  const BoundsBlock& bounds = arguments.frame.boundsLayout;
  const uint parts = arguments.plan.transformFlags;
  const float* transform = transformOf(arguments.frame, index);
  SluFloat3 position = {};
  SluFloat4 rotation = {};
  float scale = 1.0f;
  if ((parts & SLU_TRANSFORM_POSITION_BIT) != 0) position = loadFloat3(transform + bounds.positionOffset);
  if ((parts & SLU_TRANSFORM_SCALE_BIT) != 0) scale = __ldg(transform + bounds.scaleOffset);
  if ((parts & SLU_TRANSFORM_ROTATION_BIT) != 0) {
    const SluFloat3 axis = loadFloat3(transform + bounds.rotationOffset);
    rotation = {axis.x, axis.y, axis.z, __ldg(transform + bounds.rotationOffset + 3)};
  }
  return sluTransformSphere(sphere, position, scale, rotation, parts);
}

// A volume in the world.
struct Volume {
  SluFloat3 center;
  SluFloat3 extents;  // of a box
  float radius2;      // by sluRadius2 or sluHalfDiagonal2
  float stretch2;     // by sluStretch2, if radii or thresholds grow by it
};

constexpr float kNoRadius2 = -1.0f;  // of bounds that the frame does not have, and which are invalid

// Returns the volume of a sphere that nothing moves.
__device__ __forceinline__ Volume volumeOf(const SluSphere& sphere) {
  return {sphere.center, {}, sluRadius2(sphere.radius, 1.0f), 1.0f};
}

// A volume as memory holds it, without what is not used. A sphere has only the first four words.
struct StoredVolume {
  float4 first;
  float2 rest;
};

// Loads the volumes of the items of `flags`. elements: of the stream of bounds, or whatever holds them.
template <uint kItems>
__device__ __forceinline__ void loadStored(const Arguments& arguments, const uint (&elements)[kItems], uint flags,
                                           StoredVolume (&stored)[kItems]) {
  const FrameBlock& frame = arguments.frame;
  const BoundsBlock& layout = frame.boundsLayout;
  const uint unit = unitOf(frame.wideBounds != 0, frame.bounds + 4 * layout.boundsOffset, layout.boundsStride);
  const float* sources[kItems];
  findBounds(arguments, elements, sources);
  float4 first[1][kItems] = {};
  float2 rest[kItems] = {};
  loadQuads(sources, unit, flags, first);
  if (arguments.plan.boundsShape != SLU_SHAPE_SPHERE) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      if ((flags >> item & 1) == 0) continue;
      if (unit != 1) {
        rest[item] = __ldg(reinterpret_cast<const float2*>(sources[item] + 4));
      } else {
        rest[item] = {__ldg(sources[item] + 4), __ldg(sources[item] + 5)};
      }
    }
  }
  if (SLU_HAS_VEC4_HALVES(arguments.plan.boundsShape)) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      if ((flags >> item & 1) == 0) continue;
      first[0][item].w = rest[item].x;
      rest[item] = {rest[item].y, __ldg(sources[item] + 6)};
    }
  }
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) stored[item] = {first[0][item], rest[item]};
}

// Makes a matrix of its words. d: only of SLU_MATRIX_COLUMNS_4X4.
__device__ __forceinline__ SluMatrix matrixOf(uint form, const float4& a, const float4& b, const float4& c,
                                              const float4& d) {
  if (form == SLU_MATRIX_ROWS) return {{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}, {a.w, b.w, c.w}};
  if (form == SLU_MATRIX_COLUMNS_4X4) return {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}, {d.x, d.y, d.z}};
  return {{a.x, a.y, a.z}, {a.w, b.x, b.y}, {b.z, b.w, c.x}, {c.y, c.z, c.w}};
}

// Loads the matrices of the items of `flags`. elements: as for transformOf.
template <uint kItems>
__device__ __forceinline__ void loadMatrices(const Arguments& arguments, const uint (&elements)[kItems], uint flags,
                                             SluMatrix (&matrices)[kItems]) {
  const FrameBlock& frame = arguments.frame;
  const BoundsBlock& layout = frame.boundsLayout;
  const uint form = arguments.plan.matrixForm;
  const uint unit = unitOf(frame.wideMatrices != 0, frame.transforms + 4 * layout.matrixOffset, layout.transformStride);
  const float* sources[kItems];
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    sources[item] = transformOf(frame, elements[item]) + layout.matrixOffset;
  }
  float4 quads[3][kItems] = {};
  float4 last[1][kItems] = {};
  loadQuads(sources, unit, flags, quads);
  if (form == SLU_MATRIX_COLUMNS_4X4) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) sources[item] += 12;
    loadQuads(sources, unit, flags, last);
  }
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    matrices[item] = matrixOf(form, quads[0][item], quads[1][item], quads[2][item], last[0][item]);
  }
}

// Loads the positions, scales and rotations of the items of `flags`, and makes matrices of them. elements: as for
// transformOf.
template <uint kItems>
__device__ __forceinline__ void composeMatrices(const Arguments& arguments, const uint (&elements)[kItems], uint flags,
                                                SluMatrix (&matrices)[kItems]) {
  const BoundsBlock& bounds = arguments.frame.boundsLayout;
  const uint parts = arguments.plan.transformFlags;
  SluFloat3 positions[kItems] = {};
  SluFloat3 scales[kItems] = {};
  SluFloat4 rotations[kItems] = {};
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    if ((flags >> item & 1) == 0) continue;
    const float* transform = transformOf(arguments.frame, elements[item]);
    if ((parts & SLU_TRANSFORM_POSITION_BIT) != 0) positions[item] = loadFloat3(transform + bounds.positionOffset);
    if ((parts & SLU_TRANSFORM_AXIS_SCALE_BIT) != 0) scales[item] = loadFloat3(transform + bounds.scaleOffset);
    if ((parts & SLU_TRANSFORM_SCALE_BIT) != 0) {
      const float scale = __ldg(transform + bounds.scaleOffset);
      scales[item] = {scale, scale, scale};
    }
    if ((parts & SLU_TRANSFORM_ROTATION_BIT) != 0) {
      const SluFloat3 axis = loadFloat3(transform + bounds.rotationOffset);
      rotations[item] = {axis.x, axis.y, axis.z, __ldg(transform + bounds.rotationOffset + 3)};
    }
  }
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    matrices[item] = sluMatrixOf(positions[item], scales[item], rotations[item], parts);
  }
}

// Moves a volume into the world. matrix: if the plan has transforms.
__device__ __forceinline__ Volume moveVolume(const Arguments& arguments, const StoredVolume& stored,
                                             const SluMatrix& matrix) {
  const PlanConstants& plan = arguments.plan;
  const bool isMoved = plan.transformFlags != 0;
  const bool isSphere = plan.boundsShape == SLU_SHAPE_SPHERE;
  const SluFloat3 first = {stored.first.x, stored.first.y, stored.first.z};
  float stretch2 = 1.0f;
  if (isMoved && (isSphere || arguments.frame.meshLayout.thresholdsGrow != 0)) stretch2 = sluStretch2(matrix);
  if (isSphere) {
    return {isMoved ? sluTransformPoint(matrix, first) : first, {}, sluRadius2(stored.first.w, stretch2), stretch2};
  }
  const SluFloat3 second = {stored.first.w, stored.rest.x, stored.rest.y};
  const SluBox box = SLU_HAS_CORNERS(plan.boundsShape) ? sluBoxOfCorners(first, second) : SluBox{first, second};
  const SluBox world = isMoved ? sluTransformBox(box, matrix) : box;
  return {world.center, world.extents, sluHalfDiagonal2(box.extents, world.extents), stretch2};
}

// Loads the volumes of the items of `flags`, and moves them into the world. The loads of all items are issued before
// the first result is used. Returns which items mirror, if the plan asks for that.
template <typename Test, uint kItems>
__device__ __forceinline__ uint loadVolumes(const Arguments& arguments, const uint (&indices)[kItems],
                                            const uint (&keys)[kItems], uint flags, Volume (&volumes)[kItems]) {
  const PlanConstants& plan = arguments.plan;
  const FrameBlock& frame = arguments.frame;
  uint elements[kItems];
  StoredVolume stored[kItems];
  SluMatrix matrices[kItems] = {};
  uint present = flags;
  if (Test::boundsHaveKeys(plan)) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) elements[item] = keys[item];
  } else {
    present = findElements(arguments, SLU_SCENE_INDEXED_BOUNDS, frame.boundsIndexOffset, frame.boundsCount, indices,
                           present, elements);
  }
  loadStored(arguments, elements, present, stored);
  if (plan.transformFlags != 0) {
    present = findElements(arguments, SLU_SCENE_INDEXED_TRANSFORMS, frame.transformIndexOffset, frame.transformCount,
                           indices, present, elements);
    if ((plan.transformFlags & SLU_TRANSFORM_MATRIX_BIT) != 0) {
      loadMatrices(arguments, elements, present, matrices);
    } else {
      composeMatrices(arguments, elements, present, matrices);
    }
  }
  const bool splitsMirrored = (plan.scene & SLU_SCENE_MIRRORS) != 0;
  uint mirrored = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    volumes[item] = moveVolume(arguments, stored[item], matrices[item]);
    if (splitsMirrored && sluIsMirrored(matrices[item])) mirrored |= 1u << item;
  }
  if ((plan.scene & (SLU_SCENE_INDEXED_BOUNDS | SLU_SCENE_INDEXED_TRANSFORMS)) != 0) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      if ((present >> item & 1) == 0) volumes[item].radius2 = kNoRadius2;
    }
  }
  return mirrored & present;
}

// Returns whether the triangles of a record's cluster face away from the view's eye. The frame has its bounds; center: that
// of them in the world. key: of the record, if it names the bounds. What loadVolumes has loaded is loaded again: it comes
// from a cache, and takes no registers of plans without cones.
template <typename Test>
__device__ __forceinline__ bool facesAway(const Arguments& arguments, const SluViewBlock& view, uint index, uint key,
                                          const SluFloat3& center) {
  const PlanConstants& plan = arguments.plan;
  const FrameBlock& frame = arguments.frame;
  const uint indices[1] = {index};
  uint element[1] = {key};
  if (!Test::boundsHaveKeys(plan)) {
    findElements(arguments, SLU_SCENE_INDEXED_BOUNDS, frame.boundsIndexOffset, frame.boundsCount, indices, 1, element);
  }
  const float* source[1];
  findBounds(arguments, element, source);
  const float* words = source[0] - frame.boundsLayout.boundsOffset + frame.coneOffset;
  const SluCone cone = {loadFloat3(words), __ldg(words + 3)};
  SluMatrix matrix[1] = {sluMatrixOf({}, {}, {}, 0)};
  if (plan.transformFlags != 0) {
    uint moved[1];
    findElements(arguments, SLU_SCENE_INDEXED_TRANSFORMS, frame.transformIndexOffset, frame.transformCount, indices, 1,
                 moved);
    if ((plan.transformFlags & SLU_TRANSFORM_MATRIX_BIT) != 0) {
      loadMatrices(arguments, moved, 1, matrix);
    } else {
      composeMatrices(arguments, moved, 1, matrix);
    }
  }
  const float radius = __ldg(source[0] + 3);
  return sluIsFacingAway(view, center, sluMoveCone(cone, radius, matrix[0], plan.scene & SLU_SCENE_FIXED_FRONT));
}

// Returns what sluIsInvalid judges.
__device__ __forceinline__ float sizeOf(const SluSphere& sphere) { return sphere.radius; }
__device__ __forceinline__ float sizeOf(const Volume& volume) { return volume.radius2; }

// Returns how far bounds are inside of a plane, as isOutsideOf judges it.
__device__ __forceinline__ float insideOf(const SluViewBlock& view, uint plane, const PlanConstants&,
                                          const SluSphere& sphere) {
  return sluPlaneDistance(view, plane, sphere.center);
}
__device__ __forceinline__ float insideOf(const SluViewBlock& view, uint plane, const PlanConstants& plan,
                                          const Volume& volume) {
  const float distance = sluPlaneDistance(view, plane, volume.center);
  if (plan.boundsShape == SLU_SHAPE_SPHERE) return distance;
  return sluAdd(distance, sluReach(view, plane, volume.extents));
}

__device__ __forceinline__ bool isOutsideOf(const PlanConstants&, const SluSphere& sphere, float least) {
  return sluIsOutside(sphere.radius, least);
}
__device__ __forceinline__ bool isOutsideOf(const PlanConstants& plan, const Volume& volume, float least) {
  return sluIsVolumeOutside(plan.boundsShape, volume.radius2, least);
}

__device__ __forceinline__ bool isTooSmallFor(const SluViewBlock& view, const SluSphere& sphere, float distance2) {
  return sluIsTooSmall(view, sphere.radius, distance2);
}
__device__ __forceinline__ bool isTooSmallFor(const SluViewBlock& view, const Volume& volume, float distance2) {
  return sluIsVolumeTooSmall(view, volume.radius2, distance2);
}

}  // namespace slu::cuda
