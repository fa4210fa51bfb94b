// The competitor of the study of occlusion: what its kernels take, and their launches. levels.cuh says whose way it is.
#pragma once

#include "occlusion/street.h"
#include "workload/frame.h"

struct CUstream_st;

namespace bench {

constexpr uint32_t kMostLevels = 14;

// Level 0 has a texel for 2 x 2 pixels.
struct Levels {
  float* texels;
  uint32_t width;  // of the picture
  uint32_t height;
  uint32_t count;
  uint32_t starts[kMostLevels];  // the first texel of each

  BENCH_HOST_DEVICE uint32_t widthOf(uint32_t level) const { return ((width - 1) >> (level + 1)) + 1; }
  BENCH_HOST_DEVICE uint32_t heightOf(uint32_t level) const { return ((height - 1) >> (level + 1)) + 1; }
};

// Fills in everything except the texels. Returns how many there are.
inline uint32_t layOutLevels(const StreetSettings& settings, Levels& levels) {
  levels = {nullptr, settings.width, settings.height, 0, {}};
  uint32_t texelCount = 0;
  do {
    levels.starts[levels.count++] = texelCount;
    texelCount += levels.widthOf(levels.count - 1) * levels.heightOf(levels.count - 1);
  } while (levels.widthOf(levels.count - 1) * levels.heightOf(levels.count - 1) > 1);
  return texelCount;
}

struct StreetRecords {
  const uint32_t* buckets;
  const StreetBox* boxes;
  const StreetMatrix* matrices;
  uint32_t count;
};

struct StreetCamera {
  float rows[4][4];
  Frustum frustum;
};

struct StreetOutput {
  DrawCommand* draws;
  uint32_t* indices;
  uint32_t bucketCount;
  uint32_t capacity;  // that no bucket exceeds
};

enum class CullPass { Whole, Early, Late };

// Each is enqueued into the stream, and is one launch, except the fold, which is one per level.
void enqueueFolds(CUstream_st* stream, const float* depths, const Levels& levels);
void enqueueReset(CUstream_st* stream, const StreetOutput& output);
void enqueueCull(CUstream_st* stream, CullPass pass, const StreetRecords& records, const StreetCamera& camera,
                 const Levels& levels, const uint32_t* last, uint32_t* next, const StreetOutput& output);

// Copies by the fastest kernel of the copy study. bytes: rounded up to 16.
void enqueueCopy(CUstream_st* stream, const void* from, void* to, uint64_t bytes);

}  // namespace bench
