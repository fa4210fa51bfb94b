#include "interop/d3d12_imports.h"

namespace slu {
namespace {

// Keeps the object until CUDA's import of it is gone.
struct ImportedObject {
  ImportedObject(ID3D12DeviceChild& of, const CudaContext& context, void* ntHandle,
                 const ExternalAllocation& allocation)
      : object(ComPtr<ID3D12DeviceChild>::share(&of)), memory(context, ntHandle, allocation) {}

  ComPtr<ID3D12DeviceChild> object;
  ImportedMemory memory;
};

ComPtr<ID3D12Fence> createFence(ID3D12Device& device, const wchar_t* name) {
  ComPtr<ID3D12Fence> fence;
  check(device.CreateFence(0, D3D12_FENCE_FLAG_SHARED, IID_PPV_ARGS(fence.put())), "ID3D12Device::CreateFence",
        &device);
  fence->SetName(name);
  return fence;
}

template <typename End>
End importFence(ID3D12Device& device, const CudaContext& context, ID3D12Fence& fence) {
  const UniqueHandle handle = createSharedHandle(device, fence);
  return End(context, FenceHandle{handle.get()});
}

}  // namespace

std::shared_ptr<const ImportedMemory> ImportedObjects::import(ID3D12DeviceChild& object,
                                                              const ExternalAllocation& allocation) {
  std::erase_if(imported_, [](const auto& entry) { return entry.second.expired(); });
  if (const auto found = imported_.find(&object); found != imported_.end()) return found->second.lock();
  const UniqueHandle handle = createSharedHandle(device_, object);
  const auto imported = std::make_shared<const ImportedObject>(object, context_, handle.get(), allocation);
  const std::shared_ptr<const ImportedMemory> memory(imported, &imported->memory);
  imported_.emplace(&object, memory);
  return memory;
}

SharedFences::SharedFences(ID3D12Device& device)
    : graphicsFence(createFence(device, L"sluice Direct3D 12 to CUDA")),
      cudaFence(createFence(device, L"sluice CUDA to Direct3D 12")) {}

FenceTimelines::FenceTimelines(ID3D12Device& device, const CudaContext& context)
    : SharedFences(device),
      TimelineEnds{importFence<GraphicsToCuda>(device, context, *graphicsFence.get()),
                   importFence<CudaToGraphics>(device, context, *cudaFence.get())} {}

}  // namespace slu
