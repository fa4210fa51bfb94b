// Buffers in memory of Direct3D 12: what is imported, how often, until when, and what is refused.
#include "api/objects.h"
#include "fixture.h"
#include "open_handles.h"

namespace slu::test {
namespace {

constexpr std::uint64_t kPage = 65536;  // of which Direct3D's allocations are multiples

class D3D12CudaBuffers : public D3D12CudaTest {
 protected:
  void SetUp() override {
    D3D12CudaTest::SetUp();
    if (!IsSkipped()) context = makeContext();
  }
  void TearDown() override {
    if (!IsSkipped()) watch().failCall({});
    context.reset();
    D3D12CudaTest::TearDown();
  }

  std::uintptr_t addressOf(SluBuffer buffer) { return reinterpret_cast<std::uintptr_t>(sluGetCudaPointer(buffer)); }

  unsigned long referencesOf(IUnknown* object) { return object == nullptr ? 0 : referencesTo(object); }

  // That the buffer is refused, and nothing imported or kept.
  void expectRefused(const BufferInfo& info, SluResult result, const std::string& part) {
    SCOPED_TRACE(part);
    const std::size_t imports = cuda.memories.size();
    const std::size_t handles = openHandleCount();
    const unsigned long resources = referencesOf(info.part.resource);
    const unsigned long heaps = referencesOf(info.memory.heap);
    const unsigned long devices = referencesTo(host().device());
    Buffer buffer;
    expectFailure(create(context, info, buffer), result, context, part);
    EXPECT_EQ(buffer.get(), nullptr);
    EXPECT_EQ(cuda.memories.size(), imports);
    EXPECT_EQ(openHandleCount(), handles);
    EXPECT_EQ(referencesTo(host().device()), devices);
    EXPECT_EQ(referencesOf(info.part.resource), resources);
    EXPECT_EQ(referencesOf(info.memory.heap), heaps);
  }

  void expectRefused(const BufferInfo& info, const std::string& part) {
    expectRefused(info, SLU_ERROR_INVALID_ARGUMENT, part);
  }

  // The d3d12 route asks for the heap's properties, too, and does without them.
  void dropD3D12Route() { context.get()->state->routes[SLU_ROUTE_D3D12].reset(); }

