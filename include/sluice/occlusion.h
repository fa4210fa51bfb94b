// The arithmetic that decides what a depth pyramid hides, as every route of the library computes it, for hosts that ask
// the same question in C++, CUDA or GLSL. sluice/culling.h says how results agree, and how to include such a header.
//
// Bounds are projected by the view's matrix, and the projection is rounded outwards by more than all errors of floats.
// So what is said to be hidden is hidden, as long as neither operands nor results are denormal:
//  - A box, by its eight corners, which is exact.
//  - A sphere, by the planes through the eye that touch it, which is exact, too: the ratio of two linear functions x
//    and w of the clip space is k on the plane x - k w, and that touches the sphere if its distance from the center
//    is the radius, which is a quadratic equation in k. It holds for skewed and orthographic matrices, and for depth
//    as well as for x and y. (Mara and McGuire, "2D Polyhedral Bounds of a Clipped, Perspective-Projected 3D Sphere",
//    JCGT 2013, have the two-dimensional form.)
//
// GLSL has no references. A shader names the block that it has before it includes this file, as with views. Its type is
// in sluice/culling_types.h:
//   #define SLU_OCCLUSION_REF uint
//   #define SLU_OCCLUSION_AT(view) myOcclusion
#ifndef SLUICE_OCCLUSION_H
#define SLUICE_OCCLUSION_H

#include "sluice/culling_types.h"
#include "sluice/pyramid.h"

#ifdef __cplusplus
#define SLU_OCCLUSION_REF const SluOcclusionBlock&  // how blocks are passed
#define SLU_OCCLUSION_AT(view) view                 // where one that was passed lies
#elif !defined(SLU_OCCLUSION_AT)
#define SLU_OCCLUSION_REF in SluOcclusionBlock
#define SLU_OCCLUSION_AT(view) view
#endif

#define SLU_FOOTPRINT_VISIBLE 0u  // bounds that nothing hides: they reach the plane of the eye, or are not finite
#define SLU_FOOTPRINT_OUTSIDE 1u  // bounds that lie beside the picture, or behind the plane of the eye
#define SLU_FOOTPRINT_TEXELS 2u   // those that are hidden if the texels of the footprint are nearer

SLU_NAMESPACE_BEGIN

// What bounds cover of a pyramid: up to two by two texels of one level, the coarsest that is needed.
struct SluFootprint {
  uint outcome;    // SLU_FOOTPRINT_VISIBLE, SLU_FOOTPRINT_OUTSIDE or SLU_FOOTPRINT_TEXELS; the first two need no texels
  uint level;      // of the pyramid
  uint firstX;     // the texels, of which the last may be the first
  uint firstY;     // the same along y
  uint lastX;      // at most one more than the first
  uint lastY;      // the same along y
  float nearest;   // the least clip z / w, before it is rounded towards the eye and clamped
  float farthest;  // the greatest
};

// The least and the greatest of the ratios of a clip coordinate to w.
struct SluRatios {
  float least;     // rounded down
  float greatest;  // rounded up
};

// ---- Reciprocals and roots ----
// Both start from the bits of the float, as Blinn does ("Floating-Point Tricks", IEEE Computer Graphics and
// Applications, 1997), and come close by Newton's method. Neither divides.

// Computes 1 / a.
// a is from 1e-30 to 1e30.
// Returns a float within 2^-21 of it, relatively.
SLU_FUNCTION float sluReciprocal(float a) {
  float r = sluFloatOf(0x7ef311c7u - sluFloatBits(a));
  r = sluMul(r, sluSub(2.0f, sluMul(a, r)));
  r = sluMul(r, sluSub(2.0f, sluMul(a, r)));
  return sluMul(r, sluSub(2.0f, sluMul(a, r)));
}

// Computes the square root of a.
// a is 0, or from 1e-30 to 1e30. What is less counts as 1e-30.
// Returns a float that is at most 2^-18 greater, relatively, and not less.
SLU_FUNCTION float sluRootAbove(float a) {
  float square = a < 1e-30f ? 1e-30f : a;
  float r = sluFloatOf(0x5f375a86u - (sluFloatBits(square) >> 1));
  float halved = sluMul(0.5f, square);
  r = sluMul(r, sluSub(1.5f, sluMul(sluMul(halved, r), r)));
  r = sluMul(r, sluSub(1.5f, sluMul(sluMul(halved, r), r)));
  r = sluMul(r, sluSub(1.5f, sluMul(sluMul(halved, r), r)));
  return sluMul(sluMul(square, r), 1.000002f);
}

