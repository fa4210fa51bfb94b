#define COBJMACROS
#include "d3d12_hooks.h"

#include <stdlib.h>

/* A table of methods with what it belongs to: the hooked object points to its first member. */
typedef struct HookedList {
  ID3D12GraphicsCommandListVtbl methods;
  const ID3D12GraphicsCommandListVtbl* real;
  ListHooks hooks;
} HookedList;

typedef struct HookedDevice {
  ID3D12DeviceVtbl methods;
  const ID3D12DeviceVtbl* real;
  DeviceHooks hooks;
} HookedDevice;

typedef struct HookedResource {
  ID3D12ResourceVtbl methods;
  const ID3D12ResourceVtbl* real;
  ObjectHooks hooks;
} HookedResource;

typedef struct HookedHeap {
  ID3D12HeapVtbl methods;
  const ID3D12HeapVtbl* real;
  ObjectHooks hooks;
} HookedHeap;

static const HookedList* listOf(ID3D12GraphicsCommandList* list) { return (const HookedList*)list->lpVtbl; }
static const HookedDevice* deviceOf(ID3D12Device* device) { return (const HookedDevice*)device->lpVtbl; }

static const HookedResource* resourceOf(ID3D12Resource* resource) { return (const HookedResource*)resource->lpVtbl; }
static const HookedHeap* heapOf(ID3D12Heap* heap) { return (const HookedHeap*)heap->lpVtbl; }

static void STDMETHODCALLTYPE resourceBarrier(ID3D12GraphicsCommandList* list, UINT count,
                                              const D3D12_RESOURCE_BARRIER* barriers) {
  const HookedList* hooked = listOf(list);
  for (UINT i = 0; i < count; ++i) {
    if (!hooked->hooks.barrier(hooked->hooks.context, &barriers[i])) continue;
    hooked->real->ResourceBarrier(list, 1, &barriers[i]);
  }
}

static void STDMETHODCALLTYPE setComputeRootSignature(ID3D12GraphicsCommandList* list, ID3D12RootSignature* signature) {
  const HookedList* hooked = listOf(list);
  hooked->hooks.rootSignature(hooked->hooks.context, signature);
  hooked->real->SetComputeRootSignature(list, signature);
}

static void STDMETHODCALLTYPE setConstants(ID3D12GraphicsCommandList* list, UINT parameter, UINT count,
                                           const void* words, UINT first) {
  const HookedList* hooked = listOf(list);
  hooked->hooks.constants(hooked->hooks.context, parameter, first, count);
  hooked->real->SetComputeRoot32BitConstants(list, parameter, count, words, first);
}

static void STDMETHODCALLTYPE setCbv(ID3D12GraphicsCommandList* list, UINT parameter,
                                     D3D12_GPU_VIRTUAL_ADDRESS address) {
  const HookedList* hooked = listOf(list);
  hooked->hooks.descriptor(hooked->hooks.context, parameter, D3D12_ROOT_PARAMETER_TYPE_CBV, address);
  hooked->real->SetComputeRootConstantBufferView(list, parameter, address);
}

static void STDMETHODCALLTYPE setSrv(ID3D12GraphicsCommandList* list, UINT parameter,
                                     D3D12_GPU_VIRTUAL_ADDRESS address) {
  const HookedList* hooked = listOf(list);
  hooked->hooks.descriptor(hooked->hooks.context, parameter, D3D12_ROOT_PARAMETER_TYPE_SRV, address);
  hooked->real->SetComputeRootShaderResourceView(list, parameter, address);
}

static void STDMETHODCALLTYPE setUav(ID3D12GraphicsCommandList* list, UINT parameter,
                                     D3D12_GPU_VIRTUAL_ADDRESS address) {
  const HookedList* hooked = listOf(list);
  hooked->hooks.descriptor(hooked->hooks.context, parameter, D3D12_ROOT_PARAMETER_TYPE_UAV, address);
  hooked->real->SetComputeRootUnorderedAccessView(list, parameter, address);
}

static void STDMETHODCALLTYPE setTable(ID3D12GraphicsCommandList* list, UINT parameter,
                                       D3D12_GPU_DESCRIPTOR_HANDLE first) {
  const HookedList* hooked = listOf(list);
  hooked->hooks.table(hooked->hooks.context, parameter);
  hooked->real->SetComputeRootDescriptorTable(list, parameter, first);
}

static void STDMETHODCALLTYPE setPipelineState(ID3D12GraphicsCommandList* list, ID3D12PipelineState* pipeline) {
  const HookedList* hooked = listOf(list);
  hooked->hooks.pipeline(hooked->hooks.context, pipeline);
  hooked->real->SetPipelineState(list, pipeline);
}

static void STDMETHODCALLTYPE dispatch(ID3D12GraphicsCommandList* list, UINT x, UINT y, UINT z) {
  const HookedList* hooked = listOf(list);
  hooked->hooks.dispatch(hooked->hooks.context, x, y, z);
  hooked->real->Dispatch(list, x, y, z);
}

