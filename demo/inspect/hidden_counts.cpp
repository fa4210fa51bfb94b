#include "inspect/hidden_counts.h"

#include <algorithm>
#include <cstring>

#include "inspect/reject_counts.h"
#include "spirv/inspect/hidden_count.comp.h"

namespace demo {

HiddenCounts::HiddenCounts(const Device& device, const SluKey& key)
    : layout_(createPipelineLayout(device, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(CountPush))),
      bucketCount_(std::max(key.keyCount, 1u) * std::max(key.lodCount, 1u)) {
  pipeline_ = createComputePipeline(device, layout_, hidden_count_comp, "hidden counts");
  for (Buffer& counts : counts_)
    counts =
        Buffer(device, uint64_t{kCountedKinds} * bucketCount_ * sizeof(uint32_t), 0, Memory::Readback, "hidden counts");
}

void HiddenCounts::record(VkCommandBuffer commands, uint32_t slot, const TestedRecords& tested) const {
  recordCount(commands, pipeline_, layout_, tested, counts_[slot]);
}

CountsByBucket HiddenCounts::read(uint32_t slot) const {
  const auto countsOf = [&](uint32_t kind) {
    std::vector<uint32_t> counts(bucketCount_);
    const size_t bytes = counts.size() * sizeof(uint32_t);
    std::memcpy(counts.data(), counts_[slot].mapped() + kind * bytes, bytes);
    return counts;
  };
  return {countsOf(kCountedHidden), countsOf(kCountedFacingAway), countsOf(kCountedPassed)};
}

}  // namespace demo
