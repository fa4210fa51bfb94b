// The arithmetic that decides what is kept, as every route of the library computes it, for hosts that ask the same
// question in C++, CUDA or GLSL: to draw what was dropped, or to test a record of their own.
//
// Each operation rounds once, in the order written. Results are those of the library bit for bit wherever the device
// rounds add, subtract and multiply to nearest, ties to even, and neither operands nor results are denormal. Lengths
// are compared squared, and nothing is divided. Compilers for C++ must not contract: GCC needs -ffp-contract=off.
//
// C++ (C++17) and CUDA have everything in namespace slu:
//   const slu::SluViewBlock view = slu::sluPrepareView(frameView, 1);
//   const bool isKept = slu::sluCullSphere(view, sphere, SLU_CULL_FRUSTUM_BIT) == SLU_KEPT;
// GLSL 4.60 needs GL_GOOGLE_include_directive, and the folder that holds sluice/ in the search path:
//   #include "sluice/culling.h"
// A prepared view travels from C++ to a shader as it is, in std430 or scalar layout. GLSL has no references, and copies
// of views that functions pass on have made culling three times slower on NVIDIA's driver. A shader that has one view
// may name it before it includes this file; then any number is passed instead:
//   #include "sluice/culling_types.h"
//   layout(set = 0, binding = 0, std430) readonly buffer Views { SluViewBlock myView; };
//   #define SLU_VIEW_REF uint
//   #define SLU_VIEW_AT(view) myView
//   #include "sluice/culling.h"
#ifndef SLUICE_CULLING_H
#define SLUICE_CULLING_H

#include "sluice/culling_types.h"

#ifdef __cplusplus
#ifndef __CUDACC_RTC__  // NVRTC has no headers of the host's
#include "sluice/sluice.h"
#endif
#define SLU_VIEW_REF const SluViewBlock&  // how views are passed
#define SLU_VIEW_AT(view) view            // where one that was passed lies
#elif !defined(SLU_VIEW_AT)
#define SLU_VIEW_REF in SluViewBlock
#define SLU_VIEW_AT(view) view
#endif
#ifndef SLU_VIEW_PLANE
#define SLU_VIEW_PLANE(view, plane, part) SLU_VIEW_AT(view).planes[4u * (plane) + (part)]  // a part of a plane
#define SLU_VIEW_LOD_DISTANCE2(view, lod) SLU_VIEW_AT(view).lodDistance2[lod]              // where the next LOD begins
#endif

#define SLU_KEPT SLU_REJECT_COUNT  // what tests say of a record that none rejects

SLU_NAMESPACE_BEGIN

// ---- Live tests ----
// Each live test gives a record one word. SLU_LIVE_MASK_EQUAL compares some bits of it (`sluMatches`). The others ask
// whether it is at least 1 and at most a limit (`sluIsLive`).
//   SLU_LIVE_NON_EMPTY                         all words that the test names, or-ed
//   SLU_LIVE_POSITIVE_…, SLU_LIVE_MASK_EQUAL   the word in the record
//   SLU_LIVE_FLAG_BITS                         the lowest of `sluFlagBits`
//   SLU_LIVE_FLAG_BYTES, …                     the flag

// Tells the largest word that passes a live test. Positive floats end with infinity; greater words are NaN or negative.
// liveTest is an SluLiveTest other than SLU_LIVE_CUSTOM and SLU_LIVE_MASK_EQUAL.
// Returns the limit for `sluIsLive`.
SLU_FUNCTION uint sluLiveLimit(uint liveTest) {
  if (liveTest == SLU_LIVE_POSITIVE_INT) return 0x7fffffffu;
  return liveTest == SLU_LIVE_POSITIVE_FLOAT ? 0x7f800000u : 0xffffffffu;
}

// Judges a record's word.
// word is what the live test gives the record.
// limit is from `sluLiveLimit`.
// Returns whether the record is live.
SLU_FUNCTION bool sluIsLive(uint word, uint limit) { return word - 1u < limit; }

// Judges a record's word by SLU_LIVE_MASK_EQUAL.
// word is the word in the record.
// mask is SluPlanCreateInfo::liveMask.
// value is SluPlanCreateInfo::liveValue.
// Returns whether the record is live.
SLU_FUNCTION bool sluMatches(uint word, uint mask, uint value) { return (word & mask) == value; }

// Finds a record's flag in a stream of SLU_LIVE_FLAG_BITS, 32 to a word.
// record is the record's index.
// Returns the index of the word.
SLU_FUNCTION uint sluFlagWord(uint record) { return record / 32u; }

// Brings a record's flag to the lowest bit.
// word is the word of the stream that `sluFlagWord` names.
// record is the record's index.
// Returns the word's flags from the record's on.
SLU_FUNCTION uint sluFlagBits(uint word, uint record) { return word >> (record % 32u); }

// ---- Keys and buckets ----

// Takes a key out of its word.
// word is the record's word at SluKey::offset.
// shift is SluKey::shift.
// mask has as many low bits set as the key has.
// Returns the key.
SLU_FUNCTION uint sluKey(uint word, uint shift, uint mask) { return word >> shift & mask; }

// Judges a key.
// key is from `sluKey`.
// keyCount is SluKey::keyCount.
// Returns whether the plan has the key.
SLU_FUNCTION bool sluIsKey(uint key, uint keyCount) { return key < keyCount; }

// Numbers buckets.
// key is the record's key.
// lodCount is SluKey::lodCount, at least 1.
// lod is from `sluLod`, or 0.
// Returns the record's bucket.
SLU_FUNCTION uint sluBucket(uint key, uint lodCount, uint lod) { return key * lodCount + lod; }

