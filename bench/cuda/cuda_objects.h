// RAII over the CUDA runtime. Every call is checked; a failure is a Failure of Cause::Runtime.
#pragma once

#include <cuda_runtime_api.h>

#include <utility>
#include <vector>

#include "base/failure.h"

namespace bench {

inline void check(cudaError_t result, const char* call) {
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // or the next launch would report it
    throw OutOfMemory(sentence(call, ": ", cudaGetErrorString(result)));
  }
  if (result != cudaSuccess) failRuntime(call, ": ", cudaGetErrorString(result));
}

// Owns one handle; destroying an empty one does nothing.
template <typename Handle, cudaError_t (*destroy)(Handle)>
class CudaHandle {
 public:
  CudaHandle() = default;
  CudaHandle(CudaHandle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  CudaHandle& operator=(CudaHandle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~CudaHandle() {
    if (handle_ != nullptr) destroy(handle_);
  }

  operator Handle() const { return handle_; }
  Handle* put() { return &handle_; }  // for a create function, once

 private:
  Handle handle_ = nullptr;
};

class Stream : public CudaHandle<cudaStream_t, cudaStreamDestroy> {
 public:
  Stream() { check(cudaStreamCreateWithFlags(put(), cudaStreamNonBlocking), "cudaStreamCreateWithFlags"); }
  void wait() const { check(cudaStreamSynchronize(*this), "cudaStreamSynchronize"); }
};

class Event : public CudaHandle<cudaEvent_t, cudaEventDestroy> {
 public:
  Event() { check(cudaEventCreate(put()), "cudaEventCreate"); }
};

using CudaGraph = CudaHandle<cudaGraph_t, cudaGraphDestroy>;
using CudaGraphExec = CudaHandle<cudaGraphExec_t, cudaGraphExecDestroy>;

class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(uint64_t bytes) : bytes_(bytes) {
    if (bytes != 0) check(cudaMalloc(memory_.put(), bytes), "cudaMalloc");
  }

  uint64_t bytes() const { return bytes_; }
  void* get() const { return memory_; }
  template <typename Item>
  Item* as() const {
    return static_cast<Item*>(get());
  }

 private:
  CudaHandle<void*, cudaFree> memory_;
  uint64_t bytes_ = 0;
};

// Blocking; the work that writes the source must have completed.
template <typename Item>
std::vector<Item> download(const void* source, uint64_t count) {
  std::vector<Item> items(count);
  check(cudaMemcpy(items.data(), source, count * sizeof(Item), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return items;
}

// On return the copy has completed: cudaMemcpy alone may still be moving pageable memory, which other streams overtake.
template <typename Item>
void upload(void* target, const std::vector<Item>& items) {
  check(cudaMemcpy(target, items.data(), items.size() * sizeof(Item), cudaMemcpyHostToDevice), "cudaMemcpy");
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
}

}  // namespace bench