// ---- Projections ----

// Judges a number by its bits, since a compiler may assume that a float is never NaN or infinite.
// a is the number.
// most is the greatest magnitude, not negative.
// Returns whether a is a number of no greater magnitude.
SLU_FUNCTION bool sluIsWithin(float a, float most) { return (sluFloatBits(a) & 0x7fffffffu) <= sluFloatBits(most); }

// Judges numbers that are to be at least 0.
// a has the numbers.
// Returns whether all are from 0 to 1e18; -0.0f is 0.
SLU_FUNCTION bool sluAreExtents(SLU_IN(SluFloat3) a) {
  bool isAnyLess = a.x < 0.0f || a.y < 0.0f || a.z < 0.0f;
  return sluIsWithin(a.x, 1e18f) && sluIsWithin(a.y, 1e18f) && sluIsWithin(a.z, 1e18f) && !isAnyLess;
}

// Applies a row to a point.
// row is a row of a matrix.
// point is in the world.
// Returns ((row.x * point.x + row.y * point.y) + row.z * point.z) + row.w.
SLU_FUNCTION float sluApplyRow(SLU_IN(SluRow) row, SLU_IN(SluFloat3) point) {
  float sum = sluAdd(sluAdd(sluMul(row.x, point.x), sluMul(row.y, point.y)), sluMul(row.z, point.z));
  return sluAdd(sum, row.w);
}

// Bounds the error of `sluApplyRow`, and that of a vertex shader that computes the same in another order.
// row is a row of a matrix.
// reach has the greatest magnitudes of the point's parts.
// Returns 2^-21 times the sum of the magnitudes that are added.
SLU_FUNCTION float sluRowError(SLU_IN(SluRow) row, SLU_IN(SluFloat3) reach) {
  float sum = sluAdd(sluMul(sluAbs(row.x), reach.x), sluMul(sluAbs(row.y), reach.y));
  sum = sluAdd(sluAdd(sum, sluMul(sluAbs(row.z), reach.z)), sluAbs(row.w));
  return sluMul(sum, 4.76837158203125e-7f);
}

// Projects a sphere: the least and the greatest c / w of its points, where c is one of the clip coordinates.
// c is of the center.
// w is of the center, too.
// error is `sluRowError` of c.
// errorW is that of w.
// row is that of c.
// rowW is that of w.
// length2 is the square of the length of row, without its w.
// lengthW2 is that of rowW.
// dotW is their dot product.
// crossW2 is the square of the length of their cross product.
// radius2 is the square of the radius.
// inverse is `sluReciprocal` of w * w - radius2 * lengthW2, which is at least w * w / 64.
// Returns both, rounded outwards.
SLU_FUNCTION SluRatios sluSphereRatios(float c, float w, float error, float errorW, SLU_IN(SluRow) row,
                                       SLU_IN(SluRow) rowW, float length2, float lengthW2, float dotW, float crossW2,
                                       float radius2, float inverse) {
  // The discriminant is radius2 * (|w row - c rowW|^2 - radius2 * crossW2). The difference may cancel out, so that its
  // error is bounded by what it is made of, and what that adds to the root by an eighth of a percent of it and more.
  float nx = sluSub(sluMul(w, row.x), sluMul(c, rowW.x));
  float ny = sluSub(sluMul(w, row.y), sluMul(c, rowW.y));
  float nz = sluSub(sluMul(w, row.z), sluMul(c, rowW.z));
  float n2 = sluAdd(sluAdd(sluMul(nx, nx), sluMul(ny, ny)), sluMul(nz, nz));
  float made = sluAdd(sluMul(sluMul(w, w), length2), sluMul(sluMul(c, c), lengthW2));
  n2 = sluAdd(sluMul(n2, 1.015625f), sluMul(made, 7.275957614183426e-12f));  // 1 + 2^-6, 2^-37
  n2 = sluSub(n2, sluMul(sluMul(radius2, crossW2), 0.999996f));
  float root = sluRootAbove(sluMul(radius2, n2 > 0.0f ? n2 : 0.0f));
  float middle = sluSub(sluMul(c, w), sluMul(radius2, dotW));
  float least = sluMul(sluSub(middle, root), inverse);
  float greatest = sluMul(sluAdd(middle, root), inverse);
  // 2^-19 of what was added and multiplied, and the errors of c and w, divided by the least w of the sphere, which
  // is at least the same inverse times half of w.
  float most = sluAbs(least) < sluAbs(greatest) ? sluAbs(greatest) : sluAbs(least);
  float added = sluAdd(sluAdd(sluMul(sluAbs(c), w), sluMul(radius2, sluAbs(dotW))), root);
  float rounded = sluMul(sluAdd(added, sluMul(most, sluMul(w, w))), 1.9073486328125e-6f);
  float moved = sluMul(sluMul(2.0f, w), sluAdd(error, sluMul(most, errorW)));
  float wider = sluMul(sluMul(sluAdd(rounded, moved), inverse), 1.001f);
  SluRatios r;
  r.least = sluSub(least, wider);
  r.greatest = sluAdd(greatest, wider);
  return r;
}