// ---- Layers ----

// Makes the test of SLU_CULL_LAYERS_BIT.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// layers is the record's word.
// Returns whether the record is rejected.
SLU_FUNCTION bool sluIsInNoLayer(SLU_VIEW_REF view, uint layers) {
  return (layers & SLU_VIEW_AT(view).layerMask) == 0u;
}

// ---- Bounds ----

// Scales a vector.
// a is the vector.
// s is the factor.
// Returns a * s.
SLU_FUNCTION SluFloat3 sluScale(SLU_IN(SluFloat3) a, float s) {
  SluFloat3 r;
  r.x = sluMul(a.x, s);
  r.y = sluMul(a.y, s);
  r.z = sluMul(a.z, s);
  return r;
}

// Adds vectors.
// a is one of them.
// b is the other.
// Returns a + b.
SLU_FUNCTION SluFloat3 sluAdd3(SLU_IN(SluFloat3) a, SLU_IN(SluFloat3) b) {
  SluFloat3 r;
  r.x = sluAdd(a.x, b.x);
  r.y = sluAdd(a.y, b.y);
  r.z = sluAdd(a.z, b.z);
  return r;
}

// Multiplies vectors.
// a is one of them.
// b is the other.
// Returns their dot product, summed up in the order x, y, z.
SLU_FUNCTION float sluDot(SLU_IN(SluFloat3) a, SLU_IN(SluFloat3) b) {
  return sluAdd(sluAdd(sluMul(a.x, b.x), sluMul(a.y, b.y)), sluMul(a.z, b.z));
}

// Multiplies vectors.
// a comes first.
// b comes second.
// Returns their cross product.
SLU_FUNCTION SluFloat3 sluCross(SLU_IN(SluFloat3) a, SLU_IN(SluFloat3) b) {
  SluFloat3 r;
  r.x = sluSub(sluMul(a.y, b.z), sluMul(a.z, b.y));
  r.y = sluSub(sluMul(a.z, b.x), sluMul(a.x, b.z));
  r.z = sluSub(sluMul(a.x, b.y), sluMul(a.y, b.x));
  return r;
}

// Rotates a vector: t = 2 (q.xyz x v), v + w t + q.xyz x t.
// q is a unit quaternion.
// v is the vector.
// Returns v rotated by q.
SLU_FUNCTION SluFloat3 sluRotate(SLU_IN(SluFloat4) q, SLU_IN(SluFloat3) v) {
  SluFloat3 axis;
  axis.x = q.x;
  axis.y = q.y;
  axis.z = q.z;
  SluFloat3 t = sluScale(sluCross(axis, v), 2.0f);
  return sluAdd3(sluAdd3(v, sluScale(t, q.w)), sluCross(axis, t));
}

// Moves a record's bounds into the world: position + rotate(rotation, scale * center).
// sphere holds the bounds.
// position is read if transformFlags names it.
// scale is read if transformFlags names it. It also scales the radius, by its magnitude.
// rotation is read if transformFlags names it. It is a unit quaternion.
// transformFlags are SluTransformFlagBits, of position, scale and rotation.
// Returns the bounds in the world.
SLU_FUNCTION SluSphere sluTransformSphere(SLU_IN(SluSphere) sphere, SLU_IN(SluFloat3) position, float scale,
                                          SLU_IN(SluFloat4) rotation, uint transformFlags) {
  SluSphere r = sphere;
  if ((transformFlags & SLU_TRANSFORM_SCALE_BIT) != 0u) {
    r.center = sluScale(r.center, scale);
    r.radius = sluMul(sluAbs(scale), r.radius);
  }
  if ((transformFlags & SLU_TRANSFORM_ROTATION_BIT) != 0u) r.center = sluRotate(rotation, r.center);
  if ((transformFlags & SLU_TRANSFORM_POSITION_BIT) != 0u) r.center = sluAdd3(r.center, position);
  return r;
}

// A volume is a box, or a sphere that a scale per axis or a matrix moves, or any sphere of a plan with one of the
// features that SluBounds lists, such as a mesh table. Other spheres are tested by their radius.

// Makes a matrix of the parts of a transform: the columns of a rotation, scaled, and the position.
// position is read if transformFlags names it.
// scale holds a factor per axis. It is read if transformFlags names either scale.
// rotation is read if transformFlags names it. It is a unit quaternion.
// transformFlags are SluTransformFlagBits other than SLU_TRANSFORM_MATRIX_BIT.
// Returns the matrix.
SLU_FUNCTION SluMatrix sluMatrixOf(SLU_IN(SluFloat3) position, SLU_IN(SluFloat3) scale, SLU_IN(SluFloat4) rotation,
                                   uint transformFlags) {
  SluMatrix m;
  m.x.x = 1.0f;
  m.x.y = 0.0f;
  m.x.z = 0.0f;
  m.y.x = 0.0f;
  m.y.y = 1.0f;
  m.y.z = 0.0f;
  m.z.x = 0.0f;
  m.z.y = 0.0f;
  m.z.z = 1.0f;
  m.translation.x = 0.0f;
  m.translation.y = 0.0f;
  m.translation.z = 0.0f;
  if ((transformFlags & SLU_TRANSFORM_ROTATION_BIT) != 0u) {
    float x2 = sluAdd(rotation.x, rotation.x);
    float y2 = sluAdd(rotation.y, rotation.y);
    float z2 = sluAdd(rotation.z, rotation.z);
    float xx = sluMul(rotation.x, x2);
    float yy = sluMul(rotation.y, y2);
    float zz = sluMul(rotation.z, z2);
    float xy = sluMul(rotation.x, y2);
    float xz = sluMul(rotation.x, z2);
    float yz = sluMul(rotation.y, z2);
    float wx = sluMul(rotation.w, x2);
    float wy = sluMul(rotation.w, y2);
    float wz = sluMul(rotation.w, z2);
    m.x.x = sluSub(1.0f, sluAdd(yy, zz));
    m.x.y = sluAdd(xy, wz);
    m.x.z = sluSub(xz, wy);
    m.y.x = sluSub(xy, wz);
    m.y.y = sluSub(1.0f, sluAdd(xx, zz));
    m.y.z = sluAdd(yz, wx);
    m.z.x = sluAdd(xz, wy);
    m.z.y = sluSub(yz, wx);
    m.z.z = sluSub(1.0f, sluAdd(xx, yy));
  }
  if ((transformFlags & (SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT)) != 0u) {
    m.x = sluScale(m.x, scale.x);
    m.y = sluScale(m.y, scale.y);
    m.z = sluScale(m.z, scale.z);
  }
  if ((transformFlags & SLU_TRANSFORM_POSITION_BIT) != 0u) m.translation = position;
  return m;
}