  Context context;
};

TEST_F(D3D12CudaBuffers, ACommittedResourceIsImportedOnce) {
  const Com<ID3D12Resource> resource = makeCommitted(4096);
  BufferInfo info = infoOf(resource.get());
  Buffer first = make(context, info);
  ASSERT_EQ(cuda.imports.size(), 1u);
  EXPECT_EQ(cuda.imports[0].type, CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE);
  EXPECT_EQ(cuda.imports[0].size, kPage);
  EXPECT_EQ(cuda.imports[0].flags, unsigned{CUDA_EXTERNAL_MEMORY_DEDICATED});
  info.part.offset = 1024;
  Buffer second = make(context, info);
  EXPECT_EQ(cuda.imports.size(), 1u);
  EXPECT_EQ(addressOf(second), addressOf(first) + 1024);
  EXPECT_EQ(addressOf(first), cuda.mappings.begin()->first);

  first.reset();
  EXPECT_EQ(cuda.memories.size(), 1u) << "the second uses it";
  second.reset();
  EXPECT_TRUE(cuda.memories.empty());
  EXPECT_EQ(referencesTo(resource.get()), 1u);
  const Buffer third = make(context, info);
  EXPECT_EQ(cuda.imports.size(), 2u) << "anew";
}

TEST_F(D3D12CudaBuffers, AHeapIsImportedOnceForAllOfIts) {
  const Com<ID3D12Heap> heap = makeHeap(4 * kPage);
  const unsigned long references = referencesTo(heap.get());
  {
    const Com<ID3D12Resource> low = makePlaced(heap.get(), 0, kPage);
    const Com<ID3D12Resource> high = makePlaced(heap.get(), 2 * kPage, 2 * kPage);
    Buffer first = make(context, infoOf(low.get(), heap.get()));
    BufferInfo info = infoOf(high.get(), heap.get(), 2 * kPage);
    info.part.offset = 256;
    info.size = 2 * kPage - 256;
    Buffer second = make(context, info);
    ASSERT_EQ(cuda.imports.size(), 1u);
    EXPECT_EQ(cuda.imports[0].type, CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP);
    EXPECT_EQ(cuda.imports[0].size, 4 * kPage);
    EXPECT_EQ(cuda.imports[0].flags, 0u);
    EXPECT_EQ(addressOf(second), addressOf(first) + 2 * kPage + 256);
    first.reset();
    EXPECT_EQ(cuda.memories.size(), 1u);
    second.reset();
    EXPECT_TRUE(cuda.memories.empty());
  }
  EXPECT_EQ(referencesTo(heap.get()), references);
}

// The host's own references may go first.
TEST_F(D3D12CudaBuffers, KeepTheirObjects) {
  Com<ID3D12Heap> heap = makeHeap(kPage);
  Com<ID3D12Resource> placed = makePlaced(heap.get(), 0, kPage);
  Com<ID3D12Resource> committed = makeCommitted(4096);
  Buffer first = make(context, infoOf(placed.get(), heap.get()));
  Buffer second = make(context, infoOf(committed.get()));
  context.reset();
  heap = Com<ID3D12Heap>();
  placed = Com<ID3D12Resource>();
  committed = Com<ID3D12Resource>();
  EXPECT_EQ(cuda.memories.size(), 2u);
  first.reset();
  second.reset();
  EXPECT_TRUE(cuda.isEmpty());
}

TEST_F(D3D12CudaBuffers, RefuseWrongFields) {
  const Com<ID3D12Resource> resource = makeCommitted(4096);
  const BufferInfo good = infoOf(resource.get());
  BufferInfo info = good;
  info.memory.structSize -= 8;
  expectRefused(info, "d3d12Memory.structSize");
  info = good;
  info.part.resource = nullptr;
  expectRefused(info, "d3d12Buffer.resource: is null");
  info = good;
  info.part.offset = 2;
  expectRefused(info, "d3d12Buffer.offset: is 2");
  info = good;
  info.part.offset = 4000;
  expectRefused(info, "buffer.size: is 256 at d3d12Buffer.offset 4000");
  info = good;
  info.size = 8192;
  expectRefused(info, "buffer.size: is 8192");
  info = good;
  info.memory.heapOffset = kPage;
  expectRefused(info, "d3d12Memory.heapOffset: is 65536, must be 0 without a heap");
  const Com<ID3D12Resource> alone = makeCommitted(4096, D3D12_HEAP_FLAG_NONE);
  expectRefused(infoOf(alone.get()), "d3d12Buffer.resource: was created without D3D12_HEAP_FLAG_SHARED");
}

TEST_F(D3D12CudaBuffers, RefuseATexture) {
  D3D12_HEAP_PROPERTIES properties{};
  properties.Type = D3D12_HEAP_TYPE_DEFAULT;
  D3D12_RESOURCE_DESC desc{};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  desc.Width = desc.Height = 16;
  desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  desc.SampleDesc.Count = 1;
  Com<ID3D12Resource> texture;
  check(host().device()->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_SHARED, &desc,
                                                 D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(texture.put())),
        "CreateCommittedResource");
  expectRefused(infoOf(texture.get()), "d3d12Buffer.resource: is a texture");
}

TEST_F(D3D12CudaBuffers, RefuseWrongHeaps) {
  const Com<ID3D12Heap> heap = makeHeap(2 * kPage);
  const Com<ID3D12Heap> alone = makeHeap(2 * kPage, D3D12_HEAP_FLAG_NONE);
  const Com<ID3D12Resource> placed = makePlaced(heap.get(), kPage, kPage);
  const Com<ID3D12Resource> elsewhere = makePlaced(alone.get(), 0, kPage);
  for (const std::uint64_t offset : {kPage + 2, kPage / 2, kPage + 4096}) {
    expectRefused(infoOf(placed.get(), heap.get(), offset), "d3d12Memory.heapOffset: is " + std::to_string(offset));
  }
  expectRefused(infoOf(placed.get(), heap.get(), 2 * kPage),
                "d3d12Memory.heap: has 131072 bytes, and d3d12Buffer.resource ends at d3d12Memory.heapOffset 131072 + "
                "65536");
  expectRefused(infoOf(placed.get(), heap.get(), UINT64_MAX - (kPage - 1)), "d3d12Memory.heap: has 131072 bytes");
  expectRefused(infoOf(elsewhere.get(), alone.get()), "d3d12Memory.heap: was created without D3D12_HEAP_FLAG_SHARED");
  expectRefused(infoOf(elsewhere.get(), heap.get()), "d3d12Memory.heap: d3d12Buffer.resource was not placed in it");
}

// Direct3D shares placed resources by their heaps alone. The tests' runtime has no shared handles of its own.
TEST_F(D3D12CudaBuffers, RefusePlacedResourcesWithoutTheirHeap) {
  dropD3D12Route();
  const Com<ID3D12Heap> heap = makeHeap(kPage);
  const Com<ID3D12Resource> placed = makePlaced(heap.get(), 0, kPage);
  const BufferInfo info = infoOf(placed.get());
  const D3D12Watch::ObjectScope objects(watch(), placed.get(), nullptr);
  constexpr std::uint32_t kCreateSharedHandle = 2;
  watch().failCall(kCreateSharedHandle, E_INVALIDARG);
  expectRefused(info, SLU_ERROR_INVALID_ARGUMENT, "d3d12Buffer.resource: cannot be shared");
  watch().failCall({});
}

TEST_F(D3D12CudaBuffers, RefuseObjectsOfAnotherDevice) {
  Com<ID3D12Device> device;
  check(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(device.put())), "D3D12CreateDevice");
  if (device.get() == host().device()) GTEST_SKIP() << "an adapter has one device";
  D3D12_HEAP_DESC heapDesc{};
  heapDesc.SizeInBytes = kPage;
  heapDesc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
  heapDesc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS | D3D12_HEAP_FLAG_SHARED;
  Com<ID3D12Heap> heap;
  check(device->CreateHeap(&heapDesc, IID_PPV_ARGS(heap.put())), "CreateHeap");
  const D3D12_RESOURCE_DESC desc = bufferDesc(4096);
  Com<ID3D12Resource> resource;
  check(device->CreatePlacedResource(heap.get(), 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                     IID_PPV_ARGS(resource.put())),
        "CreatePlacedResource");
  expectRefused(infoOf(resource.get(), heap.get()), "d3d12Buffer.resource: belongs to another ID3D12Device");
  const Com<ID3D12Heap> ours = makeHeap(kPage);
  const Com<ID3D12Resource> placed = makePlaced(ours.get(), 0, kPage);
  expectRefused(infoOf(placed.get(), heap.get()), "d3d12Memory.heap: belongs to another ID3D12Device");
}