// Finds the texels that a projection covers.
// view is the block, or in GLSL what `SLU_OCCLUSION_REF` says.
// x is the projection's extent in clip x / w.
// y is that in clip y / w.
// z is that in clip z / w.
// Returns the footprint.
SLU_FUNCTION SluFootprint sluFootprintOf(SLU_OCCLUSION_REF view, SLU_IN(SluRatios) x, SLU_IN(SluRatios) y,
                                         SLU_IN(SluRatios) z) {
  SluFootprint r;
  r.outcome = SLU_FOOTPRINT_VISIBLE;
  r.level = 0u;
  r.firstX = 0u;
  r.firstY = 0u;
  r.lastX = 0u;
  r.lastY = 0u;
  r.nearest = z.least;
  r.farthest = z.greatest;
  const float kMost = 1e6f;
  bool isSane = sluIsWithin(x.least, kMost) && sluIsWithin(x.greatest, kMost) && sluIsWithin(y.least, kMost) &&
                sluIsWithin(y.greatest, kMost) && sluIsWithin(z.least, kMost) && sluIsWithin(z.greatest, kMost);
  if (!isSane) return r;
  // Vertices snap to a part of a pixel: to 1/16 at least in Vulkan, and in practice to 1/256. Its error and those of
  // the next lines are below 1/16.
  const float kSnap = 0.0625f;
  float halfWidth = SLU_OCCLUSION_AT(view).halfWidth;
  float halfHeight = SLU_OCCLUSION_AT(view).halfHeight;
  float left = sluSub(sluAdd(sluMul(x.least, halfWidth), halfWidth), kSnap);
  float right = sluAdd(sluAdd(sluMul(x.greatest, halfWidth), halfWidth), kSnap);
  float top = sluSub(sluAdd(sluMul(y.least, halfHeight), halfHeight), kSnap);
  float bottom = sluAdd(sluAdd(sluMul(y.greatest, halfHeight), halfHeight), kSnap);
  uint width = SLU_OCCLUSION_AT(view).width;
  uint height = SLU_OCCLUSION_AT(view).height;
  float endX = sluAdd(halfWidth, halfWidth);
  float endY = sluAdd(halfHeight, halfHeight);
  bool isWithin = left >= 0.0f && top >= 0.0f && right < endX && bottom < endY;
  if (SLU_OCCLUSION_AT(view).keepsEdges != 0u && !isWithin) return r;
  if (right < 0.0f || bottom < 0.0f || left >= endX || top >= endY) {
    r.outcome = SLU_FOOTPRINT_OUTSIDE;
    return r;
  }
  float lastX = sluSub(endX, 1.0f);
  float lastY = sluSub(endY, 1.0f);
  r.firstX = left > 0.0f ? uint(left) : 0u;
  r.firstY = top > 0.0f ? uint(top) : 0u;
  r.lastX = right < lastX ? uint(right) : width - 1u;
  r.lastY = bottom < lastY ? uint(bottom) : height - 1u;
  // 2^k is the greatest power of two that is not beyond the distance of the first and the last pixel. Shifted by k they
  // are at least one apart, and by k + 1 at most.
  uint apart = r.lastX - r.firstX;
  if (apart < r.lastY - r.firstY) apart = r.lastY - r.firstY;
  uint shift = apart < 4u ? 1u : (sluFloatBits(float(apart)) >> 23) - 127u;
  if ((r.lastX >> shift) - (r.firstX >> shift) > 1u || (r.lastY >> shift) - (r.firstY >> shift) > 1u) ++shift;
  r.outcome = SLU_FOOTPRINT_TEXELS;
  r.level = shift - 1u;
  r.firstX >>= shift;
  r.firstY >>= shift;
  r.lastX >>= shift;
  r.lastY >>= shift;
  return r;
}

