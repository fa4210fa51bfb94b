// Sluice's routes that record into the arena's command buffer, through the public API.
#include <cstring>

#include "arena/sluice_plan.h"
#include "vulkan/vulkan_competitor.h"

namespace bench {
namespace {

slu::Context makeContext(const VulkanDevice& device, SluRoute route, SluFlags deviceFlags) {
  SluVulkanDeviceInfo info = device.info();
  info.flags = deviceFlags;
  return makeSluiceContext(&info, route);
}

class SluiceVulkanFrames : public PreparedVulkanCompetitor {
 public:
  SluiceVulkanFrames(SluRoute route, SluFlags deviceFlags, const PlanChoices& choices, const VulkanDevice& device,
                     const Workload& workload, const VulkanFrame& frame)
      : workload_(workload),
        choices_(choices),
        context_(makeContext(device, route, deviceFlags)),
        plan_(makeSluicePlan(context_, route, workload, frame.bucketCapacity, choices)),
        views_(sluiceViews(workload)),
        meshWords_(meshWords(choices, workload)),
        meshes_(device, meshWords_.size() * sizeof(uint32_t)),
        draws_(device, workload.drawPlaceCount() * sizeof(DrawCommand)),
        drawCounts_(device, workload.drawCountCount() * sizeof(uint32_t)),
        statistics_(device, workload.viewCount * sizeof(SluStatistics)) {
    meshes_.upload(meshWords_);
    frame_ = makeSluiceFrame(choices, workload, views_, bind(frame.input), bind(frame.output), bind(meshes_));
    if (!workload.isMerged()) frame_.draws = bind(draws_);
    frame_.drawCounts = bind(drawCounts_);
    if (choices_.statistics) frame_.statistics = bind(statistics_);
  }

  void record(VkCommandBuffer commands) override {
    require(context_, sluCmdCompact(plan_, commands, &frame_), "sluCmdCompact");
  }

  VkPipelineStageFlags stages() const override { return SLU_VULKAN_OUTPUT_STAGES; }

  void recordPoison(VkCommandBuffer commands) override {
    draws_.recordPoison(commands);
    drawCounts_.recordPoison(commands);
    statistics_.recordPoison(commands);
    frameBarrier(commands);
    for (uint32_t view = 0; view < workload_.viewCount; ++view)
      vkCmdFillBuffer(commands, statistics_.get(), view * sizeof(SluStatistics) + offsetof(SluStatistics, overflow),
                      sizeof(uint32_t), 0);
  }

  std::vector<DrawCommand> draws() const override { return readDraws(draws_); }
  std::vector<uint32_t> drawCounts() const override { return drawCounts_.download(); }

  std::optional<std::string> difference(const std::vector<uint32_t>& keptCounts) const override {
    std::vector<SluStatistics> statistics(choices_.statistics ? workload_.viewCount : 0);
    if (choices_.statistics) std::memcpy(statistics.data(), statistics_.download().data(), statistics_.bytes());
    return sluiceDifference(workload_, keptCounts, statistics);
  }

 private:
  SluBinding bind(const VulkanBuffer& bound) {
    auto vulkan = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
    vulkan.buffer = bound.get();
    vulkan.usage = bound.usage();
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.pNext = &vulkan;
    info.size = bound.bytes();
    slu::Buffer buffer;
    require(context_, sluCreateBuffer(context_, &info, buffer.put()), "sluCreateBuffer");
    registered_.push_back(std::move(buffer));
    return {registered_.back(), 0};
  }

  const Workload workload_;
  const PlanChoices choices_;
  slu::Context context_;
  slu::Plan plan_;
  const std::vector<SluView> views_;
  const std::vector<uint32_t> meshWords_;
  const VulkanBuffer meshes_;
  const VulkanBuffer draws_;
  const VulkanBuffer drawCounts_;
  const VulkanBuffer statistics_;
  std::vector<slu::Buffer> registered_;
  SluFrameInfo frame_;
};

class SluiceVulkan : public VulkanCompetitor {
 public:
  SluiceVulkan(SluRoute route, SluFlags deviceFlags, const PlanChoices& choices)
      : route_(route), deviceFlags_(deviceFlags), choices_(choices) {}

  std::string name() const override {
    std::string name = std::string("sluice-") + sluGetRouteName(route_);
    if ((deviceFlags_ & SLU_VULKAN_BOUND_BUFFERS_BIT) != 0) name += "-bound";
    if ((deviceFlags_ & SLU_VULKAN_SEVERAL_DISPATCHES_BIT) != 0) name += "-dispatches";
    return name + suffixOf(choices_);
  }
  Role role() const override { return Role::Candidate; }
  bool isSluice() const override { return true; }
  bool runsOn(const VulkanDevice& device) const override { return route_ != SLU_ROUTE_INLINE || device.hasInline(); }
  std::string refusal(const Workload& workload) const override { return planRefusal(choices_, workload); }
  std::unique_ptr<PreparedVulkanCompetitor> prepare(const VulkanDevice& device, const Workload& workload,
                                                    const VulkanFrame& frame) const override {
    return std::make_unique<SluiceVulkanFrames>(route_, deviceFlags_, choices_, device, workload, frame);
  }

 private:
  const SluRoute route_;
  const SluFlags deviceFlags_;
  const PlanChoices choices_;
};

}  // namespace

std::unique_ptr<VulkanCompetitor> makeSluiceVulkan(SluRoute route, SluFlags deviceFlags, const PlanChoices& choices) {
  return std::make_unique<SluiceVulkan>(route, deviceFlags, choices);
}

}  // namespace bench
