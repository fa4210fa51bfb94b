// Objects of Direct3D 12 as CUDA imports them, with CUDA played. On Linux their NT handles are mere numbers.
#include <gtest/gtest.h>

#include "fake_cuda.h"
#include "interop/external_memory.h"
#include "interop/external_semaphore.h"
#include "open_handles.h"
#include "sentence.h"

namespace slu::test {
namespace {

constexpr ExternalAllocation kResource{65536, true, VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE_BIT};
constexpr ExternalAllocation kHeap{1 << 20, false, VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP_BIT};

#ifdef _WIN32
struct SharedObject {
  void* handle() const { return object.get(); }
  bool isUntouched() const { return isOpen(object.get()); }
  UniqueHandle object{openAnything()};
};
#else
struct SharedObject {
  void* handle() const { return reinterpret_cast<void*>(0x40); }
  bool isUntouched() const { return true; }
};
#endif

struct ImportedD3D12 : ::testing::Test {
  ~ImportedD3D12() override {
    EXPECT_TRUE(object.isUntouched());
    EXPECT_TRUE(cuda.isEmpty());
    EXPECT_TRUE(cuda.stack.empty());
    EXPECT_EQ(openHandleCount(), handlesBefore);
  }
  SharedObject object;
  std::size_t handlesBefore = openHandleCount();
  FakeCuda cuda;
  CudaContext context{0, cuda.functions()};
};

TEST_F(ImportedD3D12, AResourceIsDedicatedAndAHeapIsNot) {
  const CUDA_EXTERNAL_MEMORY_HANDLE_DESC resource = importDescriptor(kResource, object.handle());
  EXPECT_EQ(resource.type, CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE);
  EXPECT_EQ(resource.size, 65536u);
  EXPECT_EQ(resource.flags, unsigned{CUDA_EXTERNAL_MEMORY_DEDICATED});
  const CUDA_EXTERNAL_MEMORY_HANDLE_DESC heap = importDescriptor(kHeap, object.handle());
  EXPECT_EQ(heap.type, CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP);
  EXPECT_EQ(heap.size, 1u << 20);
  EXPECT_EQ(heap.flags, 0u);
  for (const CUDA_EXTERNAL_MEMORY_HANDLE_DESC& descriptor : {resource, heap}) {
    EXPECT_EQ(descriptor.handle.win32.handle, object.handle());
    EXPECT_EQ(descriptor.handle.win32.name, nullptr);
  }
}

TEST_F(ImportedD3D12, TheOtherFlagIsRefused) {
  ExternalAllocation resource = kResource, heap = kHeap;
  resource.isDedicated = false;
  heap.isDedicated = true;
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { importDescriptor(resource, object.handle()); }),
                  "a committed resource of Direct3D 12 is a dedicated allocation");
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { importDescriptor(heap, object.handle()); }),
                  "a heap of Direct3D 12 is no dedicated allocation");
}

TEST_F(ImportedD3D12, BuffersLieAtOffsetsOfAHeapAlone) {
  {
    const auto heap = std::make_shared<const ImportedMemory>(context, object.handle(), kHeap);
    const ImportedRange range(heap, 65536, kHeap.bytes - 65536);
    EXPECT_EQ(range.pointer, heap->pointer() + 65536);
    EXPECT_EQ(cuda.maps.at(0).offset, 0u);
    EXPECT_EQ(cuda.maps.at(0).size, kHeap.bytes);
    EXPECT_THROW(ImportedRange(heap, 65536, kHeap.bytes), Error);
  }
  const auto resource = std::make_shared<const ImportedMemory>(context, object.handle(), kResource);
  EXPECT_THROW(ImportedRange(resource, 256, 256), Error);
  const std::vector<std::string> order = {"import memory", "map", "free", "destroy memory", "import memory", "map"};
  EXPECT_EQ(cuda.calls, order);
}

TEST_F(ImportedD3D12, FailuresLeaveNothing) {
  for (const char* call : {"import memory", "map", "push"}) {
    for (const ExternalAllocation& allocation : {kResource, kHeap}) {
      cuda.failing = call;
      cuda.failAfter = 0;
      EXPECT_THROW(ImportedMemory(context, object.handle(), allocation), Error) << call;
      EXPECT_TRUE(cuda.isEmpty()) << call;
      EXPECT_TRUE(object.isUntouched()) << call;
    }
  }
}

TEST_F(ImportedD3D12, FencesHaveValues) {
  GraphicsToCuda toCuda(context, FenceHandle{object.handle()});
  CudaToGraphics toGraphics(context, FenceHandle{object.handle()});
  ASSERT_EQ(cuda.semaphoreImports.size(), 2u);
  for (const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC& descriptor : cuda.semaphoreImports) {
    EXPECT_EQ(descriptor.type, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE);
  }
  toCuda.enqueueWait(nullptr, 7);
  toGraphics.enqueueSignal(nullptr, 9);
  EXPECT_EQ(cuda.waits, std::vector<unsigned long long>{7});
  EXPECT_EQ(cuda.signals, std::vector<unsigned long long>{9});
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { toCuda.enqueueWait(nullptr, 6); }),
                  "a wait for 6 after one for 7");
}

TEST_F(ImportedD3D12, AFenceThatIsNotImportedLeavesNothing) {
  cuda.failing = "import semaphore";
  EXPECT_THROW(GraphicsToCuda(context, FenceHandle{object.handle()}), Error);
  cuda.failing.clear();
  EXPECT_THROW(CudaToGraphics(context, FenceHandle{}), Error);
}

}  // namespace
}  // namespace slu::test
