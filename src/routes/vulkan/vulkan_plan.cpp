#include "routes/vulkan/vulkan_plan.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "base/vulkan_memory.h"
#include "plan/frame_block.h"
#include "plan/kept_lists.h"
#include "routes/shaders/dispatches.h"
#include "routes/shaders/frame_buffers.h"
#include "routes/vulkan/frame_data.h"
#include "routes/vulkan_host/recording.h"
#include "routes/vulkan_host/requirements.h"

namespace slu {
namespace {

constexpr VkBufferUsageFlags kScratch = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
constexpr VkBufferUsageFlags kChunks = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
constexpr VkBufferUsageFlags kCopied = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

// The dispatches of a frame, with their pipelines.
struct Passes : Dispatches {
  Kernel counting = Kernel::count;  // countViews: for all views at once; sparseRank
  VkPipeline compact = VK_NULL_HANDLE;
  VkPipeline compactUnaligned = VK_NULL_HANDLE;  // the same where no records are moved
  VkPipeline count = VK_NULL_HANDLE;
  VkPipeline scan = VK_NULL_HANDLE;     // sparseSums in a sparse plan
  VkPipeline publish = VK_NULL_HANDLE;  // where a dispatch of its own publishes
  VkPipeline places = VK_NULL_HANDLE;   // of a sparse plan
  VkPipeline findVisible = VK_NULL_HANDLE;
  UniformSet planSet;               // the table's uniforms
  bool areChunksInScratch = false;  // or else in a buffer of their own
  std::uint64_t firstChunkByte = 0;
};

// The dispatch that copies a further stream.
struct StreamDispatch {
  FramePart part;
  BoundBuffers::Bound bound;
};

// What a frame binds.
struct BoundFrame {
  FramePart part;
  VkPipeline compact;
  std::vector<StreamDispatch> streams;
  BoundBuffers::Bound buffers;  // unless they have addresses
};

class VulkanPlan final : public RoutePlan {
 public:
  VulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout, BufferWatch& watch);

  void run(const Frame& frame, void* target) override;
  void checkFrame(const Frame& frame, void* target) override;
  std::uint64_t tileRecords() const override { return passes_.constants.tileRecords(); }
  std::uint64_t scratchBytes() const override {
    return scratch_.size + chunks_.size + staging_.size + lists_.size + frameData_.slotBytes();
  }
  std::uint64_t transientBytes(std::uint32_t viewCount) const override {
    return frameBytes(layout_, viewCount, viewsPasses_.has_value());
  }

 private:
  bool stable() const { return layout_.keepsOrderInShaders(); }
  bool isSinglePass() const { return passes_.constants.patience != 0; }

  void makeStreams(Pipelines& pipelines, BufferWatch& watch);
  Frame withLists(const Frame& frame) const;
  BoundFrame bindAll(const Frame& frame, const Passes& passes);
  void recordFrame(const Frame& frame, VkCommandBuffer commands);
  std::vector<StreamDispatch> divideStreams(const Frame& frame, const FramePart& part);
  void recordCompaction(VkCommandBuffer commands, const Passes& passes, const Frame& frame, const FramePart& part,
                        VkPipeline compact, const FrameData::Place& place) const;
  void recordStreams(VkCommandBuffer commands, const Passes& passes, const Frame& frame,
                     std::span<const StreamDispatch> dispatches, const FrameData::Place& place) const;
  Passes makeOwnPasses(Pipelines& pipelines) const;
  Passes makePasses(Pipelines& pipelines, const KernelConstants& constants, Kernel compacting, Kernel counting) const;
  std::optional<Passes> makeViewsPasses(Pipelines& pipelines) const;
  std::uint64_t scratchPlace(std::uint64_t offset) const;
  void fillBuckets();
  std::uint64_t chunkPlace(const Passes& passes) const;
  void fillUniforms(Passes& passes, std::uint64_t offset);
  const Passes& passesOf(const Frame& frame) const;
  FramePart framePart(const Frame& frame, const Passes& passes) const;
  VkPipeline compactFor(const Passes& passes, const FramePart& part) const;
  void bindFrame(VkCommandBuffer commands, const Passes& passes, const FrameData::Place& place, FrameData::Views views,
                 std::uint32_t view) const;
  void recordDispatches(VkCommandBuffer commands, const Passes& passes, Kernel kernel, VkPipeline pipeline,
                        std::uint32_t x, const FrameData::Place& place, std::uint32_t viewCount) const;

