#include "fixture.h"

#include <cstring>

#include "api/objects.h"
#include "base/d3d12_calls.h"
#include "machine.h"
#include "open_handles.h"
#include "routes/cuda/cuda_route.h"

namespace slu::test {

D3D12_RESOURCE_DESC bufferDesc(std::uint64_t bytes) {
  D3D12_RESOURCE_DESC desc{};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = bytes;
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  return desc;
}

void D3D12CudaTest::SetUp() {
  SCOPED_TRACE("the first trace of a thread opens a handle");
  try {
    host_.emplace();
  } catch (const Unavailable& unavailable) {
    GTEST_SKIP() << unavailable.what();
  }
  watch().playHandles(openAnything);
  const LUID luid = getAdapterLuid(*host().device());
  cuda.devices = {{"another", {1}, 1}, {"the same", {}, 1}};
  std::memcpy(cuda.devices[1].luid.data(), &luid, sizeof(luid));
  referencesBefore_ = referencesTo(host().device());
  handlesBefore_ = openHandleCount();
}

void D3D12CudaTest::TearDown() {
  if (!host_) return;
  EXPECT_EQ(watch().takeMessages(), std::vector<std::string>{});
  EXPECT_EQ(referencesTo(host().device()), referencesBefore_) << "a reference to the device is left";
  EXPECT_EQ(openHandleCount(), handlesBefore_) << "handles are left behind";
  EXPECT_TRUE(cuda.isEmpty()) << "imports are left behind";
  EXPECT_TRUE(cuda.stack.empty()) << "CUDA's current context is not what it was";
  EXPECT_EQ(cuda.retained, 0);
}

std::unique_ptr<Route> D3D12CudaTest::makeRoute(const SluCudaDeviceInfo* device) {
  const D3D12Watch::Scope scope(watch(), nullptr);
  return makeCudaRoute(cuda.functions(), host().info(), device);
}

// The library finds no driver of CUDA here.
Context D3D12CudaTest::makeContext(SluFlags hostFlags) {
  const SluD3D12DeviceInfo device = host().info();
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.pNext = &device;
  info.hostFlags = hostFlags;
  Context context;
  SluMessage message{};
  EXPECT_EQ(sluCreateContext(&info, context.put(), &message), SLU_SUCCESS) << message.text;
  context.get()->state->routes[SLU_ROUTE_CUDA] = makeRoute();
  return context;
}

Com<ID3D12Resource> D3D12CudaTest::makeCommitted(std::uint64_t bytes, D3D12_HEAP_FLAGS flags) {
  D3D12_HEAP_PROPERTIES properties{};
  properties.Type = D3D12_HEAP_TYPE_DEFAULT;
  const D3D12_RESOURCE_DESC desc = bufferDesc(bytes);
  Com<ID3D12Resource> resource;
  check(host().device()->CreateCommittedResource(&properties, flags, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                                 IID_PPV_ARGS(resource.put())),
        "CreateCommittedResource");
  watch().add(resource.get(), D3D12_RESOURCE_STATE_COMMON);
  return resource;
}

Com<ID3D12Heap> D3D12CudaTest::makeHeap(std::uint64_t bytes, D3D12_HEAP_FLAGS flags) {
  D3D12_HEAP_DESC desc{};
  desc.SizeInBytes = bytes;
  desc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
  desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS | flags;
  Com<ID3D12Heap> heap;
  check(host().device()->CreateHeap(&desc, IID_PPV_ARGS(heap.put())), "CreateHeap");
  return heap;
}

Com<ID3D12Resource> D3D12CudaTest::makePlaced(ID3D12Heap* heap, std::uint64_t offset, std::uint64_t bytes) {
  const D3D12_RESOURCE_DESC desc = bufferDesc(bytes);
  Com<ID3D12Resource> resource;
  check(host().device()->CreatePlacedResource(heap, offset, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                              IID_PPV_ARGS(resource.put())),
        "CreatePlacedResource");
  watch().add(resource.get(), D3D12_RESOURCE_STATE_COMMON);
  return resource;
}

D3D12CudaTest::BufferInfo D3D12CudaTest::infoOf(ID3D12Resource* resource, ID3D12Heap* heap, std::uint64_t heapOffset) {
  BufferInfo info;
  info.part.resource = resource;
  info.memory.heap = heap;
  info.memory.heapOffset = heapOffset;
  return info;
}

SluResult D3D12CudaTest::create(SluContext context, const BufferInfo& given, Buffer& buffer) {
  BufferInfo chain = given;
  chain.memory.pNext = &chain.part;
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.pNext = &chain.memory;
  info.size = chain.size;
  const D3D12Watch::Scope scope(watch(), nullptr);
  return sluCreateBuffer(context, &info, buffer.put());
}

Buffer D3D12CudaTest::make(SluContext context, const BufferInfo& info) {
  Buffer buffer;
  EXPECT_EQ(create(context, info, buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  return buffer;
}

void D3D12CudaTest::expectFailure(SluResult actual, SluResult expected, SluContext context, const std::string& part) {
  const std::string sentence = sluGetErrorMessage(context);
  EXPECT_EQ(actual, expected) << sentence;
  EXPECT_NE(sentence.find(part), std::string::npos) << "not named: " << part << "; " << sentence;
}

}  // namespace slu::test
