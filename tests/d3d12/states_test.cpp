// States and barriers, and that the watch over them finds what is wrong.
#include <algorithm>

#include "fixture.h"

namespace slu::test {
namespace {

class D3D12States : public D3D12Test {};

// In stable order with several buckets: a copy, and four dispatches. Without one of the barriers something is found.
TEST_F(D3D12States, EachMissingBarrierIsFound) {
  for (const std::uint32_t keyCount : {1u, 3u}) {
    for (const SluOrder order : {SLU_ORDER_UNORDERED, SLU_ORDER_STABLE}) {
      const Plan plan = createPlan(planInfo(order, keyCount));
      const FrameBuffers frame = makeFrame(context());
      watch().dropBarrier({});
      ASSERT_EQ(record(plan, frame, frame.info), SLU_SUCCESS);
      ASSERT_EQ(watch().takeMessages(), std::vector<std::string>{});
      const std::uint32_t count = watch().barrierCount();
      ASSERT_GE(count, 2u);
      for (std::uint32_t number = 1; number < count; ++number) {  // the first one is for what came before
        watch().dropBarrier(number);
        ASSERT_EQ(record(plan, frame, frame.info), SLU_SUCCESS);
        const bool isLast = keyCount > 1 && number == count - 1;  // found by the next frame in the same list
        EXPECT_EQ(watch().takeMessages().empty(), isLast) << "barrier " << number << " of " << count;
      }
      watch().dropBarrier({});
    }
  }
}

// Frames of two plans in one list need no barrier of the host's between them.
TEST_F(D3D12States, FramesInOneList) {
  const Plan first = createPlan(planInfo(SLU_ORDER_STABLE, 3));
  const Plan second = createPlan(planInfo(SLU_ORDER_UNORDERED));
  const FrameBuffers frame = makeFrame(context());
  const D3D12Host::List list = host().beginList();
  recordTransition(list.get(), watch(), frame.records.resource.get(), D3D12_RESOURCE_STATE_COMMON,
                   D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE);
  for (const HostBuffer* output : {&frame.indices, &frame.statistics}) {
    recordTransition(list.get(), watch(), output->resource.get(), D3D12_RESOURCE_STATE_COMMON,
                     D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  }
  for (const SluPlan plan : {first.get(), second.get(), first.get()}) {
    const D3D12Watch::Scope scope(watch(), list.get());
    ASSERT_EQ(sluCmdCompactD3D12(plan, list.get(), &frame.info), SLU_SUCCESS) << sentence();
  }
  check(list.get()->Close(), "Close");
  host().execute(list);
}

TEST_F(D3D12States, WrongStatesAreFound) {
  const Plan plan = createPlan(planInfo(SLU_ORDER_UNORDERED));
  const FrameBuffers frame = makeFrame(context());
  const D3D12Host::List list = host().beginList();
  recordTransition(list.get(), watch(), frame.indices.resource.get(), D3D12_RESOURCE_STATE_COMMON,
                   D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT);
  {
    const D3D12Watch::Scope scope(watch(), list.get());
    EXPECT_EQ(sluCmdCompactD3D12(plan, list.get(), &frame.info), SLU_SUCCESS) << sentence();
  }
  EXPECT_FALSE(watch().takeMessages().empty());
  check(list.get()->Close(), "Close");
}

// 64 words are the most that a root signature has, and eight UAVs the most of feature level 11_0; the watch reports more.
TEST_F(D3D12States, RootSignature) {
  context();
  EXPECT_GT(watch().rootWords(), 0u);
  EXPECT_LE(watch().rootWords(), 64u);
}

}  // namespace
}  // namespace slu::test
