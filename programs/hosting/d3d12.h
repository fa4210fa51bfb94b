// Direct3D 12 without a window: the device, its queue with a fence, lists and memory.
#pragma once

#ifndef _MSC_VER
#define WIDL_EXPLICIT_AGGREGATE_RETURNS  // mingw-w64's headers are wrong about methods that return structs without it
#endif
#include <d3d12.h>
#include <d3d12sdklayers.h>
#include <windows.h>
#include <wrl/client.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "hosting/failure.h"

namespace hosting {

using Microsoft::WRL::ComPtr;

inline void check(HRESULT result, const char* call) {
  if (FAILED(result)) failRuntime(call, " failed: 0x", std::hex, static_cast<unsigned long>(result));
}

// Records that a resource goes from one use to another: what was written before is visible after it.
inline void transition(ID3D12GraphicsCommandList* list, ID3D12Resource* resource, D3D12_RESOURCE_STATES before,
                       D3D12_RESOURCE_STATES after) {
  D3D12_RESOURCE_BARRIER barrier = {};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition = {resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, before, after};
  list->ResourceBarrier(1, &barrier);
}

struct List {
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
  uint64_t fenceValue = 0;  // which the fence reaches when the list has been executed; 0: it was not handed over

  // Begins to record anew. The GPU must have executed what was recorded before.
  void reset() {
    check(allocator->Reset(), "ID3D12CommandAllocator::Reset");
    check(list->Reset(allocator.Get(), nullptr), "ID3D12GraphicsCommandList::Reset");
    fenceValue = 0;
  }
};

class Gpu {
 public:
  // With validation, Direct3D's debug layer checks all calls.
  explicit Gpu(bool validation) {
    ComPtr<ID3D12Debug> debug;
    if (validation && FAILED(D3D12GetDebugInterface(IID_PPV_ARGS(&debug))))
      failDevice("--validation: there is no debug layer; Windows has it in its optional feature Graphics Tools");
    if (debug) debug->EnableDebugLayer();
    if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device_))))
      failDevice("there is no GPU with Direct3D 12 and feature level 11.0 here");
    if (debug && FAILED(device_.As(&messages_))) failDevice("--validation: the debug layer keeps no messages");
    const D3D12_COMMAND_QUEUE_DESC desc = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
    check(device_->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue_)), "CreateCommandQueue");
    check(device_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence_)), "CreateFence");
  }

  ID3D12Device* get() const { return device_.Get(); }
  ID3D12Device* operator->() const { return device_.Get(); }

  // Makes a list that is being recorded.
  List makeList() const {
    constexpr D3D12_COMMAND_LIST_TYPE kType = D3D12_COMMAND_LIST_TYPE_DIRECT;
    List made;
    check(device_->CreateCommandAllocator(kType, IID_PPV_ARGS(&made.allocator)), "CreateCommandAllocator");
    check(device_->CreateCommandList(0, kType, made.allocator.Get(), nullptr, IID_PPV_ARGS(&made.list)),
          "CreateCommandList");
    return made;
  }

  void execute(List& list) {
    check(list.list->Close(), "Close");
    ID3D12CommandList* const lists[] = {list.list.Get()};
    queue_->ExecuteCommandLists(1, lists);
    check(queue_->Signal(fence_.Get(), lastFenceValue_ + 1), "Signal");
    list.fenceValue = ++lastFenceValue_;
  }

  // Blocks until the fence reaches a value, as the call does that gets no event.
  void wait(uint64_t fenceValue) const {
    check(fence_->SetEventOnCompletion(fenceValue, nullptr), "SetEventOnCompletion");
    check(device_->GetDeviceRemovedReason(), "The device was removed: waiting");
  }
  void waitForAll() const { fence_->SetEventOnCompletion(lastFenceValue_, nullptr); }

  // Prints what the debug layer has found since the last call. Returns how many messages that are, with those that it had
  // no room for.
  uint64_t printMessages() const {
    if (!messages_) return 0;  // there is no debug layer
    uint64_t count = messages_->GetNumMessagesDiscardedByMessageCountLimit();
    for (UINT64 index = 0; index < messages_->GetNumStoredMessages(); ++index) {
      SIZE_T bytes = 0;
      messages_->GetMessage(index, nullptr, &bytes);
      std::vector<uint64_t> memory(bytes / sizeof(uint64_t) + 1);
      auto* const message = reinterpret_cast<D3D12_MESSAGE*>(memory.data());
      if (FAILED(messages_->GetMessage(index, message, &bytes)) || message->Severity > D3D12_MESSAGE_SEVERITY_WARNING)
        continue;
      std::fprintf(stderr, "Direct3D: %s\n", message->pDescription);
      ++count;
    }
    messages_->ClearStoredMessages();
    return count;
  }

  // clear is what a target is mostly cleared to; NULL for buffers.
  ComPtr<ID3D12Resource> makeResource(D3D12_HEAP_TYPE heap, const D3D12_RESOURCE_DESC& desc,
                                      D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE* clear,
                                      const wchar_t* name) const {
    const D3D12_HEAP_PROPERTIES properties = {heap, D3D12_CPU_PAGE_PROPERTY_UNKNOWN, D3D12_MEMORY_POOL_UNKNOWN, 0, 0};
    ComPtr<ID3D12Resource> resource;
    check(device_->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, clear,
                                           IID_PPV_ARGS(&resource)),
          "CreateCommittedResource");
    resource->SetName(name);
    return resource;
  }

  // Mapped buffers have one state for life. Others begin in COMMON, and shaders may write them.
  ComPtr<ID3D12Resource> makeBuffer(uint64_t size, D3D12_HEAP_TYPE heap, const wchar_t* name) const {
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = size;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    if (heap == D3D12_HEAP_TYPE_UPLOAD)
      return makeResource(heap, desc, D3D12_RESOURCE_STATE_GENERIC_READ, nullptr, name);
    if (heap == D3D12_HEAP_TYPE_READBACK)
      return makeResource(heap, desc, D3D12_RESOURCE_STATE_COPY_DEST, nullptr, name);
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    return makeResource(heap, desc, D3D12_RESOURCE_STATE_COMMON, nullptr, name);
  }

  // Fills a buffer, and blocks until that is done: for what is loaded before the first frame.
  void upload(ID3D12Resource* buffer, const void* data, size_t size) {
    const ComPtr<ID3D12Resource> staging = makeBuffer(size, D3D12_HEAP_TYPE_UPLOAD, L"staging");
    void* mapped = nullptr;
    check(staging->Map(0, nullptr, &mapped), "Map");
    std::memcpy(mapped, data, size);
    staging->Unmap(0, nullptr);
    List list = makeList();
    list.list->CopyBufferRegion(buffer, 0, staging.Get(), 0, size);
    execute(list);
    wait(list.fenceValue);
  }

 private:
  ComPtr<ID3D12Device> device_;
  ComPtr<ID3D12CommandQueue> queue_;
  ComPtr<ID3D12Fence> fence_;
  ComPtr<ID3D12InfoQueue> messages_;  // of the debug layer
  uint64_t lastFenceValue_ = 0;
};

}  // namespace hosting
