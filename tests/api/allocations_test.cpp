// Memory that runs out: every allocation of every call fails once, and each time the call says so and leaves nothing
// behind. Replaces the allocation functions of this program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "specimen.h"

namespace {

long liveAllocations = 0;
long allocationsSoFar = 0;
long failingAllocation = -1;  // its number, counted from when it was set; -1: none

void* allocate(std::size_t bytes) {
  const long number = allocationsSoFar++;
  if (number == failingAllocation) throw std::bad_alloc();
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  ++liveAllocations;
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr) --liveAllocations;
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }

namespace slu::test {
namespace {

// What a call did, noted before anything else allocates.
struct Outcome {
  SluResult result;
  long allocations;  // including the one that failed
  long surplus;      // allocations left alive
};

template <typename Call>
Outcome callWithFailure(long number, const Call& call) {
  const long liveBefore = liveAllocations;
  allocationsSoFar = 0;
  failingAllocation = number;
  Outcome outcome{};
  outcome.result = call();
  failingAllocation = -1;
  outcome.allocations = allocationsSoFar;
  outcome.surplus = liveAllocations - liveBefore;
  return outcome;
}

constexpr long kFarMoreThanNeeded = 10000;

// create(handle) fails for each of its allocations and then succeeds; the handle is set by then and only then.
template <typename Handle, void (*destroy)(Handle), typename Create>
void expectCleanFailures(const Create& create) {
  long failures = 0;
  for (; failures < kFarMoreThanNeeded; ++failures) {
    SCOPED_TRACE("allocation " + std::to_string(failures));
    Handle handle = nullptr;
    const Outcome outcome = callWithFailure(failures, [&] { return create(&handle); });
    if (outcome.allocations <= failures) {
      ASSERT_EQ(outcome.result, SLU_SUCCESS);
      ASSERT_NE(handle, nullptr);
      const long before = liveAllocations;
      destroy(handle);
      EXPECT_EQ(before - liveAllocations, outcome.surplus) << "destroying frees what creating allocated";
      break;
    }
    ASSERT_EQ(outcome.result, SLU_ERROR_OUT_OF_HOST_MEMORY);
    ASSERT_EQ(handle, nullptr);
    ASSERT_EQ(outcome.surplus, 0);
  }
  EXPECT_GT(failures, 0);
  EXPECT_LT(failures, kFarMoreThanNeeded);
}

TEST(OutOfMemory, InCreateContext) {
  const auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  SluMessage message{};
  expectCleanFailures<SluContext, sluDestroyContext>(
      [&](SluContext* context) { return sluCreateContext(&info, context, &message); });
  EXPECT_STREQ(message.text, "out of host memory");
}

TEST(OutOfMemory, InCreateBuffer) {
  Specimen specimen;
  specimen.context.mute();
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.size = 16;
  info.hostPointer = specimen.memory.data();
  expectCleanFailures<SluBuffer, sluDestroyBuffer>([&, context = SluContext(specimen.context)](SluBuffer* buffer) {
    return sluCreateBuffer(context, &info, buffer);
  });
  EXPECT_EQ(specimen.context.message(), "out of host memory");
}

TEST(OutOfMemory, InCreatePlan) {
  Specimen specimen;
  specimen.context.mute();
  specimen.planInfo.flags = SLU_PLAN_IN_PLACE_BIT;
  specimen.planInfo.buckets = specimen.buckets.data();
  expectCleanFailures<SluPlan, sluDestroyPlan>([&, context = SluContext(specimen.context)](SluPlan* plan) {
    return sluCreatePlan(context, &specimen.planInfo, plan);
  });
  EXPECT_EQ(specimen.context.message(), "out of host memory");
}

// A call that fails anyway may also run out of memory while it writes its sentence.
TEST(OutOfMemory, WhileAnErrorIsReported) {
  LoggedContext context;
  context.mute();  // its own allocations are not the library's
  const SluContext handle = context;
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.size = 3;
  bool sawOwnError = false;
  for (long failing = 0; failing < kFarMoreThanNeeded && !sawOwnError; ++failing) {
    SCOPED_TRACE("allocation " + std::to_string(failing));
    SluBuffer buffer = nullptr;
    const Outcome outcome = callWithFailure(failing, [&] { return sluCreateBuffer(handle, &info, &buffer); });
    sawOwnError = outcome.allocations <= failing;
    if (sawOwnError) {
      EXPECT_EQ(outcome.result, SLU_ERROR_INVALID_ARGUMENT);
      EXPECT_TRUE(beginsWith(sluGetErrorMessage(handle), "buffer.size"));
    } else {
      EXPECT_TRUE(outcome.result == SLU_ERROR_OUT_OF_HOST_MEMORY || outcome.result == SLU_ERROR_INVALID_ARGUMENT);
      EXPECT_STRNE(sluGetErrorMessage(handle), "");
    }
    EXPECT_EQ(outcome.surplus, 0);
    EXPECT_EQ(buffer, nullptr);
  }
  EXPECT_TRUE(sawOwnError);
}

TEST(OutOfMemory, InRouteInfo) {
  LoggedContext context;
  context.mute();  // its own allocations are not the library's
  const SluContext handle = context;
  auto info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  SluResult result = SLU_ERROR_INTERNAL;
  for (long failing = 0; failing < kFarMoreThanNeeded && result != SLU_SUCCESS; ++failing) {
    const Outcome outcome = callWithFailure(failing, [&] { return sluGetRouteInfo(handle, SLU_ROUTE_AUTO, &info); });
    result = outcome.result;
    EXPECT_EQ(outcome.surplus, 0);
    EXPECT_TRUE(result == SLU_SUCCESS || result == SLU_ERROR_OUT_OF_HOST_MEMORY);
    EXPECT_EQ(info.available, result == SLU_SUCCESS ? 1u : 0u);
  }
  EXPECT_EQ(result, SLU_SUCCESS);
}

// No allocation per frame; in-place plans, which stage their input, included.
TEST(Allocations, AreNoneInAFrame) {
  for (const SluFlags flags : {SluFlags{0}, SluFlags{SLU_PLAN_IN_PLACE_BIT}}) {
    Specimen specimen;
    specimen.planInfo.flags = flags;
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
    for (int i = 0; i < 3; ++i) {
      const Outcome outcome =
          callWithFailure(0, [&, plan = SluPlan(specimen.plan)] { return sluCompact(plan, &specimen.frame); });
      EXPECT_EQ(outcome.result, SLU_SUCCESS);
      EXPECT_EQ(outcome.allocations, 0);
    }
  }
}

TEST(Allocations, AreNoneInPlanProperties) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  const Outcome outcome =
      callWithFailure(0, [&, plan = SluPlan(specimen.plan)] { return sluGetPlanProperties(plan, &properties); });
  EXPECT_EQ(outcome.result, SLU_SUCCESS);
  EXPECT_EQ(outcome.allocations, 0);
}

TEST(Allocations, AreAllFreedInTheEnd) {
  const long before = liveAllocations;
  {
    Specimen specimen;
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
    specimen.context.destroy();
    ASSERT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_SUCCESS);
    EXPECT_GT(liveAllocations, before);
  }
  EXPECT_EQ(liveAllocations, before);
}

}  // namespace
}  // namespace slu::test
