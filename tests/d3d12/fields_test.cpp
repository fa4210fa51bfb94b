// Every field of sluice_d3d12.h with a wrong value: a code, and a sentence that names it.
#include <sluice/sluice_glsl.h>

#include "fixture.h"

namespace slu::test {
namespace {

class D3D12Fields : public D3D12Test {
 protected:
  // The sentence with which a context is refused, or "" and the code of success.
  std::pair<SluResult, std::string> refusalOf(const SluD3D12DeviceInfo& chained) {
    Context context;
    const SluResult result = createContext(context, &chained);
    return {result, message()};
  }

  std::pair<SluResult, std::string> refusalOf(const SluD3D12BufferInfo& chained, std::uint64_t size) {
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.pNext = &chained;
    info.size = size;
    Buffer buffer;
    const SluResult result = sluCreateBuffer(context(), &info, buffer.put());
    return {result, result == SLU_SUCCESS ? "" : sentence()};
  }

  static testing::AssertionResult names(const std::pair<SluResult, std::string>& refusal, SluResult result,
                                        const std::string& field) {
    if (refusal.first == result && refusal.second.find(field) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << sluGetResultName(refusal.first) << ": " << refusal.second << "; expected "
                                       << sluGetResultName(result) << " and " << field;
  }
};

TEST_F(D3D12Fields, Device) {
  SluD3D12DeviceInfo info = host().info();
  info.device = nullptr;
  EXPECT_TRUE(names(refusalOf(info), SLU_ERROR_INVALID_ARGUMENT, "d3d12Device.device"));
  info = host().info();
  for (const std::uint32_t type : {1u, 3u, 4u, 77u}) {  // bundle, copy, video, nonsense
    info.commandListType = type;
    EXPECT_TRUE(names(refusalOf(info), SLU_ERROR_INVALID_ARGUMENT, "d3d12Device.commandListType"));
  }
  info = host().info();
  for (const std::uint32_t model : {1u, 4u, 7u, 60u}) {
    info.shaderModel = model;
    EXPECT_TRUE(names(refusalOf(info), SLU_ERROR_INVALID_ARGUMENT, "d3d12Device.shaderModel"));
  }
  info = host().info();
  info.dxcCreateInstance = &info;  // is not called with shader model 5
  EXPECT_TRUE(names(refusalOf(info), SLU_ERROR_INVALID_ARGUMENT, "d3d12Device.dxcCreateInstance"));
  info = host().info();
  info.shadersSize = 4;
  EXPECT_TRUE(names(refusalOf(info), SLU_ERROR_INVALID_ARGUMENT, "d3d12Device.shaders"));
  info = host().info();
  info.shaders = &info;
  EXPECT_TRUE(names(refusalOf(info), SLU_ERROR_INVALID_ARGUMENT, "d3d12Device.shadersSize"));
  info = host().info();
  info.structSize = 8;
  EXPECT_TRUE(names(refusalOf(info), SLU_ERROR_INVALID_ARGUMENT, "d3d12Device.structSize"));
}

TEST_F(D3D12Fields, Resource) {
  const Com<ID3D12Resource> resource = host().makeBuffer(1024, D3D12_HEAP_TYPE_DEFAULT);
  auto info = SLU_INIT(D3D12_BUFFER_INFO, SluD3D12BufferInfo);
  EXPECT_TRUE(names(refusalOf(info, 1024), SLU_ERROR_INVALID_ARGUMENT, "d3d12Buffer.resource"));
  info.resource = resource.get();
  EXPECT_EQ(refusalOf(info, 1024).first, SLU_SUCCESS);
  EXPECT_TRUE(names(refusalOf(info, 1028), SLU_ERROR_INVALID_ARGUMENT, "buffer.size"));
  info.offset = 6;
  EXPECT_TRUE(names(refusalOf(info, 512), SLU_ERROR_INVALID_ARGUMENT, "d3d12Buffer.offset"));
  info.offset = 516;
  EXPECT_TRUE(names(refusalOf(info, 512), SLU_ERROR_INVALID_ARGUMENT, "buffer.size"));
  info.offset = UINT64_MAX - 3;
  EXPECT_TRUE(names(refusalOf(info, 512), SLU_ERROR_INVALID_ARGUMENT, "buffer.size"));
}

TEST_F(D3D12Fields, Texture) {
  D3D12_HEAP_PROPERTIES heap{};
  heap.Type = D3D12_HEAP_TYPE_DEFAULT;
  D3D12_RESOURCE_DESC desc{};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  desc.Width = desc.Height = 64;
  desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  desc.SampleDesc.Count = 1;
  Com<ID3D12Resource> texture;
  check(host().device()->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON,
                                                 nullptr, IID_PPV_ARGS(texture.put())),
        "CreateCommittedResource");
  auto info = SLU_INIT(D3D12_BUFFER_INFO, SluD3D12BufferInfo);
  info.resource = texture.get();
  EXPECT_TRUE(names(refusalOf(info, 64), SLU_ERROR_INVALID_ARGUMENT, "d3d12Buffer.resource"));
}

class D3D12Frames : public D3D12Fields {
 protected:
  std::pair<SluResult, std::string> refusalOf(SluPlan plan, const FrameBuffers& frame, const SluFrameInfo& info) {
    const SluResult result = record(plan, frame, info);
    return {result, result == SLU_SUCCESS ? "" : sentence()};
  }
};

TEST_F(D3D12Frames, Bindings) {
  const Plan plan = createPlan(planInfo(SLU_ORDER_UNORDERED));
  const FrameBuffers frame = makeFrame(context());
  EXPECT_EQ(record(plan, frame, frame.info), SLU_SUCCESS);

  SluFrameInfo info = frame.info;
  info.records.buffer = frame.indices.registered;
  info.recordCount = 8;
  info.indices.offset = 0;
  EXPECT_TRUE(names(refusalOf(plan, frame, info), SLU_ERROR_INVALID_ARGUMENT, "frame.indices"));  // they overlap

  const HostBuffer both = makeBuffer(context(), 2 * kRecords * 4, D3D12_HEAP_TYPE_DEFAULT);
  info = frame.info;
  info.records.buffer = info.indices.buffer = both.registered;
  info.indices.offset = kRecords * 4;
  EXPECT_TRUE(names(refusalOf(plan, frame, info), SLU_ERROR_INVALID_ARGUMENT, "frame.records: its ID3D12Resource"));

  const HostBuffer upload = makeBuffer(context(), kRecords * 4, D3D12_HEAP_TYPE_UPLOAD);
  info = frame.info;
  info.indices.buffer = upload.registered;
  EXPECT_TRUE(names(refusalOf(plan, frame, info), SLU_ERROR_INVALID_ARGUMENT, "frame.indices"));
  info = frame.info;
  info.records.buffer = upload.registered;  // is read, and that an upload heap allows
  EXPECT_EQ(record(plan, frame, info), SLU_SUCCESS);

  info = frame.info;
  info.transient.buffer = frame.statistics.registered;
  EXPECT_TRUE(names(refusalOf(plan, frame, info), SLU_ERROR_INVALID_ARGUMENT, "frame.transient"));
}

// A buffer of more bytes than this machine's driver allocates. The library asks it what it is, and nothing else.
class HugeBuffer final : public ID3D12Resource {
 public:
  explicit HugeBuffer(std::uint64_t size) : size_(size) {}
  ULONG references() const { return references_; }

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void**) override { return E_NOINTERFACE; }
  ULONG STDMETHODCALLTYPE AddRef() override { return ++references_; }
  ULONG STDMETHODCALLTYPE Release() override { return --references_; }
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID, UINT*, void*) override { return E_FAIL; }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID, UINT, const void*) override { return E_FAIL; }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID, const IUnknown*) override { return E_FAIL; }
  HRESULT STDMETHODCALLTYPE SetName(const WCHAR*) override { return S_OK; }
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID, void**) override { return E_FAIL; }
  HRESULT STDMETHODCALLTYPE Map(UINT, const D3D12_RANGE*, void**) override { return E_FAIL; }
  void STDMETHODCALLTYPE Unmap(UINT, const D3D12_RANGE*) override {}