// The footprint of bounds that need no texels.
// outcome is SLU_FOOTPRINT_VISIBLE or SLU_FOOTPRINT_OUTSIDE.
// Returns it.
SLU_FUNCTION SluFootprint sluNoFootprint(uint outcome) {
  SluFootprint r;
  r.outcome = outcome;
  r.level = 0u;
  r.firstX = 0u;
  r.firstY = 0u;
  r.lastX = 0u;
  r.lastY = 0u;
  r.nearest = 0.0f;
  r.farthest = 0.0f;
  return r;
}

// The footprint of bounds that are not in front of the plane of the eye.
// view is the block, or in GLSL what `SLU_OCCLUSION_REF` says.
// isBehind says whether they are finite, and all of them is behind that plane.
// Returns it.
SLU_FUNCTION SluFootprint sluFootprintBehind(SLU_OCCLUSION_REF view, bool isBehind) {
  bool isOutside = isBehind && SLU_OCCLUSION_AT(view).keepsEdges == 0u;
  return sluNoFootprint(isOutside ? SLU_FOOTPRINT_OUTSIDE : SLU_FOOTPRINT_VISIBLE);
}

// Projects a sphere.
// view is the block, or in GLSL what `SLU_OCCLUSION_REF` says.
// center is in the world.
// radius2 is the square of the radius, from `sluRadius2`. Spheres whose square is negative are none.
// Returns the footprint.
SLU_FUNCTION SluFootprint sluSphereFootprint(SLU_OCCLUSION_REF view, SLU_IN(SluFloat3) center, float radius2) {
  SluRow rowX = SLU_OCCLUSION_AT(view).rowX;
  SluRow rowY = SLU_OCCLUSION_AT(view).rowY;
  SluRow rowZ = SLU_OCCLUSION_AT(view).rowZ;
  SluRow rowW = SLU_OCCLUSION_AT(view).rowW;
  float lengthW2 = SLU_OCCLUSION_AT(view).lengthW2;
  SluFloat3 reach;
  reach.x = sluAbs(center.x);
  reach.y = sluAbs(center.y);
  reach.z = sluAbs(center.z);
  float w = sluApplyRow(rowW, center);
  float errorX = sluRowError(rowX, reach);
  float errorY = sluRowError(rowY, reach);
  float errorZ = sluRowError(rowZ, reach);
  float errorW = sluRowError(rowW, reach);
  bool isFinite = sluAreExtents(reach) && sluIsWithin(errorX, 1e12f) && sluIsWithin(errorY, 1e12f) &&
                  sluIsWithin(errorZ, 1e12f) && sluIsWithin(errorW, 1e12f) && sluIsWithin(radius2, 1e24f);
  float w2 = sluMul(w, w);
  float in2 = sluSub(w2, sluMul(radius2, lengthW2));
  // The sphere is away from the plane of the eye, by an eighth of its distance at least, and by its errors.
  float away = sluAbs(w);
  bool isAway = away > 1e-12f && away < 1e12f && radius2 >= 0.0f && in2 > sluMul(w2, 0.015625f) &&
                sluMul(away, errorW) < sluMul(in2, 0.125f);
  if (!isFinite || !isAway || w < 0.0f) return sluFootprintBehind(view, isFinite && isAway);
  float inverse = sluReciprocal(in2);
  SluRatios x =
      sluSphereRatios(sluApplyRow(rowX, center), w, errorX, errorW, rowX, rowW, SLU_OCCLUSION_AT(view).lengthX2,
                      lengthW2, SLU_OCCLUSION_AT(view).dotXW, SLU_OCCLUSION_AT(view).crossXW2, radius2, inverse);
  SluRatios y =
      sluSphereRatios(sluApplyRow(rowY, center), w, errorY, errorW, rowY, rowW, SLU_OCCLUSION_AT(view).lengthY2,
                      lengthW2, SLU_OCCLUSION_AT(view).dotYW, SLU_OCCLUSION_AT(view).crossYW2, radius2, inverse);
  SluRatios z =
      sluSphereRatios(sluApplyRow(rowZ, center), w, errorZ, errorW, rowZ, rowW, SLU_OCCLUSION_AT(view).lengthZ2,
                      lengthW2, SLU_OCCLUSION_AT(view).dotZW, SLU_OCCLUSION_AT(view).crossZW2, radius2, inverse);
  return sluFootprintOf(view, x, y, z);
}

