#include "routes/vulkan/vulkan_plan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>

#include "base/vulkan_memory.h"
#include "plan/frame_block.h"
#include "routes/vulkan/bound_places.h"
#include "routes/vulkan_host/recording.h"

namespace slu {
namespace {

static_assert(1u << SLU_COUNTED_BITS <= SLU_WORKGROUP * 4, "a word per listed record holds one per counted bucket");
static_assert(1u << SLU_LOCAL_BITS >= SLU_WORKGROUP * 8, "a listed record's index within its tile fits");
static_assert(SLU_MAX_BUCKETS <= 1u << (32 - SLU_LOCAL_BITS), "the bucket fits above it");

// Enough workgroups to fill any GPU several times over; each strides over the tiles, more would only end more often.
constexpr std::uint32_t kMaxWorkgroups = 4096;
// Tiles that are moved into one bucket have nothing to end, and are taken one by one as far as any device allows.
constexpr std::uint32_t kMaxMovingWorkgroups = 65535;
// Of the persistent kernel: a GPU runs as many at a time as it has room for, and the others find no tile any more, and end.
constexpr std::uint32_t kPersistentWorkgroups = 1024;

static_assert(SLU_LOOK_BACK_TILES % SLU_WORKGROUP == 0, "invocations look at as many tiles each");
static_assert(SLU_MOST_TILES > 1, "a ticket is drawn ahead");
static_assert(divideUp(SLU_MAX_RECORDS / (4 * SLU_WORKGROUP), SLU_MOST_TILES) < 65535, "as many as any device allows");

// The table: the plan's uniforms, places for what dispatches bind, of which frames rewrite those at the end, one per view,
// when all others are taken; and the buckets.
constexpr std::uint64_t kFirstBucketOffset = sizeof(PlanPart);
constexpr std::uint64_t kUniformBytes = kFirstBucketOffset + sizeof(BucketBlock);
constexpr std::uint64_t kPlacesOffset = 256;
constexpr std::uint32_t kPlaceCount = BoundPlaces::kPlaceCount + SLU_MAX_VIEWS;
constexpr std::uint64_t kBucketsOffset = kPlacesOffset + std::uint64_t{kPlaceCount} * BoundPlaces::kPlaceBytes;
static_assert(kUniformBytes <= kPlacesOffset && kPlacesOffset % BoundPlaces::kPlaceBytes == 0);
static_assert(offsetof(PushedPart, recordCount) == offsetof(ViewBlock, lodDistance2));

// The counters, which each frame leaves zero; those that every tile meets at keep apart from each other.
constexpr std::uint64_t kRejectedOffset = 256;
constexpr std::uint64_t kDemandedOffset = kRejectedOffset + SLU_MAX_VIEWS * SLU_REJECTS_COUNT * 4 + 128;
static_assert(kDemandedOffset % 256 == 0);

// Of the units in which shaders/movers/wide.glsl and sorted.glsl move records.
std::uint32_t unitWords(const PlanLayout& layout) {
  return layout.recordStride % 16 == 0 ? 4 : layout.recordStride % 8 == 0 ? 2 : 1;
}

std::uint32_t mostTiles(const PlanLayout& layout, const KernelConstants& constants) {
  return divideUp(layout.maxRecordCount, constants.tileRecords());
}

// Of stable plans: the chunks' counts, or where tiles tell what they keep, words that are zero before the first frame.
std::uint64_t chunkWords(const PlanLayout& layout, const KernelConstants& constants) {
  switch (compactKernel(constants)) {
    case Kernel::ordered:
      return SLU_LOOK_BACK_WORDS;
    case Kernel::persistent:
      return SLU_STATUS_WORDS(std::uint64_t{mostTiles(layout, constants)});
    default:
      return std::uint64_t{maxChunkCount(layout, constants.tileRecords())} * layout.bucketCount();
  }
}

constexpr VkBufferUsageFlags kUsage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

// What is bound and pushed for a dispatch of one view, or of all where the plan looks at none.
struct ViewArguments {
  BoundPart bound;
  std::uint32_t place;  // of the table
  PushedPart pushed;

