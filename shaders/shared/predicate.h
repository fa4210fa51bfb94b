// The arithmetic that decides what is kept, said once for every route. Each operation rounds once, in the order
// written, so the routes agree bit for bit wherever the device rounds add, subtract and multiply correctly (Vulkan and
// CUDA do) and neither operands nor results are denormal. Lengths are compared squared; nothing is divided.
#ifndef SLU_PREDICATE_H
#define SLU_PREDICATE_H

#include "layouts.h"
#include "rules.h"

SLU_NAMESPACE_BEGIN

struct Float3 {
  float x, y, z;
};

struct Float4 {
  float x, y, z, w;
};

struct Sphere {
  Float3 center;
  float radius;
};

SLU_FUNCTION Float3 sluScale(SLU_IN(Float3) a, float s) {
  Float3 r;
  r.x = sluMul(a.x, s);
  r.y = sluMul(a.y, s);
  r.z = sluMul(a.z, s);
  return r;
}

SLU_FUNCTION Float3 sluAdd3(SLU_IN(Float3) a, SLU_IN(Float3) b) {
  Float3 r;
  r.x = sluAdd(a.x, b.x);
  r.y = sluAdd(a.y, b.y);
  r.z = sluAdd(a.z, b.z);
  return r;
}

SLU_FUNCTION float sluDot(SLU_IN(Float3) a, SLU_IN(Float3) b) {
  return sluAdd(sluAdd(sluMul(a.x, b.x), sluMul(a.y, b.y)), sluMul(a.z, b.z));
}

SLU_FUNCTION Float3 sluCross(SLU_IN(Float3) a, SLU_IN(Float3) b) {
  Float3 r;
  r.x = sluSub(sluMul(a.y, b.z), sluMul(a.z, b.y));
  r.y = sluSub(sluMul(a.z, b.x), sluMul(a.x, b.z));
  r.z = sluSub(sluMul(a.x, b.y), sluMul(a.y, b.x));
  return r;
}

// v rotated by the unit quaternion q: t = 2 (q.xyz x v), v + w t + q.xyz x t.
SLU_FUNCTION Float3 sluRotate(SLU_IN(Float4) q, SLU_IN(Float3) v) {
  Float3 axis;
  axis.x = q.x;
  axis.y = q.y;
  axis.z = q.z;
  Float3 t = sluScale(sluCross(axis, v), 2.0f);
  return sluAdd3(sluAdd3(v, sluScale(t, q.w)), sluCross(axis, t));
}

// A record's bounds in the world, by the parts that transformFlags names: position + rotate(rotation, scale * center).
SLU_FUNCTION Sphere sluTransformSphere(SLU_IN(Sphere) sphere, SLU_IN(Float3) position, float scale,
                                       SLU_IN(Float4) rotation, uint transformFlags) {
  Sphere r = sphere;
  if ((transformFlags & SLU_TRANSFORMS_SCALE) != 0u) {
    r.center = sluScale(r.center, scale);
    r.radius = sluMul(sluAbs(scale), r.radius);
  }
  if ((transformFlags & SLU_TRANSFORMS_ROTATION) != 0u) r.center = sluRotate(rotation, r.center);
  if ((transformFlags & SLU_TRANSFORMS_POSITION) != 0u) r.center = sluAdd3(r.center, position);
  return r;
}

// Finite and not negative; -0.0f is 0. By bits, since a compiler may assume that a float comparison never meets NaN or
// infinity: those and all negative numbers exceed the bits of the largest float.
SLU_FUNCTION bool sluIsRadius(float a) {
  uint bits = sluFloatBits(a);
  return bits <= 0x7f7fffffu || bits == 0x80000000u;
}

SLU_FUNCTION float sluDistance2(SLU_VIEW_REF view, SLU_IN(Float3) center) {
  Float3 toCenter;
  toCenter.x = sluSub(center.x, SLU_VIEW_AT(view).eyeX);
  toCenter.y = sluSub(center.y, SLU_VIEW_AT(view).eyeY);
  toCenter.z = sluSub(center.z, SLU_VIEW_AT(view).eyeZ);
  return sluDot(toCenter, toCenter);
}

// Bounds over 1e18 away are invalid: their squares approach the range of float. By the bits of 1e36f, which those of
// infinity and NaN exceed.
SLU_FUNCTION bool sluIsInvalid(float radius, float distance2) {
  return sluFloatBits(distance2) > 0x7b4097ceu || !sluIsRadius(radius);
}

SLU_FUNCTION bool sluIsOutOfRange(SLU_VIEW_REF view, float distance2) {
  float nearest = SLU_VIEW_AT(view).minDistance2;  // both are loaded, so that there is no branch
  float farthest = SLU_VIEW_AT(view).maxDistance2;
  return distance2 < nearest || distance2 > farthest;
}

#define SLU_PLANES 6u

// How far a point is inside of a plane.
SLU_FUNCTION float sluPlaneDistance(SLU_VIEW_REF view, uint plane, SLU_IN(Float3) point) {
  Float3 normal;
  normal.x = SLU_VIEW_AT(view).planes[4u * plane];
  normal.y = SLU_VIEW_AT(view).planes[4u * plane + 1u];
  normal.z = SLU_VIEW_AT(view).planes[4u * plane + 2u];
  return sluAdd(sluDot(normal, point), SLU_VIEW_AT(view).planes[4u * plane + 3u]);
}

// Of a point's distances, the least so far; it begins as SLU_FARTHEST.
#define SLU_FARTHEST 3.402823466e38f
SLU_FUNCTION float sluLeast(float least, float distance) { return distance < least ? distance : least; }

// least: of the center's distances to the planes. A sphere outside of any plane is outside of that one.
SLU_FUNCTION bool sluIsOutside(float radius, float least) { return least < -radius; }

SLU_FUNCTION bool sluIsTooSmall(SLU_VIEW_REF view, float radius, float distance2) {
  return sluMul(radius, radius) < sluMul(SLU_VIEW_AT(view).minSizeRatio2, distance2);
}

// SLU_KEPT, or the first test that a sphere of this radius fails; the last test comes first, so that there is no branch.
SLU_FUNCTION uint sluCull(SLU_VIEW_REF view, float radius, float distance2, float least, uint cullFlags) {
  uint outcome = SLU_KEPT;
  if ((cullFlags & SLU_CULLS_SIZE) != 0u && sluIsTooSmall(view, radius, distance2)) outcome = SLU_REJECTS_SIZE;
  if ((cullFlags & SLU_CULLS_FRUSTUM) != 0u && sluIsOutside(radius, least)) outcome = SLU_REJECTS_FRUSTUM;
  if ((cullFlags & SLU_CULLS_DISTANCE) != 0u && sluIsOutOfRange(view, distance2)) outcome = SLU_REJECTS_DISTANCE;
  if (sluIsInvalid(radius, distance2)) outcome = SLU_REJECTS_INVALID;
  return outcome;
}

// The number of thresholds reached. They ascend.
SLU_FUNCTION uint sluLod(SLU_VIEW_REF view, float distance2, uint lodCount) {
  uint lod = 0u;
  for (uint i = 0u; i + 1u < lodCount; ++i) {
    if (distance2 >= SLU_VIEW_AT(view).lodDistance2[i]) lod = i + 1u;
  }
  return lod;
}

SLU_NAMESPACE_END

#endif
