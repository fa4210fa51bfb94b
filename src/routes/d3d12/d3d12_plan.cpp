#include "routes/d3d12/d3d12_plan.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "plan/frame_block.h"
#include "plan/kept_lists.h"
#include "plan/stream_fields.h"
#include "routes/d3d12/d3d12_buffer.h"
#include "routes/d3d12/recording.h"
#include "routes/shaders/dispatches.h"
#include "routes/shaders/frame_buffers.h"
#include "routes/shaders/frame_bytes.h"

namespace slu {
namespace {

constexpr std::uint32_t kMostWorkgroups = 65535;  // D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION

// Shader model 5 has no wave operations.
constexpr std::uint32_t kEmulatedSubgroupSize = 32;

ShaderTarget targetOf(const D3D12Device& device) {
  ShaderTarget target;
  target.sharedBytes = D3D12_CS_TGSM_REGISTER_COUNT * 4;
  target.mostWorkgroups = kMostWorkgroups;
  target.severalDispatches = true;
  if (device.shaderModel() == 5) {
    target.emulatedSubgroupSize = kEmulatedSubgroupSize;
    target.shortTiles = true;
  }
  target.draws = device.listType() == D3D12_COMMAND_LIST_TYPE_DIRECT;
  return target;
}

void recordTransition(ID3D12GraphicsCommandList* list, ID3D12Resource* resource, D3D12_RESOURCE_STATES from,
                      D3D12_RESOURCE_STATES to) {
  D3D12_RESOURCE_BARRIER barrier{};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition = {resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, from, to};
  list->ResourceBarrier(1, &barrier);
}

const D3D12Buffer& bufferOf(const Binding& binding) { return static_cast<const D3D12Buffer&>(*binding.buffer); }

// Where one frame's data lies.
struct FramePlace {
  D3D12_GPU_VIRTUAL_ADDRESS address = 0;
  std::byte* mapped = nullptr;
};

class D3D12Plan final : public RoutePlan {
 public:
  D3D12Plan(const D3D12Device& device, D3D12Pipelines& pipelines, const PlanLayout& layout);

  void run(const Frame& frame, void* target) override;
  void checkFrame(const Frame& frame, void* target) override {
    device_.checkList(static_cast<ID3D12GraphicsCommandList*>(target));
    checkResources(frame);
  }
  std::uint64_t tileRecords() const override { return dispatches_.constants.tileRecords(); }
  std::uint64_t scratchBytes() const override {
    return scratch_.size + tables_.size + staging_.size + lists_.size + slots_.size;
  }
  std::uint64_t transientBytes(std::uint32_t viewCount) const override { return frameBytes(layout_, viewCount, false); }

 private:
  bool copiesBuckets() const { return layout_.bucketCount() > 1 || (layout_.emitsCommands() && !layout_.hasMeshes()); }
  bool stages(const Frame& frame) const { return layout_.inPlace && frame.records && frame.recordCount != 0; }
  void makeStreams(D3D12Pipelines& pipelines);
  bool isOutputToo(const Frame& frame, const D3D12Buffer& buffer) const;
  void checkResources(const Frame& frame) const;
  void checkResource(const Frame& frame, const Binding& binding, const char* field, bool isInput) const;
  FramePlace placeOf(const Frame& frame);
  FramePart framePart(const Frame& frame) const;
  void bindBuffers(const Frame& frame, ID3D12GraphicsCommandList* list) const;
  void copyInputs(const Frame& frame, ID3D12GraphicsCommandList* list) const;
  void recordFrame(const Frame& frame, ID3D12GraphicsCommandList* list);
  void recordCompaction(const Frame& frame, ID3D12GraphicsCommandList* list, const FramePart& part,
                        D3D12_GPU_VIRTUAL_ADDRESS frameAddress) const;
  void recordStreams(const Frame& frame, ID3D12GraphicsCommandList* list, const FramePart& part,
                     const FramePlace& place) const;
  void leave(const Frame& frame, ID3D12GraphicsCommandList* list) const;
  void dispatch(ID3D12GraphicsCommandList* list, Kernel kernel, ID3D12PipelineState* pipeline, std::uint32_t x,
                std::uint32_t viewCount, D3D12_GPU_VIRTUAL_ADDRESS frameAddress) const;