  bool isRewritten() const { return place >= BoundPlaces::kPlaceCount; }
};

ViewArguments argumentsOf(const FrameBlock& block, std::uint32_t view, BoundPlaces& places) {
  ViewArguments arguments{};
  BoundPart& bound = arguments.bound;
  bound.frame = block;
  bound.frame.recordCount = 0;
  bound.frame.chunkCount = 0;
  std::copy(std::begin(block.views[view].lodDistance2), std::end(block.views[view].lodDistance2), bound.lodDistance2);
  arguments.place = places.find(bound).value_or(BoundPlaces::kPlaceCount + view);
  std::memcpy(&arguments.pushed, &block.views[view], offsetof(PushedPart, recordCount));
  arguments.pushed.recordCount = block.recordCount;
  arguments.pushed.chunkCount = block.chunkCount;
  return arguments;
}

class VulkanPlan final : public RoutePlan {
 public:
  VulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout);

  void run(const Frame& frame, void* target) override;
  std::uint64_t tileRecords() const override { return constants_.tileRecords(); }
  std::uint64_t scratchBytes() const override { return table_.size + counters_.size + chunks_.size + staging_.size; }

 private:
  bool stable() const { return layout_.order == SLU_ORDER_STABLE; }
  bool isSinglePass() const { return constants_.patience != 0; }
  VkPipeline compactFor(const FrameBlock& block) const;

  void createDescriptorSet(VkDescriptorSetLayout setLayout);
  void fillTable();
  FrameBlock frameBlock(const Frame& frame, std::uint32_t tileCount) const;
  bool recordTransfers(VkCommandBuffer commands, const Frame& frame, std::span<const ViewArguments> views) const;
  void recordArguments(VkCommandBuffer commands, const ViewArguments& arguments) const;
  void recordDispatch(VkCommandBuffer commands, VkPipeline pipeline, std::uint32_t x, std::uint32_t viewCount) const;
  void recordDispatches(VkCommandBuffer commands, VkPipeline pipeline, std::uint32_t x,
                        std::span<const ViewArguments> views, std::uint32_t viewCount) const;

  const Device& device_;
  const PlanLayout layout_;
  const KernelConstants constants_;
  const std::uint32_t maxChunkCount_;  // 0 unless dispatches count and scan first
  const VkPipelineLayout pipelineLayout_;
  VkPipeline compact_;
  VkPipeline compactUnaligned_;  // the same where no records are moved
  VkPipeline count_ = VK_NULL_HANDLE;
  VkPipeline scan_ = VK_NULL_HANDLE;
  DeviceBuffer table_;  // the uniforms, places, and BucketBlock per bucket
  BoundPlaces places_;
  DeviceBuffer counters_;  // mapped, so that they are zeroed without a submission; the kernels leave them zero
  DeviceBuffer chunks_;    // stable order only; where tiles tell what they keep mapped as counters_ are
  DeviceBuffer staging_;   // the input of an in-place frame
  OwnedDescriptorPool descriptorPool_;
  VkDescriptorSet descriptorSet_ = VK_NULL_HANDLE;  // of the pool; the table's uniforms, and one of its places
  FrameBlock block_{};                              // what no frame changes
};

VulkanPlan::VulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout)
    : device_(device),
      layout_(layout),
      constants_(kernelConstants(layout, device, pipelines.limits())),
      maxChunkCount_(stable() && !isSinglePass() ? maxChunkCount(layout, constants_.tileRecords()) : 0),
      pipelineLayout_(pipelines.layout()),
      compact_(pipelines.get(compactKernel(constants_), constants_)),
      compactUnaligned_(compact_) {
  if (constants_.moves == SLU_MOVES_NARROW || (constants_.moves != SLU_MOVES_NONE && unitWords(layout) > 1)) {
    KernelConstants unaligned = constants_;
    unaligned.aligned = 0;
    compactUnaligned_ = pipelines.get(compactKernel(constants_), unaligned);
  }
  if (maxChunkCount_ != 0) {
    count_ = pipelines.get(Kernel::count, constants_);
    scan_ = pipelines.get(Kernel::scan, constants_);
  }
  const std::uint64_t counterBytes = 4ull * layout.maxViewCount * layout.bucketCount();
  const std::uint64_t tableBytes = kBucketsOffset + layout.buckets.size() * sizeof(BucketBlock);
  table_ = DeviceBuffer(device, tableBytes, kUsage, MemoryKind::mapped, "sluice table");
  counters_ = DeviceBuffer(device, kDemandedOffset + counterBytes, kUsage, MemoryKind::mapped, "sluice counters");
  std::memset(counters_.mapped, 0, counters_.size);
  if (stable()) {
    const auto memory = isSinglePass() ? MemoryKind::mapped : MemoryKind::device;
    const std::uint64_t bytes = 4 * layout.maxViewCount * chunkWords(layout, constants_);
    chunks_ = DeviceBuffer(device, bytes, kUsage, memory, "sluice chunks");
    if (isSinglePass()) std::memset(chunks_.mapped, 0, chunks_.size);
  }
  if (layout.inPlace) {
    const std::uint64_t bytes = std::uint64_t{layout.maxRecordCount} * layout.recordStride;
    staging_ = DeviceBuffer(device, bytes, kUsage, MemoryKind::device, "sluice in-place input");
  }
  createDescriptorSet(pipelines.setLayout());
  fillTable();
}

