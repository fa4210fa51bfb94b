#include "fixture.h"

namespace slu::test {

void D3D12Test::SetUp() {
  try {
    host_.emplace();
    referencesOfHost_ = referencesTo(host().device());
  } catch (const Unavailable& unavailable) {
    GTEST_SKIP() << unavailable.what();
  }
}

void D3D12Test::TearDown() {
  if (!host_) return;
  EXPECT_EQ(watch().takeMessages(), std::vector<std::string>{});
  context_ = Context();
  EXPECT_EQ(referencesTo(host().device()), referencesOfHost_) << "a reference to the device is left";
}

SluResult D3D12Test::createContext(Context& context, const SluD3D12DeviceInfo* chained) {
  const SluD3D12DeviceInfo own = host().info();
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.pNext = chained == nullptr ? &own : chained;
  message_ = {};
  const D3D12Watch::Scope scope(watch(), nullptr);
  return sluCreateContext(&info, context.put(), &message_);
}

SluContext D3D12Test::context() {
  if (context_ == nullptr && createContext(context_) != SLU_SUCCESS) throw std::runtime_error(message_.text);
  return context_;
}

HostBuffer D3D12Test::makeBuffer(SluContext context, std::uint64_t bytes, D3D12_HEAP_TYPE heap) {
  HostBuffer buffer;
  buffer.resource = host().makeBuffer(bytes, heap);
  if (heap == D3D12_HEAP_TYPE_UPLOAD) check(buffer.resource->Map(0, nullptr, &buffer.mapped), "Map");
  auto chained = SLU_INIT(D3D12_BUFFER_INFO, SluD3D12BufferInfo);
  chained.resource = buffer.resource.get();
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.pNext = &chained;
  info.size = bytes;
  info.hostPointer = buffer.mapped;
  require(context, sluCreateBuffer(context, &info, buffer.registered.put()), "sluCreateBuffer");
  return buffer;
}

SluPlanCreateInfo D3D12Test::planInfo(SluOrder order, std::uint32_t keyCount) {
  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = SLU_ROUTE_D3D12;
  info.order = order;
  info.recordStride = 4;
  info.maxRecordCount = kRecords;
  info.framesInFlight = 2;
  info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT;
  if (keyCount == 1) return info;
  buckets_.assign(keyCount, SluBucket{});
  for (SluBucket& bucket : buckets_) bucket.capacity = kRecords / keyCount;
  info.key.keyCount = keyCount;
  info.key.bits = 4;
  info.bucketCount = keyCount;
  info.buckets = buckets_.data();
  return info;
}

SluHlslSourceInfo D3D12Test::predicateInfo(const char* source) {
  auto info = SLU_INIT(HLSL_SOURCE_INFO, SluHlslSourceInfo);
  info.source = source;
  return info;
}

SluPlanCreateInfo D3D12Test::predicatePlanInfo(const SluHlslSourceInfo& predicate) {
  SluPlanCreateInfo info = planInfo(SLU_ORDER_STABLE, 3);
  info.live = {SLU_LIVE_CUSTOM, 0, 0};
  info.flags = SLU_PLAN_CUSTOM_KEY_BIT;
  info.pNext = &predicate;
  return info;
}

Plan D3D12Test::createPlan(const SluPlanCreateInfo& info) {
  Plan plan;
  const D3D12Watch::Scope scope(watch(), nullptr);
  require(context(), sluCreatePlan(context(), &info, plan.put()), "sluCreatePlan");
  return plan;
}

std::vector<std::byte> D3D12Test::saveShaders() {
  std::size_t size = 0;
  require(context(), sluGetD3D12Shaders(context(), nullptr, &size), "sluGetD3D12Shaders");
  std::vector<std::byte> bytes(size);
  require(context(), sluGetD3D12Shaders(context(), bytes.data(), &size), "sluGetD3D12Shaders");
  EXPECT_EQ(size, bytes.size());
  return bytes;
}

D3D12Test::FrameBuffers D3D12Test::makeFrame(SluContext context) {
  FrameBuffers frame{makeBuffer(context, kRecords * 4, D3D12_HEAP_TYPE_DEFAULT),
                     makeBuffer(context, kRecords * 4, D3D12_HEAP_TYPE_DEFAULT),
                     makeBuffer(context, sizeof(SluStatistics), D3D12_HEAP_TYPE_DEFAULT),
                     SLU_INIT(FRAME_INFO, SluFrameInfo)};
  frame.info.recordCount = kRecords;
  frame.info.viewCount = 1;
  frame.info.records.buffer = frame.records.registered;
  frame.info.indices.buffer = frame.indices.registered;
  frame.info.statistics.buffer = frame.statistics.registered;
  return frame;
}

SluResult D3D12Test::record(SluPlan plan, const FrameBuffers& frame, const SluFrameInfo& info) {
  const D3D12Host::List list = host().beginList();
  constexpr auto kCommon = D3D12_RESOURCE_STATE_COMMON;
  recordTransition(list.get(), watch(), frame.records.resource.get(), kCommon,
                   D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE);
  for (const HostBuffer* output : {&frame.indices, &frame.statistics}) {
    recordTransition(list.get(), watch(), output->resource.get(), kCommon, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  }
  SluResult result = SLU_SUCCESS;
  {
    const D3D12Watch::Scope scope(watch(), list.get());
    result = sluCmdCompactD3D12(plan, list.get(), &info);
  }
  check(list.get()->Close(), "Close");
  return result;
}

}  // namespace slu::test
