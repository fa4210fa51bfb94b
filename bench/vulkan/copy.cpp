// The whole input copied: by vkCmdCopyBuffer, and by a shader.
#include <cstdint>

#include "copy.comp.h"
#include "vulkan/compute_pipeline.h"
#include "vulkan/vulkan_competitor.h"

namespace bench {
namespace {

class CopyFrames : public PreparedVulkanCompetitor {
 public:
  void recordPoison(VkCommandBuffer) override {}
  std::vector<DrawCommand> draws() const override { return {}; }
};

class TransferFrames : public CopyFrames {
 public:
  TransferFrames(const VulkanDevice&, uint64_t bytes, const VulkanFrame& frame) : bytes_(bytes), frame_(frame) {}

  void record(VkCommandBuffer commands) override {
    const VkBufferCopy region{0, 0, bytes_};
    vkCmdCopyBuffer(commands, frame_.input.get(), frame_.output.get(), 1, &region);
  }
  VkPipelineStageFlags stages() const override { return VK_PIPELINE_STAGE_TRANSFER_BIT; }

 private:
  const uint64_t bytes_;
  const VulkanFrame frame_;
};

class ShaderFrames : public CopyFrames {
 public:
  ShaderFrames(const VulkanDevice& device, uint64_t bytes, const VulkanFrame& frame)
      : pipeline_(device, copy_comp, kPushedBytes, {}),
        pushed_{frame.input.address(), frame.output.address(), static_cast<uint32_t>(bytes / sizeof(uint32_t))} {}

  void record(VkCommandBuffer commands) override {
    constexpr uint32_t kGroupWords = 4 * 256;
    pipeline_.record(commands, &pushed_, pushed_.wordCount / kGroupWords + 1);
  }
  VkPipelineStageFlags stages() const override { return VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT; }

 private:
  // The layout is that of copy.comp.
  struct Pushed {
    VkDeviceAddress from;
    VkDeviceAddress to;
    uint32_t wordCount;
  };
  static constexpr uint32_t kPushedBytes = 20;

  const ComputePipeline pipeline_;
  const Pushed pushed_;
};

template <typename Frames>
class Copy : public VulkanCompetitor {
 public:
  explicit Copy(const char* name) : name_(name) {}

  std::string name() const override { return name_; }
  Role role() const override { return Role::Copy; }
  std::string refusal(const Workload&) const override { return {}; }
  std::unique_ptr<PreparedVulkanCompetitor> prepare(const VulkanDevice& device, const Workload& workload,
                                                    const VulkanFrame& frame) const override {
    return std::make_unique<Frames>(device, workload.inputBytes(), frame);
  }

 private:
  const char* const name_;
};

}  // namespace

std::unique_ptr<VulkanCompetitor> makeVulkanCopy() { return std::make_unique<Copy<TransferFrames>>("vulkan-copy"); }
std::unique_ptr<VulkanCompetitor> makeVulkanCopyShader() {
  return std::make_unique<Copy<ShaderFrames>>("vulkan-copy-shader");
}

}  // namespace bench