// Widens what a projection covers so far by a corner.
// so is what it covers.
// ratio is the corner's.
// Returns both together.
SLU_FUNCTION SluRatios sluCovered(SLU_IN(SluRatios) so, float ratio) {
  SluRatios r;
  r.least = sluMin(so.least, ratio);
  r.greatest = sluMax(so.greatest, ratio);
  return r;
}

// Rounds what a box covers outwards.
// corners is what its corners cover.
// error is `sluRowError` of the coordinate.
// errorW is that of w.
// inverse is at least the reciprocal of the least w.
// Returns it rounded.
SLU_FUNCTION SluRatios sluRoundedOutwards(SLU_IN(SluRatios) corners, float error, float errorW, float inverse) {
  float least = sluAbs(corners.least);
  float greatest = sluAbs(corners.greatest);
  float most = least < greatest ? greatest : least;
  float wider = sluAdd(sluMul(sluAdd(error, sluMul(most, errorW)), inverse), sluMul(most, 1.9073486328125e-6f));
  SluRatios r;
  r.least = sluSub(corners.least, wider);
  r.greatest = sluAdd(corners.greatest, wider);
  return r;
}

// Finds half of what a clip coordinate changes along an edge of a box.
// row is that of the coordinate.
// extents are the box's.
// Returns it for each of the three axes.
SLU_FUNCTION SluFloat3 sluEdges(SLU_IN(SluRow) row, SLU_IN(SluFloat3) extents) {
  SluFloat3 r;
  r.x = sluMul(row.x, extents.x);
  r.y = sluMul(row.y, extents.y);
  r.z = sluMul(row.z, extents.z);
  return r;
}

// Finds a clip coordinate of a corner.
// middle is that of the center.
// edges is from `sluEdges`.
// corner is its number: bits 0, 1 and 2 are set for the greater x, y and z.
// Returns the coordinate.
SLU_FUNCTION float sluCorner(float middle, SLU_IN(SluFloat3) edges, uint corner) {
  float r = (corner & 1u) != 0u ? sluAdd(middle, edges.x) : sluSub(middle, edges.x);
  r = (corner & 2u) != 0u ? sluAdd(r, edges.y) : sluSub(r, edges.y);
  return (corner & 4u) != 0u ? sluAdd(r, edges.z) : sluSub(r, edges.z);
}

