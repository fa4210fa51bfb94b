// Watches what the library does with Direct3D 12, which the runtime of the tests does not check: states of resources, UAV
// barriers between dispatches, root arguments. Failures can be planted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "d3d12_hooks.h"

namespace slu::test {

class D3D12Watch {
 public:
  // onNew: is called for each resource that the library makes.
  D3D12Watch(ID3D12Device* device, std::function<void(ID3D12Resource*)> onNew)
      : device_(device), onNew_(std::move(onNew)) {}

  // A resource of the host's or the library's, in its state outside of lists: the common one, or that of its heap.
  void add(ID3D12Resource* resource, D3D12_RESOURCE_STATES state);
  // A list begins, with all resources in the state outside of lists.
  void begin();
  // Of the host's own barriers.
  void setState(ID3D12Resource* resource, D3D12_RESOURCE_STATES state);

  // What is called watches the list and the device.
  class Scope {
   public:
    Scope(D3D12Watch& watch, ID3D12GraphicsCommandList* list);  // list: may be null
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    D3D12Watch& watch_;
    ID3D12GraphicsCommandList* list_;
    std::map<ID3D12Resource*, D3D12_RESOURCE_STATES> before_;
  };

  // Calls of these objects count as calls of the device do. heap may be null.
  class ObjectScope {
   public:
    ObjectScope(D3D12Watch& watch, ID3D12Resource* resource, ID3D12Heap* heap);
    ~ObjectScope();
    ObjectScope(const ObjectScope&) = delete;
    ObjectScope& operator=(const ObjectScope&) = delete;

   private:
    ID3D12Resource* resource_;
    ID3D12Heap* heap_;
  };

  // Makes shared handles in the driver's place.
  void playHandles(std::function<HANDLE()> make) { makeHandle_ = std::move(make); }

  // The transitions that were recorded in scopes since the last time.
  std::vector<D3D12_RESOURCE_TRANSITION_BARRIER> takeTransitions() { return std::exchange(transitions_, {}); }

  // Leaves out the barrier with that number, counted from 0 in the scopes to come; none: leaves out none.
  void dropBarrier(std::optional<std::uint32_t> number) {
    dropped_ = number;
    barriers_ = 0;
  }
  std::uint32_t barrierCount() const { return barriers_; }

  // Has the call of the device with that number fail, likewise.
  void failCall(std::optional<std::uint32_t> number, HRESULT result = E_OUTOFMEMORY) {
    failed_ = number;
    failure_ = result;
    calls_ = 0;
  }
  std::uint32_t callCount() const { return calls_; }

  // Has the Map with that number fail, likewise.
  void failMap(std::optional<std::uint32_t> number) {
    failedMap_ = number;
    maps_ = 0;
  }
  std::uint32_t mapCount() const { return maps_; }

  // What the device says that it has. Its runtime has no shader model 6, so that what is compiled for it is replaced by
  // the last shader for shader model 5, which the root signature fits, too.
  struct Waves {
    D3D_SHADER_MODEL highest;
    bool hasOperations;
    UINT fewestLanes;
  };
  void claim(const Waves& waves) { waves_ = waves; }
  std::uint32_t waveShaderCount() const { return waveShaders_; }  // that were replaced

  std::vector<std::string> takeMessages();

  std::uint32_t rootWords() const { return rootWords_; }  // of the library's last root signature

 private:
  struct Watched {
    D3D12_GPU_VIRTUAL_ADDRESS address;
    std::uint64_t size;
    D3D12_RESOURCE_STATES outside;
  };
  struct RootArgument {
    bool isSet = false;
    D3D12_ROOT_PARAMETER_TYPE type{};
    D3D12_GPU_VIRTUAL_ADDRESS address = 0;
  };

  void report(const std::string& message) { messages_.push_back(message); }
  ID3D12Resource* find(D3D12_GPU_VIRTUAL_ADDRESS address) const;
  bool onBarrier(const D3D12_RESOURCE_BARRIER& barrier);
  void onDispatch();
  void onCopy(ID3D12Resource* to, ID3D12Resource* from);
  void onRootSignature(ID3D12RootSignature* signature, const void* bytes, std::size_t size);
  void onShader(D3D12_SHADER_BYTECODE& shader);
  bool onFeature(D3D12_FEATURE feature, void* data) const;
  HRESULT onCall(const std::string& call);
  // The use promotes a resource from the common state.
  void use(ID3D12Resource* resource, D3D12_RESOURCE_STATES state, const char* how);
  ListHooks listHooks();
  DeviceHooks deviceHooks();

  ID3D12Device* device_;
  const std::function<void(ID3D12Resource*)> onNew_;
  int scopes_ = 0;  // one in the other
  std::map<ID3D12Resource*, Watched> resources_;
  std::map<ID3D12Resource*, D3D12_RESOURCE_STATES> states_;           // in the list
  std::map<ID3D12Resource*, ID3D12PipelineState*> unfinishedWrites_;  // by UAVs
  std::map<UINT, RootArgument> rootArguments_;
  std::map<ID3D12RootSignature*, UINT> parameterCounts_;
  std::uint32_t rootWords_ = 0;
  ID3D12RootSignature* rootSignature_ = nullptr;  // in the list
  ID3D12PipelineState* pipeline_ = nullptr;
  std::uint32_t barriers_ = 0;
  std::uint32_t calls_ = 0;
  std::uint32_t maps_ = 0;
  std::optional<std::uint32_t> dropped_;
  std::optional<std::uint32_t> failed_;
  std::optional<std::uint32_t> failedMap_;
  HRESULT failure_ = E_OUTOFMEMORY;
  std::optional<Waves> waves_;  // that are claimed
  std::vector<std::byte> plainShader_;
  std::uint32_t waveShaders_ = 0;
  std::function<HANDLE()> makeHandle_;
  std::vector<D3D12_RESOURCE_TRANSITION_BARRIER> transitions_;
  std::vector<std::string> messages_;
};

}  // namespace slu::test
