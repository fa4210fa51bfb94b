// The ways of renderers as compute shaders: see literature/renderers.cuh.
#include <cstdint>

#include "bevy_build.comp.h"
#include "bevy_preprocess.comp.h"
#include "bevy_reset.comp.h"
#include "niagara.comp.h"
#include "vulkan/compute_pipeline.h"
#include "vulkan/record_push.h"

namespace bench {
namespace {

constexpr uint32_t kGroupThreads = 64;
constexpr uint32_t kBinBytes = 20;  // see bins.glsl

uint32_t groupsOf(uint32_t count) { return (count - 1) / kGroupThreads + 1; }

class BevyFrames : public PreparedVulkanCompetitor {
 public:
  BevyFrames(const VulkanDevice& device, const Workload& workload, const VulkanFrame& frame)
      : workload_(workload),
        bins_(device, uint64_t{workload.bucketCount} * kBinBytes),
        draws_(device, workload.drawPlaceCount() * sizeof(DrawCommand)),
        drawCounts_(device, workload.drawCountCount() * sizeof(uint32_t)),
        frustum_(device),
        reset_(device, bevy_reset_comp, kRecordPushBytes, recordConstants(workload)),
        preprocess_(device, bevy_preprocess_comp, kRecordPushBytes, recordConstants(workload)),
        build_(device, bevy_build_comp, kRecordPushBytes, recordConstants(workload)),
        push_(makeRecordPush(workload, frame, frustum_)) {
    push_.draws = draws_.address();
    push_.others = bins_.address();
    push_.drawCounts = drawCounts_.address();
  }

  void record(VkCommandBuffer commands) override {
    const uint32_t binGroups = groupsOf(workload_.bucketCount);
    reset_.record(commands, &push_, binGroups);
    frameBarrier(commands, stages());
    preprocess_.record(commands, &push_, groupsOf(workload_.recordCount));
    frameBarrier(commands, stages());
    build_.record(commands, &push_, binGroups);
  }
  VkPipelineStageFlags stages() const override { return VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT; }
  void recordPoison(VkCommandBuffer commands) override {
    draws_.recordPoison(commands);
    drawCounts_.recordPoison(commands);
  }
  std::vector<DrawCommand> draws() const override { return readDraws(draws_); }
  std::vector<uint32_t> drawCounts() const override {
    return workload_.groupCount != 0 ? drawCounts_.download() : std::vector<uint32_t>();
  }

 private:
  const Workload workload_;
  const VulkanBuffer bins_;
  const VulkanBuffer draws_;
  const VulkanBuffer drawCounts_;
  const FrustumBuffer frustum_;
  const ComputePipeline reset_;
  const ComputePipeline preprocess_;
  const ComputePipeline build_;
  RecordPush push_;
};

class NiagaraFrames : public PreparedVulkanCompetitor {
 public:
  NiagaraFrames(const VulkanDevice& device, const Workload& workload, const VulkanFrame& frame)
      : meshes_(device, workload.bucketCount * sizeof(DrawCommand)),
        count_(device, sizeof(uint32_t)),
        frustum_(device),
        pipeline_(device, niagara_comp, kRecordPushBytes, recordConstants(workload)),
        push_(makeRecordPush(workload, frame, frustum_)) {
    std::vector<uint32_t> words;
    for (uint32_t bucket = 0; bucket < workload.bucketCount; ++bucket) {
      const DrawCommand mesh = recordCommand(bucket);
      words.insert(words.end(), {mesh.vertexCount, mesh.instanceCount, mesh.firstVertex, mesh.firstInstance});
    }
    meshes_.upload(words);
    push_.others = meshes_.address();
    push_.drawCounts = count_.address();
  }

  void record(VkCommandBuffer commands) override {
    vkCmdFillBuffer(commands, count_.get(), 0, VK_WHOLE_SIZE, 0);
    frameBarrier(commands);
    pipeline_.record(commands, &push_, groupsOf(push_.recordCount));
  }
  void recordPoison(VkCommandBuffer commands) override { count_.recordPoison(commands); }
  std::vector<DrawCommand> draws() const override { return {}; }
  std::vector<uint32_t> drawCounts() const override { return count_.download(); }

 private:
  const VulkanBuffer meshes_;
  const VulkanBuffer count_;
  const FrustumBuffer frustum_;
  const ComputePipeline pipeline_;
  RecordPush push_;
};

// What both refuse.
std::string rendererRefusal(const Workload& workload) {
  if (workload.order == Order::Stable) return "its order is that of the atomic additions";
  if (workload.bucketCount == 1) return "it draws several meshes, and there is one";
  if (const std::string why = viewRefusal(workload); !why.empty()) return why;
  return boundsRefusal(workload);
}

class Bevy : public VulkanCompetitor {
 public:
  std::string name() const override { return "vulkan-bevy"; }
  Role role() const override { return Role::Candidate; }
  std::string refusal(const Workload& workload) const override {
    if (const std::string why = rendererRefusal(workload); !why.empty()) return why;
    Workload ungrouped = workload;
    ungrouped.groupCount = 0;
    return placementRefusal(ungrouped);
  }
  std::unique_ptr<PreparedVulkanCompetitor> prepare(const VulkanDevice& device, const Workload& workload,
                                                    const VulkanFrame& frame) const override {
    return std::make_unique<BevyFrames>(device, workload, frame);
  }
};

class Niagara : public VulkanCompetitor {
 public:
  std::string name() const override { return "vulkan-niagara"; }
  Role role() const override { return Role::Candidate; }
  std::string refusal(const Workload& workload) const override {
    if (!workload.isMerged()) return "it writes a command for each record";
    return rendererRefusal(workload);
  }
  std::unique_ptr<PreparedVulkanCompetitor> prepare(const VulkanDevice& device, const Workload& workload,
                                                    const VulkanFrame& frame) const override {
    return std::make_unique<NiagaraFrames>(device, workload, frame);
  }
};

}  // namespace

std::unique_ptr<VulkanCompetitor> makeVulkanBevy() { return std::make_unique<Bevy>(); }
std::unique_ptr<VulkanCompetitor> makeVulkanNiagara() { return std::make_unique<Niagara>(); }

}  // namespace bench