// Projects a box.
// view is the block, or in GLSL what `SLU_OCCLUSION_REF` says.
// box is in the world, with extents that are not negative.
// Returns the footprint.
SLU_FUNCTION SluFootprint sluBoxFootprint(SLU_OCCLUSION_REF view, SLU_IN(SluBox) box) {
  SluRow rowX = SLU_OCCLUSION_AT(view).rowX;
  SluRow rowY = SLU_OCCLUSION_AT(view).rowY;
  SluRow rowZ = SLU_OCCLUSION_AT(view).rowZ;
  SluRow rowW = SLU_OCCLUSION_AT(view).rowW;
  SluFloat3 reach;
  reach.x = sluAdd(sluAbs(box.center.x), box.extents.x);
  reach.y = sluAdd(sluAbs(box.center.y), box.extents.y);
  reach.z = sluAdd(sluAbs(box.center.z), box.extents.z);
  float w = sluApplyRow(rowW, box.center);
  SluFloat3 edgesW = sluEdges(rowW, box.extents);
  float halfW = sluAdd(sluAdd(sluAbs(edgesW.x), sluAbs(edgesW.y)), sluAbs(edgesW.z));
  float errorX = sluMul(2.0f, sluRowError(rowX, reach));
  float errorY = sluMul(2.0f, sluRowError(rowY, reach));
  float errorZ = sluMul(2.0f, sluRowError(rowZ, reach));
  float errorW = sluMul(2.0f, sluRowError(rowW, reach));
  float nearestW = sluSub(sluSub(w, halfW), errorW);
  bool isFinite = sluAreExtents(reach) && sluAreExtents(box.extents) && sluIsWithin(errorX, 1e12f) &&
                  sluIsWithin(errorY, 1e12f) && sluIsWithin(errorZ, 1e12f) && sluIsWithin(errorW, 1e12f);
  bool isInFront = w > 1e-12f && w < 1e12f && nearestW > sluMul(w, 0.0009765625f);
  if (!isFinite || !isInFront) {
    return sluFootprintBehind(view, isFinite && sluAdd(sluAdd(w, halfW), errorW) < 0.0f);
  }
  float middleX = sluApplyRow(rowX, box.center);
  float middleY = sluApplyRow(rowY, box.center);
  float middleZ = sluApplyRow(rowZ, box.center);
  SluFloat3 edgesX = sluEdges(rowX, box.extents);
  SluFloat3 edgesY = sluEdges(rowY, box.extents);
  SluFloat3 edgesZ = sluEdges(rowZ, box.extents);
  SluRatios x;
  x.least = 3e38f;
  x.greatest = -3e38f;
  SluRatios y = x;
  SluRatios z = x;
  for (uint corner = 0u; corner < 8u; ++corner) {
    float inverse = sluReciprocal(sluCorner(w, edgesW, corner));
    x = sluCovered(x, sluMul(sluCorner(middleX, edgesX, corner), inverse));
    y = sluCovered(y, sluMul(sluCorner(middleY, edgesY, corner), inverse));
    z = sluCovered(z, sluMul(sluCorner(middleZ, edgesZ, corner), inverse));
  }
  float inverse = sluMul(sluReciprocal(nearestW), 1.001f);
  return sluFootprintOf(view, sluRoundedOutwards(x, errorX, errorW, inverse),
                        sluRoundedOutwards(y, errorY, errorW, inverse), sluRoundedOutwards(z, errorZ, errorW, inverse));
}

// ---- The test ----

// Judges the header of a pyramid, which is not trusted.
// view is the block, or in GLSL what `SLU_OCCLUSION_REF` says.
// valid is SLU_PYRAMID_WORD_VALID of the header.
// width is SLU_PYRAMID_WORD_WIDTH.
// height is SLU_PYRAMID_WORD_HEIGHT.
// layers is SLU_PYRAMID_WORD_LAYERS.
// direction is SLU_PYRAMID_WORD_DIRECTION.
// Returns whether it may hide anything.
SLU_FUNCTION bool sluIsPyramidOf(SLU_OCCLUSION_REF view, uint valid, uint width, uint height, uint layers,
                                 uint direction) {
  return valid == SLU_PYRAMID_VALID && width == SLU_OCCLUSION_AT(view).width &&
         height == SLU_OCCLUSION_AT(view).height && layers == SLU_OCCLUSION_AT(view).layerCount &&
         direction <= SLU_DEPTH_REVERSED;
}

// Finds a texel of a level whose start is known.
// view is the block, or in GLSL what `SLU_OCCLUSION_REF` says.
// start is `sluPyramidLevelStart` of the level.
// level is that of the footprint.
// x is from its firstX to its lastX.
// y is from its firstY to its lastY.
// Returns the number of its word, from the first word of the pyramid's header.
SLU_FUNCTION uint sluLevelTexel(SLU_OCCLUSION_REF view, uint start, uint level, uint x, uint y) {
  uint width = SLU_OCCLUSION_AT(view).width;
  return SLU_OCCLUSION_AT(view).firstTexel + start + y * sluPyramidLevelSize(width, level) + x;
}

// Finds a texel.
// view is the block, or in GLSL what `SLU_OCCLUSION_REF` says.
// level is that of the footprint.
// x is from its firstX to its lastX.
// y is from its firstY to its lastY.
// Returns the number of its word, from the first word of the pyramid's header.
SLU_FUNCTION uint sluFootprintTexel(SLU_OCCLUSION_REF view, uint level, uint x, uint y) {
  uint start = sluPyramidLevelStart(SLU_OCCLUSION_AT(view).width, SLU_OCCLUSION_AT(view).height, level);
  return sluLevelTexel(view, start, level, x, y);
}