// Moves a point.
// matrix says where to.
// point is in the space of the mesh.
// Returns ((x * point.x + y * point.y) + z * point.z) + translation.
SLU_FUNCTION SluFloat3 sluTransformPoint(SLU_IN(SluMatrix) matrix, SLU_IN(SluFloat3) point) {
  SluFloat3 linear = sluAdd3(sluScale(matrix.x, point.x), sluScale(matrix.y, point.y));
  return sluAdd3(sluAdd3(linear, sluScale(matrix.z, point.z)), matrix.translation);
}

// Drops the signs of a vector.
// a is the vector.
// Returns the magnitudes of its parts.
SLU_FUNCTION SluFloat3 sluAbs3(SLU_IN(SluFloat3) a) {
  SluFloat3 r;
  r.x = sluAbs(a.x);
  r.y = sluAbs(a.y);
  r.z = sluAbs(a.z);
  return r;
}

// Moves a box, and encloses it in one along the axes of the world: Arvo, "Transforming Axis-Aligned Bounding Boxes",
// Graphics Gems, 1990.
// box is in the space of the mesh.
// matrix says where to.
// Returns the enclosing box. Its extents are (|x| * extents.x + |y| * extents.y) + |z| * extents.z.
SLU_FUNCTION SluBox sluTransformBox(SLU_IN(SluBox) box, SLU_IN(SluMatrix) matrix) {
  SluBox r;
  r.center = sluTransformPoint(matrix, box.center);
  SluFloat3 xy = sluAdd3(sluScale(sluAbs3(matrix.x), box.extents.x), sluScale(sluAbs3(matrix.y), box.extents.y));
  r.extents = sluAdd3(xy, sluScale(sluAbs3(matrix.z), box.extents.z));
  return r;
}

// Makes a box of its corners: center (minimum + maximum) / 2 and extents (maximum - minimum) / 2.
// minimum is one corner.
// maximum is the opposite one. Extents are negative where it is less than minimum.
// Returns the box.
SLU_FUNCTION SluBox sluBoxOfCorners(SLU_IN(SluFloat3) minimum, SLU_IN(SluFloat3) maximum) {
  SluBox r;
  r.center = sluScale(sluAdd3(minimum, maximum), 0.5f);
  r.extents = sluScale(sluAdd3(maximum, sluScale(minimum, -1.0f)), 0.5f);
  return r;
}

// Finds the greater of two numbers. It compares bits, so that NaN is the greatest: where columns are so long that their
// dot product is infinity less infinity, a sphere must not pass for a small one.
// a is one of them. It is not negative, or NaN.
// b is the other.
// Returns b if a is less, else a.
SLU_FUNCTION float sluGreater(float a, float b) { return sluFloatBits(a) < sluFloatBits(b) ? b : a; }

// Bounds how much a matrix stretches: the square of its linear part's largest singular value is at most the largest
// absolute row sum of transpose(M) * M, and equal to it if the columns are orthogonal. The longest column alone is too
// small under shear.
// matrix is the matrix.
// Returns the bound, squared.
SLU_FUNCTION float sluStretch2(SLU_IN(SluMatrix) matrix) {
  float xy = sluAbs(sluDot(matrix.x, matrix.y));
  float xz = sluAbs(sluDot(matrix.x, matrix.z));
  float yz = sluAbs(sluDot(matrix.y, matrix.z));
  float first = sluAdd(sluAdd(sluDot(matrix.x, matrix.x), xy), xz);
  float second = sluAdd(sluAdd(sluDot(matrix.y, matrix.y), xy), yz);
  float third = sluAdd(sluAdd(sluDot(matrix.z, matrix.z), xz), yz);
  return sluGreater(sluGreater(first, second), third);
}

// Judges a vector by the bits of its parts, since a compiler may assume that a float is never NaN or infinite.
// a is the vector.
// Returns whether all are finite.
SLU_FUNCTION bool sluIsFinite3(SLU_IN(SluFloat3) a) {
  uint exponent = 0x7f800000u;
  bool isFinite = (sluFloatBits(a.x) & exponent) != exponent && (sluFloatBits(a.y) & exponent) != exponent;
  return isFinite && (sluFloatBits(a.z) & exponent) != exponent;
}