void VulkanPlan::createDescriptorSet(VkDescriptorSetLayout setLayout) {
  const std::array<VkDescriptorPoolSize, 2> poolSizes{
      {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1}}};
  VkDescriptorPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = static_cast<std::uint32_t>(poolSizes.size());
  poolInfo.pPoolSizes = poolSizes.data();
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

  const VkDescriptorBufferInfo uniforms{table_.buffer.get(), 0, kUniformBytes};
  const VkDescriptorBufferInfo firstPlace{table_.buffer.get(), kPlacesOffset, sizeof(BoundPart)};
  std::array<VkWriteDescriptorSet, 2> writes{};
  for (std::uint32_t binding = 0; binding < writes.size(); ++binding) {
    writes[binding].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[binding].dstSet = descriptorSet_;
    writes[binding].dstBinding = binding;
    writes[binding].descriptorCount = 1;
    writes[binding].descriptorType = poolSizes[binding].type;
    writes[binding].pBufferInfo = binding == 0 ? &uniforms : &firstPlace;
  }
  device_.functions.vkUpdateDescriptorSets(device_.handle, static_cast<std::uint32_t>(writes.size()), writes.data(), 0,
                                           nullptr);
}

void VulkanPlan::fillTable() {
  fillPlanPart(block_, layout_);
  block_.buckets = table_.address + kBucketsOffset;
  block_.progress = counters_.address;
  block_.rejected = counters_.address + kRejectedOffset;
  block_.demanded = counters_.address + kDemandedOffset;
  (isSinglePass() ? block_.tileStatus : block_.chunkCounts) = chunks_.address;
  block_.maxTiles = mostTiles(layout_, constants_);
  auto* const table = static_cast<std::uint8_t*>(table_.mapped);
  const PlanPart& planPart = block_;
  std::memcpy(table, &planPart, sizeof(planPart));
  std::memcpy(table + kFirstBucketOffset, layout_.buckets.data(), sizeof(BucketBlock));
  std::memcpy(table + kBucketsOffset, layout_.buckets.data(), layout_.buckets.size() * sizeof(BucketBlock));
  places_ = BoundPlaces(table + kPlacesOffset);
}

FrameBlock VulkanPlan::frameBlock(const Frame& frame, std::uint32_t tileCount) const {
  FrameBlock block = block_;
  fillFramePart(block, layout_, frame, layout_.inPlace ? staging_.address : frame.records.address);
  if (maxChunkCount_ != 0) block.chunkCount = divideUp(tileCount, divideUp(tileCount, maxChunkCount_));
  return block;
}

VkPipeline VulkanPlan::compactFor(const FrameBlock& block) const {
  const bool isAligned =
      constants_.moves == SLU_MOVES_NARROW ? block.records % 16 == 0 : block.copyWords == unitWords(layout_);
  return isAligned ? compact_ : compactUnaligned_;
}

