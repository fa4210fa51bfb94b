#include "interop/d3d12_objects.h"

#include <cstring>

namespace slu {
namespace {

void requireShared(D3D12_HEAP_FLAGS flags) {
  require((flags & D3D12_HEAP_FLAG_SHARED) != 0, "was created without D3D12_HEAP_FLAG_SHARED");
}

}  // namespace

DeviceIdentity d3d12Identity(ID3D12Device& device, std::uint32_t nodeMask) {
  const LUID luid = getAdapterLuid(device);
  std::array<std::uint8_t, VK_LUID_SIZE> bytes{};
  static_assert(sizeof(luid) == sizeof(bytes));
  std::memcpy(bytes.data(), &luid, sizeof(luid));
  return d3d12Identity(bytes, nodeMask);
}

int findCudaDevice(const CudaFunctions& cuda, ID3D12Device& device) {
  return matchDevice(d3d12Identity(device, 0), cudaIdentities(cuda));
}

D3D12_HEAP_FLAGS heapFlags(ID3D12Device& device, ID3D12Resource& resource) {
  D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE;
  const HRESULT result = resource.GetHeapProperties(nullptr, &flags);
  require(result != E_INVALIDARG, "is a reserved resource, must be committed or placed");
  check(result, "ID3D12Resource::GetHeapProperties", &device);
  return flags;
}

ExternalAllocation committedAllocation(ID3D12Device& device, ID3D12Resource& resource) {
  const D3D12_RESOURCE_DESC desc = getDesc(resource);
  require(desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER, "is no buffer");
  requireShared(heapFlags(device, resource));
  const D3D12_RESOURCE_ALLOCATION_INFO info = getAllocationInfo(device, desc);
  if (info.SizeInBytes == UINT64_MAX) {
    fail(SLU_ERROR_DRIVER, "ID3D12Device::GetResourceAllocationInfo has no size for the resource");
  }
  return {info.SizeInBytes, true, VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE_BIT};
}

ExternalAllocation heapAllocation(ID3D12Heap& heap) {
  const D3D12_HEAP_DESC desc = getDesc(heap);
  requireShared(desc.Flags);
  return {desc.SizeInBytes, false, VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP_BIT};
}

UniqueHandle createSharedHandle(ID3D12Device& device, ID3D12DeviceChild& object) {
  HANDLE handle = nullptr;
  const HRESULT result = device.CreateSharedHandle(&object, nullptr, GENERIC_ALL, nullptr, &handle);
  require(result != E_INVALIDARG,
          "cannot be shared (ID3D12Device::CreateSharedHandle fails with E_INVALIDARG); a "
          "resource that was placed is shared by its heap, which d3d12Memory.heap names");
  check(result, "ID3D12Device::CreateSharedHandle", &device);
  return UniqueHandle(handle);
}

void requireDevice(ID3D12DeviceChild& object, ID3D12Device& device) {
  ComPtr<ID3D12Device> owner;
  check(object.GetDevice(IID_PPV_ARGS(owner.put())), "ID3D12DeviceChild::GetDevice", &device);
  ComPtr<IUnknown> ofOwner;  // an object has one of these, whatever other interfaces it has
  ComPtr<IUnknown> ofDevice;
  check(owner->QueryInterface(IID_PPV_ARGS(ofOwner.put())), "ID3D12Device::QueryInterface", &device);
  check(device.QueryInterface(IID_PPV_ARGS(ofDevice.put())), "ID3D12Device::QueryInterface", &device);
  require(ofOwner.get() == ofDevice.get(), "belongs to another ID3D12Device");
}

}  // namespace slu
