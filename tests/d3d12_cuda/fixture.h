// A context whose CUDA route is the library's own, on a real device of Direct3D 12, with CUDA played. The runtime of the
// tests makes no shared handles, so they are played, too: each is a handle of an object of the system.
#pragma once

#include <gtest/gtest.h>
#include <sluice/sluice_d3d12_cuda.h>

#include <memory>
#include <optional>
#include <sluice/sluice.hpp>
#include <string>

#include "d3d12_host.h"
#include "fake_cuda.h"
#include "routes/route.h"

namespace slu::test {

class D3D12CudaTest : public testing::Test {
 protected:
  void SetUp() override;     // skips where there is no device
  void TearDown() override;  // fails when anything is left: references, handles, imports

  D3D12Host& host() { return *host_; }
  D3D12Watch& watch() { return host_->watch(); }

  // With the played CUDA route, whose verbs the host calls.
  Context makeContext(SluFlags hostFlags = SLU_HOST_ENQUEUES_BIT);
  std::unique_ptr<Route> makeRoute(const SluCudaDeviceInfo* cuda = nullptr);

  // Buffers of the host's, in the common state.
  Com<ID3D12Resource> makeCommitted(std::uint64_t bytes, D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_SHARED);
  Com<ID3D12Heap> makeHeap(std::uint64_t bytes, D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_SHARED);
  Com<ID3D12Resource> makePlaced(ID3D12Heap* heap, std::uint64_t offset, std::uint64_t bytes);

  // What describes the first bytes of a resource.
  struct BufferInfo {
    SluD3D12MemoryInfo memory = SLU_INIT(D3D12_MEMORY_INFO, SluD3D12MemoryInfo);
    SluD3D12BufferInfo part = SLU_INIT(D3D12_BUFFER_INFO, SluD3D12BufferInfo);
    std::uint64_t size = 256;
  };
  BufferInfo infoOf(ID3D12Resource* resource, ID3D12Heap* heap = nullptr, std::uint64_t heapOffset = 0);
  SluResult create(SluContext context, const BufferInfo& info, Buffer& buffer);
  Buffer make(SluContext context, const BufferInfo& info);

  // That the call failed with the result, and that its sentence holds part.
  void expectFailure(SluResult actual, SluResult expected, SluContext context, const std::string& part);

  FakeCuda cuda;

 private:
  std::optional<D3D12Host> host_;
  unsigned long referencesBefore_ = 0;
  std::size_t handlesBefore_ = 0;
};

D3D12_RESOURCE_DESC bufferDesc(std::uint64_t bytes);

}  // namespace slu::test
