/* The values of sluice.h that shaders and kernels read, too: one list for C, C++, CUDA and GLSL. */
#ifndef SLUICE_VALUES_H
#define SLUICE_VALUES_H

/* In GLSL, which has no enumerations, they are constants. */
#ifdef GL_core_profile
#define SLU_ENUM(Name) const uint
#define SLU_ENUM_END(Name)
#else
#define SLU_ENUM(Name) typedef enum Name {
#define SLU_ENUM_END(Name) \
  }                        \
  Name
#endif

#define SLU_MAX_LODS 8u /* Levels of detail per key. sluCreatePlan refuses more. */

/* Of states of LODs (SluLod). */
#define SLU_LOD_NONE 0xffu             /* In the place of a LOD: there is none. */
#define SLU_LOD_STATE_NONE 0x00ffffffu /* The state of a record that is not kept: no LOD, and no change under way. */

/* clang-format off */

/* Which records are live. A record is kept if it is live, its key is below keyCount, and it passes every test of
 * cullFlags. Record i is the one at i * recordStride. */
SLU_ENUM(SluLiveTest)
  SLU_LIVE_ALWAYS = 0,         /* all of them */
  SLU_LIVE_NON_EMPTY = 1,      /* any of the bytes [offset, offset + size) of the record is non-zero */
  SLU_LIVE_POSITIVE_INT = 2,   /* the int32 at offset is > 0 */
  SLU_LIVE_POSITIVE_FLOAT = 3, /* the float at offset is > 0; NaN is not, a denormal is */
  SLU_LIVE_FLAG_BITS = 4,      /* stream `flags`: bit i % 32 of word i / 32 is set */
  SLU_LIVE_FLAG_BYTES = 5,     /* stream `flags`: byte i is non-zero */
  SLU_LIVE_FLAG_WORDS = 6,     /* stream `flags`: word i is non-zero */
  SLU_LIVE_CUSTOM = 7,         /* a predicate of the host's decides, which the plan chains; SLU_MAX_PREDICATE_STATE */
  SLU_LIVE_MASK_EQUAL = 8,     /* (word & liveMask) == liveValue, of the uint32 at offset; the two are the plan's */
  SLU_LIVE_TEST_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluLiveTest);

/* Tests that reject a record. They compare its bounds in the world (SluBounds), or its layers (SluLayers), with the
 * view (SluView). */
SLU_ENUM(SluCullFlagBits)
  SLU_CULL_DISTANCE_BIT = 1, /* minDistance <= |center - eye| <= maxDistance */
  SLU_CULL_FRUSTUM_BIT = 2,  /* for each of the six planes: dot(normal, center) + w >= -radius; of a box, the radius is
                                dot(|normal|, extents) */
  SLU_CULL_SIZE_BIT = 4,     /* radius / |center - eye| >= minSizeRatio; of a box, the radius is |extents| */
  SLU_CULL_LAYERS_BIT = 8,   /* (layers & layerMask) != 0; reads no bounds */
  SLU_CULL_MORE_PLANES_BIT = 16, /* a part of SLU_CULL_FRUSTUM_BIT, which it needs: views may have six more planes each
                                    (SluMorePlanes) */
  SLU_CULL_OCCLUSION_BIT = 32, /* frames with an SluOcclusionInfo reject what lies behind the depths of a pyramid */
  SLU_CULL_CONE_BIT = 64, /* the record is a cluster of triangles, of which one at least may face the eye (SluCones) */
  SLU_CULL_FLAG_BITS_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluCullFlagBits);

/* What the host does with clusters that its cones describe. */
SLU_ENUM(SluConeFlagBits)
  SLU_CONE_FIXED_FRONT_FACE_BIT = 1, /* it draws all records with one front face, so that a transform that mirrors turns
                                        triangles around. Else it flips the front face for such records, or the winding
                                        of their triangles; SLU_PLAN_SPLIT_MIRRORED_BIT tells them apart */
  SLU_CONE_FLAG_BITS_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluConeFlagBits);

