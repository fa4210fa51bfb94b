// Methods of Direct3D 12 that return structs. Microsoft's compiler returns them through a hidden pointer, as the methods
// expect. GCC for Windows does not, so that its headers have the pointer as a parameter. Include this before d3d12.h.
#pragma once

#ifndef WIDL_EXPLICIT_AGGREGATE_RETURNS
#define WIDL_EXPLICIT_AGGREGATE_RETURNS  // for the headers of mingw-w64, whose methods are wrong without
#endif
#ifdef _WIN32
#include <windows.h>  // DirectX-Headers do not compile without it
#endif

#include <d3d12.h>

namespace slu {

#if defined(_MSC_VER) || !defined(_WIN32)

inline D3D12_HEAP_DESC getDesc(ID3D12Heap& heap) { return heap.GetDesc(); }
inline D3D12_RESOURCE_DESC getDesc(ID3D12Resource& resource) { return resource.GetDesc(); }
inline LUID getAdapterLuid(ID3D12Device& device) { return device.GetAdapterLuid(); }
inline D3D12_RESOURCE_ALLOCATION_INFO getAllocationInfo(ID3D12Device& device, const D3D12_RESOURCE_DESC& desc) {
  return device.GetResourceAllocationInfo(0, 1, &desc);
}

#else

inline D3D12_HEAP_DESC getDesc(ID3D12Heap& heap) {
  D3D12_HEAP_DESC desc{};
  return *heap.GetDesc(&desc);
}
inline D3D12_RESOURCE_DESC getDesc(ID3D12Resource& resource) {
  D3D12_RESOURCE_DESC desc{};
  return *resource.GetDesc(&desc);
}
inline LUID getAdapterLuid(ID3D12Device& device) {
  LUID luid{};
  return *device.GetAdapterLuid(&luid);
}
inline D3D12_RESOURCE_ALLOCATION_INFO getAllocationInfo(ID3D12Device& device, const D3D12_RESOURCE_DESC& desc) {
  D3D12_RESOURCE_ALLOCATION_INFO info{};
  return *device.GetResourceAllocationInfo(&info, 0, 1, &desc);
}

#endif

}  // namespace slu