  const Device& device_;
  const PlanLayout layout_;
  const std::uint64_t readOnceFrom_;
  const VkDescriptorSetLayout planSetLayout_;
  const BindingMap bindings_;
  const VkPipelineLayout pipelineLayout_;
  const std::shared_ptr<KernelSet> predicate_;  // null unless the plan has one
  Passes passes_;
  std::optional<Passes> viewsPasses_;  // of frames that read records once for all views
  // Mapped, so that it is filled without a submission; the kernels leave zero what is zero at first.
  DeviceBuffer scratch_;
  DeviceBuffer chunks_;   // of passes that count and scan: counts per chunk, and ballots, unless buffers are bound
  DeviceBuffer staging_;  // the input of an in-place frame
  FrameData frameData_;
  std::optional<BoundBuffers> boundBuffers_;
  // Of plans with further streams.
  BindingMap streamBindings_;
  VkPipelineLayout streamLayout_ = VK_NULL_HANDLE;
  std::vector<VkPipeline> gathers_;  // by stream
  DeviceBuffer lists_;               // plan/kept_lists.h; empty if the host binds all
  VulkanBuffer listsBuffer_;         // the same
  const DeviceBuffer noStaging_;
  std::optional<BoundBuffers> boundStreams_;
};

VulkanPlan::VulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout, BufferWatch& watch)
    : device_(device),
      layout_(layout),
      readOnceFrom_(pipelines.limits().readOnceFrom),
      planSetLayout_(pipelines.planSetLayout()),
      bindings_(pipelines.bindsBuffers() ? mapBindings(layout, mostBindings(device.limits)) : BindingMap{}),
      pipelineLayout_(pipelines.layout(bindings_)),
      predicate_(pipelines.kernelsOf(layout)),
      passes_(makeOwnPasses(pipelines)),
      viewsPasses_(makeViewsPasses(pipelines)),
      frameData_(device, pipelines.frameSetLayout(), layout_, viewsPasses_.has_value()) {
  const std::uint64_t ownBytes = chunkBytes(layout_, passes_);
  const std::uint64_t viewsBytes = viewsPasses_ ? chunkBytes(layout, *viewsPasses_) : 0;
  const bool binds = pipelines.bindsBuffers();  // which brings all scratch into one buffer
  const bool isOwnInScratch = isSinglePass() || binds;
  const std::uint64_t inScratch = (isOwnInScratch ? ownBytes : 0) + (binds ? viewsBytes : 0);
  const std::uint64_t scratchBytes = chunksOffset(layout) + inScratch;
  scratch_ = DeviceBuffer(device, scratchBytes, kScratch, MemoryKind::mapped, "sluice scratch");
  // What a sparse plan has behind its counters is written by each frame before it reads it.
  std::memset(scratch_.mapped, 0, layout.isSparse() ? chunksOffset(layout) : scratchBytes);
  if (const std::uint64_t others = ownBytes + viewsBytes - inScratch; others != 0) {
    chunks_ = DeviceBuffer(device, others, kChunks, MemoryKind::device, "sluice chunks");
  }
  if (layout.inPlace) {
    const std::uint64_t bytes = std::uint64_t{layout.maxRecordCount} * layout.recordStride;
    staging_ = DeviceBuffer(device, bytes, kCopied, MemoryKind::device, "sluice in-place input");
  }
  if (binds) {
    boundBuffers_.emplace(device, pipelines, layout_, bindings_, scratch_, staging_, watch, layout_.bufferSetCount);
  }
  if (!layout_.streams.empty()) makeStreams(pipelines, watch);
  passes_.areChunksInScratch = isOwnInScratch;
  fillBuckets();
  fillUniforms(passes_, 0);
  if (!viewsPasses_) return;
  viewsPasses_->areChunksInScratch = binds;
  viewsPasses_->firstChunkByte = isOwnInScratch == binds ? ownBytes : 0;
  fillUniforms(*viewsPasses_, kViewsUniformsOffset);
}

