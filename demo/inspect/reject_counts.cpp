#include "inspect/reject_counts.h"

#include <algorithm>
#include <cstring>

#include "base/failure.h"
#include "spirv/inspect/reject_count.comp.h"

namespace demo {
namespace {

constexpr uint32_t kGroupSize = 256;   // local size of the shaders
constexpr uint32_t kMaxGroups = 4096;  // more records than these cover are taken in turns
using Counts = std::array<uint32_t, kOutcomeCount>;

}  // namespace

void recordCount(VkCommandBuffer commands, VkPipeline pipeline, VkPipelineLayout layout, const TestedRecords& tested,
                 const Buffer& counts) {
  vkCmdFillBuffer(commands, counts.get(), 0, VK_WHOLE_SIZE, 0);
  memoryBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
  const CountPush push = {tested.tests, tested.records,   tested.meshes,
                          tested.flags, tested.liveCount, counts.address()};
  bindCompute(commands, pipeline, layout, push);
  vkCmdDispatch(commands, std::clamp((tested.count + kGroupSize - 1) / kGroupSize, 1u, kMaxGroups), 1, 1);
  memoryBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                VK_ACCESS_HOST_READ_BIT);
}

RejectCounts::RejectCounts(const Device& device)
    : layout_(createPipelineLayout(device, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(CountPush))) {
  pipeline_ = createComputePipeline(device, layout_, reject_count_comp, "reject counts");
  for (Buffer& counts : counts_) counts = Buffer(device, sizeof(Counts), 0, Memory::Readback, "reject counts");
}

void RejectCounts::record(VkCommandBuffer commands, uint32_t slot, const TestedRecords& tested) const {
  recordCount(commands, pipeline_, layout_, tested, counts_[slot]);
}

std::vector<std::string> RejectCounts::compare(uint32_t slot, const SluStatistics& statistics) const {
  Counts counts, expected;
  std::memcpy(counts.data(), counts_[slot].mapped(), sizeof(counts));
  std::copy(std::begin(statistics.rejectedCount), std::end(statistics.rejectedCount), expected.begin());
  expected[kPassed] = statistics.demandedCount;
  std::vector<std::string> differences;
  for (uint32_t outcome = 0; outcome < kOutcomeCount; ++outcome)
    if (counts[outcome] != expected[outcome])
      differences.push_back(sentence("ghosts, ", outcomeName(outcome), ": ", counts[outcome],
                                     " where the statistics have ", expected[outcome]));
  return differences;
}

}  // namespace demo
