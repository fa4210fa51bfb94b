// What the route records into command lists, besides dispatches.
#pragma once

#include <string_view>

#include "base/d3d12_calls.h"

namespace slu {

// Names what is recorded into a list while this lives, for PIX and RenderDoc.
class ListEvent {
 public:
  ListEvent(ID3D12GraphicsCommandList* list, std::wstring_view name) : list_(list) {
    constexpr UINT kUnicode = 0;  // the encoding: UTF-16 with its terminating zero
    list->BeginEvent(kUnicode, name.data(), static_cast<UINT>((name.size() + 1) * sizeof(wchar_t)));
  }
  ~ListEvent() { list_->EndEvent(); }
  ListEvent(const ListEvent&) = delete;
  ListEvent& operator=(const ListEvent&) = delete;

 private:
  ID3D12GraphicsCommandList* list_;
};

inline void recordUavBarrier(ID3D12GraphicsCommandList* list) {
  D3D12_RESOURCE_BARRIER barrier{};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;  // of all resources
  list->ResourceBarrier(1, &barrier);
}

}  // namespace slu