// Judges whether a matrix mirrors: whether its linear part has a negative determinant. One that is not finite does not:
// a compiler of shaders may take 0 * infinity for 0 where another one says NaN.
// matrix is the matrix.
// Returns whether x, y and z are finite, and dot(x, cross(y, z)) < 0.
SLU_FUNCTION bool sluIsMirrored(SLU_IN(SluMatrix) matrix) {
  uint bits = sluFloatBits(sluDot(matrix.x, sluCross(matrix.y, matrix.z)));
  bool isFinite = sluIsFinite3(matrix.x) && sluIsFinite3(matrix.y) && sluIsFinite3(matrix.z);
  return isFinite && bits > 0x80000000u && bits <= 0xff800000u;
}

// Judges a radius. It looks at bits, since a compiler may assume that a float comparison never meets NaN or infinity:
// those and all negative numbers exceed the bits of the largest float.
// a is the radius.
// Returns whether it is finite and not negative; -0.0f is 0.
SLU_FUNCTION bool sluIsRadius(float a) {
  uint bits = sluFloatBits(a);
  return bits <= 0x7f7fffffu || bits == 0x80000000u;
}

// Squares the radius of a sphere that a matrix moves.
// radius is the sphere's, in the space of the mesh.
// stretch2 is from `sluStretch2`.
// Returns the square of the radius in the world, or -1 if the radius is none.
SLU_FUNCTION float sluRadius2(float radius, float stretch2) {
  return sluIsRadius(radius) ? sluMul(sluMul(radius, radius), stretch2) : -1.0f;
}

// Squares the half diagonal of a box.
// extents are the box's, in the space of the mesh.
// world are its extents in the world.
// Returns the square in the world, or -1 if extents are none.
SLU_FUNCTION float sluHalfDiagonal2(SLU_IN(SluFloat3) extents, SLU_IN(SluFloat3) world) {
  bool areRadii = sluIsRadius(extents.x) && sluIsRadius(extents.y) && sluIsRadius(extents.z);
  return areRadii ? sluDot(world, world) : -1.0f;
}

// Measures how far bounds are from the eye.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// center is that of the bounds, in the world.
// Returns the distance, squared.
SLU_FUNCTION float sluDistance2(SLU_VIEW_REF view, SLU_IN(SluFloat3) center) {
  SluFloat3 toCenter;
  toCenter.x = sluSub(center.x, SLU_VIEW_AT(view).eyeX);
  toCenter.y = sluSub(center.y, SLU_VIEW_AT(view).eyeY);
  toCenter.z = sluSub(center.z, SLU_VIEW_AT(view).eyeZ);
  return sluDot(toCenter, toCenter);
}

// Judges bounds. Those over 1e18 away are invalid, because their squares approach the range of float. It looks at the
// bits of 1e36f, which those of infinity and NaN exceed.
// radius is the sphere's, in the world; of a volume it is from `sluRadius2` or `sluHalfDiagonal2`.
// distance2 is from `sluDistance2`.
// Returns whether the record is rejected for its bounds.
SLU_FUNCTION bool sluIsInvalid(float radius, float distance2) {
  return sluFloatBits(distance2) > 0x7b4097ceu || !sluIsRadius(radius);
}

// Makes the test of SLU_CULL_DISTANCE_BIT.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// distance2 is from `sluDistance2`.
// Returns whether the record is rejected.
SLU_FUNCTION bool sluIsOutOfRange(SLU_VIEW_REF view, float distance2) {
  float nearest = SLU_VIEW_AT(view).minDistance2;  // both are loaded, so that there is no branch
  float farthest = SLU_VIEW_AT(view).maxDistance2;
  return distance2 < nearest || distance2 > farthest;
}

#define SLU_FARTHEST 3.402823466e38f  // the largest float

// Measures how far a point is inside of a plane.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// plane is the number of the plane, below SLU_PLANES.
// point is in the world.
// Returns the distance; it is negative outside.
SLU_FUNCTION float sluPlaneDistance(SLU_VIEW_REF view, uint plane, SLU_IN(SluFloat3) point) {
  SluFloat3 normal;
  normal.x = SLU_VIEW_PLANE(view, plane, 0u);
  normal.y = SLU_VIEW_PLANE(view, plane, 1u);
  normal.z = SLU_VIEW_PLANE(view, plane, 2u);
  return sluAdd(sluDot(normal, point), SLU_VIEW_PLANE(view, plane, 3u));
}

// Measures how far a box reaches across a plane from its center.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// plane is the number of the plane, below SLU_PLANES.
// extents are the box's, in the world.
// Returns dot(|normal|, extents). With it added to its center's distance, a box is outside if the sum is negative.
SLU_FUNCTION float sluReach(SLU_VIEW_REF view, uint plane, SLU_IN(SluFloat3) extents) {
  SluFloat3 normal;
  normal.x = sluAbs(SLU_VIEW_PLANE(view, plane, 0u));
  normal.y = sluAbs(SLU_VIEW_PLANE(view, plane, 1u));
  normal.z = sluAbs(SLU_VIEW_PLANE(view, plane, 2u));
  return sluDot(normal, extents);
}

// Finds the least of a point's distances, one after the other.
// least is SLU_FARTHEST, or the least so far.
// distance is the next one. NaN is left out.
// Returns the lesser one.
SLU_FUNCTION float sluLeast(float least, float distance) { return distance < least ? distance : least; }

// Joins the least distances from a view's own planes and from its six more.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// own is from `sluLeast`, of the view's own planes; for a box, of distances with `sluReach` added.
// more is the same of the six more.
// Returns the lesser one; with SLU_VIEW_EITHER_FRUSTUM_BIT the greater one, since what is outside is then outside of
// both.
SLU_FUNCTION float sluJoinedLeast(SLU_VIEW_REF view, float own, float more) {
  float greater = own < more ? more : own;
  return SLU_VIEW_AT(view).eitherFrustum != 0u ? greater : sluLeast(own, more);
}

