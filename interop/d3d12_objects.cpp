#include "interop/d3d12_objects.h"

#include <cstring>

#include "base/d3d12_error.h"

namespace slu {
namespace {

void check(HRESULT result, const char* call) {
  if (FAILED(result)) fail(resultOf(result), call, ": HRESULT 0x", std::hex, static_cast<std::uint32_t>(result));
}

void requireShared(D3D12_HEAP_FLAGS flags, const char* what) {
  require((flags & D3D12_HEAP_FLAG_SHARED) != 0, what, " was created without D3D12_HEAP_FLAG_SHARED");
}

}  // namespace

DeviceIdentity d3d12Identity(ID3D12Device& device, std::uint32_t nodeMask) {
  const LUID luid = getAdapterLuid(device);
  std::array<std::uint8_t, VK_LUID_SIZE> bytes{};
  static_assert(sizeof(luid) == sizeof(bytes));
  std::memcpy(bytes.data(), &luid, sizeof(luid));
  return d3d12Identity(bytes, nodeMask);
}

ExternalAllocation committedAllocation(ID3D12Device& device, ID3D12Resource& resource) {
  const D3D12_RESOURCE_DESC desc = getDesc(resource);
  require(desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER, "the resource is no buffer");
  D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE;
  check(resource.GetHeapProperties(nullptr, &flags), "ID3D12Resource::GetHeapProperties");
  requireShared(flags, "the resource");
  const D3D12_RESOURCE_ALLOCATION_INFO info = getAllocationInfo(device, desc);
  if (info.SizeInBytes == UINT64_MAX) {
    fail(SLU_ERROR_DRIVER, "ID3D12Device::GetResourceAllocationInfo has no size for the resource");
  }
  return {info.SizeInBytes, true, VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE_BIT};
}

ExternalAllocation heapAllocation(ID3D12Heap& heap) {
  const D3D12_HEAP_DESC desc = getDesc(heap);
  requireShared(desc.Flags, "the heap");
  return {desc.SizeInBytes, false, VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP_BIT};
}

UniqueHandle createSharedHandle(ID3D12Device& device, ID3D12DeviceChild& object) {
  HANDLE handle = nullptr;
  check(device.CreateSharedHandle(&object, nullptr, GENERIC_ALL, nullptr, &handle), "ID3D12Device::CreateSharedHandle");
  return UniqueHandle(handle);
}

}  // namespace slu