/* Where bounds are. */
SLU_ENUM(SluBoundsSource)
  SLU_BOUNDS_NONE = 0,       /* nowhere: the plan neither culls nor has LODs */
  SLU_BOUNDS_IN_RECORD = 1,  /* at `offset` of the record */
  SLU_BOUNDS_PER_RECORD = 2, /* stream `bounds`: element i, i the record's index */
  SLU_BOUNDS_PER_KEY = 3,    /* stream `bounds`: element k, k the record's key (a mesh's own bounds) */
  SLU_BOUNDS_CONSTANT = 4,   /* stream `bounds`: its one element, for all records */
  SLU_BOUNDS_IN_MESH = 5,    /* at `offset` of the mesh that the record's key names (SluMeshes) */
  SLU_BOUNDS_SOURCE_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluBoundsSource);

/* The shape of bounds, and how memory holds it. */
SLU_ENUM(SluBoundsShape)
  SLU_SHAPE_SPHERE = 0,  /* 4 floats: center x, y, z; radius >= 0 */
  SLU_SHAPE_BOX = 1,     /* 6 floats: center x, y, z; extents x, y, z >= 0, from the center to a side */
  SLU_SHAPE_CORNERS = 2, /* 6 floats: a box by its minimum x, y, z and its maximum x, y, z */
  SLU_SHAPE_BOX_VEC4 = 3,     /* 8 floats: as SLU_SHAPE_BOX, with a float that is not used behind either half */
  SLU_SHAPE_CORNERS_VEC4 = 4, /* 8 floats: as SLU_SHAPE_CORNERS, with a float that is not used behind either half */
  SLU_BOUNDS_SHAPE_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluBoundsShape);

/* Which parts of a transform a record has. Offsets are those of SluBounds. */
SLU_ENUM(SluTransformFlagBits)
  SLU_TRANSFORM_POSITION_BIT = 1,   /* 3 floats at positionOffset */
  SLU_TRANSFORM_SCALE_BIT = 2,      /* 1 float at scaleOffset; its magnitude scales the radius */
  SLU_TRANSFORM_ROTATION_BIT = 4,   /* unit quaternion x, y, z, w at rotationOffset */
  SLU_TRANSFORM_AXIS_SCALE_BIT = 8, /* 3 floats at scaleOffset: the scale of each axis, before the rotation; instead of
                                       SLU_TRANSFORM_SCALE_BIT */
  SLU_TRANSFORM_MATRIX_BIT = 16,    /* a matrix at matrixOffset, as matrixForm says; instead of all others */
  SLU_TRANSFORM_FLAG_BITS_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluTransformFlagBits);

/* How a matrix lies in memory. It multiplies column vectors: world = linear part * local + translation. */
SLU_ENUM(SluMatrixForm)
  SLU_MATRIX_ROWS = 0,        /* three rows of 4 floats, 48 bytes; the fourth of each is the translation. It is also a
                                 4x4 matrix whose rows lie one behind the other: the last row is not read */
  SLU_MATRIX_COLUMNS_4X4 = 1, /* four columns of 4 floats, 64 bytes, the last one the translation; the fourth float of
                                 each is not used */
  SLU_MATRIX_COLUMNS_3X4 = 2, /* four columns of 3 floats, 48 bytes, the last one the translation */
  SLU_MATRIX_FORM_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluMatrixForm);

/* Which streams are read by a number in the record. Offsets are those of SluIndices. */
SLU_ENUM(SluIndexedStreamBits)
  SLU_INDEXED_BOUNDS_BIT = 1,     /* SluFrameInfo::bounds */
  SLU_INDEXED_TRANSFORMS_BIT = 2, /* SluFrameInfo::transforms */
  SLU_INDEXED_LAYERS_BIT = 4,     /* SluFrameInfo::layers */
  SLU_INDEXED_STREAM_BITS_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluIndexedStreamBits);

/* Which numbers a mesh has. Offsets are those of SluMeshes. */
SLU_ENUM(SluMeshPartBits)
  SLU_MESH_LOD_COUNT_BIT = 1,         /* uint32: how many LODs it has. LODs from SluKey::lodCount on are not used. With
                                         0 its records are rejected. Without: SluKey::lodCount */
  SLU_MESH_LOD_MASK_BIT = 2,          /* uint32: bit l is set if LOD l is resident. Without: all are */
  SLU_MESH_FIRST_ELEMENT_BIT = 4,     /* uint32 of each LOD: firstVertex or firstIndex. Without: 0 */
  SLU_MESH_VERTEX_OFFSET_BIT = 8,     /* int32 that all LODs share; SLU_DRAW_INDEXED_INSTANCES only. Without: 0 */
  SLU_MESH_LOD_VERTEX_OFFSET_BIT = 16, /* int32 of each LOD instead */
  SLU_MESH_PART_BITS_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluMeshPartBits);

