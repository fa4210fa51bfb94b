#include "routes/vulkan/vulkan_plan.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "base/vulkan_memory.h"
#include "plan/frame_block.h"
#include "routes/vulkan/frame_data.h"
#include "routes/vulkan_host/recording.h"
#include "routes/vulkan_host/requirements.h"

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

// Scratch: the table, which begins with the plan's uniforms, and has the buckets; then the counters, and where tiles tell
// what they keep.
constexpr std::uint64_t kFirstBucketOffset = sizeof(PlanPart);
constexpr std::uint64_t kUniformBytes = kFirstBucketOffset + sizeof(BucketBlock);
constexpr std::uint64_t kBucketsOffset = 256;
static_assert(kUniformBytes <= kBucketsOffset);

constexpr std::uint64_t alignedScratch(std::uint64_t bytes) { return (bytes + 255) / 256 * 256; }

// The counters, which each frame leaves zero; those that every tile meets at keep apart from each other.
constexpr std::uint64_t kRejectedOffset = 256;
constexpr std::uint64_t kDemandedOffset = kRejectedOffset + alignedScratch(SLU_MAX_VIEWS * SLU_REJECT_COUNT * 4);

std::uint64_t countersOffset(const PlanLayout& layout) {
  return alignedScratch(kBucketsOffset + layout.buckets.size() * sizeof(BucketBlock));
}
std::uint64_t chunksOffset(const PlanLayout& layout) {
  const std::uint64_t counterBytes = 4ull * layout.maxViewCount * layout.bucketCount();
  return alignedScratch(countersOffset(layout) + kDemandedOffset + counterBytes);
}

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

constexpr VkBufferUsageFlags kScratch = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
constexpr VkBufferUsageFlags kChunks = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
constexpr VkBufferUsageFlags kCopied = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

class VulkanPlan final : public RoutePlan {
 public:
  VulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout, BufferWatch& watch);

  void run(const Frame& frame, void* target) override;
  std::uint64_t tileRecords() const override { return constants_.tileRecords(); }
  std::uint64_t scratchBytes() const override {
    return scratch_.size + chunks_.size + staging_.size + frameData_.slotBytes();
  }
  std::uint64_t transientBytes(std::uint32_t viewCount) const override {
    return FrameData::bytesOf(layout_, viewCount);
  }

 private:
  bool stable() const { return layout_.order == SLU_ORDER_STABLE; }
  bool isSinglePass() const { return constants_.patience != 0; }
  VkPipeline compactFor(const FramePart& part) const;

  std::uint64_t scratchPlace(std::uint64_t offset) const;
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
  const BindingMap bindings_;
  const VkPipelineLayout pipelineLayout_;
  VkPipeline compact_;
  VkPipeline compactUnaligned_;  // the same where no records are moved
  VkPipeline count_ = VK_NULL_HANDLE;
  VkPipeline scan_ = VK_NULL_HANDLE;
  // Mapped, so that it is filled without a submission; the kernels leave zero what is zero at first.
  DeviceBuffer scratch_;
  DeviceBuffer chunks_;   // of plans that count and scan: counts per chunk, unless buffers are bound
  DeviceBuffer staging_;  // the input of an in-place frame
  UniformSet planSet_;    // the table's uniforms
  FrameData frameData_;
  std::optional<BoundBuffers> boundBuffers_;
};

