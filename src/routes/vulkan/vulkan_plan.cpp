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

// Of frames into one bucket that count first: such frames have few counters, and more chunks even out the work.
constexpr std::uint32_t kMostSingleChunks = 4096;

std::uint32_t mostChunks(const PlanLayout& layout, const KernelConstants& constants) {
  if (compactKernel(constants) != Kernel::emit) return 0;
  if (layout.bucketCount() == 1) return std::min(mostTiles(layout, constants), kMostSingleChunks);
  return maxChunkCount(layout, constants.tileRecords());
}

// Of stable plans, per view: the chunks' counts, or where tiles tell what they keep, words that are zero before the first
// frame.
std::uint64_t chunkWords(const PlanLayout& layout, const KernelConstants& constants) {
  switch (compactKernel(constants)) {
    case Kernel::ordered:
      return SLU_LOOK_BACK_WORDS;
    case Kernel::persistent:
      return SLU_STATUS_WORDS(std::uint64_t{mostTiles(layout, constants)});
    default:
      return std::uint64_t{mostChunks(layout, constants)} * layout.bucketCount();
  }
}

// Returns the size of a view's ballots, a bit per record. They lie behind the chunks' counts of all views.
std::uint64_t ballotWords(const PlanLayout& layout, const KernelConstants& constants) {
  if (compactKernel(constants) != Kernel::emit) return 0;
  return std::uint64_t{mostTiles(layout, constants)} * (constants.tileRecords() / 32);
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
  bool publishesLast() const { return device_.severalDispatches || mostChunks_ != 0; }
  VkPipeline compactFor(const FramePart& part) const;

  std::uint64_t scratchPlace(std::uint64_t offset) const;
  std::uint64_t chunkPlace(std::uint64_t offset) const;
  void fillTable();
  FramePart framePart(const Frame& frame, std::uint32_t tileCount) const;
  void bindFrame(VkCommandBuffer commands, const FrameData::Place& place, std::uint32_t view) const;
  std::uint32_t workgroupCount(const FramePart& part, std::uint32_t tileCount) const;
  void recordDispatches(VkCommandBuffer commands, Kernel kernel, VkPipeline pipeline, std::uint32_t x,
                        const FrameData::Place& place, std::uint32_t viewCount) const;

  const Device& device_;
  const PlanLayout layout_;
  const KernelConstants constants_;
  const std::uint32_t mostChunks_;  // 0 unless dispatches count and scan first
  const BindingMap bindings_;
  const VkPipelineLayout pipelineLayout_;
  const std::shared_ptr<KernelSet> predicate_;  // null unless the plan has one
  VkPipeline compact_;
  VkPipeline compactUnaligned_;  // the same where no records are moved
  VkPipeline count_ = VK_NULL_HANDLE;
  VkPipeline scan_ = VK_NULL_HANDLE;
  VkPipeline publish_ = VK_NULL_HANDLE;  // where a dispatch of its own publishes
  // Mapped, so that it is filled without a submission; the kernels leave zero what is zero at first.
  DeviceBuffer scratch_;
  DeviceBuffer chunks_;   // of plans that count and scan: counts per chunk, and ballots, unless buffers are bound
  DeviceBuffer staging_;  // the input of an in-place frame
  UniformSet planSet_;    // the table's uniforms
  FrameData frameData_;
  std::optional<BoundBuffers> boundBuffers_;
};