/* What the LOD of a record depends on. A record gets the last LOD that it reaches, or else LOD 0. */
SLU_ENUM(SluLodRule)
  SLU_LOD_VIEW_DISTANCES = 0, /* LOD l is reached if SluView::lodDistances[l - 1] <= distance, for all meshes alike */
  SLU_LOD_MESH_DISTANCES = 1, /* if the mesh's threshold of LOD l <= SluView::lodRatio * distance */
  SLU_LOD_MESH_ERRORS = 2,    /* if the mesh's threshold of LOD l * the record's scale <= lodRatio * distance; the scale
                                 is the one that radii grow by (SluBounds) */
  SLU_LOD_RULE_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluLodRule);

/* How LODs are chosen. */
SLU_ENUM(SluLodFlagBits)
  SLU_LOD_NEAR_SIDE_BIT = 1, /* the distance is |center - eye| - radius, of a box less its half diagonal; else it is
                                |center - eye|. It is right while |center - eye|, times lodRatio by the rules of meshes,
                                is from 1e-9 to 4e9; farther away an LOD may be too coarse, nearer too fine */
  SLU_LOD_STATES_BIT = 2,    /* LODs also depend on those of the last frame: frames read SluFrameInfo::lastLodStates and
                                write SluFrameInfo::lodStates (SluLod) */
  SLU_LOD_FLAG_BITS_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluLodFlagBits);

/* What kind of view SluView describes. */
SLU_ENUM(SluViewFlagBits)
  SLU_VIEW_ORTHOGRAPHIC_BIT = 1, /* sizes on screen do not depend on the distance: SLU_CULL_SIZE_BIT and LODs take 1 for
                                    it, and for that of the near side. SLU_CULL_DISTANCE_BIT takes |center - eye| */
  SLU_VIEW_EITHER_FRUSTUM_BIT = 2, /* the planes of the view's SluMorePlanes are a second frustum, for one output of two
                                      eyes: a record passes SLU_CULL_FRUSTUM_BIT if it passes the six planes of SluView
                                      or those six. The view needs an element of SluFrameInfo::morePlanes */
  SLU_VIEW_FLAG_BITS_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluViewFlagBits);

/* What a plan writes. SluPlanProperties tells the bytes of each output. Buckets lie one behind the other in the order
 * of their numbers, unless they are merged, and views one behind the other. The first output of bucket b in view v is
 * v * SluPlanProperties::outputsPerView, and in addition
 *  - SLU_PLACEMENT_RESERVED: the sum of the capacities before b;
 *  - SLU_PLACEMENT_PACKED: the sum of what the view keeps in the buckets before b;
 *  - SLU_PLACEMENT_MERGED: nothing, for all buckets together.
 * Elements behind the kept ones of a bucket or, unless buckets are reserved, of a view are not written. */
SLU_ENUM(SluOutputFlagBits)
  SLU_OUTPUT_INDICES_BIT = 1,        /* uint32: index of the kept record in the input */
  SLU_OUTPUT_RECORDS_BIT = 2,        /* the kept records, dense, recordStride apart */
  SLU_OUTPUT_DRAWS_BIT = 4,          /* a draw command per view and bucket, draws.stride apart, view by view; with
                                        SluGroups::drawCapacity so many per view and group; with SLU_PLACEMENT_MERGED
                                        one per kept record */
  SLU_OUTPUT_DRAW_COUNTS_BIT = 8,    /* uint32 per view, or per view and group: the draws that hold work */
  SLU_OUTPUT_STATISTICS_BIT = 16,    /* SluStatistics per view */
  SLU_OUTPUT_BUCKET_COUNTS_BIT = 32, /* SluBucketCount per view and bucket */
  SLU_OUTPUT_REJECTS_BIT = 64,       /* uint32: index of a rejected record in the input, of each record that is rejected
                                        for one of the reasons of SluRejects. The list of view v begins at element
                                        v * SluRejects::capacity, and is in the order of the plan */
  SLU_OUTPUT_REJECT_COUNTS_BIT = 128, /* SluBucketCount per view, of the list of rejects: demandedCount is how many
                                         records are rejected for these reasons, keptCount how many the list has */
  SLU_OUTPUT_FLAG_BITS_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluOutputFlagBits);