  const D3D12Device& device_;
  const PlanLayout layout_;
  const Dispatches dispatches_;
  ID3D12PipelineState* compact_ = nullptr;
  ID3D12PipelineState* count_ = nullptr;  // unless mostChunks is 0; so is scan_. sparseRank and sparseSums
  ID3D12PipelineState* scan_ = nullptr;
  ID3D12PipelineState* publish_ = nullptr;
  ID3D12PipelineState* places_ = nullptr;       // of a sparse plan
  ID3D12PipelineState* findVisible_ = nullptr;  // of a plan that finds out what a pyramid hides
  std::vector<ID3D12PipelineState*> gathers_;   // by further stream
  GpuBuffer tables_;                            // mapped: the uniforms, and at the same place as in scratch the buckets
  GpuBuffer scratch_;                           // its state is the common one, or what a dispatch has promoted it to
  GpuBuffer staging_;                           // the input of an in-place frame
  GpuBuffer slots_;                             // mapped: the data of frames that bring no memory for it
  // Of plans with further streams (plan/kept_lists.h), once as a frame binds it. Its state is as that of scratch.
  GpuBuffer lists_;
  D3D12Buffer listsBuffer_;
  std::uint32_t nextSlot_ = 0;
};

Dispatches divide(const D3D12Device& device, const PlanLayout& layout) {
  const KernelConstants constants = kernelConstants(layout, targetOf(device), {});
  return divideFrames(layout, constants, compactKernel(layout, constants));
}

std::optional<KernelPredicate> predicateOf(const PlanLayout& layout) {
  if (layout.live.test != SLU_LIVE_CUSTOM) return std::nullopt;
  return KernelPredicate{layout.predicate.source, layout.predicate.computesKey};
}

D3D12Plan::D3D12Plan(const D3D12Device& device, D3D12Pipelines& pipelines, const PlanLayout& layout)
    : device_(device), layout_(layout), dispatches_(divide(device, layout)) {
  assert(!layout.testsOcclusion() || !layout.keepsLodStates());  // bits and states share a register
  const std::uint64_t scratchBytes = chunksOffset(layout) + chunkBytes(layout, dispatches_);
  require(scratchBytes <= kMostBindingBytes,
          "plan.maxRecordCount: for so many records, views and buckets the plan has scratch of ", scratchBytes,
          " bytes, and the d3d12 route binds less than 4 GiB; lower it, plan.maxViewCount or plan.key.keyCount");
  const bool counts = dispatches_.mostChunks != 0;
  std::vector<Kernel> kernels = {dispatches_.compacting, Kernel::publish};
  if (counts) kernels.insert(kernels.end(), {Kernel::count, Kernel::scan});
  if (layout.isSparse()) {
    kernels = {dispatches_.compacting, Kernel::sparsePublish, Kernel::sparseRank, Kernel::sparseSums,
               Kernel::sparsePlaces};
  }
  if (layout.findsVisible) kernels.push_back(Kernel::findVisible);
  const auto found = pipelines.get(kernels, dispatches_.constants, predicateOf(layout));
  compact_ = found[0];
  publish_ = found[1];
  if (counts || layout.isSparse()) {
    count_ = found[2];
    scan_ = found[3];
  }
  if (layout.isSparse()) places_ = found[4];
  if (layout.findsVisible) findVisible_ = found.back();
  const std::uint64_t bucketBytes = layout_.buckets.size() * sizeof(BucketBlock);
  tables_ = device.makeBuffer(kBucketsOffset + bucketBytes, GpuBuffer::Kind::upload, L"sluice tables");
  scratch_ = device.makeBuffer(scratchBytes, GpuBuffer::Kind::deviceLocal, L"sluice scratch");
  writeUniforms(tables_.mapped, layout_, dispatches_,
                {boundPlace(kBucketsOffset), boundPlace(countersOffset(layout_)), boundPlace(placesOffset(layout_)),
                 boundPlace(groupsOffset(layout_)), boundPlace(chunksOffset(layout_)), 4});
  std::memcpy(tables_.mapped + kBucketsOffset, layout_.buckets.data(), bucketBytes);
  if (layout_.inPlace) {
    const std::uint64_t bytes = std::uint64_t{layout_.maxRecordCount} * layout_.recordStride;
    staging_ = device.makeBuffer(bytes, GpuBuffer::Kind::deviceLocal, L"sluice in-place input");
  }
  if (!layout_.streams.empty()) makeStreams(pipelines);
  if (layout_.framesInFlight == 0) return;
  slots_ = device.makeBuffer(layout_.framesInFlight * frameBytes(layout_, layout_.maxViewCount, false),
                             GpuBuffer::Kind::upload, L"sluice frames");
}

void D3D12Plan::makeStreams(D3D12Pipelines& pipelines) {
  for (const SluStream& stream : layout_.streams) {
    const Kernel kernels[] = {Kernel::gather};
    gathers_.push_back(pipelines.get(kernels, streamConstants(dispatches_.constants, stream), std::nullopt)[0]);
  }
  const std::uint64_t bytes = keptListBytes(layout_);
  if (bytes == 0) return;
  require(bytes <= kMostBindingBytes, "plan.streams: copying them takes ", bytes,
          " bytes for the indices of what is kept, and the d3d12 route binds less than 4 GiB; lower the capacities");
  lists_ = device_.makeBuffer(bytes, GpuBuffer::Kind::deviceLocal, L"sluice kept lists");
  listsBuffer_.resource = ComPtr<ID3D12Resource>::share(lists_.resource.get());
  listsBuffer_.address = lists_.address;
}

// Whether the frame writes the resource that holds the buffer.
bool D3D12Plan::isOutputToo(const Frame& frame, const D3D12Buffer& buffer) const {
  const Frame& whole = frame.whole != nullptr ? *frame.whole : frame;
  const auto isThere = [&](const Binding& binding) {
    return binding && bufferOf(binding).resource.get() == buffer.resource.get();
  };
  for (const FrameBuffer& each : kFrameBuffers) {
    if (isWritten(each.number) && isThere(whole.*each.bound)) return true;
  }
  for (const StreamBinding& stream : whole.streams) {
    if (isThere(stream.output)) return true;
  }
  return isThere(whole.rejects) || isThere(whole.rejectCounts);
}

// A resource has one state for all of its bytes.
void D3D12Plan::checkResources(const Frame& frame) const {
  for (const FrameBuffer& each : kFrameBuffers) {
    const bool isCopied = each.number == SLU_BINDING_RECORDS && layout_.inPlace;
    checkResource(frame, frame.*each.bound, fieldOf(each, layout_), !isWritten(each.number) && !isCopied);
  }
  for (std::size_t i = 0; i < layout_.streams.size(); ++i) {
    checkResource(frame, frame.streams[i].input, kStreamInputs[i], true);
    checkResource(frame, frame.streams[i].output, kStreamOutputs[i], false);
  }
}

void D3D12Plan::checkResource(const Frame& frame, const Binding& binding, const char* field, bool isInput) const {
  if (!binding) return;
  require(binding.bytes <= kMostBindingBytes, field, ": has ", binding.bytes,
          " bytes, and the d3d12 route binds less than 4 GiB; bring less per frame");
  require(!isInput || !isOutputToo(frame, bufferOf(binding)), field,
          ": its ID3D12Resource also holds an output of the frame, and a resource has one state at a time; put "
          "inputs and outputs into different resources");
}

FramePlace D3D12Plan::placeOf(const Frame& frame) {
  if (frame.transient) {
    return {frame.transient.address, bufferOf(frame.transient).mapped + frame.transient.offset};
  }
  const std::uint64_t offset = nextSlot_ * (slots_.size / layout_.framesInFlight);
  nextSlot_ = (nextSlot_ + 1) % layout_.framesInFlight;
  return {slots_.address + offset, slots_.mapped + offset};
}

// Every buffer is bound from the first byte that the frame binds.
FramePart D3D12Plan::framePart(const Frame& frame) const {
  FramePart part = makeFramePart(layout_, frame, layout_.inPlace ? staging_.address : frame.records.address);
  part.chunkCount = chunkCountOf(layout_, dispatches_, frame);
  for (const FrameBuffer& each : kFrameBuffers) part.*each.place = frame.*each.bound ? boundPlace(0) : 0;
  placeShared(part, layout_);
  return part;
}

// What a frame does not bind is not read or written, and yet needs an address.
void D3D12Plan::bindBuffers(const Frame& frame, ID3D12GraphicsCommandList* list) const {
  std::array<D3D12_GPU_VIRTUAL_ADDRESS, kRootCount> addresses;  // by root parameter
  std::fill(addresses.begin() + kRootSrvs, addresses.begin() + kRootUavs, tables_.address);
  std::fill(addresses.begin() + kRootUavs, addresses.end(), scratch_.address);
  for (const FrameBuffer& each : kFrameBuffers) {
    if (frame.*each.bound) addresses[rootOf(each.number)] = (frame.*each.bound).address;
  }
  if (frame.records && layout_.inPlace) addresses[rootOf(SLU_BINDING_RECORDS)] = staging_.address;
  for (std::uint32_t binding = 0; binding < kHlslRegisters.size(); ++binding) {
    addresses[rootOf(binding)] = addresses[rootOf(holderOf(binding, layout_))];
  }
  for (UINT root = kRootSrvs; root < kRootUavs; ++root) list->SetComputeRootShaderResourceView(root, addresses[root]);
  for (UINT root = kRootUavs; root < kRootCount; ++root) list->SetComputeRootUnorderedAccessView(root, addresses[root]);
}

void D3D12Plan::copyInputs(const Frame& frame, ID3D12GraphicsCommandList* list) const {
  if (copiesBuckets()) {
    list->CopyBufferRegion(scratch_.resource.get(), kBucketsOffset, tables_.resource.get(), kBucketsOffset,
                           tables_.size - kBucketsOffset);
    recordTransition(list, scratch_.resource.get(), D3D12_RESOURCE_STATE_COPY_DEST,
                     D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  }
  if (!stages(frame)) return;
  const D3D12Buffer& records = bufferOf(frame.records);
  const auto state = isOutputToo(frame, records) ? D3D12_RESOURCE_STATE_UNORDERED_ACCESS
                                                 : D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE;
  if (!records.isInUploadHeap) {  // whose resources are always in a state that can be copied from
    recordTransition(list, records.resource.get(), state, D3D12_RESOURCE_STATE_COPY_SOURCE);
  }
  list->CopyBufferRegion(staging_.resource.get(), 0, records.resource.get(), records.offset + frame.records.offset,
                         std::uint64_t{frame.recordCount} * layout_.recordStride);
  if (!records.isInUploadHeap) {
    recordTransition(list, records.resource.get(), D3D12_RESOURCE_STATE_COPY_SOURCE, state);
  }
  recordTransition(list, staging_.resource.get(), D3D12_RESOURCE_STATE_COPY_DEST,
                   D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE);
}

// Brings what was copied to back to the common state, from which the next copy promotes it.
void D3D12Plan::leave(const Frame& frame, ID3D12GraphicsCommandList* list) const {
  if (copiesBuckets()) {
    recordTransition(list, scratch_.resource.get(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COMMON);
  }
  if (stages(frame)) {
    recordTransition(list, staging_.resource.get(), D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE,
                     D3D12_RESOURCE_STATE_COMMON);
  }
}

// If the kernel looks at a view, each is bound for a dispatch of its own.
void D3D12Plan::dispatch(ID3D12GraphicsCommandList* list, Kernel kernel, ID3D12PipelineState* pipeline, std::uint32_t x,
                         std::uint32_t viewCount, D3D12_GPU_VIRTUAL_ADDRESS frameAddress) const {
  list->SetPipelineState(pipeline);
  const bool isPerView = readsView(kernel, dispatches_.constants);
  const std::uint32_t count = isPerView ? viewCount : 1;
  for (std::uint32_t view = 0; view < count; ++view) {
    const std::uint32_t words[] = {view, x};
    list->SetComputeRoot32BitConstants(kRootDispatch, 2, words, 0);
    if (isPerView) list->SetComputeRootConstantBufferView(kRootView, frameAddress + viewOffset(view));
    list->Dispatch(x, isPerView ? 1 : viewCount, 1);
  }
}

// Copies the elements of further streams, by what the dispatches before have written. Each has a frame's data of its own,
// in which the stream is the records.
void D3D12Plan::recordStreams(const Frame& frame, ID3D12GraphicsCommandList* list, const FramePart& part,
                              const FramePlace& place) const {
  for (std::uint32_t i = 0; i < layout_.streams.size(); ++i) {
    recordUavBarrier(list);  // between streams, since outputs may lie in one resource
    const auto& [input, output] = frame.streams[i];
    FramePart own = streamPart(part, layout_.streams[i], frame.streams[i]);
    own.records = input ? boundPlace(0) : 0;
    own.keptRecords = output ? boundPlace(0) : 0;
    const std::uint64_t offset = streamOffset(layout_, frame.viewCount, false, i);
    std::memcpy(place.mapped + offset, &own, sizeof(own));
    list->SetComputeRootConstantBufferView(kRootFrame, place.address + offset);
    list->SetComputeRootShaderResourceView(rootOf(SLU_BINDING_RECORDS), input ? input.address : tables_.address);
    list->SetComputeRootUnorderedAccessView(rootOf(SLU_BINDING_KEPT_RECORDS),
                                            output ? output.address : scratch_.address);
    dispatch(list, Kernel::gather, gathers_[i], gatherCount(layout_, frame.recordCount), frame.viewCount,
             place.address);
  }
}

void D3D12Plan::run(const Frame& frame, void* target) {
  auto* const list = static_cast<ID3D12GraphicsCommandList*>(target);
  if (layout_.streams.empty()) return recordFrame(frame, list);
  Frame withLists = frame;
  const KeptLists lists = keptLists(frame, layout_, {&listsBuffer_, 0, listsBuffer_.address, lists_.size});
  withLists.indices = lists.indices;
  withLists.bucketCounts = lists.bucketCounts;
  recordFrame(withLists, list);
}

// frame: with the lists of what is kept, if the plan has further streams.
void D3D12Plan::recordFrame(const Frame& frame, ID3D12GraphicsCommandList* list) {
  device_.checkList(list);
  checkResources(frame);
  const FramePart part = framePart(frame);
  const FramePlace place = placeOf(frame);
  writeFrame(place.mapped, part, frame, layout_);

  const ListEvent event(list, layout_.keepsOrderInShaders() ? L"sluice compact, stable" : L"sluice compact, unordered");
  recordUavBarrier(list);
  copyInputs(frame, list);
  list->SetComputeRootSignature(device_.rootSignature());
  list->SetComputeRootConstantBufferView(kRootPlan, tables_.address);
  list->SetComputeRootConstantBufferView(kRootFrame, place.address);
  list->SetComputeRootConstantBufferView(kRootView, place.address);
  bindBuffers(frame, list);
  recordCompaction(frame, list, part, place.address);
  if (!layout_.streams.empty()) recordStreams(frame, list, part, place);
  leave(frame, list);
}

void D3D12Plan::recordCompaction(const Frame& frame, ID3D12GraphicsCommandList* list, const FramePart& part,
                                 D3D12_GPU_VIRTUAL_ADDRESS frameAddress) const {
  const auto run = [&](Kernel kernel, ID3D12PipelineState* pipeline, std::uint32_t x) {
    dispatch(list, kernel, pipeline, x, frame.viewCount, frameAddress);
  };
  if (layout_.findsVisible && sluReadsVisible(frame.occlusionPhase) && frame.recordCount != 0) {
    run(Kernel::findVisible, findVisible_, findVisibleCount(frame.recordCount));
    recordUavBarrier(list);
  }
  const std::uint32_t tileCount = tileCountOf(dispatches_, frame.recordCount);
  const std::uint32_t workgroups = workgroupCount(layout_, dispatches_, part, tileCount);
  if (layout_.isSparse()) {
    run(Kernel::sparseRank, count_, workgroups);
    recordUavBarrier(list);
    run(Kernel::sparseSums, scan_, part.chunkCount);
    recordUavBarrier(list);
    run(Kernel::sparsePublish, publish_, 1);
    recordUavBarrier(list);
    run(Kernel::sparsePlaces, places_, part.chunkCount);
    recordUavBarrier(list);
    run(dispatches_.compacting, compact_, workgroups);
  } else if (dispatches_.mostChunks != 0) {
    run(Kernel::count, count_, part.chunkCount);
    recordUavBarrier(list);
    run(Kernel::scan, scan_, layout_.bucketCount());
    recordUavBarrier(list);
    run(Kernel::publish, publish_, 1);
    recordUavBarrier(list);  // both bind all scratch, and packed buckets are placed first
    run(dispatches_.compacting, compact_, workgroups);
  } else {
    run(dispatches_.compacting, compact_, workgroups);
    recordUavBarrier(list);
    run(Kernel::publish, publish_, 1);
  }
}

}  // namespace

std::unique_ptr<RoutePlan> makeD3D12Plan(const D3D12Device& device, D3D12Pipelines& pipelines,
                                         const PlanLayout& layout) {
  return std::make_unique<D3D12Plan>(device, pipelines, layout);
}

}  // namespace slu