// Finds a point's least distance from the planes, if SLU_CULL_FRUSTUM_BIT is set.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// point is in the world.
// cullFlags are SluCullFlagBits; SLU_CULL_LAYERS_BIT is `sluIsInNoLayer`'s.
// Returns it as `sluLeast` does, SLU_FARTHEST without the bit.
SLU_FUNCTION float sluLeastDistance(SLU_VIEW_REF view, SLU_IN(SluFloat3) point, uint cullFlags) {
  float least = SLU_FARTHEST;
  if ((cullFlags & SLU_CULL_FRUSTUM_BIT) != 0u) {
    for (uint plane = 0u; plane < SLU_PLANES; ++plane) {
      least = sluLeast(least, sluPlaneDistance(view, plane, point));
    }
  }
  return least;
}

// Finds a box's least distance from the planes, if SLU_CULL_FRUSTUM_BIT is set.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// box is in the world.
// cullFlags are SluCullFlagBits.
// Returns it as `sluLeast` does, with `sluReach` added to each distance; SLU_FARTHEST without the bit.
SLU_FUNCTION float sluLeastBoxDistance(SLU_VIEW_REF view, SLU_IN(SluBox) box, uint cullFlags) {
  float least = SLU_FARTHEST;
  if ((cullFlags & SLU_CULL_FRUSTUM_BIT) != 0u) {
    for (uint plane = 0u; plane < SLU_PLANES; ++plane) {
      float inside = sluAdd(sluPlaneDistance(view, plane, box.center), sluReach(view, plane, box.extents));
      least = sluLeast(least, inside);
    }
  }
  return least;
}

// Makes the test of SLU_CULL_FRUSTUM_BIT. A sphere outside of any plane is outside of the one that its center is the
// least inside of.
// radius is the sphere's, in the world.
// least is from `sluLeast`, of all planes.
// Returns whether the record is rejected.
SLU_FUNCTION bool sluIsOutside(float radius, float least) { return least < -radius; }

// Makes the test of SLU_CULL_FRUSTUM_BIT of a volume.
// shape is an SluBoundsShape.
// radius2 is from `sluRadius2`; for a box it may be anything.
// least is from `sluLeast`, of all planes; for a box, of distances with `sluReach` added.
// Returns whether the record is rejected.
SLU_FUNCTION bool sluIsVolumeOutside(uint shape, float radius2, float least) {
  return least < 0.0f && (shape != SLU_SHAPE_SPHERE || sluMul(least, least) > radius2);
}

// Tells what SLU_CULL_SIZE_BIT keeps.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// distance2 is from `sluDistance2`.
// Returns the square of the least radius. One of the two terms is 0.
SLU_FUNCTION float sluLeastRadius2(SLU_VIEW_REF view, float distance2) {
  return sluAdd(sluMul(SLU_VIEW_AT(view).minSizeRatio2, distance2), SLU_VIEW_AT(view).minRadius2);
}

// Makes the test of SLU_CULL_SIZE_BIT.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// radius is the sphere's, in the world.
// distance2 is from `sluDistance2`.
// Returns whether the record is rejected.
SLU_FUNCTION bool sluIsTooSmall(SLU_VIEW_REF view, float radius, float distance2) {
  return sluMul(radius, radius) < sluLeastRadius2(view, distance2);
}

// Makes the test of SLU_CULL_SIZE_BIT of a volume.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// radius2 is from `sluRadius2` or `sluHalfDiagonal2`.
// distance2 is from `sluDistance2`.
// Returns whether the record is rejected.
SLU_FUNCTION bool sluIsVolumeTooSmall(SLU_VIEW_REF view, float radius2, float distance2) {
  return radius2 < sluLeastRadius2(view, distance2);
}

// Makes the tests of a sphere whose distances are known. The last test comes first, so that there is no branch.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// radius is the sphere's, in the world.
// distance2 is from `sluDistance2`.
// least is from `sluLeast`; without SLU_CULL_FRUSTUM_BIT it may be anything.
// cullFlags are SluCullFlagBits; SLU_CULL_LAYERS_BIT is `sluIsInNoLayer`'s.
// Returns SLU_KEPT, or the SluReject of the first test that the sphere fails.
SLU_FUNCTION uint sluCull(SLU_VIEW_REF view, float radius, float distance2, float least, uint cullFlags) {
  uint outcome = SLU_KEPT;
  if ((cullFlags & SLU_CULL_SIZE_BIT) != 0u && sluIsTooSmall(view, radius, distance2)) outcome = SLU_REJECT_SIZE;
  if ((cullFlags & SLU_CULL_FRUSTUM_BIT) != 0u && sluIsOutside(radius, least)) outcome = SLU_REJECT_FRUSTUM;
  if ((cullFlags & SLU_CULL_DISTANCE_BIT) != 0u && sluIsOutOfRange(view, distance2)) outcome = SLU_REJECT_DISTANCE;
  if (sluIsInvalid(radius, distance2)) outcome = SLU_REJECT_INVALID;
  return outcome;
}

// Makes the tests of a sphere.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// sphere is in the world.
// cullFlags are SluCullFlagBits; SLU_CULL_LAYERS_BIT is `sluIsInNoLayer`'s.
// Returns SLU_KEPT, or the SluReject of the first test that the sphere fails.
SLU_FUNCTION uint sluCullSphere(SLU_VIEW_REF view, SLU_IN(SluSphere) sphere, uint cullFlags) {
  float least = sluLeastDistance(view, sphere.center, cullFlags);
  return sluCull(view, sphere.radius, sluDistance2(view, sphere.center), least, cullFlags);
}

