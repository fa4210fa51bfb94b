// Direct3D 12 as the library uses it: references that release themselves, and failures as errors.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/d3d12_calls.h"
#include "base/error.h"

namespace slu {

// Holds a reference to an object.
template <typename T>
class ComPtr {
 public:
  ComPtr() = default;
  // Adds a reference to an object of the host's; null stays null.
  static ComPtr share(T* object) {
    ComPtr shared;
    shared.object_ = object;
    if (object != nullptr) object->AddRef();
    return shared;
  }
  ComPtr(ComPtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ComPtr& operator=(ComPtr&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~ComPtr() {
    if (object_ != nullptr) object_->Release();
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

  // For calls that return a reference, by IID_PPV_ARGS or otherwise. It must be empty before.
  T** put() { return &object_; }

 private:
  T* object_ = nullptr;
};

// Throws what a failed HRESULT means; call begins the sentence. device is asked why it was removed.
void check(HRESULT result, const char* call, ID3D12Device* device);

// Returns what a compiler says, or that it says nothing.
std::string_view messageOf(ID3DBlob* messages);
std::vector<std::byte> bytesOf(ID3DBlob* code);

// Throws SLU_ERROR_DEVICE_LOST if the device was removed.
void checkPresent(ID3D12Device* device);

}  // namespace slu
