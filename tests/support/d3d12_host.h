// A headless Direct3D 12 host.
#pragma once

#include <sluice/sluice_d3d12.h>

#include <cstdint>
#include <sluice/sluice.hpp>
#include <string>
#include <utility>
#include <vector>

#include "d3d12_watch.h"

namespace slu::test {

// Owns a reference.
template <typename T>
class Com {
 public:
  Com() = default;
  Com(Com&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Com& operator=(Com&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Com() {
    if (object_ != nullptr) object_->Release();
  }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T** put() { return &object_; }

 private:
  T* object_ = nullptr;
};

// Throws std::runtime_error if it is a failure.
void check(HRESULT result, const char* call);

// The references to an object.
unsigned long referencesTo(IUnknown* object);

class D3D12Host {
 public:
  // Throws Unavailable where there is no device.
  explicit D3D12Host(D3D12_COMMAND_LIST_TYPE type = D3D12_COMMAND_LIST_TYPE_DIRECT);

  ID3D12Device* device() const { return device_.get(); }
  D3D12_COMMAND_LIST_TYPE listType() const { return type_; }
  D3D12Watch& watch() { return watch_; }
  SluD3D12DeviceInfo info() const;

  Com<ID3D12Resource> makeBuffer(std::uint64_t size, D3D12_HEAP_TYPE heap);

  // A list that is being recorded, with an allocator of its own.
  struct List {
    Com<ID3D12CommandAllocator> allocator;
    Com<ID3D12GraphicsCommandList> list;
    ID3D12GraphicsCommandList* get() const { return list.get(); }
  };
  List beginList(D3D12_COMMAND_LIST_TYPE type);
  List beginList() { return beginList(type_); }

  // Executes a closed list, and waits for it.
  void execute(const List& list);

 private:
  List makeList(D3D12_COMMAND_LIST_TYPE type);
  // Direct3D promises that committed resources are zero at first. The runtime of the tests does not keep that.
  void clear(ID3D12Resource* resource);

  const D3D12_COMMAND_LIST_TYPE type_;
  Com<ID3D12Device> device_;
  Com<ID3D12CommandQueue> queue_;
  Com<ID3D12Fence> fence_;
  std::uint64_t fenceValue_ = 0;
  Com<ID3D12Resource> zeros_;
  D3D12Watch watch_;
};

void recordTransition(ID3D12GraphicsCommandList* list, D3D12Watch& watch, ID3D12Resource* resource,
                      D3D12_RESOURCE_STATES from, D3D12_RESOURCE_STATES to);

}  // namespace slu::test