// Makes the tests of a volume whose distances are known.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// shape is an SluBoundsShape.
// radius2 is from `sluRadius2` or `sluHalfDiagonal2`.
// distance2 is from `sluDistance2`.
// least is as for `sluIsVolumeOutside`; without SLU_CULL_FRUSTUM_BIT it may be anything.
// cullFlags are SluCullFlagBits; SLU_CULL_LAYERS_BIT is `sluIsInNoLayer`'s.
// Returns SLU_KEPT, or the SluReject of the first test that the volume fails.
SLU_FUNCTION uint sluCullVolume(SLU_VIEW_REF view, uint shape, float radius2, float distance2, float least,
                                uint cullFlags) {
  uint outcome = SLU_KEPT;
  if ((cullFlags & SLU_CULL_SIZE_BIT) != 0u && sluIsVolumeTooSmall(view, radius2, distance2)) outcome = SLU_REJECT_SIZE;
  if ((cullFlags & SLU_CULL_FRUSTUM_BIT) != 0u && sluIsVolumeOutside(shape, radius2, least)) {
    outcome = SLU_REJECT_FRUSTUM;
  }
  if ((cullFlags & SLU_CULL_DISTANCE_BIT) != 0u && sluIsOutOfRange(view, distance2)) outcome = SLU_REJECT_DISTANCE;
  if (sluIsInvalid(radius2, distance2)) outcome = SLU_REJECT_INVALID;
  return outcome;
}

// Makes the tests of a box.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// box is in the world.
// radius2 is from `sluHalfDiagonal2`.
// cullFlags are SluCullFlagBits; SLU_CULL_LAYERS_BIT is `sluIsInNoLayer`'s.
// Returns SLU_KEPT, or the SluReject of the first test that the box fails.
SLU_FUNCTION uint sluCullBox(SLU_VIEW_REF view, SLU_IN(SluBox) box, float radius2, uint cullFlags) {
  float least = sluLeastBoxDistance(view, box, cullFlags);
  return sluCullVolume(view, SLU_SHAPE_BOX, radius2, sluDistance2(view, box.center), least, cullFlags);
}

// Makes the tests of a sphere that a matrix has moved.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// center is in the world.
// radius2 is from `sluRadius2`.
// cullFlags are SluCullFlagBits; SLU_CULL_LAYERS_BIT is `sluIsInNoLayer`'s.
// Returns SLU_KEPT, or the SluReject of the first test that the sphere fails.
SLU_FUNCTION uint sluCullMovedSphere(SLU_VIEW_REF view, SLU_IN(SluFloat3) center, float radius2, uint cullFlags) {
  float least = sluLeastDistance(view, center, cullFlags);
  return sluCullVolume(view, SLU_SHAPE_SPHERE, radius2, sluDistance2(view, center), least, cullFlags);
}

// ---- Cones ----
// SluCones says what cones are. With M for the linear part of a transform and A for its adjugate, A * (center - eye) in
// the world is the determinant of M times center - eye in the space of the bounds. So nothing is divided: an axis a
// becomes transpose(A) * a, as normals do, and a radius and lengths there are bounded by those in the world. A reach of
// SLU_FARTHEST is that of cones that reject nothing.

// Adds up the parts of a vector.
// a is the vector.
// Returns the sum of their magnitudes.
SLU_FUNCTION float sluSumAbs(SLU_IN(SluFloat3) a) { return sluAdd(sluAdd(sluAbs(a.x), sluAbs(a.y)), sluAbs(a.z)); }

// Judges the cutoff of a cone. It looks at bits, since a compiler may assume that a float is never NaN.
// cutoff is that of the cone.
// Returns whether it is from 0 to below 1.
SLU_FUNCTION bool sluIsCutoff(float cutoff) { return sluFloatBits(cutoff) < 0x3f800000u; }

// Moves a cone into the world. All errors of floats are rounded towards cones that reject less.
// cone is in the space of the bounds.
// radius is that of the sphere, in the same space.
// matrix says where to; without a transform it is `sluMatrixOf` without flags.
// hasFixedFront is not 0 with SLU_CONE_FIXED_FRONT_FACE_BIT.
// Returns the cone in the world.
SLU_FUNCTION SluMovedCone sluMoveCone(SLU_IN(SluCone) cone, float radius, SLU_IN(SluMatrix) matrix,
                                      uint hasFixedFront) {
  SluMatrix normals;  // transpose(A): how normals move
  normals.x = sluCross(matrix.y, matrix.z);
  normals.y = sluCross(matrix.z, matrix.x);
  normals.z = sluCross(matrix.x, matrix.y);
  normals.translation = matrix.translation;  // nothing reads it
  float determinant = sluDot(matrix.x, normals.x);
  float sumX = sluSumAbs(matrix.x);
  float sumY = sluSumAbs(matrix.y);
  float sumZ = sluSumAbs(matrix.z);
  float products = sluAdd(sluAdd(sluMul(sumY, sumZ), sluMul(sumZ, sumX)), sluMul(sumX, sumY));
  float error = sluMul(sluMul(sumX, sluMul(sumY, sumZ)), 9.5367431640625e-7f);  // 2^-20
  float size = sluAbs(determinant);
  // (a + b)^2 is at most (1 + 2^-11) a^2 + 2^11 (1 + 2^-11) b^2, with the stretch for a and its error for b.
  float stretch2 = sluMul(sluStretch2(normals), 1.00048828125f);
  stretch2 = sluAdd(stretch2, sluMul(sluMul(products, products), 1.862645149230957e-9f));  // 2^-29
  float cutoff = sluAdd(cone.cutoff, 0.0009765625f);                                       // 2^-10
  SluMovedCone r;
  SluFloat3 xy = sluAdd3(sluScale(normals.x, cone.axis.x), sluScale(normals.y, cone.axis.y));
  r.axis = sluAdd3(xy, sluScale(normals.z, cone.axis.z));
  if (determinant < 0.0f && hasFixedFront == 0u) r.axis = sluScale(r.axis, -1.0f);
  r.cutoff2 = sluMul(sluMul(cutoff, cutoff), stretch2);
  r.reach = sluMul(radius, sluAdd(size, error));
  // Of a matrix that is flat, or as good as flat, the sign is not known. The bits of a bound are compared, since the
  // number may be NaN.
  bool isSound = sluFloatBits(stretch2) - 0x0da24260u < 0x6d9e556eu;  // 1e-30f to 1e36f
  bool isFlat = !(size > error);
  if (!isSound || isFlat || !sluIsCutoff(cone.cutoff) || !sluIsFinite3(r.axis)) {
    r.axis.x = 0.0f;
    r.axis.y = 0.0f;
    r.axis.z = 0.0f;
    r.reach = SLU_FARTHEST;
  }
  return r;
}