void VulkanPlan::makeStreams(Pipelines& pipelines, BufferWatch& watch) {
  const bool binds = pipelines.bindsBuffers();
  if (binds) streamBindings_ = mapStreamBindings(mostBindings(device_.limits));
  streamLayout_ = pipelines.layout(streamBindings_);
  for (const SluStream& stream : layout_.streams) {
    gathers_.push_back(pipelines.get(Kernel::gather, streamConstants(passes_.constants, stream), streamBindings_));
  }
  if (const std::uint64_t bytes = keptListBytes(layout_); bytes != 0) {
    require(!binds || bytes <= device_.limits.maxStorageBufferRange, "plan.streams: copying them takes ", bytes,
            " bytes for the indices of what is kept, and the device binds at most ",
            device_.limits.maxStorageBufferRange, " (maxStorageBufferRange); lower the capacities");
    lists_ = DeviceBuffer(device_, bytes, kChunks, MemoryKind::device, "sluice kept lists");
    listsBuffer_.handle = lists_.buffer.get();
    listsBuffer_.size = lists_.size;
    listsBuffer_.address = lists_.address;
  }
  if (!binds) return;
  const auto setCount = layout_.bufferSetCount * static_cast<std::uint32_t>(layout_.streams.size());
  boundStreams_.emplace(device_, pipelines, layout_, streamBindings_, scratch_, noStaging_, watch, setCount);
}

Passes VulkanPlan::makeOwnPasses(Pipelines& pipelines) const {
  const KernelConstants constants = kernelConstants(layout_, device_, pipelines.limits());
  return makePasses(pipelines, constants, compactKernel(layout_, constants),
                    layout_.isSparse() ? Kernel::sparseRank : Kernel::count);
}

// None if no frame of the plan is large enough. With bound buffers all scratch must fit into a binding.
std::optional<Passes> VulkanPlan::makeViewsPasses(Pipelines& pipelines) const {
  const std::uint64_t mostBytes = std::uint64_t{layout_.maxRecordCount} * layout_.culledBytes();
  if (!layout_.mayReadOnceForAllViews() || mostBytes < readOnceFrom_) return {};
  const KernelConstants constants = viewsConstants(layout_, targetOf(device_));
  const std::uint64_t scratchBytes = chunksOffset(layout_) + chunkBytes(layout_, passes_) +
                                     chunkBytes(layout_, divideFrames(layout_, constants, Kernel::emit));
  if (pipelines.bindsBuffers() && scratchBytes > device_.limits.maxStorageBufferRange) return {};
  return makePasses(pipelines, constants, Kernel::emit, Kernel::countViews);
}

Passes VulkanPlan::makePasses(Pipelines& pipelines, const KernelConstants& constants, Kernel compacting,
                              Kernel counting) const {
  const auto get = [&](Kernel kernel, const KernelConstants& values) {
    return pipelines.get(kernel, values, bindings_, predicate_.get());
  };
  Passes passes;
  static_cast<Dispatches&>(passes) = divideFrames(layout_, constants, compacting);
  passes.counting = counting;
  if (layout_.findsVisible) passes.findVisible = get(Kernel::findVisible, constants);
  passes.compact = passes.compactUnaligned = get(compacting, constants);
  if (constants.moves == SLU_MOVES_NARROW || (constants.moves != SLU_MOVES_NONE && unitWords(layout_) > 1)) {
    KernelConstants unaligned = constants;
    unaligned.aligned = 0;
    passes.compactUnaligned = get(compacting, unaligned);
  }
  if (layout_.isSparse()) {
    passes.count = get(counting, constants);
    passes.scan = get(Kernel::sparseSums, constants);
    passes.publish = get(Kernel::sparsePublish, constants);
    passes.places = get(Kernel::sparsePlaces, constants);
    return passes;
  }
  if (passes.mostChunks != 0) {
    passes.count = get(counting, constants);
    passes.scan = get(Kernel::scan, constants);
  }
  if (device_.severalDispatches || passes.mostChunks != 0) passes.publish = get(Kernel::publish, constants);
  return passes;
}

