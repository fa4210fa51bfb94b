// Into which dispatches the frames of a plan are divided, and where their scratch holds what.
#pragma once

#include <cstdint>

#include "plan/layout.h"
#include "routes/shaders/kernel_constants.h"
#include "shaders/shared/frame.h"

namespace slu {

struct Dispatches {
  KernelConstants constants{};
  Kernel compacting = Kernel::compact;  // writes what is kept
  std::uint32_t mostChunks = 0;         // 0 unless dispatches count and scan first
};

Dispatches divideFrames(const PlanLayout& layout, const KernelConstants& constants, Kernel compacting);

// Returns the number of tiles of a frame, at least one.
std::uint32_t tileCountOf(const Dispatches& dispatches, std::uint32_t recordCount);

// Returns how many chunks of records a frame of so many tiles is counted in, or of a sparse plan chunks of buckets; 0 if
// it is not.
std::uint32_t chunkCountOf(const PlanLayout& layout, const Dispatches& dispatches, const Frame& frame);

// Returns how many workgroups the kernel has that writes what is kept.
std::uint32_t workgroupCount(const PlanLayout& layout, const Dispatches& dispatches, const FramePart& part,
                             std::uint32_t tileCount);

// Returns how many workgroups gather has in x.
std::uint32_t gatherCount(const PlanLayout& layout, std::uint32_t recordCount);

// Returns how many workgroups find_visible has in x.
std::uint32_t findVisibleCount(std::uint32_t recordCount);

// Returns the units, in words, in which shaders/movers/wide.glsl and sorted.glsl move records.
std::uint32_t unitWords(const PlanLayout& layout);

// Scratch: the plan's uniforms, those of frames that read records once for all views, and the buckets; then the counters,
// and where tiles tell what they keep.
constexpr std::uint64_t kFirstBucketOffset = sizeof(PlanPart);
constexpr std::uint64_t kUniformBytes = kFirstBucketOffset + sizeof(BucketBlock);
constexpr std::uint64_t kViewsUniformsOffset = 512;
constexpr std::uint64_t kBucketsOffset = 1024;
static_assert(kUniformBytes <= kViewsUniformsOffset && kViewsUniformsOffset + kUniformBytes <= kBucketsOffset);

// Returns where the counters begin, which each frame leaves zero.
std::uint64_t countersOffset(const PlanLayout& layout);
// Returns where the places of packed buckets begin.
std::uint64_t placesOffset(const PlanLayout& layout);
// Returns where the groups of draws begin.
std::uint64_t groupsOffset(const PlanLayout& layout);
// Returns where that begins what tiles tell, behind all else.
std::uint64_t chunksOffset(const PlanLayout& layout);
// Returns the bytes of what tiles tell, of all views: the chunks' counts, and a bit per record. Of a sparse plan: the
// chunks' sums, two words per record, and where each bucket begins.
std::uint64_t chunkBytes(const PlanLayout& layout, const Dispatches& dispatches);

// Where kernels find the parts of scratch.
struct ScratchPlaces {
  std::uint64_t buckets;
  std::uint64_t counters;  // at countersOffset
  std::uint64_t places;    // at placesOffset
  std::uint64_t groups;    // at groupsOffset
  std::uint64_t chunks;    // of these dispatches
  std::uint64_t step;      // bytes from a place to the next one
};

// Writes the plan's uniforms: kUniformBytes.
void writeUniforms(void* uniforms, const PlanLayout& layout, const Dispatches& dispatches, const ScratchPlaces& places);

}  // namespace slu