// Makes the test of SLU_CULL_CONE_BIT.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// center is that of the bounds, in the world.
// cone is from `sluMoveCone`.
// Returns whether the record is rejected.
SLU_FUNCTION bool sluIsFacingAway(SLU_VIEW_REF view, SLU_IN(SluFloat3) center, SLU_IN(SluMovedCone) cone) {
  SluFloat3 eye;
  eye.x = SLU_VIEW_AT(view).eyeX;
  eye.y = SLU_VIEW_AT(view).eyeY;
  eye.z = SLU_VIEW_AT(view).eyeZ;
  SluFloat3 toCenter = sluAdd3(center, sluScale(eye, -1.0f));
  // The center and the eye are known to about 2^-23 of their size.
  float shift = sluMul(sluAdd(sluSumAbs(center), sluSumAbs(eye)), 4.76837158203125e-7f);  // 2^-21
  float reach = sluAdd(cone.reach, sluMul(shift, sluSumAbs(cone.axis)));
  float length2 = sluDot(toCenter, toCenter);
  if (SLU_VIEW_AT(view).isOrthographic != 0u) {
    toCenter.x = SLU_VIEW_AT(view).directionX;
    toCenter.y = SLU_VIEW_AT(view).directionY;
    toCenter.z = SLU_VIEW_AT(view).directionZ;
    length2 = SLU_VIEW_AT(view).directionLength2;
    reach = cone.reach < SLU_FARTHEST ? 0.0f : cone.reach;
  }
  float along = sluSub(sluDot(toCenter, cone.axis), reach);
  // A number that is not negative, nor NaN. Both sides may be infinity.
  return sluFloatBits(along) <= 0x7f800000u && sluMul(along, along) > sluMul(cone.cutoff2, length2);
}

// Chooses a level of detail.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// distance2 is from `sluDistance2`.
// lodCount is SluKey::lodCount, at least 1.
// Returns how many of the view's distances are reached. They ascend.
SLU_FUNCTION uint sluLod(SLU_VIEW_REF view, float distance2, uint lodCount) {
  uint lod = 0u;
  for (uint i = 0u; i + 1u < lodCount; ++i) {
    if (distance2 >= SLU_VIEW_LOD_DISTANCE2(view, i)) lod = i + 1u;
  }
  return lod;
}

// Scales a distance for `sluReachesLod`.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// distance2 is from `sluDistance2`.
// Returns its square times the view's `lodRatio2`; of an orthographic view the square of its ratio.
SLU_FUNCTION float sluScaledDistance2(SLU_VIEW_REF view, float distance2) {
  return sluAdd(sluMul(distance2, SLU_VIEW_AT(view).lodRatio2), SLU_VIEW_AT(view).lodDistanceScaled2);
}

// Squares a mesh's threshold.
// threshold is the mesh's, as it lies in memory.
// stretch2 is how much it grows, squared: by SLU_LOD_MESH_ERRORS as radii do, else 1.
// Returns the square, or -1 if the threshold is none.
SLU_FUNCTION float sluThreshold2(float threshold, float stretch2) { return sluRadius2(threshold, stretch2); }

// Judges a level of detail, which is reached if the distance is at least the sum of threshold and radius. Squared, that
// says: twice their product is at most distance2 - threshold2 - radius2. Both sides are squared again and compared, by
// their bits, since such numbers may be infinity, and the host's threshold anything.
// threshold2 is from `sluThreshold2`, or the view's `lodDistance2` of the level before.
// radius2 is the squared radius times the view's `lodRatio2`, or 0 without SLU_LOD_NEAR_SIDE_BIT.
// distance2 is from `sluScaledDistance2`.
// Returns whether the level is reached.
SLU_FUNCTION bool sluReachesLod(float threshold2, float radius2, float distance2) {
  float rest = sluSub(sluSub(distance2, threshold2), radius2);
  float product = sluMul(4.0f, sluMul(threshold2, radius2));
  bool isFarther = sluFloatBits(rest) <= 0x7f800000u;  // not negative, and not NaN
  return isFarther && sluIsRadius(threshold2) && sluFloatBits(product) <= sluFloatBits(sluMul(rest, rest));
}

// ---- States of LODs ----
// With SLU_LOD_STATES_BIT the LOD of a record depends on its state of the last frame. SluLod has the bits of a state.
// With h for SluFrameInfo::lodHysteresis, what `sluScaledDistance2` returns is multiplied by the square of 1 - h for
// the least distance, and by that of 1 + h for the greatest.