#ifdef _MSC_VER  // see base/d3d12_calls.h
  D3D12_RESOURCE_DESC STDMETHODCALLTYPE GetDesc() override { return desc(); }
#else
  D3D12_RESOURCE_DESC* STDMETHODCALLTYPE GetDesc(D3D12_RESOURCE_DESC* returned) override {
    *returned = desc();
    return returned;
  }
#endif
  D3D12_GPU_VIRTUAL_ADDRESS STDMETHODCALLTYPE GetGPUVirtualAddress() override { return 1u << 30; }
  HRESULT STDMETHODCALLTYPE WriteToSubresource(UINT, const D3D12_BOX*, const void*, UINT, UINT) override {
    return E_FAIL;
  }
  HRESULT STDMETHODCALLTYPE ReadFromSubresource(void*, UINT, UINT, UINT, const D3D12_BOX*) override { return E_FAIL; }
  HRESULT STDMETHODCALLTYPE GetHeapProperties(D3D12_HEAP_PROPERTIES*, D3D12_HEAP_FLAGS*) override { return E_FAIL; }

 private:
  D3D12_RESOURCE_DESC desc() const {
    D3D12_RESOURCE_DESC desc{};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = size_;
    return desc;
  }

  const std::uint64_t size_;
  ULONG references_ = 1;
};