// Judges a footprint of SLU_FOOTPRINT_TEXELS.
// view is the block, or in GLSL what `SLU_OCCLUSION_REF` says.
// footprint is what the bounds cover.
// farthest is the farthest of its texels, by `sluFartherBits` of their `sluDepthBits`.
// direction is the pyramid's.
// Returns whether all of the bounds is behind.
SLU_FUNCTION bool sluIsBehind(SLU_OCCLUSION_REF view, SLU_IN(SluFootprint) footprint, uint farthest, uint direction) {
  float depth = sluFloatOf(farthest);
  float margin = SLU_OCCLUSION_AT(view).margin;
  if (direction == SLU_DEPTH_REVERSED) {
    float nearest = footprint.farthest > 0.0f ? footprint.farthest : 0.0f;
    return sluAdd(nearest, margin) < depth;
  }
  float nearest = footprint.nearest < 1.0f ? footprint.nearest : 1.0f;
  return sluSub(nearest, margin) > depth;
}

SLU_NAMESPACE_END

#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include "sluice/sluice.h"

SLU_NAMESPACE_BEGIN

// Prepares a view for the tests.
// view is one that frames take: sluice.h says what its fields hold.
// width is SluOcclusionInfo::width.
// height is SluOcclusionInfo::height.
// layerCount is SluOcclusionInfo::layerCount.
// depthMargin is SluOcclusionInfo::depthMargin; 0 stands for 2^-22.
// Returns what the other functions read.
inline SluOcclusionBlock sluPrepareOcclusion(const SluOcclusionView& view, uint width, uint height, uint layerCount,
                                             float depthMargin) {
  const auto rowOf = [&](int row, float sign) {
    const float* m = view.viewProjection + row;
    return SluRow{sluMul(sign, m[0]), sluMul(sign, m[4]), sluMul(sign, m[8]), sluMul(sign, m[12])};
  };
  const auto dot = [](const SluRow& a, const SluRow& b) {
    return sluAdd(sluAdd(sluMul(a.x, b.x), sluMul(a.y, b.y)), sluMul(a.z, b.z));
  };
  const auto cross2 = [](const SluRow& a, const SluRow& b) {
    const float x = sluSub(sluMul(a.y, b.z), sluMul(a.z, b.y));
    const float y = sluSub(sluMul(a.z, b.x), sluMul(a.x, b.z));
    const float z = sluSub(sluMul(a.x, b.y), sluMul(a.y, b.x));
    return sluAdd(sluAdd(sluMul(x, x), sluMul(y, y)), sluMul(z, z));
  };
  SluOcclusionBlock block{};
  block.rowX = rowOf(0, 1.0f);
  block.rowY = rowOf(1, (view.flags & SLU_OCCLUSION_FLIPPED_BIT) != 0 ? -1.0f : 1.0f);
  block.rowZ = rowOf(2, 1.0f);
  block.rowW = rowOf(3, 1.0f);
  block.lengthX2 = dot(block.rowX, block.rowX);
  block.lengthY2 = dot(block.rowY, block.rowY);
  block.lengthZ2 = dot(block.rowZ, block.rowZ);
  block.lengthW2 = dot(block.rowW, block.rowW);
  block.dotXW = dot(block.rowX, block.rowW);
  block.dotYW = dot(block.rowY, block.rowW);
  block.dotZW = dot(block.rowZ, block.rowW);
  block.crossXW2 = cross2(block.rowX, block.rowW);
  block.crossYW2 = cross2(block.rowY, block.rowW);
  block.crossZW2 = cross2(block.rowZ, block.rowW);
  block.halfWidth = sluMul(0.5f, static_cast<float>(width));
  block.halfHeight = sluMul(0.5f, static_cast<float>(height));
  block.margin = depthMargin > 0.0f ? depthMargin : 2.384185791015625e-7f;
  block.keepsEdges = (view.flags & SLU_OCCLUSION_EARLIER_BIT) != 0 ? 1u : 0u;
  block.width = width;
  block.height = height;
  block.layer = view.layer;
  block.layerCount = layerCount;
  block.levelCount = sluPyramidLevels(width, height);
  block.firstTexel = SLU_PYRAMID_HEADER_WORDS + view.layer * sluPyramidLayerWords(width, height);
  return block;
}

SLU_NAMESPACE_END
#endif

#endif
