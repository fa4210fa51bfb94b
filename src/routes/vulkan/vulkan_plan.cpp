#include "routes/vulkan/vulkan_plan.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/vulkan_memory.h"
#include "plan/frame_block.h"
#include "routes/vulkan/frame_data.h"
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

// The table: the plan's uniforms, and the buckets.
constexpr std::uint64_t kFirstBucketOffset = sizeof(PlanPart);
constexpr std::uint64_t kUniformBytes = kFirstBucketOffset + sizeof(BucketBlock);
constexpr std::uint64_t kBucketsOffset = 256;
static_assert(kUniformBytes <= kBucketsOffset);

// The counters, which each frame leaves zero; those that every tile meets at keep apart from each other.
constexpr std::uint64_t kRejectedOffset = 256;
constexpr std::uint64_t kDemandedOffset = kRejectedOffset + 256 * divideUp(SLU_MAX_VIEWS * SLU_REJECT_COUNT * 4, 256);

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

constexpr VkBufferUsageFlags kScratch = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
constexpr VkBufferUsageFlags kTable = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
constexpr VkBufferUsageFlags kCopied = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

class VulkanPlan final : public RoutePlan {
 public:
  VulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout);

  void run(const Frame& frame, void* target) override;
  std::uint64_t tileRecords() const override { return constants_.tileRecords(); }
  std::uint64_t scratchBytes() const override {
    return table_.size + counters_.size + chunks_.size + staging_.size + frameData_.slotBytes();
  }
  std::uint64_t transientBytes(std::uint32_t viewCount) const override {
    return FrameData::bytesOf(layout_, viewCount);
  }

 private:
  bool stable() const { return layout_.order == SLU_ORDER_STABLE; }
  bool isSinglePass() const { return constants_.patience != 0; }
  VkPipeline compactFor(const FramePart& part) const;

  void fillTable();
  FramePart framePart(const Frame& frame, std::uint32_t tileCount) const;
  void bindFrame(VkCommandBuffer commands, const FrameData::Place& place, std::uint32_t view) const;
  void recordDispatch(VkCommandBuffer commands, VkPipeline pipeline, std::uint32_t x, std::uint32_t viewCount) const;
  void recordDispatches(VkCommandBuffer commands, VkPipeline pipeline, std::uint32_t x, const FrameData::Place& place,
                        std::uint32_t viewCount) const;

  const Device& device_;
  const PlanLayout layout_;
  const KernelConstants constants_;
  const std::uint32_t maxChunkCount_;  // 0 unless dispatches count and scan first
  const VkPipelineLayout pipelineLayout_;
  VkPipeline compact_;
  VkPipeline compactUnaligned_;  // the same where no records are moved
  VkPipeline count_ = VK_NULL_HANDLE;
  VkPipeline scan_ = VK_NULL_HANDLE;
  DeviceBuffer table_;     // PlanPart and the first bucket, as uniforms; BucketBlock per bucket
  DeviceBuffer counters_;  // mapped, so that they are zeroed without a submission; the kernels leave them zero
  DeviceBuffer chunks_;    // stable order only; where tiles tell what they keep mapped as counters_ are
  DeviceBuffer staging_;   // the input of an in-place frame
  UniformSet planSet_;     // the table's uniforms
  FrameData frameData_;
};

VulkanPlan::VulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout)
    : device_(device),
      layout_(layout),
      constants_(kernelConstants(layout, device, pipelines.limits())),
      maxChunkCount_(stable() && !isSinglePass() ? maxChunkCount(layout, constants_.tileRecords()) : 0),
      pipelineLayout_(pipelines.layout()),
      compact_(pipelines.get(compactKernel(constants_), constants_)),
      compactUnaligned_(compact_),
      frameData_(device, pipelines.frameSetLayout(), layout) {
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
  table_ = DeviceBuffer(device, tableBytes, kTable, MemoryKind::mapped, "sluice table");
  counters_ = DeviceBuffer(device, kDemandedOffset + counterBytes, kScratch, MemoryKind::mapped, "sluice counters");
  std::memset(counters_.mapped, 0, counters_.size);
  if (stable()) {
    const auto memory = isSinglePass() ? MemoryKind::mapped : MemoryKind::device;
    const std::uint64_t bytes = 4 * layout.maxViewCount * chunkWords(layout, constants_);
    chunks_ = DeviceBuffer(device, bytes, kScratch, memory, "sluice chunks");
    if (isSinglePass()) std::memset(chunks_.mapped, 0, chunks_.size);
  }
  if (layout.inPlace) {
    const std::uint64_t bytes = std::uint64_t{layout.maxRecordCount} * layout.recordStride;
    staging_ = DeviceBuffer(device, bytes, kCopied, MemoryKind::device, "sluice in-place input");
  }
  fillTable();
  const UniformSet::Binding uniforms{kPlanBinding, {table_.buffer.get(), 0, kUniformBytes}};
  planSet_ = UniformSet(device, pipelines.planSetLayout(), std::span(&uniforms, 1));
}

