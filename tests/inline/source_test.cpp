// Custom predicates as source on the inline route: what reaches the driver.
#include <dlfcn.h>
#include <sluice/sluice_cuda.h>

#include "../vulkan/fixture.h"
#include "cuda/nvrtc.h"
#include "fake_kernels.h"
#include "plans.h"

namespace slu::test {
namespace {

constexpr const char* kSource =
    "struct SluPredicate { __device__ bool operator()(const void*, unsigned index) const { return index % 3 == 0; } };";

bool hasNvrtc() {
  for (const std::string& name : nvrtcNames()) {
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_NODELETE)) return dlclose(library) == 0;
  }
  return false;
}

class InlineSource : public VulkanTest {
 protected:
  SluResult createPlan(SluContext context, SluOrder order, std::uint32_t bucketCount, const void* chained) {
    PlanSpec spec = simplePlan(order, 8, 1000);
    if (bucketCount > 1) addBuckets(spec, bucketCount, 1, 100, 4);
    spec.info.live = {SLU_LIVE_CUSTOM, 0, 0};
    spec.info.pNext = chained;
    Plan plan;
    return sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_INLINE).get(), plan.put());
  }
};

TEST_F(InlineSource, FunctionsOfTheHostsRuntimeAreRefused) {
  const FakeKernels fake(device());
  const Context context = makeContext(fake.info());
  auto info = SLU_INIT(CUDA_PREDICATE_INFO, SluCudaPredicateInfo);
  EXPECT_TRUE(failsWith(createPlan(context, SLU_ORDER_STABLE, 1, &info), SLU_ERROR_INVALID_ARGUMENT, context,
                        "SluCudaSourceInfo"));
}

// Compiled for the newest family that the driver takes, and for no newer one.
TEST_F(InlineSource, IsCompiledForTheDevice) {
  if (!hasNvrtc()) GTEST_SKIP() << "NVRTC is not installed";
  auto info = SLU_INIT(CUDA_SOURCE_INFO, SluCudaSourceInfo);
  info.source = kSource;
  for (const int capability : {75, 90}) {
    FakeKernels fake(device(), {.computeCapability = capability});
    {
      const Context context = makeContext(fake.info());
      for (const std::uint32_t bucketCount : {1u, 5u}) {
        ASSERT_EQ(createPlan(context, SLU_ORDER_STABLE, bucketCount, &info), SLU_SUCCESS)
            << sluGetErrorMessage(context);
        const Bytes& cubin = fake.images().back();
        ASSERT_GT(cubin.size(), 64u);
        // ELF flags of cubins: the architecture in the lowest byte, or, since CUDA 13, in the second.
        EXPECT_TRUE(cubin[48] == capability || cubin[49] == capability);
      }
    }
    EXPECT_EQ(fake.aliveCount(), 0);
    EXPECT_EQ(fake.complaints(), std::vector<std::string>());
  }
}

TEST_F(InlineSource, ThatDoesNotCompileIsRefused) {
  if (!hasNvrtc()) GTEST_SKIP() << "NVRTC is not installed";
  FakeKernels fake(device());
  auto info = SLU_INIT(CUDA_SOURCE_INFO, SluCudaSourceInfo);
  info.source = "struct SluPredicate { nonsense };";
  {
    const Context context = makeContext(fake.info());
    EXPECT_TRUE(failsWith(createPlan(context, SLU_ORDER_STABLE, 1, &info), SLU_ERROR_INVALID_ARGUMENT, context,
                          "plan.source: does not compile"));
  }
  EXPECT_EQ(fake.aliveCount(), 0);
}

}  // namespace
}  // namespace slu::test
