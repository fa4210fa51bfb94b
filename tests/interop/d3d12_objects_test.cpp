// What real objects of Direct3D 12 tell. Wine makes no handles of them, which is how a failure looks.
#include "interop/d3d12_objects.h"

#include <gtest/gtest.h>

#include <cstring>

#include "open_handles.h"
#include "sentence.h"

namespace slu::test {
namespace {

template <typename T>
struct Owned {
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (object != nullptr) object->Release();
  }
  void** put() { return reinterpret_cast<void**>(&object); }
  T* object = nullptr;
};

class D3D12Objects : public ::testing::Test {
 protected:
  void SetUp() override {
    if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_ID3D12Device, device_.put()))) {
      GTEST_SKIP() << "there is no device of Direct3D 12";
    }
  }
  ID3D12Device& device() { return *device_.object; }

  HRESULT createBuffer(std::uint64_t bytes, D3D12_HEAP_FLAGS flags, Owned<ID3D12Resource>& buffer) {
    D3D12_HEAP_PROPERTIES properties{};
    properties.Type = D3D12_HEAP_TYPE_DEFAULT;
    D3D12_RESOURCE_DESC desc{};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = bytes;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    return device().CreateCommittedResource(&properties, flags, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                            IID_ID3D12Resource, buffer.put());
  }

  HRESULT createHeap(std::uint64_t bytes, D3D12_HEAP_FLAGS flags, Owned<ID3D12Heap>& heap) {
    D3D12_HEAP_DESC desc{};
    desc.SizeInBytes = bytes;
    desc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
    desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS | flags;
    return device().CreateHeap(&desc, IID_ID3D12Heap, heap.put());
  }

 private:
  Owned<ID3D12Device> device_;
};

TEST_F(D3D12Objects, TheDeviceIsFoundByItsLuid) {
  const DeviceIdentity identity = d3d12Identity(device(), 0);
  const LUID luid = getAdapterLuid(device());
  EXPECT_TRUE(identity.hasLuid);
  EXPECT_EQ(std::memcmp(identity.luid.data(), &luid, sizeof(luid)), 0);
  EXPECT_EQ(identity.nodeMask, 1u);
}

TEST_F(D3D12Objects, ACommittedBufferTakesMoreThanItsSize) {
  Owned<ID3D12Resource> buffer;
  if (FAILED(createBuffer(100, D3D12_HEAP_FLAG_SHARED, buffer))) GTEST_SKIP() << "no resource can be shared";
  const ExternalAllocation allocation = committedAllocation(device(), *buffer.object);
  EXPECT_EQ(allocation.bytes, 65536u);
  EXPECT_TRUE(allocation.isDedicated);
  EXPECT_EQ(allocation.handleType, VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE_BIT);
}

TEST_F(D3D12Objects, AHeapIsAsLargeAsItsDescriptionSays) {
  Owned<ID3D12Heap> heap;
  if (FAILED(createHeap(1 << 20, D3D12_HEAP_FLAG_SHARED, heap))) GTEST_SKIP() << "no heap can be shared";
  const ExternalAllocation allocation = heapAllocation(*heap.object);
  EXPECT_EQ(allocation.bytes, 1u << 20);
  EXPECT_FALSE(allocation.isDedicated);
  EXPECT_EQ(allocation.handleType, VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP_BIT);
}

TEST_F(D3D12Objects, WhatIsNotSharedIsRefused) {
  Owned<ID3D12Resource> buffer;
  Owned<ID3D12Heap> heap;
  ASSERT_GE(createBuffer(100, D3D12_HEAP_FLAG_NONE, buffer), 0);
  ASSERT_GE(createHeap(1 << 20, D3D12_HEAP_FLAG_NONE, heap), 0);
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { committedAllocation(device(), *buffer.object); }),
                  "was created without D3D12_HEAP_FLAG_SHARED");
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { heapAllocation(*heap.object); }),
                  "was created without D3D12_HEAP_FLAG_SHARED");
}

TEST_F(D3D12Objects, AFailedHandleGetsASentenceAndLeavesNothing) {
  Owned<ID3D12Heap> heap;
  ASSERT_GE(createHeap(1 << 20, D3D12_HEAP_FLAG_NONE, heap), 0);
  const std::size_t before = openHandleCount();
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, [&] { createSharedHandle(device(), *heap.object); }),
                  "ID3D12Device::CreateSharedHandle: fails with 0x8");
  EXPECT_EQ(openHandleCount(), before);
}

}  // namespace
}  // namespace slu::test
