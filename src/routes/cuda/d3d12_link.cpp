#include "routes/cuda/d3d12_link.h"

#include <utility>

#include "base/structs.h"
#include "routes/cuda/handoff_values.h"
#include "routes/cuda/import_as.h"

namespace slu {
namespace {

class SharedD3D12Buffer final : public RouteBuffer {
 public:
  SharedD3D12Buffer(ImportedRange range, const D3D12Part& part)
      : range_(std::move(range)), resource_(ComPtr<ID3D12Resource>::share(part.resource)) {
    address = reinterpret_cast<std::uintptr_t>(range_.pointer) + part.offset;
  }

  ID3D12Resource* d3d12Resource() const override { return resource_.get(); }

 private:
  ImportedRange range_;  // of the whole resource
  ComPtr<ID3D12Resource> resource_;
};

}  // namespace

D3D12Link::D3D12Link(ID3D12Device* device, const CudaContext& context)
    : context_(context),
      device_(ComPtr<ID3D12Device>::share(device)),
      memories_(*device, context),
      timelines_(*device, context) {}

SluD3D12Fences D3D12Link::fences() const {
  auto fences = SLU_INIT(D3D12_FENCES, SluD3D12Fences);
  fences.released = timelines_.graphicsFence.get();
  fences.compacted = timelines_.cudaFence.get();
  return fences;
}

HandoffValues D3D12Link::check(const SluHandoffInfo& handoff, CUstream_st* stream) const {
  return checkValues(handoff, timelines_, context_, stream);
}

void D3D12Link::enqueue(const HandoffValues& values, CUstream_st* stream) { enqueueValues(values, timelines_, stream); }

std::shared_ptr<const ImportedMemory> D3D12Link::importResource(ID3D12Resource& resource) {
  return memories_.import(resource, committedAllocation(*device_.get(), resource));
}

// Direct3D does not say in which heap a resource was placed, or where. The flags and the sizes are compared.
std::shared_ptr<const ImportedMemory> D3D12Link::importHeap(const SluD3D12MemoryInfo& memory, const D3D12Part& part) {
  requireDevice(*memory.heap, *device_.get());
  const ExternalAllocation allocation = heapAllocation(*memory.heap);
  require((heapFlags(*device_.get(), *part.resource) & D3D12_HEAP_FLAG_SHARED) != 0,
          "d3d12Buffer.resource was not placed in it, but in a heap that was created without D3D12_HEAP_FLAG_SHARED");
  require(memory.heapOffset <= allocation.bytes && part.desc.Width <= allocation.bytes - memory.heapOffset, "has ",
          allocation.bytes, " bytes, and d3d12Buffer.resource ends at d3d12Memory.heapOffset ", memory.heapOffset,
          " + ", part.desc.Width);
  return memories_.import(*memory.heap, allocation);
}

std::unique_ptr<RouteBuffer> D3D12Link::attachBuffer(const SluBufferCreateInfo& info) {
  constexpr SluStructureType kType = SLU_STRUCTURE_TYPE_D3D12_MEMORY_INFO;
  const auto* chained = findInChain<SluD3D12MemoryInfo>(info.pNext, kType);
  if (chained == nullptr) return nullptr;
  const auto memory = readStruct(chained, kType, sizeof(SluD3D12MemoryInfo), "d3d12Memory");
  const D3D12Part part = readD3D12Buffer(info).value();  // the API has seen that it is chained
  constexpr const char* kResource = "d3d12Buffer.resource";
  importAs(kResource, [&] { requireDevice(*part.resource, *device_.get()); });
  std::shared_ptr<const ImportedMemory> imported;
  if (memory.heap == nullptr) {
    require(memory.heapOffset == 0, "d3d12Memory.heapOffset: is ", memory.heapOffset, ", must be 0 without a heap");
    imported = importAs(kResource, [&] { return importResource(*part.resource); });
  } else {
    constexpr std::uint64_t kAlignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
    require(memory.heapOffset % kAlignment == 0, "d3d12Memory.heapOffset: is ", memory.heapOffset,
            ", must be a multiple of ", kAlignment, ", where buffers are placed");
    imported = importAs("d3d12Memory.heap", [&] { return importHeap(memory, part); });
  }
  return std::make_unique<SharedD3D12Buffer>(ImportedRange(std::move(imported), memory.heapOffset, part.desc.Width),
                                             part);
}

}  // namespace slu
