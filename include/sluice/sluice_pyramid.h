/* Sluice: depth pyramids, which tell how far a part of the screen is covered.
 *
 * See sluice.h for the conventions.
 *
 * A pyramid is a part of a buffer of the host's. A build folds the depths of a finished pass into it: each texel of a
 * level has the farthest depth of a square of pixels. The host reads it for effects of its own. sluice/pyramid.h has
 * the arithmetic as functions for C++, CUDA and GLSL.
 *
 *  - Level l has ceil(width / 2^(l+1)) times ceil(height / 2^(l+1)) texels, so level 0 has half the resolution. The
 *    last level is a single texel.
 *  - Texel (x, y) of level l has the farthest depth of those pixels from (x, y) * 2^(l+1) to (x+1, y+1) * 2^(l+1),
 *    exclusive, that exist. With SLU_DEPTH_FORWARD that is the greatest, and with SLU_DEPTH_REVERSED the least.
 *  - A depth that is not from 0 to 1 counts as the far plane: NaN, infinities, -0 and less, and what is above 1. The
 *    far plane is 1, or 0 if reversed. A texel of the far plane hides nothing, if what is tested is clamped to 0 to 1.
 *  - A header of SLU_PYRAMID_HEADER_WORDS words comes first (pyramid_values.h). Behind it lie the layers, each from its
 *    level 0 on. A level lies behind the one before it, row by row, without padding.
 *
 * The first word of the header is SLU_PYRAMID_VALID if the last build has finished, and no other word of the pyramid
 * means anything if it is not. A build clears it first, and sets it last.
 *  - Zero that word before the first build, and to make a pyramid invalid, such as after a camera cut.
 *  - If a call that builds fails, nothing was recorded, so the pyramid still is that of the last build. A reader that
 *    knows the frame finds out by SLU_PYRAMID_WORD_FRAME; else zero the word.
 *
 * Every route writes the same bytes for the same depths.
 */
#ifndef SLUICE_SLUICE_PYRAMID_H
#define SLUICE_SLUICE_PYRAMID_H

#include <sluice/sluice.h>

#include "sluice/pyramid_values.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t SluDepthDirection; /* SLU_DEPTH_FORWARD or SLU_DEPTH_REVERSED */

/* What builds pyramids of one kind. It holds no pyramid, so it may build any number of them. */
typedef struct SluPyramid_T* SluPyramid;

/* What sluCreatePyramid creates. */
typedef struct SluPyramidCreateInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_PYRAMID_CREATE_INFO */
  uint32_t structSize;
  const void* pNext;           /* NULL: builds read floats in a buffer. SluVulkanPyramidInfo, SluD3D12PyramidInfo: they
                                  read images */
  SluRoute route;              /* that builds; SLU_ROUTE_AUTO for the best one that can and whose verb the host calls */
  uint32_t width;              /* pixels of the largest viewport that is folded, 1 to SLU_MAX_PYRAMID_SIZE */
  uint32_t height;             /* the same along y */
  uint32_t layerCount;         /* 1 to SLU_MAX_PYRAMID_LAYERS */
  SluDepthDirection direction; /* where the far plane is */
  uint32_t framesInFlight;     /* SLU_ROUTE_VULKAN and SLU_ROUTE_INLINE: 1 to SLU_MAX_FRAMES_IN_FLIGHT; how many builds
                                  may be recorded and not yet completed. Other routes do not look at it */
  uint32_t reserved;           /* 0 */
} SluPyramidCreateInfo;

/* Creates what builds pyramids. It allocates all that builds need and compiles their shaders.
 * context must not be NULL.
 * info describes the pyramids. What it points to is copied.
 * pyramid receives the handle, which the host destroys with sluDestroyPyramid.
 * Returns SLU_ERROR_INVALID_ARGUMENT if a field is wrong, and SLU_ERROR_ROUTE_UNAVAILABLE or SLU_ERROR_MISSING_FEATURE
 * if the route is not available, or builds no pyramids of such a size. */
SLU_API SluResult sluCreatePyramid(SluContext context, const SluPyramidCreateInfo* info, SluPyramid* pyramid);

/* Destroys what builds pyramids. The pyramids stay, since they are the host's.
 * pyramid may be NULL. Builds that were recorded with it must have completed. */
SLU_API void sluDestroyPyramid(SluPyramid pyramid);

/* Where a level lies. */
typedef struct SluPyramidLevel {
  uint64_t offset; /* of its first texel in the first layer, from the first byte of the pyramid */
  uint32_t width;  /* texels along x; 0 for levels that the pyramid does not have */
  uint32_t height; /* texels along y */
} SluPyramidLevel;

/* The layout of a pyramid of SluPyramidCreateInfo::width and height. */
typedef struct SluPyramidProperties {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_PYRAMID_PROPERTIES */
  uint32_t structSize;
  void* pNext;                                    /* NULL */
  SluRoute route;                                 /* that builds, never SLU_ROUTE_AUTO */
  uint32_t levelCount;                            /* of each layer */
  uint64_t bytes;                                 /* of the whole pyramid, the header included */
  uint64_t layerBytes;                            /* from one layer to the next */
  uint64_t scratchBytes;                          /* what sluCreatePyramid allocated on the device */
  SluPyramidLevel levels[SLU_MAX_PYRAMID_LEVELS]; /* levelCount of them */
} SluPyramidProperties;

/* Tells how large a pyramid is, and where its levels lie.
 * pyramid must not be NULL.
 * properties is filled; the caller set its sType and structSize.
 * Returns SLU_ERROR_INVALID_ARGUMENT for a malformed properties. */
SLU_API SluResult sluGetPyramidProperties(SluPyramid pyramid, SluPyramidProperties* properties);

/* One build. */
typedef struct SluPyramidBuildInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_PYRAMID_BUILD_INFO */
  uint32_t structSize;
  const void* pNext;    /* NULL; SluVulkanDepthInfo if the pyramid was created with an SluVulkanPyramidInfo, and
                           SluD3D12DepthInfo if with an SluD3D12PyramidInfo */
  SluBinding pyramid;   /* what is written: SluPyramidProperties::bytes, or less for a smaller size. Its offset is a
                           multiple of 16 */
  SluBinding depth;     /* the depths: floats, the pixel (0, 0) of the first layer first. Must not overlap the pyramid.
                           Zero if builds read images */
  uint64_t rowPitch;    /* bytes from one row of `depth` to the next; 0: width * 4, of the pixels that are folded */
  uint64_t layerPitch;  /* bytes from one layer of `depth` to the next; 0: rowPitch * height */
  uint32_t width;       /* pixels that are folded, at most SluPyramidCreateInfo::width; 0: all of these. The layout is
                           that of the pixels that are folded */
  uint32_t height;      /* the same along y */
  uint32_t frameNumber; /* any number, which the header gets */
  uint32_t reserved;    /* 0 */
} SluPyramidBuildInfo;

/* Builds a pyramid on the CPU route, on the calling thread. On return it is written.
 * pyramid must not be NULL.
 * build binds buffers with a hostPointer.
 * Returns SLU_ERROR_ROUTE_UNAVAILABLE for a pyramid of another route, and SLU_ERROR_INVALID_ARGUMENT if a field is
 * wrong. */
SLU_API SluResult sluBuildPyramid(SluPyramid pyramid, const SluPyramidBuildInfo* build);

#ifdef __cplusplus
}
#endif

#endif
