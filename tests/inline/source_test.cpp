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

constexpr const char* kNv = "VK_NV_cuda_kernel_launch";

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

// PTX for the newest family that the driver takes, or that it tells, and for no newer one: the device may be newer.
TEST_F(InlineSource, IsCompiledToPtxForTheDevice) {
  if (!hasNvrtc()) GTEST_SKIP() << "NVRTC is not installed";
  auto info = SLU_INIT(CUDA_SOURCE_INFO, SluCudaSourceInfo);
  info.source = kSource;
  const FakeDriver drivers[] = {
      {.computeCapability = 75},
      {.computeCapability = 90},
      {.computeCapability = 95},
      {.offered = {kNv, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME}, .enabled = {kNv}, .computeCapability = 121}};
  const char* const targets[] = {".target sm_75\n", ".target sm_90\n", ".target sm_90\n", ".target sm_121\n"};
  for (std::size_t i = 0; i < std::size(drivers); ++i) {
    FakeKernels fake(device(), drivers[i]);
    {
      const Context context = makeContext(fake.info());
      for (const std::uint32_t bucketCount : {1u, 5u}) {
        ASSERT_EQ(createPlan(context, SLU_ORDER_STABLE, bucketCount, &info), SLU_SUCCESS)
            << sluGetErrorMessage(context);
        const Bytes& ptx = fake.images().back();
        const std::string text(ptx.begin(), ptx.end());
        EXPECT_NE(text.find(targets[i]), std::string::npos) << targets[i];
        EXPECT_EQ(text.find('\0'), text.size() - 1);
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
