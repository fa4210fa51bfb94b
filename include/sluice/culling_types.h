// The structs of sluice/culling.h and sluice/occlusion.h, for C++, CUDA and GLSL. They hold scalars only, so that
// std430, scalar layout and C++ agree.
#ifndef SLUICE_CULLING_TYPES_H
#define SLUICE_CULLING_TYPES_H

#include "sluice/language.h"
#include "sluice/values.h"

SLU_NAMESPACE_BEGIN

// A point or a direction.
struct SluFloat3 {
  float x;  // along the first axis
  float y;  // along the second axis
  float z;  // along the third axis
};

// A quaternion. Its length is 1.
struct SluFloat4 {
  float x;  // the vector's first part
  float y;  // the vector's second part
  float z;  // the vector's third part
  float w;  // the scalar part
};

// The bounds of a record, as records and streams hold them.
struct SluSphere {
  SluFloat3 center;  // in the space of the mesh or in the world
  float radius;      // at least 0
};

// A bounding box. SluBounds says how it is stored and transformed.
struct SluBox {
  SluFloat3 center;   // in the space of the mesh or in the world
  SluFloat3 extents;  // from the center to a side, along the axes of that space; at least 0
};

// A cone of normals, as records and streams hold it (SluCones).
struct SluCone {
  SluFloat3 axis;  // in the space of the bounds, of length 1
  float cutoff;    // from 0 to below 1; others reject nothing
};

// A cone in the world. `sluMoveCone` makes it.
struct SluMovedCone {
  SluFloat3 axis;  // as long as the transform stretches normals
  float cutoff2;   // the square of a cutoff for an axis of this length
  float reach;     // the radius of the cluster, times the determinant of the transform
};

// Moves points: x * p.x + y * p.y + z * p.z + translation.
struct SluMatrix {
  SluFloat3 x;            // the first column
  SluFloat3 y;            // the second column
  SluFloat3 z;            // the third column
  SluFloat3 translation;  // the fourth column
};

#define SLU_PLANES 6u  // of a view

// A view as the tests read it: lengths are squared, so that no test divides or takes a root. `sluPrepareView` makes it
// of an SluView. 192 bytes.
struct SluViewBlock {
  float planes[24];                       // six planes of four floats, as in SluView::planes
  float eyeX;                             // SluView::eye
  float eyeY;                             // SluView::eye
  float eyeZ;                             // SluView::eye
  float minDistance2;                     // SluView::minDistance, squared
  float maxDistance2;                     // SluView::maxDistance, squared
  float minSizeRatio2;                    // SluView::minSizeRatio, squared
  float lodDistance2[SLU_MAX_LODS - 1u];  // SluView::lodDistances, squared
  float lodRatio2;                        // SluView::lodRatio, squared; 1 by SLU_LOD_VIEW_DISTANCES
  float minRadius2;                       // of an orthographic view SluView::minSizeRatio, squared, instead; else 0
  float lodDistanceScaled2;               // of an orthographic view SluView::lodRatio, squared, instead; else 0
  uint layerMask;                         // SluView::layerMask
  uint morePlanes;                        // of the library's frames: where six more planes are. Else 0
  uint eitherFrustum;                     // SLU_VIEW_EITHER_FRUSTUM_BIT of SluView::flags: 1. Else 0
  uint isOrthographic;                    // SLU_VIEW_ORTHOGRAPHIC_BIT of SluView::flags: 1. Else 0
  float directionX;                       // SluView::direction
  float directionY;                       // SluView::direction
  float directionZ;                       // SluView::direction
  float directionLength2;                 // the square of its length
};

// A row of a matrix: row.x * x + row.y * y + row.z * z + row.w.
struct SluRow {
  float x;  // of x
  float y;  // of y
  float z;  // of z
  float w;  // what is added
};

// A view's matrix and its layer of a pyramid. `sluPrepareOcclusion` makes it of an SluOcclusionView. 144 bytes.
struct SluOcclusionBlock {
  SluRow rowX;       // of clip x
  SluRow rowY;       // of clip y, negated for SLU_OCCLUSION_FLIPPED_BIT
  SluRow rowZ;       // of clip z
  SluRow rowW;       // of clip w
  float lengthX2;    // the square of the length of rowX without its w; so are the next three
  float lengthY2;    // of rowY
  float lengthZ2;    // of rowZ
  float lengthW2;    // of rowW
  float dotXW;       // the dot product of rowX and rowW without their w
  float dotYW;       // of rowY and rowW
  float dotZW;       // of rowZ and rowW
  float crossXW2;    // the square of the length of their cross product; so are the next two
  float crossYW2;    // of rowY and rowW
  float crossZW2;    // of rowZ and rowW
  float halfWidth;   // half the pixels along x
  float halfHeight;  // half the pixels along y
  float margin;      // SluOcclusionInfo::depthMargin
  uint width;        // pixels along x
  uint height;       // pixels along y
  uint layer;        // of the pyramid
  uint layerCount;   // that the pyramid is to have
  uint levelCount;   // of a layer
  uint firstTexel;   // the number of the layer's first word, from the first word of the pyramid's header
  uint keepsEdges;   // SLU_OCCLUSION_EARLIER_BIT: 1. Else 0
};

SLU_NAMESPACE_END

#endif
