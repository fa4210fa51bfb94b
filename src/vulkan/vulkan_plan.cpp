#include "vulkan/vulkan_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "plan/frame_block.h"
#include "vulkan/recording.h"

namespace slu {
namespace {

static_assert(1u << SLU_LOCAL_BITS >= SLU_WORKGROUP * 8, "a record's index within its tile fits");
static_assert(SLU_MAX_BUCKETS <= 1u << (32 - SLU_LOCAL_BITS), "the bucket fits above it");
static_assert(sizeof(FrameBlock) <= 65536, "vkCmdUpdateBuffer takes no more");

// Enough workgroups to fill any GPU several times over; each strides over the tiles, more would only end more often.
constexpr std::uint32_t kMaxWorkgroups = 4096;

// The scratch buffer: the frame block, then what is zeroed before each frame.
constexpr std::uint64_t kTicketOffset = (sizeof(FrameBlock) + 255) / 256 * 256;
constexpr std::uint64_t kRejectedOffset = kTicketOffset + 16;
constexpr std::uint64_t kDemandedOffset = kRejectedOffset + SLU_MAX_VIEWS * SLU_REJECTS_COUNT * 4;

constexpr VkBufferUsageFlags kUsage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

class VulkanPlan final : public RoutePlan {
 public:
  VulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout);

  void run(const Frame& frame, void* target) override;
  std::uint64_t tileRecords() const override { return constants_.tileRecords(); }
  std::uint64_t scratchBytes() const override { return scratch_.size + table_.size + staging_.size; }

 private:
  bool stable() const { return layout_.order == SLU_ORDER_STABLE; }
  std::uint64_t chunksOffset() const { return kDemandedOffset + 4ull * layout_.maxViewCount * layout_.bucketCount(); }

  void createDescriptorSet(VkDescriptorSetLayout setLayout);
  void fillConstantPart();
  FrameBlock frameBlock(const Frame& frame, std::uint32_t tileCount) const;
  void recordUploads(VkCommandBuffer commands, const Frame& frame, const FrameBlock& block) const;
  void recordDispatch(VkCommandBuffer commands, VkPipeline pipeline, std::uint32_t x, std::uint32_t y) const;

  const Device& device_;
  const PlanLayout layout_;
  const KernelConstants constants_;
  const std::uint32_t maxChunkCount_;  // 0 when unordered
  const VkPipelineLayout pipelineLayout_;
  VkPipeline compact_;
  VkPipeline count_ = VK_NULL_HANDLE;
  VkPipeline scan_ = VK_NULL_HANDLE;
  DeviceBuffer scratch_;
  DeviceBuffer table_;    // BucketBlock per bucket
  DeviceBuffer staging_;  // the input of an in-place frame
  OwnedDescriptorPool descriptorPool_;
  VkDescriptorSet descriptorSet_ = VK_NULL_HANDLE;  // of the pool; its one binding is the scratch's FrameBlock
  FrameBlock block_{};                              // what no frame changes
};

VulkanPlan::VulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout)
    : device_(device),
      layout_(layout),
      constants_(kernelConstants(layout, device.emulatedSubgroupSize)),
      maxChunkCount_(stable() ? maxChunkCount(layout, constants_.tileRecords()) : 0),
      pipelineLayout_(pipelines.layout()),
      compact_(pipelines.get(Kernel::compact, constants_)) {
  if (stable()) {
    count_ = pipelines.get(Kernel::count, constants_);
    scan_ = pipelines.get(Kernel::scan, constants_);
  }
  const std::uint64_t segments = std::uint64_t{layout.maxViewCount} * layout.bucketCount();
  scratch_ = DeviceBuffer(device, chunksOffset() + 4 * segments * maxChunkCount_, kUsage, DeviceBuffer::Memory::device,
                          "sluice scratch");
  const std::uint64_t tableBytes = layout.buckets.size() * sizeof(BucketBlock);
  table_ = DeviceBuffer(device, tableBytes, kUsage, DeviceBuffer::Memory::mapped, "sluice buckets");
  std::memcpy(table_.mapped, layout.buckets.data(), tableBytes);
  if (layout.inPlace) {
    const std::uint64_t bytes = std::uint64_t{layout.maxRecordCount} * layout.recordStride;
    staging_ = DeviceBuffer(device, bytes, kUsage, DeviceBuffer::Memory::device, "sluice in-place input");
  }
  createDescriptorSet(pipelines.setLayout());
  fillConstantPart();
}

