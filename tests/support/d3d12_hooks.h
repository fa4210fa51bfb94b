/* Looks at calls to objects of Direct3D 12 on their way to the driver. In C, where headers name the tables
 * of methods. An object is hooked only while calls into the library are under way: drivers know their objects by the table. */
#ifndef SLU_TEST_D3D12_HOOKS_H
#define SLU_TEST_D3D12_HOOKS_H

#define WIDL_EXPLICIT_AGGREGATE_RETURNS /* else methods that return structs are called in a wrong way in C++ */
#include <d3d12.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is called before each call; context comes first. A call whose function returns 0 is left out. */
typedef struct ListHooks {
  void* context;
  int (*barrier)(void* context, const D3D12_RESOURCE_BARRIER* barrier);
  void (*rootSignature)(void* context, ID3D12RootSignature* signature);
  void (*constants)(void* context, UINT parameter, UINT first, UINT count);
  void (*descriptor)(void* context, UINT parameter, D3D12_ROOT_PARAMETER_TYPE type, D3D12_GPU_VIRTUAL_ADDRESS address);
  void (*table)(void* context, UINT parameter);
  void (*pipeline)(void* context, ID3D12PipelineState* pipeline);
  void (*dispatch)(void* context, UINT x, UINT y, UINT z);
  void (*copy)(void* context, ID3D12Resource* to, ID3D12Resource* from);
} ListHooks;

typedef struct DeviceHooks {
  void* context;
  HRESULT (*before)(void* context, const char* call); /* what it returns is returned if it is a failure */
  void (*resource)(void* context, ID3D12Resource* resource, D3D12_RESOURCE_STATES state);
  void (*rootSignature)(void* context, ID3D12RootSignature* signature, const void* bytes, SIZE_T size);
  void (*shader)(void* context, D3D12_SHADER_BYTECODE* shader); /* of a pipeline state; may be changed */
  /* Returns 1 if it has filled data in the driver's place. */
  int (*feature)(void* context, D3D12_FEATURE feature, void* data);
  /* Returns 1 if a resource in an upload heap is to be one that cannot be mapped. */
  int (*refusesMap)(void* context);
  HRESULT (*sharedHandle)(void* context, HANDLE* handle); /* makes the handle; null: the driver does */
} DeviceHooks;

typedef struct ObjectHooks {
  void* context;
  HRESULT (*before)(void* context, const char* call); /* as of DeviceHooks */
} ObjectHooks;

/* hooks is copied. */
void hookList(ID3D12GraphicsCommandList* list, const ListHooks* hooks);
void unhookList(ID3D12GraphicsCommandList* list);
void hookDevice(ID3D12Device* device, const DeviceHooks* hooks);
void unhookDevice(ID3D12Device* device);
void hookResource(ID3D12Resource* resource, const ObjectHooks* hooks);
void unhookResource(ID3D12Resource* resource);
void hookHeap(ID3D12Heap* heap, const ObjectHooks* hooks);
void unhookHeap(ID3D12Heap* heap);

#ifdef __cplusplus
}
#endif

#endif
