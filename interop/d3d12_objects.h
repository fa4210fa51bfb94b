// Asks objects of Direct3D 12 for what CUDA must know of them. It is for Windows alone. The sentences of errors have no
// subject: the caller puts the field in front.
#pragma once

#include "base/com.h"
#include "interop/device_match.h"
#include "interop/external_allocation.h"
#include "interop/unique_handle.h"

namespace slu {

DeviceIdentity d3d12Identity(ID3D12Device& device, std::uint32_t nodeMask);

// The number of the CUDA device that is the same GPU as the device, which has one GPU.
int findCudaDevice(const CudaFunctions& cuda, ID3D12Device& device);

// Of the heap that the resource lies in. Throws if it lies in none, because it is a reserved resource.
D3D12_HEAP_FLAGS heapFlags(ID3D12Device& device, ID3D12Resource& resource);

// Throws unless the resource is a buffer, committed with D3D12_HEAP_FLAG_SHARED. Direct3D does not say whether it was
// committed or placed: a placed resource is imported by its heap.
ExternalAllocation committedAllocation(ID3D12Device& device, ID3D12Resource& resource);

// Throws unless the heap was created with D3D12_HEAP_FLAG_SHARED.
ExternalAllocation heapAllocation(ID3D12Heap& heap);

// Makes an NT handle of a resource, heap or fence that was created to be shared. It has no name, and is not inherited.
UniqueHandle createSharedHandle(ID3D12Device& device, ID3D12DeviceChild& object);

// Throws unless the object was created by the device.
void requireDevice(ID3D12DeviceChild& object, ID3D12Device& device);

}  // namespace slu
