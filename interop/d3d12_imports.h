// Memory and fences of Direct3D 12 that CUDA imports. For Windows alone.
#pragma once

#include <map>
#include <memory>

#include "interop/d3d12_objects.h"
#include "interop/external_memory.h"
#include "interop/external_semaphore.h"

namespace slu {

// The imports of one context: one per committed resource or heap, however many buffers lie in it.
class ImportedObjects {
 public:
  ImportedObjects(ID3D12Device& device, const CudaContext& context) : device_(device), context_(context) {}

  // Lives as long as something uses it, and holds a reference to the object as long.
  std::shared_ptr<const ImportedMemory> import(ID3D12DeviceChild& object, const ExternalAllocation& allocation);

 private:
  ID3D12Device& device_;
  const CudaContext& context_;
  std::map<ID3D12DeviceChild*, std::weak_ptr<const ImportedMemory>> imported_;
};

// Two fences of ours, shared, at 0.
struct SharedFences {
  explicit SharedFences(ID3D12Device& device);

  ComPtr<ID3D12Fence> graphicsFence;  // for the queue that CUDA waits for to signal
  ComPtr<ID3D12Fence> cudaFence;      // for the queue that uses CUDA's results to wait for
};

// Both timelines as fences. CUDA's ends are destroyed before them; both APIs must be drained then.
struct FenceTimelines : SharedFences, TimelineEnds {
  FenceTimelines(ID3D12Device& device, const CudaContext& context);
};

}  // namespace slu