/* Why a record is not kept, in the order of the tests unless a reason says another place; that of layers follows that
 * of the key. The first test that fails counts. */
SLU_ENUM(SluReject)
  SLU_REJECT_NOT_LIVE = 0, /* the live test, or one of the two */
  SLU_REJECT_KEY = 1,      /* the key is keyCount or more, or the frame has no such mesh */
  SLU_REJECT_INVALID = 2,  /* bounds that are not finite, have a negative radius or are too far away (SluBounds) */
  SLU_REJECT_DISTANCE = 3, /* SLU_CULL_DISTANCE_BIT */
  SLU_REJECT_FRUSTUM = 4,  /* SLU_CULL_FRUSTUM_BIT */
  SLU_REJECT_SIZE = 5,     /* SLU_CULL_SIZE_BIT */
  SLU_REJECT_LOD = 6,      /* the mesh has no LOD that is resident */
  SLU_REJECT_LAYER = 7,    /* SLU_CULL_LAYERS_BIT */
  SLU_REJECT_OCCLUDED = 8, /* SLU_CULL_OCCLUSION_BIT; after SLU_REJECT_SIZE */
  SLU_REJECT_OTHER_PHASE = 9, /* the frame is one of two phases, and the other one decides about the record; before
                                 SLU_REJECT_INVALID */
  SLU_REJECT_CONE = 10,       /* SLU_CULL_CONE_BIT; after SLU_REJECT_SIZE, before SLU_REJECT_OCCLUDED */
  SLU_REJECT_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluReject);
#define SLU_REJECT_COUNT 11u /* Reasons of SluReject. */

/* What a frame with an SluOcclusionInfo tests. */
SLU_ENUM(SluOcclusionPhase)
  SLU_OCCLUSION_SINGLE = 1, /* everything, against a pyramid that an earlier frame has left. Keeps what it does not
                               hide */
  SLU_OCCLUSION_FIRST = 2,  /* nothing. Keeps what the last frame saw, which the host draws to build the pyramid */
  SLU_OCCLUSION_SECOND = 3, /* everything, against that pyramid. Keeps what it does not hide and the first phase has
                               not kept */
  SLU_OCCLUSION_PHASE_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluOcclusionPhase);

/* What kind of picture a matrix leads to. */
SLU_ENUM(SluOcclusionFlagBits)
  SLU_OCCLUSION_FLIPPED_BIT = 1, /* clip y of 1 is the first row of depths: Direct3D, and Vulkan with a viewport of
                                    negative height. Without: clip y of -1 is */
  SLU_OCCLUSION_EARLIER_BIT = 2, /* SLU_OCCLUSION_SINGLE: the pyramid and the matrix are those of an earlier frame. The
                                    matrix is not compared with the planes, and bounds that reach beyond the picture are
                                    not occluded */
  SLU_OCCLUSION_FLAG_BITS_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluOcclusionFlagBits);

/* What did not fit. Frames set bits and never clear them, so that a host which looks seldom misses none. */
SLU_ENUM(SluOverflowFlagBits)
  SLU_OVERFLOW_CAPACITY_BIT = 1, /* more records passed than a bucket's capacity, and the surplus was dropped: the last
                                    records if the order is stable, else any. Raise SluBucket::capacity. If buckets are
                                    packed, the last of them were cut; if they are packed or merged, raise
                                    SluPlanCreateInfo::capacity */
  SLU_OVERFLOW_INPUT_BIT = 2,    /* the live count exceeded recordCount and was clamped to it */
  SLU_OVERFLOW_DRAWS_BIT = 4,    /* draws had no place and were left out: a mesh names a group that the plan does not
                                    have, or a group has more draws than SluGroups::drawCapacity */
  SLU_OVERFLOW_REJECTS_BIT = 8,  /* more records were rejected than SluRejects::capacity, and the surplus was dropped:
                                    the last records if the order is stable, else any */
  SLU_OVERFLOW_FLAG_BITS_MAX_ENUM = 0x7fffffff
SLU_ENUM_END(SluOverflowFlagBits);

/* clang-format on */

#undef SLU_ENUM
#undef SLU_ENUM_END

#endif