static void STDMETHODCALLTYPE copyBufferRegion(ID3D12GraphicsCommandList* list, ID3D12Resource* to, UINT64 toOffset,
                                               ID3D12Resource* from, UINT64 fromOffset, UINT64 bytes) {
  const HookedList* hooked = listOf(list);
  hooked->hooks.copy(hooked->hooks.context, to, from);
  hooked->real->CopyBufferRegion(list, to, toOffset, from, fromOffset, bytes);
}

static HRESULT STDMETHODCALLTYPE createCommittedResource(ID3D12Device* device, const D3D12_HEAP_PROPERTIES* heap,
                                                         D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC* desc,
                                                         D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE* clear,
                                                         REFIID iid, void** resource) {
  const HookedDevice* hooked = deviceOf(device);
  const HRESULT planted = hooked->hooks.before(hooked->hooks.context, "CreateCommittedResource");
  if (FAILED(planted)) return planted;
  D3D12_HEAP_PROPERTIES changed = *heap;
  if (heap->Type == D3D12_HEAP_TYPE_UPLOAD && hooked->hooks.refusesMap(hooked->hooks.context)) {
    changed.Type = D3D12_HEAP_TYPE_DEFAULT;
    heap = &changed;
    state = D3D12_RESOURCE_STATE_COMMON;
  }
  const HRESULT result = hooked->real->CreateCommittedResource(device, heap, flags, desc, state, clear, iid, resource);
  if (SUCCEEDED(result)) hooked->hooks.resource(hooked->hooks.context, (ID3D12Resource*)*resource, state);
  return result;
}

static HRESULT STDMETHODCALLTYPE createComputePipelineState(ID3D12Device* device,
                                                            const D3D12_COMPUTE_PIPELINE_STATE_DESC* desc, REFIID iid,
                                                            void** pipeline) {
  const HookedDevice* hooked = deviceOf(device);
  const HRESULT planted = hooked->hooks.before(hooked->hooks.context, "CreateComputePipelineState");
  if (FAILED(planted)) return planted;
  D3D12_COMPUTE_PIPELINE_STATE_DESC changed = *desc;
  hooked->hooks.shader(hooked->hooks.context, &changed.CS);
  return hooked->real->CreateComputePipelineState(device, &changed, iid, pipeline);
}

static HRESULT STDMETHODCALLTYPE checkFeatureSupport(ID3D12Device* device, D3D12_FEATURE feature, void* data,
                                                     UINT size) {
  const HookedDevice* hooked = deviceOf(device);
  if (hooked->hooks.feature(hooked->hooks.context, feature, data)) return S_OK;
  return hooked->real->CheckFeatureSupport(device, feature, data, size);
}

static HRESULT STDMETHODCALLTYPE createRootSignature(ID3D12Device* device, UINT nodes, const void* bytes, SIZE_T size,
                                                     REFIID iid, void** signature) {
  const HookedDevice* hooked = deviceOf(device);
  const HRESULT planted = hooked->hooks.before(hooked->hooks.context, "CreateRootSignature");
  if (FAILED(planted)) return planted;
  const HRESULT result = hooked->real->CreateRootSignature(device, nodes, bytes, size, iid, signature);
  if (SUCCEEDED(result)) {
    hooked->hooks.rootSignature(hooked->hooks.context, (ID3D12RootSignature*)*signature, bytes, size);
  }
  return result;
}

static HRESULT STDMETHODCALLTYPE getDeviceRemovedReason(ID3D12Device* device) {
  const HookedDevice* hooked = deviceOf(device);
  const HRESULT planted = hooked->hooks.before(hooked->hooks.context, "GetDeviceRemovedReason");
  return FAILED(planted) ? planted : hooked->real->GetDeviceRemovedReason(device);
}

static HRESULT STDMETHODCALLTYPE createFence(ID3D12Device* device, UINT64 value, D3D12_FENCE_FLAGS flags, REFIID iid,
                                             void** fence) {
  const HookedDevice* hooked = deviceOf(device);
  const HRESULT planted = hooked->hooks.before(hooked->hooks.context, "CreateFence");
  return FAILED(planted) ? planted : hooked->real->CreateFence(device, value, flags, iid, fence);
}

static HRESULT STDMETHODCALLTYPE createSharedHandle(ID3D12Device* device, ID3D12DeviceChild* object,
                                                    const SECURITY_ATTRIBUTES* attributes, DWORD access,
                                                    const WCHAR* name, HANDLE* handle) {
  const HookedDevice* hooked = deviceOf(device);
  const HRESULT planted = hooked->hooks.before(hooked->hooks.context, "CreateSharedHandle");
  if (FAILED(planted)) return planted;
  if (hooked->hooks.sharedHandle != NULL) return hooked->hooks.sharedHandle(hooked->hooks.context, handle);
  return hooked->real->CreateSharedHandle(device, object, attributes, access, name, handle);
}