VulkanPlan::VulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout, BufferWatch& watch)
    : device_(device),
      layout_(layout),
      constants_(kernelConstants(layout, device, pipelines.limits())),
      mostChunks_(mostChunks(layout, constants_)),
      bindings_(pipelines.bindsBuffers() ? mapBindings(layout, mostBindings(device.limits)) : BindingMap{}),
      pipelineLayout_(pipelines.layout(bindings_)),
      predicate_(pipelines.kernelsOf(layout)),
      compact_(pipelines.get(compactKernel(constants_), constants_, bindings_, predicate_.get())),
      compactUnaligned_(compact_),
      frameData_(device, pipelines.frameSetLayout(), layout) {
  if (constants_.moves == SLU_MOVES_NARROW || (constants_.moves != SLU_MOVES_NONE && unitWords(layout) > 1)) {
    KernelConstants unaligned = constants_;
    unaligned.aligned = 0;
    compactUnaligned_ = pipelines.get(compactKernel(constants_), unaligned, bindings_, predicate_.get());
  }
  if (mostChunks_ != 0) {
    count_ = pipelines.get(Kernel::count, constants_, bindings_, predicate_.get());
    scan_ = pipelines.get(Kernel::scan, constants_, bindings_);
  }
  if (publishesLast()) publish_ = pipelines.get(Kernel::publish, constants_, bindings_);
  const std::uint64_t words = stable() ? chunkWords(layout, constants_) + ballotWords(layout, constants_) : 0;
  const std::uint64_t chunkBytes = 4 * layout.maxViewCount * words;
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

// Returns the place of a byte of scratch, as kernels read it.
std::uint64_t VulkanPlan::scratchPlace(std::uint64_t offset) const {
  return boundBuffers_ ? boundPlace(offset) : scratch_.address + offset;
}

// Returns the place of a byte of the chunks' counts, which lie behind the counters or in a buffer of their own.
std::uint64_t VulkanPlan::chunkPlace(std::uint64_t offset) const {
  return chunks_.size != 0 ? chunks_.address + offset : scratchPlace(chunksOffset(layout_) + offset);
}

void VulkanPlan::fillTable() {
  PlanPart part{};
  fillPlanPart(part, layout_);
  const std::uint64_t counters = countersOffset(layout_);
  part.buckets = scratchPlace(kBucketsOffset);
  part.progress = scratchPlace(counters);
  part.rejected = scratchPlace(counters + kRejectedOffset);
  part.demanded = scratchPlace(counters + kDemandedOffset);
  part.chunkCounts = chunkPlace(0);
  part.tileStatus = chunkPlace(isSinglePass() ? 0 : 4 * layout_.maxViewCount * chunkWords(layout_, constants_));
  part.maxTiles = mostTiles(layout_, constants_);
  auto* const table = static_cast<std::uint8_t*>(scratch_.mapped);
  std::memcpy(table, &part, sizeof(part));
  std::memcpy(table + kFirstBucketOffset, layout_.buckets.data(), sizeof(BucketBlock));
  std::memcpy(table + kBucketsOffset, layout_.buckets.data(), layout_.buckets.size() * sizeof(BucketBlock));
}

FramePart VulkanPlan::framePart(const Frame& frame, std::uint32_t tileCount) const {
  const std::uint64_t staged = boundBuffers_ ? 0 : staging_.address;
  FramePart part = makeFramePart(layout_, frame, layout_.inPlace ? staged : frame.records.address);
  if (mostChunks_ != 0) part.chunkCount = divideUp(tileCount, divideUp(tileCount, mostChunks_));
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

// If the kernel looks at views, each is bound for a dispatch of its own.
void VulkanPlan::recordDispatches(VkCommandBuffer commands, Kernel kernel, VkPipeline pipeline, std::uint32_t x,
                                  const FrameData::Place& place, std::uint32_t viewCount) const {
  device_.functions.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  if (!readsView(kernel, constants_) || viewCount == 1) {
    device_.functions.vkCmdDispatch(commands, x, viewCount, 1);
    return;
  }
  for (std::uint32_t view = 0; view < viewCount; ++view) {
    bindFrame(commands, place, view);
    device_.functions.vkCmdDispatchBase(commands, 0, view, 0, x, 1, 1);
  }
}

// Returns how many workgroups the kernel has that writes what is kept.
std::uint32_t VulkanPlan::workgroupCount(const FramePart& part, std::uint32_t tileCount) const {
  switch (compactKernel(constants_)) {
    case Kernel::ordered:
      return tileCount;
    case Kernel::persistent:  // one scans
      return std::max(std::min(tileCount, kPersistentWorkgroups), divideUp(tileCount, SLU_MOST_TILES)) + 1;
    case Kernel::emit:
      return part.chunkCount;
    default:
      break;
  }
  const bool ends = constants_.moves == SLU_MOVES_NONE || layout_.bucketCount() > 1;
  return std::min(tileCount, ends ? kMaxWorkgroups : kMaxMovingWorkgroups);
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
  const auto dispatch = [&](Kernel kernel, VkPipeline pipeline, std::uint32_t x) {
    recordDispatches(commands, kernel, pipeline, x, place, frame.viewCount);
  };
  const Kernel kernel = compactKernel(constants_);
  const std::uint32_t workgroups = workgroupCount(part, tileCount);
  if (mostChunks_ != 0) {
    dispatch(Kernel::count, count_, part.chunkCount);
    recordBarrier(device_, commands, kCompute, kCompute);
    dispatch(Kernel::scan, scan_, layout_.bucketCount());
    recordBarrier(device_, commands, kCompute, kCompute);
    dispatch(Kernel::publish, publish_, 1);  // and what is kept is written at the same time, elsewhere
    // Vulkan's validation takes bindings for used as a whole, and both dispatches bind all scratch.
    if (boundBuffers_) recordBarrier(device_, commands, kCompute, kCompute);
    dispatch(kernel, compact, workgroups);
    return;
  }
  dispatch(kernel, compact, workgroups);
  if (!publishesLast()) return;
  recordBarrier(device_, commands, kCompute, kCompute);
  dispatch(Kernel::publish, publish_, 1);
}

}  // namespace

std::unique_ptr<RoutePlan> makeVulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout,
                                          BufferWatch& watch) {
  return std::make_unique<VulkanPlan>(device, pipelines, layout, watch);
}

}  // namespace slu