VulkanPlan::VulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout, BufferWatch& watch)
    : device_(device),
      layout_(layout),
      constants_(kernelConstants(layout, device, pipelines.limits())),
      maxChunkCount_(stable() && !isSinglePass() ? maxChunkCount(layout, constants_.tileRecords()) : 0),
      bindings_(pipelines.bindsBuffers() ? mapBindings(layout, mostBindings(device.limits)) : BindingMap{}),
      pipelineLayout_(pipelines.layout(bindings_)),
      compact_(pipelines.get(compactKernel(constants_), constants_, bindings_)),
      compactUnaligned_(compact_),
      frameData_(device, pipelines.frameSetLayout(), layout) {
  if (constants_.moves == SLU_MOVES_NARROW || (constants_.moves != SLU_MOVES_NONE && unitWords(layout) > 1)) {
    KernelConstants unaligned = constants_;
    unaligned.aligned = 0;
    compactUnaligned_ = pipelines.get(compactKernel(constants_), unaligned, bindings_);
  }
  if (maxChunkCount_ != 0) {
    count_ = pipelines.get(Kernel::count, constants_, bindings_);
    scan_ = pipelines.get(Kernel::scan, constants_, bindings_);
  }
  const std::uint64_t chunkBytes = stable() ? 4 * layout.maxViewCount * chunkWords(layout, constants_) : 0;
  const bool isOneBuffer = isSinglePass() || pipelines.bindsBuffers();
  const std::uint64_t scratchBytes = chunksOffset(layout) + (isOneBuffer ? chunkBytes : 0);
  scratch_ = DeviceBuffer(device, scratchBytes, kScratch, MemoryKind::mapped, "sluice scratch");
  std::memset(scratch_.mapped, 0, scratchBytes);
  if (stable() && !isOneBuffer) {
    chunks_ = DeviceBuffer(device, chunkBytes, kChunks, MemoryKind::device, "sluice chunks");
  }
  if (layout.inPlace) {
    const std::uint64_t bytes = std::uint64_t{layout.maxRecordCount} * layout.recordStride;
    staging_ = DeviceBuffer(device, bytes, kCopied, MemoryKind::device, "sluice in-place input");
  }
  if (pipelines.bindsBuffers()) {
    boundBuffers_.emplace(device, pipelines, layout_, bindings_, scratch_, staging_, watch);
  }
  fillTable();
  const UniformSet::Binding uniforms{kPlanBinding, {scratch_.buffer.get(), 0, kUniformBytes}};
  planSet_ = UniformSet(device, pipelines.planSetLayout(), std::span(&uniforms, 1));
}

// Of a byte of scratch, as kernels have it.
std::uint64_t VulkanPlan::scratchPlace(std::uint64_t offset) const {
  return boundBuffers_ ? boundPlace(offset) : scratch_.address + offset;
}

void VulkanPlan::fillTable() {
  PlanPart part{};
  fillPlanPart(part, layout_);
  const std::uint64_t counters = countersOffset(layout_);
  part.buckets = scratchPlace(kBucketsOffset);
  part.progress = scratchPlace(counters);
  part.rejected = scratchPlace(counters + kRejectedOffset);
  part.demanded = scratchPlace(counters + kDemandedOffset);
  (isSinglePass() ? part.tileStatus : part.chunkCounts) =
      chunks_.size != 0 ? chunks_.address : scratchPlace(chunksOffset(layout_));
  part.maxTiles = mostTiles(layout_, constants_);
  auto* const table = static_cast<std::uint8_t*>(scratch_.mapped);
  std::memcpy(table, &part, sizeof(part));
  std::memcpy(table + kFirstBucketOffset, layout_.buckets.data(), sizeof(BucketBlock));
  std::memcpy(table + kBucketsOffset, layout_.buckets.data(), layout_.buckets.size() * sizeof(BucketBlock));
}

FramePart VulkanPlan::framePart(const Frame& frame, std::uint32_t tileCount) const {
  const std::uint64_t staged = boundBuffers_ ? 0 : staging_.address;
  FramePart part = makeFramePart(layout_, frame, layout_.inPlace ? staged : frame.records.address);
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
  FramePart part = framePart(frame, tileCount);
  const VkPipeline compact = compactFor(part);
  BoundBuffers::Bound bound;
  if (boundBuffers_) bound = boundBuffers_->place(frame, part);
  const FrameData::Place place = frameData_.write(part, frame);

  const DebugLabel label(device_, commands, stable() ? "sluice compact, stable" : "sluice compact, unordered");
  recordBarrier(device_, commands, kCompute, layout_.inPlace ? kCompute | kTransfer : kCompute);
  if (layout_.inPlace && recordInputCopy(device_, commands, layout_, frame, staging_.buffer.get())) {
    recordBarrier(device_, commands, kTransfer, kCompute);
  }
  bindFrame(commands, place, 0);
  if (boundBuffers_) boundBuffers_->bind(commands, pipelineLayout_, bound);
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

std::unique_ptr<RoutePlan> makeVulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout,
                                          BufferWatch& watch) {
  return std::make_unique<VulkanPlan>(device, pipelines, layout, watch);
}

}  // namespace slu
