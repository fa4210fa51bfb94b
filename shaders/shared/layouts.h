// Structs in GPU memory that C++ fills and kernels of every route read. They hold scalars only, so that std430, scalar
// layout and C++ agree. src/plan/layout_checks.cpp asserts their sizes. Members of other structs are multiples of 16
// bytes and hold no arrays, so that std140 agrees, too.
#ifndef SLU_LAYOUTS_H
#define SLU_LAYOUTS_H

#include "limits.h"
#include "sluice/culling_types.h"

SLU_NAMESPACE_BEGIN

// How the bounds of a record are found and transformed; offsets in words.
struct BoundsBlock {
  uint boundsOffset;
  uint boundsStride;
  uint transformStride;  // of the records, if these hold the transforms
  uint positionOffset;
  uint scaleOffset;
  uint rotationOffset;
  uint matrixOffset;
  uint neverCullMask;  // SluLayers::neverCullMask
};

// Where the numbers of a mesh lie (SluMeshes), in words from its beginning. SLU_DROPPED: nowhere. 48 bytes.
struct MeshBlock {
  uint stride;
  uint lodCount;  // SluKey::lodCount
  uint lodCountOffset;
  uint lodMaskOffset;
  uint lodStride;
  uint elementCountOffset;
  uint firstElementOffset;
  uint vertexOffsetOffset;
  uint vertexOffsetStride;  // from LOD to LOD
  uint thresholdOffset;     // nowhere: the view's distances are the thresholds
  uint thresholdsGrow;      // 1: as radii do
  uint fromNearSide;        // 1: SLU_LOD_NEAR_SIDE_BIT
};

// Groups of draws (SluGroups).
struct GroupBlock {
  uint count;       // 0: none
  uint capacity;    // commands of a group at a fixed place; 0: groups lie one behind the other
  uint meshOffset;  // in words from the beginning of a mesh. SLU_DROPPED: the group is BucketBlock::group
  uint mirroredOffset;
};

// A bucket's range of the outputs, and the template of its draw command. 32 bytes.
struct BucketBlock {
  uint capacity;
  uint firstOutput;  // within the view
  uint command[SLU_COMMAND_WORDS];
  uint group;  // of its draw
};

// Which words of the command the kernel fills: command[countWord] = kept * scale, command[firstWord] += first * scale. If
// countWord is SLU_COUNTS_WORKGROUPS, all words are numbers of workgroups, and firstWord lies behind the command. stride
// has room for a word in front, too. Of merged plans, count and scale are 1, and first is the record's index.
struct DrawBlock {
  uint wordCount;  // 0: no draws
  uint stride;     // in words
  uint countWord;
  uint firstWord;
  uint scaleWord;  // word of the template that holds the scale, or SLU_DROPPED for 1
  uint skipEmpty;
  uint frontWords;  // 1: a word stands in front of the command
  uint front;       // which one: a word of the command, or SLU_FRONT_*
};

SLU_NAMESPACE_END

#endif
