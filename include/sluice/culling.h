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
// transformFlags are SluTransformFlagBits.
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

// Judges a radius. It looks at bits, since a compiler may assume that a float comparison never meets NaN or infinity:
// those and all negative numbers exceed the bits of the largest float.
// a is the radius.
// Returns whether it is finite and not negative; -0.0f is 0.
SLU_FUNCTION bool sluIsRadius(float a) {
  uint bits = sluFloatBits(a);
  return bits <= 0x7f7fffffu || bits == 0x80000000u;
}

// Measures how far a sphere is from the eye.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// center is the sphere's, in the world.
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
// radius is the sphere's, in the world.
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

#define SLU_PLANES 6u                 // of a view
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

// Finds the least of a point's distances, one after the other.
// least is SLU_FARTHEST, or the least so far.
// distance is the next one. NaN is left out.
// Returns the lesser one.
SLU_FUNCTION float sluLeast(float least, float distance) { return distance < least ? distance : least; }

// Makes the test of SLU_CULL_FRUSTUM_BIT. A sphere outside of any plane is outside of the one that its center is the
// least inside of.
// radius is the sphere's, in the world.
// least is from `sluLeast`, of all planes.
// Returns whether the record is rejected.
SLU_FUNCTION bool sluIsOutside(float radius, float least) { return least < -radius; }

// Makes the test of SLU_CULL_SIZE_BIT.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// radius is the sphere's, in the world.
// distance2 is from `sluDistance2`.
// Returns whether the record is rejected.
SLU_FUNCTION bool sluIsTooSmall(SLU_VIEW_REF view, float radius, float distance2) {
  return sluMul(radius, radius) < sluMul(SLU_VIEW_AT(view).minSizeRatio2, distance2);
}

// Makes the tests of a sphere whose distances are known. The last test comes first, so that there is no branch.
// view is the view, or in GLSL what `SLU_VIEW_REF` says.
// radius is the sphere's, in the world.
// distance2 is from `sluDistance2`.
// least is from `sluLeast`; without SLU_CULL_FRUSTUM_BIT it may be anything.
// cullFlags are SluCullFlagBits.
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
// cullFlags are SluCullFlagBits.
// Returns SLU_KEPT, or the SluReject of the first test that the sphere fails.
SLU_FUNCTION uint sluCullSphere(SLU_VIEW_REF view, SLU_IN(SluSphere) sphere, uint cullFlags) {
  float least = SLU_FARTHEST;
  if ((cullFlags & SLU_CULL_FRUSTUM_BIT) != 0u) {
    for (uint plane = 0u; plane < SLU_PLANES; ++plane) {
      least = sluLeast(least, sluPlaneDistance(view, plane, sphere.center));
    }
  }
  return sluCull(view, sphere.radius, sluDistance2(view, sphere.center), least, cullFlags);
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
// Returns what the other functions read.
inline SluViewBlock sluPrepareView(const SluView& view, uint lodCount) {
  SluViewBlock block{};
  static_assert(sizeof(block.planes) == sizeof(view.planes), "the planes are copied");
  std::memcpy(block.planes, view.planes, sizeof(view.planes));
  block.eyeX = view.eye[0];
  block.eyeY = view.eye[1];
  block.eyeZ = view.eye[2];
  block.minDistance2 = sluSquare(view.minDistance);
  block.maxDistance2 = sluSquare(view.maxDistance);
  block.minSizeRatio2 = sluSquare(view.minSizeRatio);
  for (uint i = 0; i + 1 < lodCount; ++i) block.lodDistance2[i] = sluSquare(view.lodDistances[i]);
  return block;
}
#endif

SLU_NAMESPACE_END

#endif