void VulkanPlan::createDescriptorSet(VkDescriptorSetLayout setLayout) {
  const VkDescriptorPoolSize poolSize{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1};
  VkDescriptorPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = 1;
  poolInfo.pPoolSizes = &poolSize;
  descriptorPool_ = OwnedDescriptorPool(device_);
  descriptorPool_.take(
      device_.functions.vkCreateDescriptorPool(device_.handle, &poolInfo, nullptr, descriptorPool_.put()),
      "vkCreateDescriptorPool");

  VkDescriptorSetAllocateInfo setInfo{};
  setInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  setInfo.descriptorPool = descriptorPool_.get();
  setInfo.descriptorSetCount = 1;
  setInfo.pSetLayouts = &setLayout;
  check(device_.functions.vkAllocateDescriptorSets(device_.handle, &setInfo, &descriptorSet_),
        "vkAllocateDescriptorSets");

  const VkDescriptorBufferInfo frameInfo{scratch_.buffer.get(), 0, sizeof(FrameBlock)};
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = descriptorSet_;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  write.pBufferInfo = &frameInfo;
  device_.functions.vkUpdateDescriptorSets(device_.handle, 1, &write, 0, nullptr);
}

void VulkanPlan::fillConstantPart() {
  fillPlanPart(block_, layout_);
  block_.buckets = table_.address;
  block_.ticket = scratch_.address + kTicketOffset;
  block_.rejected = scratch_.address + kRejectedOffset;
  block_.demanded = scratch_.address + kDemandedOffset;
  block_.chunks = scratch_.address + chunksOffset();
}

FrameBlock VulkanPlan::frameBlock(const Frame& frame, std::uint32_t tileCount) const {
  FrameBlock block = block_;
  fillFramePart(block, layout_, frame, layout_.inPlace ? staging_.address : frame.records.address);
  block.chunkCount = std::min(tileCount, maxChunkCount_);
  return block;
}

void VulkanPlan::recordUploads(VkCommandBuffer commands, const Frame& frame, const FrameBlock& block) const {
  const std::uint64_t usedBytes = offsetof(FrameBlock, views) + block.viewCount * sizeof(ViewBlock);
  device_.functions.vkCmdUpdateBuffer(commands, scratch_.buffer.get(), 0, usedBytes, &block);
  const std::uint64_t chunkCounters = std::uint64_t{block.viewCount} * block.bucketCount * block.chunkCount;
  const std::uint64_t zeroedBytes = chunksOffset() - kTicketOffset + 4 * chunkCounters;
  device_.functions.vkCmdFillBuffer(commands, scratch_.buffer.get(), kTicketOffset, zeroedBytes, 0);
  if (layout_.inPlace) recordInputCopy(device_, commands, layout_, frame, staging_.buffer.get());
}

void VulkanPlan::recordDispatch(VkCommandBuffer commands, VkPipeline pipeline, std::uint32_t x, std::uint32_t y) const {
  device_.functions.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  device_.functions.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelineLayout_, 0, 1,
                                            &descriptorSet_, 0, nullptr);
  device_.functions.vkCmdDispatch(commands, x, y, 1);
}

void VulkanPlan::run(const Frame& frame, void* target) {
  const auto commands = static_cast<VkCommandBuffer>(target);
  const std::uint32_t tileCount = std::max(divideUp(frame.recordCount, constants_.tileRecords()), 1u);
  const FrameBlock block = frameBlock(frame, tileCount);

  const DebugLabel label(device_, commands, stable() ? "sluice compact, stable" : "sluice compact, unordered");
  recordBarrier(device_, commands, kCompute | kTransfer, kCompute | kTransfer);
  recordUploads(commands, frame, block);
  recordBarrier(device_, commands, kTransfer, kCompute);
  if (stable()) {
    recordDispatch(commands, count_, block.chunkCount, frame.viewCount);
    recordBarrier(device_, commands, kCompute, kCompute);
    recordDispatch(commands, scan_, block.bucketCount, frame.viewCount);
    recordBarrier(device_, commands, kCompute, kCompute);
    recordDispatch(commands, compact_, block.chunkCount, frame.viewCount);
  } else {
    recordDispatch(commands, compact_, std::min(tileCount, kMaxWorkgroups), frame.viewCount);
  }
}

}  // namespace

std::unique_ptr<RoutePlan> makeVulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout) {
  return std::make_unique<VulkanPlan>(device, pipelines, layout);
}

}  // namespace slu