TEST_F(D3D12Frames, BindingsFrom4GiBOn) {
  constexpr std::uint32_t kManyRecords = 1u << 28;
  constexpr std::uint32_t kStride = 16;
  SluPlanCreateInfo info = planInfo(SLU_ORDER_UNORDERED);
  SluBucket bucket{};
  bucket.capacity = kRecords;
  info.bucketCount = 1;
  info.buckets = &bucket;
  info.recordStride = kStride;
  info.maxRecordCount = kManyRecords;
  const Plan plan = createPlan(info);
  HugeBuffer huge(std::uint64_t{kManyRecords} * kStride);
  {
    const FrameBuffers frame = makeFrame(context());
    auto chained = SLU_INIT(D3D12_BUFFER_INFO, SluD3D12BufferInfo);
    chained.resource = &huge;
    auto bufferInfo = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    bufferInfo.pNext = &chained;
    bufferInfo.size = std::uint64_t{kManyRecords} * kStride;
    Buffer records;
    ASSERT_EQ(sluCreateBuffer(context(), &bufferInfo, records.put()), SLU_SUCCESS) << sentence();
    EXPECT_EQ(huge.references(), 2u);
    SluFrameInfo frameInfo = frame.info;
    frameInfo.records.buffer = records;
    frameInfo.recordCount = kManyRecords;
    EXPECT_TRUE(names(refusalOf(plan, frame, frameInfo), SLU_ERROR_INVALID_ARGUMENT, "frame.records: has 4294967296"));
  }
  EXPECT_EQ(huge.references(), 1u);
}

// They are copied without a transition, and the watch would find one.
TEST_F(D3D12Frames, InPlaceRecordsInAnUploadHeap) {
  SluPlanCreateInfo info = planInfo(SLU_ORDER_UNORDERED);
  info.outputs |= SLU_OUTPUT_RECORDS_BIT;
  info.flags = SLU_PLAN_IN_PLACE_BIT;
  const Plan plan = createPlan(info);
  const FrameBuffers frame = makeFrame(context());
  const HostBuffer upload = makeBuffer(context(), kRecords * 4, D3D12_HEAP_TYPE_UPLOAD);
  const HostBuffer kept = makeBuffer(context(), kRecords * 4, D3D12_HEAP_TYPE_DEFAULT);
  SluFrameInfo frameInfo = frame.info;
  frameInfo.records.buffer = upload.registered;
  frameInfo.keptRecords.buffer = kept.registered;
  EXPECT_EQ(record(plan, frame, frameInfo), SLU_SUCCESS) << sentence();
}

TEST_F(D3D12Fields, PredicatesOfOtherRoutesAreRefused) {
  SluPlanCreateInfo info = planInfo(SLU_ORDER_UNORDERED);
  info.live = {SLU_LIVE_CUSTOM, 0, 0};
  auto glsl = SLU_INIT(GLSL_SOURCE_INFO, SluGlslSourceInfo);
  glsl.source = kPredicate;
  for (const void* chained : {static_cast<const void*>(nullptr), static_cast<const void*>(&glsl)}) {
    info.pNext = chained;
    Plan plan;
    const SluResult result = sluCreatePlan(context(), &info, plan.put());
    EXPECT_TRUE(names({result, sentence()}, SLU_ERROR_INVALID_ARGUMENT, "plan.pNext"));
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "needs SluHlslSourceInfo on the d3d12 route", sentence());
  }
}

TEST_F(D3D12Frames, TransientAtNoMultipleOf256) {
  const Plan plan = createPlan(planInfo(SLU_ORDER_UNORDERED));
  const FrameBuffers frame = makeFrame(context());
  const Com<ID3D12Resource> upload = host().makeBuffer(4096, D3D12_HEAP_TYPE_UPLOAD);
  auto chained = SLU_INIT(D3D12_BUFFER_INFO, SluD3D12BufferInfo);
  chained.resource = upload.get();
  chained.offset = 64;
  auto bufferInfo = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  bufferInfo.pNext = &chained;
  bufferInfo.size = 2048;
  void* mapped = nullptr;
  check(upload->Map(0, nullptr, &mapped), "Map");
  bufferInfo.hostPointer = static_cast<char*>(mapped) + chained.offset;
  Buffer buffer;
  ASSERT_EQ(sluCreateBuffer(context(), &bufferInfo, buffer.put()), SLU_SUCCESS) << sentence();
  SluFrameInfo info = frame.info;
  info.transient.buffer = buffer;
  EXPECT_TRUE(names(refusalOf(plan, frame, info), SLU_ERROR_INVALID_ARGUMENT, "frame.transient"));
}

TEST_F(D3D12Frames, Lists) {
  const Plan plan = createPlan(planInfo(SLU_ORDER_UNORDERED));
  const FrameBuffers frame = makeFrame(context());
  EXPECT_EQ(sluCmdCompactD3D12(nullptr, nullptr, &frame.info), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluCmdCompactD3D12(plan, nullptr, &frame.info), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(sentence().find("commandList: is null"), std::string::npos) << sentence();
  for (const auto type : {D3D12_COMMAND_LIST_TYPE_COPY, D3D12_COMMAND_LIST_TYPE_COMPUTE}) {
    const D3D12Host::List list = host().beginList(type);
    EXPECT_EQ(sluCmdCompactD3D12(plan, list.get(), &frame.info), SLU_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(sentence().find("commandList: has the type"), std::string::npos) << sentence();
  }
  EXPECT_EQ(sluCompact(plan, &frame.info), SLU_ERROR_ROUTE_UNAVAILABLE);
  EXPECT_NE(sentence().find("sluCmdCompactD3D12"), std::string::npos) << sentence();
}

}  // namespace
}  // namespace slu::test
