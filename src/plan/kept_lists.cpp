#include "plan/kept_lists.h"

#include <algorithm>

#include "shaders/shared/frame.h"

namespace slu {
namespace {

// What lies in memory of the plan's, of all views.
struct OwnLists {
  std::uint64_t indicesBytes;
  std::uint64_t countsBytes;
};

OwnLists ownLists(const PlanLayout& layout) {
  const SluFlags own = layout.written() & ~layout.outputs;
  const std::uint64_t indices = std::uint64_t{layout.outputsPerView} * layout.maxViewCount * 4;
  const std::uint64_t counts = std::uint64_t{layout.bucketCount()} * layout.maxViewCount * sizeof(SluBucketCount);
  return {(own & SLU_OUTPUT_INDICES_BIT) != 0 ? (indices + 15) / 16 * 16 : 0,
          (own & SLU_OUTPUT_BUCKET_COUNTS_BIT) != 0 ? counts : 0};
}

Binding partOf(const Binding& memory, std::uint64_t offset, std::uint64_t bytes) {
  return {memory.buffer, memory.offset + offset, memory.address + offset, bytes};
}

}  // namespace

std::uint64_t keptListBytes(const PlanLayout& layout) {
  const OwnLists own = ownLists(layout);
  return own.indicesBytes + own.countsBytes;
}

KeptLists keptLists(const Frame& frame, const PlanLayout& layout, const Binding& memory) {
  const OwnLists own = ownLists(layout);
  KeptLists lists{frame.indices, frame.bucketCounts};
  if (own.indicesBytes != 0) lists.indices = partOf(memory, 0, own.indicesBytes);
  if (own.countsBytes != 0) lists.bucketCounts = partOf(memory, own.indicesBytes, own.countsBytes);
  return lists;
}

std::uint32_t mostGatheredChunks(const PlanLayout& layout, std::uint32_t recordCount) {
  const std::uint32_t kept = std::min(layout.outputsPerView, recordCount);
  const std::uint32_t partlyFilled = std::min(layout.bucketCount(), kept);
  return std::max(kept / SLU_GATHER_PLACES + partlyFilled, 1u);
}

std::uint32_t unitWords(const SluStream& stream, const StreamBinding& binding) {
  const std::uint64_t bits =
      binding.input.address | binding.output.address | stream.elementSize | stream.inputStride | stream.outputStride;
  return bits % 16 == 0 ? 4 : bits % 8 == 0 ? 2 : 1;
}

}  // namespace slu
