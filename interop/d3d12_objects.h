// What CUDA must be told of objects of Direct3D 12, by asking them. For Windows alone.
#pragma once

#include "base/d3d12_calls.h"
#include "interop/device_match.h"
#include "interop/external_allocation.h"
#include "interop/unique_handle.h"

namespace slu {

DeviceIdentity d3d12Identity(ID3D12Device& device, std::uint32_t nodeMask);

// Throws unless the resource is a buffer, committed with D3D12_HEAP_FLAG_SHARED. Nothing tells whether it was committed
// or placed: a placed resource is imported by its heap.
ExternalAllocation committedAllocation(ID3D12Device& device, ID3D12Resource& resource);

// Throws unless the heap was created with D3D12_HEAP_FLAG_SHARED.
ExternalAllocation heapAllocation(ID3D12Heap& heap);

// Makes an NT handle of a resource, heap or fence that was created to be shared. It has no name, and is not inherited.
UniqueHandle createSharedHandle(ID3D12Device& device, ID3D12DeviceChild& object);

}  // namespace slu