// False when the frame needs none.
bool VulkanPlan::recordTransfers(VkCommandBuffer commands, const Frame& frame,
                                 std::span<const ViewArguments> views) const {
  bool transfers = false;
  for (const ViewArguments& arguments : views) {
    if (!arguments.isRewritten()) continue;
    transfers = true;
    device_.functions.vkCmdUpdateBuffer(commands, table_.buffer.get(),
                                        kPlacesOffset + std::uint64_t{arguments.place} * BoundPlaces::kPlaceBytes,
                                        sizeof(BoundPart), &arguments.bound);
  }
  if (!layout_.inPlace) return transfers;
  return recordInputCopy(device_, commands, layout_, frame, staging_.buffer.get()) || transfers;
}

void VulkanPlan::recordArguments(VkCommandBuffer commands, const ViewArguments& arguments) const {
  const std::uint32_t offset = arguments.place * BoundPlaces::kPlaceBytes;
  device_.functions.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelineLayout_, 0, 1,
                                            &descriptorSet_, 1, &offset);
  device_.functions.vkCmdPushConstants(commands, pipelineLayout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(PushedPart),
                                       &arguments.pushed);
}

// By a kernel that looks at no view, or of a frame that has only one.
void VulkanPlan::recordDispatch(VkCommandBuffer commands, VkPipeline pipeline, std::uint32_t x,
                                std::uint32_t viewCount) const {
  device_.functions.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  device_.functions.vkCmdDispatch(commands, x, viewCount, 1);
}

// By a kernel that may look at views: then each is pushed for a dispatch of its own.
void VulkanPlan::recordDispatches(VkCommandBuffer commands, VkPipeline pipeline, std::uint32_t x,
                                  std::span<const ViewArguments> views, std::uint32_t viewCount) const {
  if (views.size() == 1) return recordDispatch(commands, pipeline, x, viewCount);
  device_.functions.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  for (std::uint32_t view = 0; view < viewCount; ++view) {
    recordArguments(commands, views[view]);
    device_.functions.vkCmdDispatchBase(commands, 0, view, 0, x, 1, 1);
  }
}

void VulkanPlan::run(const Frame& frame, void* target) {
  const auto commands = static_cast<VkCommandBuffer>(target);
  const std::uint32_t tileCount = std::max(divideUp(frame.recordCount, constants_.tileRecords()), 1u);
  const FrameBlock block = frameBlock(frame, tileCount);
  std::array<ViewArguments, SLU_MAX_VIEWS> ofViews;
  const std::span views(ofViews.data(), layout_.needsViews() ? frame.viewCount : 1);
  for (std::uint32_t view = 0; view < views.size(); ++view) views[view] = argumentsOf(block, view, places_);
  const bool rewrites = std::any_of(views.begin(), views.end(), std::mem_fn(&ViewArguments::isRewritten));

  const DebugLabel label(device_, commands, stable() ? "sluice compact, stable" : "sluice compact, unordered");
  recordBarrier(device_, commands, kCompute, rewrites || layout_.inPlace ? kCompute | kTransfer : kCompute);
  if (recordTransfers(commands, frame, views)) recordBarrier(device_, commands, kTransfer, kCompute);
  recordArguments(commands, views[0]);
  const VkPipeline compact = compactFor(block);
  if (!stable()) {
    const bool ends = constants_.moves == SLU_MOVES_NONE || layout_.bucketCount() > 1;
    const std::uint32_t most = ends ? kMaxWorkgroups : kMaxMovingWorkgroups;
    return recordDispatches(commands, compact, std::min(tileCount, most), views, frame.viewCount);
  }
  if (isSinglePass()) {
    const std::uint32_t persistent =
        std::max(std::min(tileCount, kPersistentWorkgroups), divideUp(tileCount, SLU_MOST_TILES)) + 1;  // one scans
    const std::uint32_t workgroups = compactKernel(constants_) == Kernel::persistent ? persistent : tileCount;
    return recordDispatches(commands, compact, workgroups, views, frame.viewCount);
  }
  recordDispatches(commands, count_, block.chunkCount, views, frame.viewCount);
  recordBarrier(device_, commands, kCompute, kCompute);
  recordDispatch(commands, scan_, block.bucketCount, frame.viewCount);
  recordBarrier(device_, commands, kCompute, kCompute);
  recordDispatches(commands, compact, block.chunkCount, views, frame.viewCount);
}

}  // namespace

std::unique_ptr<RoutePlan> makeVulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout) {
  return std::make_unique<VulkanPlan>(device, pipelines, layout);
}

}  // namespace slu