void VulkanPlan::fillTable() {
  PlanPart part{};
  fillPlanPart(part, layout_);
  part.buckets = table_.address + kBucketsOffset;
  part.progress = counters_.address;
  part.rejected = counters_.address + kRejectedOffset;
  part.demanded = counters_.address + kDemandedOffset;
  (isSinglePass() ? part.tileStatus : part.chunkCounts) = chunks_.address;
  part.maxTiles = mostTiles(layout_, constants_);
  auto* const table = static_cast<std::uint8_t*>(table_.mapped);
  std::memcpy(table, &part, sizeof(part));
  std::memcpy(table + kFirstBucketOffset, layout_.buckets.data(), sizeof(BucketBlock));
  std::memcpy(table + kBucketsOffset, layout_.buckets.data(), layout_.buckets.size() * sizeof(BucketBlock));
}

FramePart VulkanPlan::framePart(const Frame& frame, std::uint32_t tileCount) const {
  FramePart part = makeFramePart(layout_, frame, layout_.inPlace ? staging_.address : frame.records.address);
  if (maxChunkCount_ != 0) part.chunkCount = divideUp(tileCount, divideUp(tileCount, maxChunkCount_));
  return part;
}

VkPipeline VulkanPlan::compactFor(const FramePart& part) const {
  const bool isAligned =
      constants_.moves == SLU_MOVES_NARROW ? part.records % 16 == 0 : part.copyWords == unitWords(layout_);
  return isAligned ? compact_ : compactUnaligned_;
}

void VulkanPlan::bindFrame(VkCommandBuffer commands, const FrameData::Place& place, std::uint32_t view) const {
  const VkDescriptorSet sets[] = {planSet_.get(), place.set};
  const std::uint32_t offsets[] = {place.offset, place.viewOffset(view, layout_.needsViews())};
  device_.functions.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelineLayout_, 0, 2, sets, 2,
                                            offsets);
}

// By a kernel that looks at no view, or of a frame that has only one.
void VulkanPlan::recordDispatch(VkCommandBuffer commands, VkPipeline pipeline, std::uint32_t x,
                                std::uint32_t viewCount) const {
  device_.functions.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  device_.functions.vkCmdDispatch(commands, x, viewCount, 1);
}

// By a kernel that may look at views: then each is bound for a dispatch of its own.
void VulkanPlan::recordDispatches(VkCommandBuffer commands, VkPipeline pipeline, std::uint32_t x,
                                  const FrameData::Place& place, std::uint32_t viewCount) const {
  if (!layout_.needsViews() || viewCount == 1) return recordDispatch(commands, pipeline, x, viewCount);
  device_.functions.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  for (std::uint32_t view = 0; view < viewCount; ++view) {
    bindFrame(commands, place, view);
    device_.functions.vkCmdDispatchBase(commands, 0, view, 0, x, 1, 1);
  }
}

void VulkanPlan::run(const Frame& frame, void* target) {
  const auto commands = static_cast<VkCommandBuffer>(target);
  const std::uint32_t tileCount = std::max(divideUp(frame.recordCount, constants_.tileRecords()), 1u);
  const FramePart part = framePart(frame, tileCount);
  const FrameData::Place place = frameData_.write(part, frame);

  const DebugLabel label(device_, commands, stable() ? "sluice compact, stable" : "sluice compact, unordered");
  recordBarrier(device_, commands, kCompute, layout_.inPlace ? kCompute | kTransfer : kCompute);
  if (layout_.inPlace && recordInputCopy(device_, commands, layout_, frame, staging_.buffer.get())) {
    recordBarrier(device_, commands, kTransfer, kCompute);
  }
  bindFrame(commands, place, 0);
  const VkPipeline compact = compactFor(part);
  if (!stable()) {
    const bool ends = constants_.moves == SLU_MOVES_NONE || layout_.bucketCount() > 1;
    const std::uint32_t most = ends ? kMaxWorkgroups : kMaxMovingWorkgroups;
    return recordDispatches(commands, compact, std::min(tileCount, most), place, frame.viewCount);
  }
  if (isSinglePass()) {
    const std::uint32_t persistent =
        std::max(std::min(tileCount, kPersistentWorkgroups), divideUp(tileCount, SLU_MOST_TILES)) + 1;  // one scans
    const std::uint32_t workgroups = compactKernel(constants_) == Kernel::persistent ? persistent : tileCount;
    return recordDispatches(commands, compact, workgroups, place, frame.viewCount);
  }
  recordDispatches(commands, count_, part.chunkCount, place, frame.viewCount);
  recordBarrier(device_, commands, kCompute, kCompute);
  recordDispatch(commands, scan_, layout_.bucketCount(), frame.viewCount);
  recordBarrier(device_, commands, kCompute, kCompute);
  recordDispatches(commands, compact, part.chunkCount, place, frame.viewCount);
}

}  // namespace

std::unique_ptr<RoutePlan> makeVulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout) {
  return std::make_unique<VulkanPlan>(device, pipelines, layout);
}

}  // namespace slu
