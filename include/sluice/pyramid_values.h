/* The values of sluice_pyramid.h that shaders and kernels read, too: one list for C, C++, CUDA and GLSL. */
#ifndef SLUICE_PYRAMID_VALUES_H
#define SLUICE_PYRAMID_VALUES_H

#define SLU_MAX_PYRAMID_SIZE 16384u /* Pixels along an edge. sluCreatePyramid refuses more. */
#define SLU_MAX_PYRAMID_LEVELS 14u  /* Levels of the largest pyramid. */
#define SLU_MAX_PYRAMID_LAYERS 16u  /* Layers of a pyramid: as many as a frame has views. */

/* A pyramid begins with a header of 16 words. They are, by their numbers: */
#define SLU_PYRAMID_WORD_VALID 0u       /* SLU_PYRAMID_VALID, or the pyramid is to be taken for empty */
#define SLU_PYRAMID_WORD_WIDTH 1u       /* pixels that were folded along x */
#define SLU_PYRAMID_WORD_HEIGHT 2u      /* pixels that were folded along y */
#define SLU_PYRAMID_WORD_LAYERS 3u      /* layers */
#define SLU_PYRAMID_WORD_LEVELS 4u      /* levels of each layer */
#define SLU_PYRAMID_WORD_DIRECTION 5u   /* SLU_DEPTH_FORWARD or SLU_DEPTH_REVERSED */
#define SLU_PYRAMID_WORD_LAYER_WORDS 6u /* words from one layer to the next */
#define SLU_PYRAMID_WORD_FRAME 7u       /* SluPyramidBuildInfo::frameNumber */
#define SLU_PYRAMID_HEADER_WORDS 16u    /* those behind are 0 */

/* What only a finished build writes to SLU_PYRAMID_WORD_VALID. */
#define SLU_PYRAMID_VALID 0x31595053u

/* Where the far plane lies: values of SluDepthDirection. */
#define SLU_DEPTH_FORWARD 0u  /* near is 0, far is 1: the greatest depth is the farthest */
#define SLU_DEPTH_REVERSED 1u /* near is 1, far is 0: the least depth is the farthest */

#endif