static HRESULT STDMETHODCALLTYPE getDeviceOfResource(ID3D12Resource* resource, REFIID iid, void** device) {
  const HookedResource* hooked = resourceOf(resource);
  const HRESULT planted = hooked->hooks.before(hooked->hooks.context, "ID3D12Resource::GetDevice");
  return FAILED(planted) ? planted : hooked->real->GetDevice(resource, iid, device);
}

static HRESULT STDMETHODCALLTYPE getHeapProperties(ID3D12Resource* resource, D3D12_HEAP_PROPERTIES* properties,
                                                   D3D12_HEAP_FLAGS* flags) {
  const HookedResource* hooked = resourceOf(resource);
  const HRESULT planted = hooked->hooks.before(hooked->hooks.context, "GetHeapProperties");
  return FAILED(planted) ? planted : hooked->real->GetHeapProperties(resource, properties, flags);
}

static HRESULT STDMETHODCALLTYPE getDeviceOfHeap(ID3D12Heap* heap, REFIID iid, void** device) {
  const HookedHeap* hooked = heapOf(heap);
  const HRESULT planted = hooked->hooks.before(hooked->hooks.context, "ID3D12Heap::GetDevice");
  return FAILED(planted) ? planted : hooked->real->GetDevice(heap, iid, device);
}

void hookList(ID3D12GraphicsCommandList* list, const ListHooks* hooks) {
  HookedList* hooked = malloc(sizeof(*hooked));
  hooked->methods = *list->lpVtbl;
  hooked->real = list->lpVtbl;
  hooked->hooks = *hooks;
  hooked->methods.ResourceBarrier = resourceBarrier;
  hooked->methods.SetComputeRootSignature = setComputeRootSignature;
  hooked->methods.SetComputeRoot32BitConstants = setConstants;
  hooked->methods.SetComputeRootConstantBufferView = setCbv;
  hooked->methods.SetComputeRootShaderResourceView = setSrv;
  hooked->methods.SetComputeRootUnorderedAccessView = setUav;
  hooked->methods.SetComputeRootDescriptorTable = setTable;
  hooked->methods.SetPipelineState = setPipelineState;
  hooked->methods.Dispatch = dispatch;
  hooked->methods.CopyBufferRegion = copyBufferRegion;
  list->lpVtbl = &hooked->methods;
}

void unhookList(ID3D12GraphicsCommandList* list) {
  HookedList* hooked = (HookedList*)list->lpVtbl;
  list->lpVtbl = (ID3D12GraphicsCommandListVtbl*)hooked->real;
  free(hooked);
}

void hookDevice(ID3D12Device* device, const DeviceHooks* hooks) {
  HookedDevice* hooked = malloc(sizeof(*hooked));
  hooked->methods = *device->lpVtbl;
  hooked->real = device->lpVtbl;
  hooked->hooks = *hooks;
  hooked->methods.CreateCommittedResource = createCommittedResource;
  hooked->methods.CreateComputePipelineState = createComputePipelineState;
  hooked->methods.CreateRootSignature = createRootSignature;
  hooked->methods.CheckFeatureSupport = checkFeatureSupport;
  hooked->methods.GetDeviceRemovedReason = getDeviceRemovedReason;
  hooked->methods.CreateFence = createFence;
  hooked->methods.CreateSharedHandle = createSharedHandle;
  device->lpVtbl = &hooked->methods;
}

void unhookDevice(ID3D12Device* device) {
  HookedDevice* hooked = (HookedDevice*)device->lpVtbl;
  device->lpVtbl = (ID3D12DeviceVtbl*)hooked->real;
  free(hooked);
}

void hookResource(ID3D12Resource* resource, const ObjectHooks* hooks) {
  HookedResource* hooked = malloc(sizeof(*hooked));
  hooked->methods = *resource->lpVtbl;
  hooked->real = resource->lpVtbl;
  hooked->hooks = *hooks;
  hooked->methods.GetDevice = getDeviceOfResource;
  hooked->methods.GetHeapProperties = getHeapProperties;
  resource->lpVtbl = &hooked->methods;
}

void unhookResource(ID3D12Resource* resource) {
  HookedResource* hooked = (HookedResource*)resource->lpVtbl;
  resource->lpVtbl = (ID3D12ResourceVtbl*)hooked->real;
  free(hooked);
}

void hookHeap(ID3D12Heap* heap, const ObjectHooks* hooks) {
  HookedHeap* hooked = malloc(sizeof(*hooked));
  hooked->methods = *heap->lpVtbl;
  hooked->real = heap->lpVtbl;
  hooked->hooks = *hooks;
  hooked->methods.GetDevice = getDeviceOfHeap;
  heap->lpVtbl = &hooked->methods;
}

void unhookHeap(ID3D12Heap* heap) {
  HookedHeap* hooked = (HookedHeap*)heap->lpVtbl;
  heap->lpVtbl = (ID3D12HeapVtbl*)hooked->real;
  free(hooked);
}