TEST_F(D3D12CudaBuffers, RefuseChainsThatContradictThemselves) {
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.size = 256;
  BufferInfo chain;
  info.pNext = &chain.memory;
  Buffer buffer;
  expectFailure(sluCreateBuffer(context, &info, buffer.put()), SLU_ERROR_INVALID_ARGUMENT, context,
                "buffer.pNext: SluD3D12MemoryInfo needs an SluD3D12BufferInfo beside it");
  auto pointer = SLU_INIT(CUDA_BUFFER_INFO, SluCudaBufferInfo);
  chain.memory.pNext = &chain.part;
  chain.part.pNext = &pointer;
  expectFailure(sluCreateBuffer(context, &info, buffer.put()), SLU_ERROR_INVALID_ARGUMENT, context,
                "exclude each other");
}

// Each call of Direct3D that creating a buffer makes, and each of CUDA.
TEST_F(D3D12CudaBuffers, FailuresLeaveNothing) {
  dropD3D12Route();
  constexpr auto kRemoved = static_cast<HRESULT>(0x887a0005);  // DXGI_ERROR_DEVICE_REMOVED
  const Com<ID3D12Heap> heap = makeHeap(kPage);
  const Com<ID3D12Resource> placed = makePlaced(heap.get(), 0, kPage);
  const Com<ID3D12Resource> committed = makeCommitted(4096);
  for (const BufferInfo& info : {infoOf(committed.get()), infoOf(placed.get(), heap.get())}) {
    const bool isPlaced = info.memory.heap != nullptr;
    for (const auto& [failure, expected] : {std::pair{E_OUTOFMEMORY, SLU_ERROR_OUT_OF_DEVICE_MEMORY},
                                            {E_FAIL, SLU_ERROR_DRIVER},
                                            {kRemoved, SLU_ERROR_DEVICE_LOST}}) {
      const std::uint32_t calls = isPlaced ? 4 : 3;
      for (std::uint32_t call = 0; call < calls; ++call) {
        const D3D12Watch::ObjectScope objects(watch(), info.part.resource, info.memory.heap);
        watch().failCall(call, failure);
        expectRefused(info, expected, "ID3D12");
        EXPECT_GT(watch().callCount(), call) << "the call was made";
      }
      watch().failCall({});
    }
    for (const char* call : {"import memory", "map", "push"}) {
      cuda.failing = call;
      cuda.failAfter = 0;
      expectRefused(info, std::string(call) == "map" ? SLU_ERROR_OUT_OF_DEVICE_MEMORY : SLU_ERROR_DRIVER, "cu");
      EXPECT_TRUE(cuda.mappings.empty());
    }
    cuda.failing.clear();
    EXPECT_NE(make(context, info).get(), nullptr) << "after all that";
  }
}

// Direct3D says so of resources that no heap is behind.
TEST_F(D3D12CudaBuffers, RefuseAReservedResource) {
  const Com<ID3D12Resource> resource = makeCommitted(4096);
  dropD3D12Route();
  const D3D12Watch::ObjectScope objects(watch(), resource.get(), nullptr);
  watch().failCall(1, E_INVALIDARG);  // GetHeapProperties
  expectRefused(infoOf(resource.get()), "d3d12Buffer.resource: is a reserved resource, must be committed or placed");
}

}  // namespace
}  // namespace slu::test