// Returns the place of a byte of scratch, as kernels read it.
std::uint64_t VulkanPlan::scratchPlace(std::uint64_t offset) const {
  return boundBuffers_ ? boundPlace(offset) : scratch_.address + offset;
}

// Returns where the passes' chunks' counts begin.
std::uint64_t VulkanPlan::chunkPlace(const Passes& passes) const {
  if (passes.areChunksInScratch) return scratchPlace(chunksOffset(layout_) + passes.firstChunkByte);
  return chunks_.address + passes.firstChunkByte;
}

void VulkanPlan::fillBuckets() {
  auto* const table = static_cast<std::uint8_t*>(scratch_.mapped);
  std::memcpy(table + kBucketsOffset, layout_.buckets.data(), layout_.buckets.size() * sizeof(BucketBlock));
}

// offset: where the uniforms lie in scratch.
void VulkanPlan::fillUniforms(Passes& passes, std::uint64_t offset) {
  const ScratchPlaces places{scratchPlace(kBucketsOffset),
                             scratchPlace(countersOffset(layout_)),
                             scratchPlace(placesOffset(layout_)),
                             scratchPlace(groupsOffset(layout_)),
                             chunkPlace(passes),
                             boundBuffers_ ? 4u : 1u};
  writeUniforms(static_cast<std::uint8_t*>(scratch_.mapped) + offset, layout_, passes, places);
  const UniformSet::Binding uniforms{kPlanBinding, {scratch_.buffer.get(), offset, kUniformBytes}};
  passes.planSet = UniformSet(device_, planSetLayout_, std::span(&uniforms, 1));
}

const Passes& VulkanPlan::passesOf(const Frame& frame) const {
  const bool readsOnce = viewsPasses_ && frame.viewCount > 1 && bytesOfView(layout_, frame) >= readOnceFrom_;
  return readsOnce ? *viewsPasses_ : passes_;
}

FramePart VulkanPlan::framePart(const Frame& frame, const Passes& passes) const {
  const std::uint64_t staged = boundBuffers_ ? 0 : staging_.address;
  FramePart part = makeFramePart(layout_, frame, layout_.inPlace ? staged : frame.records.address);
  part.chunkCount = chunkCountOf(layout_, passes, frame);
  return part;
}

VkPipeline VulkanPlan::compactFor(const Passes& passes, const FramePart& part) const {
  const bool isAligned =
      passes.constants.moves == SLU_MOVES_NARROW ? part.records % 16 == 0 : part.copyWords == unitWords(layout_);
  return isAligned ? passes.compact : passes.compactUnaligned;
}

void VulkanPlan::bindFrame(VkCommandBuffer commands, const Passes& passes, const FrameData::Place& place,
                           FrameData::Views views, std::uint32_t view) const {
  const VkDescriptorSet sets[] = {passes.planSet.get(), place.setOf(views)};
  const std::uint32_t offsets[] = {place.offset, place.offsetOf(view, layout_.needsViews())};
  device_.functions.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelineLayout_, 0, 2, sets, 2,
                                            offsets);
}