// Takes the LOD out of a state, which may be any word.
// state is that of the last frame, SLU_LOD_STATE_NONE without one.
// lodCount is SluKey::lodCount.
// Returns the LOD, or SLU_LOD_NONE.
SLU_FUNCTION uint sluLodOfState(uint state, uint lodCount) {
  uint lod = state & 0xffu;
  return lod < lodCount ? lod : SLU_LOD_NONE;
}

// Keeps a LOD while it is in range.
// lastLod is from `sluLodOfState`.
// least is the LOD that the record reaches at the least distance, and without a last LOD at its own.
// most is the one at the greatest distance; without a last LOD it is `least`.
// Returns the LOD.
SLU_FUNCTION uint sluHeldLod(uint lastLod, uint least, uint most) {
  uint lod = lastLod < most ? lastLod : most;
  return lod < least ? least : lod;
}

// Makes the state of a record that is kept. Others have SLU_LOD_STATE_NONE.
// lastState is that of the last frame, which may be any word; SLU_LOD_STATE_NONE without one.
// lod is from `sluHeldLod`.
// lodCount is SluKey::lodCount.
// fadeStep is SluFrameInfo::lodFadeStep.
// Returns the state.
SLU_FUNCTION uint sluNextLodState(uint lastState, uint lod, uint lodCount, uint fadeStep) {
  uint lastLod = sluLodOfState(lastState, lodCount);
  uint lodBefore = sluLodOfState(lastState >> 8, lodCount);
  uint fade = (lastState >> 16 & 0xffu) + fadeStep;
  if (fade > 255u) fade = 255u;
  if (lastLod != lod) {
    lodBefore = lastLod;
    fade = lastLod == SLU_LOD_NONE ? 255u : 0u;
  }
  return lod | lodBefore << 8 | fade << 16;
}

// Tells which levels of a mesh may be drawn.
// meshLodCount is how many it has.
// resident has a bit for each that is there.
// lodCount is SluKey::lodCount, at least 1.
// Returns a bit for each.
SLU_FUNCTION uint sluLodMask(uint meshLodCount, uint resident, uint lodCount) {
  uint count = meshLodCount < lodCount ? meshLodCount : lodCount;
  return resident & ((1u << count) - 1u);
}

// Finds a level that may be drawn: the one that was chosen, the next coarser one, or the next finer one.
// mask is from `sluLodMask`.
// lod is the one that was chosen.
// lodCount is SluKey::lodCount, at least 1.
// Returns the level, or SLU_MAX_LODS if there is none.
SLU_FUNCTION uint sluResidentLod(uint mask, uint lod, uint lodCount) {
  uint found = SLU_MAX_LODS;
  for (uint i = 0u; i < lodCount; ++i) {
    bool isBetter = found == SLU_MAX_LODS || found < lod;
    // Not `mask >> i & 1u`: Microsoft's FXC makes of a mask that is shifted a field of the mask's width at bit i.
    if ((mask & 1u << i) != 0u && isBetter) found = i;
  }
  return found;
}

#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
// Squares a distance.
// a is the distance.
// Returns the square, or the largest float if that is less: no valid distance reaches it.
inline float sluSquare(float a) {
  const float square = sluMul(a, a);
  return SLU_FARTHEST < square ? SLU_FARTHEST : square;
}

// Prepares a view for the tests.
// view is one that frames take: sluice.h says what its fields hold.
// lodCount is SluKey::lodCount, at least 1.
// rule is SluLod::rule.
// Returns what the other functions read.
inline SluViewBlock sluPrepareView(const SluView& view, uint lodCount, SluLodRule rule = SLU_LOD_VIEW_DISTANCES) {
  SluViewBlock block{};
  static_assert(sizeof(block.planes) == sizeof(view.planes), "the planes are copied");
  std::memcpy(block.planes, view.planes, sizeof(view.planes));
  block.eyeX = view.eye[0];
  block.eyeY = view.eye[1];
  block.eyeZ = view.eye[2];
  block.minDistance2 = sluSquare(view.minDistance);
  block.maxDistance2 = sluSquare(view.maxDistance);
  const bool isOrthographic = (view.flags & SLU_VIEW_ORTHOGRAPHIC_BIT) != 0;
  block.isOrthographic = isOrthographic ? 1u : 0u;
  if (isOrthographic) {
    block.directionX = view.direction[0];
    block.directionY = view.direction[1];
    block.directionZ = view.direction[2];
    block.directionLength2 = sluDot({block.directionX, block.directionY, block.directionZ},
                                    {block.directionX, block.directionY, block.directionZ});
  }
  block.layerMask = view.layerMask;
  block.eitherFrustum = (view.flags & SLU_VIEW_EITHER_FRUSTUM_BIT) != 0 ? 1u : 0u;
  (isOrthographic ? block.minRadius2 : block.minSizeRatio2) = sluSquare(view.minSizeRatio);
  const bool hasRatio = rule != SLU_LOD_VIEW_DISTANCES;
  (isOrthographic ? block.lodDistanceScaled2 : block.lodRatio2) = hasRatio ? sluSquare(view.lodRatio) : 1.0f;
  if (hasRatio) return block;
  for (uint i = 0; i + 1 < lodCount; ++i) {
    const float distance = view.lodDistances[i];
    // `sluLod` compares them with the distance, also of an orthographic view.
    block.lodDistance2[i] = !isOrthographic ? sluSquare(distance) : distance <= 1.0f ? 0.0f : SLU_FARTHEST;
  }
  return block;
}
#endif

SLU_NAMESPACE_END

#endif
