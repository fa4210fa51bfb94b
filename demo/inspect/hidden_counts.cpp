#include "inspect/hidden_counts.h"

#include <cstring>

#include "inspect/reject_counts.h"
#include "spirv/inspect/hidden_count.comp.h"

namespace demo {

HiddenCounts::HiddenCounts(const Device& device, uint32_t bucketCount)
    : layout_(createPipelineLayout(device, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(CountPush))) {
  pipeline_ = createComputePipeline(device, layout_, hidden_count_comp, "hidden counts");
  for (Buffer& counts : counts_)
    counts = Buffer(device, bucketCount * sizeof(uint32_t), 0, Memory::Readback, "hidden counts");
}

void HiddenCounts::record(VkCommandBuffer commands, uint32_t slot, const TestedRecords& tested) const {
  recordCount(commands, pipeline_, layout_, tested, counts_[slot]);
}

std::vector<uint32_t> HiddenCounts::read(uint32_t slot) const {
  std::vector<uint32_t> counts(counts_[slot].size() / sizeof(uint32_t));
  std::memcpy(counts.data(), counts_[slot].mapped(), counts.size() * sizeof(uint32_t));
  return counts;
}

}  // namespace demo