// If the kernel looks at a view, each is bound for a dispatch of its own.
void VulkanPlan::recordDispatches(VkCommandBuffer commands, const Passes& passes, Kernel kernel, VkPipeline pipeline,
                                  std::uint32_t x, const FrameData::Place& place, std::uint32_t viewCount) const {
  device_.functions.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  if (kernel == Kernel::countViews) {
    bindFrame(commands, passes, place, FrameData::Views::all, 0);
    device_.functions.vkCmdDispatch(commands, x, 1, 1);
    bindFrame(commands, passes, place, FrameData::Views::one, 0);
    return;
  }
  if (!readsView(kernel, passes.constants) || viewCount == 1) {
    device_.functions.vkCmdDispatch(commands, x, viewCount, 1);
    return;
  }
  for (std::uint32_t view = 0; view < viewCount; ++view) {
    bindFrame(commands, passes, place, FrameData::Views::one, view);
    device_.functions.vkCmdDispatchBase(commands, 0, view, 0, x, 1, 1);
  }
}

// Returns a dispatch per stream. part: as makeFramePart returns it.
std::vector<StreamDispatch> VulkanPlan::divideStreams(const Frame& frame, const FramePart& part) {
  std::vector<StreamDispatch> dispatches(layout_.streams.size());
  for (std::uint32_t i = 0; i < dispatches.size(); ++i) {
    StreamDispatch& dispatch = dispatches[i];
    dispatch.part = streamPart(part, layout_.streams[i], frame.streams[i]);
    if (boundStreams_) dispatch.bound = boundStreams_->placeStream(frame, i, dispatch.part);
  }
  return dispatches;
}

// Copies the elements of further streams, by what the dispatches before have written.
void VulkanPlan::recordStreams(VkCommandBuffer commands, const Passes& passes, const Frame& frame,
                               std::span<const StreamDispatch> dispatches, const FrameData::Place& place) const {
  for (std::uint32_t i = 0; i < dispatches.size(); ++i) {
    // Streams do not depend on each other, but bindings count as a whole, as in recordCompaction.
    if (i == 0 || boundStreams_) recordBarrier(device_, commands, kCompute, kCompute);
    const std::uint64_t offset = streamOffset(layout_, frame.viewCount, viewsPasses_.has_value(), i);
    std::memcpy(place.mapped + offset, &dispatches[i].part, sizeof(FramePart));
    const VkDescriptorSet sets[] = {passes.planSet.get(), place.setOf(FrameData::Views::one)};
    const auto inBuffer = static_cast<std::uint32_t>(place.offset + offset);
    const std::uint32_t offsets[] = {inBuffer, inBuffer};
    device_.functions.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, gathers_[i]);
    device_.functions.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, streamLayout_, 0, 2, sets, 2,
                                              offsets);
    if (boundStreams_) boundStreams_->bind(commands, streamLayout_, dispatches[i].bound);
    device_.functions.vkCmdDispatch(commands, gatherCount(layout_, frame.recordCount), frame.viewCount, 1);
  }
}

void VulkanPlan::run(const Frame& frame, void* target) {
  const auto commands = static_cast<VkCommandBuffer>(target);
  if (layout_.streams.empty()) return recordFrame(frame, commands);
  recordFrame(withLists(frame), commands);
}

void VulkanPlan::checkFrame(const Frame& frame, void*) {
  bindAll(layout_.streams.empty() ? frame : withLists(frame), passesOf(frame));
}

// Returns the frame with the lists of what is kept, for plans with further streams.
Frame VulkanPlan::withLists(const Frame& frame) const {
  Frame changed = frame;
  const KeptLists lists = keptLists(frame, layout_, {&listsBuffer_, 0, listsBuffer_.address, lists_.size});
  changed.indices = lists.indices;
  changed.bucketCounts = lists.bucketCounts;
  return changed;
}

// Records nothing, since a buffer may be refused.
BoundFrame VulkanPlan::bindAll(const Frame& frame, const Passes& passes) {
  BoundFrame bound;
  bound.part = framePart(frame, passes);
  bound.compact = compactFor(passes, bound.part);
  bound.streams = divideStreams(frame, bound.part);
  if (boundBuffers_) bound.buffers = boundBuffers_->place(frame, bound.part);
  return bound;
}

