// vkCmdCopyBuffer of the whole input.
#include "vulkan/vulkan_competitor.h"

namespace bench {
namespace {

class CopyFrames : public PreparedVulkanCompetitor {
 public:
  CopyFrames(uint64_t bytes, const VulkanFrame& frame) : bytes_(bytes), frame_(frame) {}

  void record(VkCommandBuffer commands) override {
    const VkBufferCopy region{0, 0, bytes_};
    vkCmdCopyBuffer(commands, frame_.input.get(), frame_.output.get(), 1, &region);
  }
  VkPipelineStageFlags stages() const override { return VK_PIPELINE_STAGE_TRANSFER_BIT; }
  void recordPoison(VkCommandBuffer) override {}
  std::vector<DrawCommand> draws() const override { return {}; }

 private:
  const uint64_t bytes_;
  const VulkanFrame frame_;
};

class Copy : public VulkanCompetitor {
 public:
  std::string name() const override { return "vulkan-copy"; }
  Role role() const override { return Role::Copy; }
  std::string refusal(const Workload&) const override { return {}; }
  std::unique_ptr<PreparedVulkanCompetitor> prepare(const VulkanDevice&, const Workload& workload,
                                                    const VulkanFrame& frame) const override {
    return std::make_unique<CopyFrames>(workload.inputBytes(), frame);
  }
};

}  // namespace

std::unique_ptr<VulkanCompetitor> makeVulkanCopy() { return std::make_unique<Copy>(); }

}  // namespace bench