// frame: with the lists of what is kept, if the plan has further streams.
void VulkanPlan::recordFrame(const Frame& frame, VkCommandBuffer commands) {
  const Passes& passes = passesOf(frame);
  const auto& [part, compact, streams, buffers] = bindAll(frame, passes);
  const FrameData::Place place = frameData_.write(part, frame);

  const DebugLabel label(device_, commands, stable() ? "sluice compact, stable" : "sluice compact, unordered");
  recordBarrier(device_, commands, kCompute, layout_.inPlace ? kCompute | kTransfer : kCompute);
  if (layout_.inPlace && recordInputCopy(device_, commands, layout_, frame, staging_.buffer.get())) {
    recordBarrier(device_, commands, kTransfer, kCompute);
  }
  bindFrame(commands, passes, place, FrameData::Views::one, 0);
  if (boundBuffers_) boundBuffers_->bind(commands, pipelineLayout_, buffers);
  recordCompaction(commands, passes, frame, part, compact, place);
  if (!streams.empty()) recordStreams(commands, passes, frame, streams, place);
}

void VulkanPlan::recordCompaction(VkCommandBuffer commands, const Passes& passes, const Frame& frame,
                                  const FramePart& part, VkPipeline compact, const FrameData::Place& place) const {
  const auto dispatch = [&](Kernel kernel, VkPipeline pipeline, std::uint32_t x) {
    recordDispatches(commands, passes, kernel, pipeline, x, place, frame.viewCount);
  };
  if (layout_.findsVisible && sluReadsVisible(frame.occlusionPhase) && frame.recordCount != 0) {
    dispatch(Kernel::findVisible, passes.findVisible, findVisibleCount(frame.recordCount));
    recordBarrier(device_, commands, kCompute, kCompute);
  }
  const std::uint32_t workgroups = workgroupCount(layout_, passes, part, tileCountOf(passes, frame.recordCount));
  if (layout_.isSparse()) {
    dispatch(passes.counting, passes.count, workgroups);
    recordBarrier(device_, commands, kCompute, kCompute);
    dispatch(Kernel::sparseSums, passes.scan, part.chunkCount);
    recordBarrier(device_, commands, kCompute, kCompute);
    dispatch(Kernel::sparsePublish, passes.publish, 1);
    recordBarrier(device_, commands, kCompute, kCompute);
    dispatch(Kernel::sparsePlaces, passes.places, part.chunkCount);
    recordBarrier(device_, commands, kCompute, kCompute);
    dispatch(passes.compacting, compact, workgroups);
    return;
  }
  if (passes.mostChunks != 0) {
    dispatch(passes.counting, passes.count, part.chunkCount);
    recordBarrier(device_, commands, kCompute, kCompute);
    dispatch(Kernel::scan, passes.scan, layout_.bucketCount());
    recordBarrier(device_, commands, kCompute, kCompute);
    dispatch(Kernel::publish, passes.publish, 1);  // and what is kept is written at the same time, elsewhere
    // Packed buckets are placed first. Else Vulkan's validation takes bindings for used as a whole, and both dispatches
    // bind all scratch.
    if (layout_.isPacked() || boundBuffers_) recordBarrier(device_, commands, kCompute, kCompute);
    dispatch(passes.compacting, compact, workgroups);
    return;
  }
  dispatch(passes.compacting, compact, workgroups);
  if (passes.publish == VK_NULL_HANDLE) return;
  recordBarrier(device_, commands, kCompute, kCompute);
  dispatch(Kernel::publish, passes.publish, 1);
}

}  // namespace

std::unique_ptr<RoutePlan> makeVulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout,
                                          BufferWatch& watch) {
  return std::make_unique<VulkanPlan>(device, pipelines, layout, watch);
}

}  // namespace slu
