// Custom predicates as source on the inline route: what reaches the driver, and which plans share it.
#include <dlfcn.h>
#include <sluice/sluice_cuda.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>

#include "../vulkan/fixture.h"
#include "fake_kernels.h"
#include "kernels/nvrtc.h"
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
  // Into plan, where one is given.
  SluResult createPlan(SluContext context, SluOrder order, std::uint32_t bucketCount, const void* chained,
                       SluPlan* plan = nullptr) {
    PlanSpec spec = simplePlan(order, 8, 1000);
    if (bucketCount > 1) addBuckets(spec, bucketCount, 1, 100, 4);
    spec.info.live = {SLU_LIVE_CUSTOM, 0, 0};
    spec.info.pNext = chained;
    Plan dropped;
    return sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_INLINE).get(), plan ? plan : dropped.put());
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

// A driver that tells its compute capability, so that no module is created to find it out.
const FakeDriver kTellingDriver = {.offered = {kNv, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME}, .enabled = {kNv}};

class InlineSourceSharing : public InlineSource {
 protected:
  void SetUp() override {
    InlineSource::SetUp();
    if (IsSkipped()) return;
    if (!hasNvrtc()) GTEST_SKIP() << "NVRTC is not installed";
    fake.emplace(device(), kTellingDriver);
    context = makeContext(fake->info());
    source.source = kSource;
  }
  void TearDown() override {
    context.reset();
    if (fake) {
      EXPECT_EQ(fake->aliveCount(), 0);
      EXPECT_EQ(fake->complaints(), std::vector<std::string>());
      fake.reset();
    }
    InlineSource::TearDown();
  }

  Plan makePlan(const SluCudaSourceInfo& info, SluOrder order = SLU_ORDER_STABLE, std::uint32_t bucketCount = 1) {
    Plan plan;
    EXPECT_EQ(createPlan(context, order, bucketCount, &info, plan.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
    return plan;
  }
  std::size_t loadCount() const { return fake->images().size(); }

  // What a frame of the plan launches.
  std::vector<FakeLaunch> launchesOf(SluPlan plan) {
    const VulkanBuffer memory(device(), 24'000, allUsages(instance()), VulkanBuffer::Kind::mapped);
    Buffer buffer;
    require(context, registerBuffer(context, memory, buffer.put()), "sluCreateBuffer");
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = 1000;
    frame.viewCount = 1;
    frame.records = {buffer, 0};
    frame.keptRecords = {buffer, 8'000};
    frame.indices = {buffer, 16'000};
    frame.statistics = {buffer, 20'000};
    frame.bucketCounts = {buffer, 20'000 + sizeof(SluStatistics)};
    const VkCommandBuffer commands = device().beginCommands(0);
    require(context, sluCmdCompact(plan, commands, &frame), "sluCmdCompact");
    const std::vector<FakeLaunch> launches = fake->launches(commands);
    fake->forget(commands);
    check(device().functions.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    device().freeCommands(commands);
    return launches;
  }

  std::optional<FakeKernels> fake;
  Context context;
  SluCudaSourceInfo source = SLU_INIT(CUDA_SOURCE_INFO, SluCudaSourceInfo);
};

// Each state travels with the plan's own launches.
TEST_F(InlineSourceSharing, PlansOfOneSourceLoadItOnce) {
  const std::string text =
      "struct SluPredicate { unsigned n; __device__ bool operator()(const void*, unsigned) const "
      "{ return n != 0; } };";
  const std::string copy = text;
  const std::uint32_t states[] = {5, 7};
  source.source = text.c_str();
  source.stateSize = 4;
  source.state = &states[0];
  const Plan first = makePlan(source);
  const std::size_t loads = loadCount();
  const std::int64_t alive = fake->aliveCount();
  source.source = copy.c_str();
  source.state = &states[1];
  const Plan second = makePlan(source);
  EXPECT_EQ(loadCount(), loads);
  EXPECT_EQ(fake->aliveCount(), alive);
  const FakeLaunch ofFirst = launchesOf(first).at(0), ofSecond = launchesOf(second).at(0);
  EXPECT_EQ(ofFirst.name, ofSecond.name);
  EXPECT_EQ(std::memcmp(&ofFirst.arguments.predicate, &states[0], 4), 0);
  EXPECT_EQ(std::memcmp(&ofSecond.arguments.predicate, &states[1], 4), 0);
}

TEST_F(InlineSourceSharing, WhatDiffersIsLoadedByItself) {
  std::vector<Plan> plans;
  plans.push_back(makePlan(source));
  const auto expectLoad = [&](const SluCudaSourceInfo& info, SluOrder order, std::uint32_t bucketCount) {
    const std::size_t loads = loadCount();
    plans.push_back(makePlan(info, order, bucketCount));
    EXPECT_EQ(loadCount(), loads + 1);
    plans.push_back(makePlan(info, order, bucketCount));
    EXPECT_EQ(loadCount(), loads + 1) << "and shared then";
  };
  expectLoad(source, SLU_ORDER_UNORDERED, 1);
  expectLoad(source, SLU_ORDER_STABLE, 5);
  SluCudaSourceInfo other = source;
  other.source =
      "struct SluPredicate { __device__ bool operator()(const void*, unsigned index) const { return index < 5; } };";
  expectLoad(other, SLU_ORDER_STABLE, 1);
  other = source;
  const char* const option = "-DUNUSED=1";
  other.options = &option;
  other.optionCount = 1;
  expectLoad(other, SLU_ORDER_STABLE, 1);
  other = source;
  const std::uint8_t byte = 0;  // which an empty struct has room for
  other.stateSize = 1;
  other.state = &byte;
  expectLoad(other, SLU_ORDER_STABLE, 1);
}

// A header in the folder for temporary files.
class Header {
 public:
  explicit Header(const char* text) : path_(testing::TempDir() + "sluice_header_" + std::to_string(getpid()) + ".h") {
    write(text);
  }
  ~Header() { std::remove(path_.c_str()); }
  Header(const Header&) = delete;
  Header& operator=(const Header&) = delete;

  void write(const char* text) const { std::ofstream(path_) << text; }
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

// Its files may be others by then.
TEST_F(InlineSourceSharing, ASourceThatIncludesIsLoadedAnew) {
  const std::string text = std::string("#if __has_include(\"none.h\")\n#error\n#endif\n") + kSource;
  source.source = text.c_str();
  const Plan first = makePlan(source);
  const std::size_t loads = loadCount();
  const Plan second = makePlan(source);
  EXPECT_EQ(loadCount(), loads + 1);
}

TEST_F(InlineSourceSharing, AnOptionThatIncludesIsReadAnew) {
  const Header header("constexpr unsigned kRest = 0;\n");
  const std::string option = "--pre-include=" + header.path();
  const char* const options[] = {option.c_str()};
  source.source =
      "struct SluPredicate { __device__ bool operator()(const void*, unsigned index) const "
      "{ return index % 3 == kRest; } };";
  source.options = options;
  source.optionCount = 1;
  const std::size_t loads = loadCount();
  const Plan first = makePlan(source), second = makePlan(source);
  EXPECT_EQ(loadCount(), loads + 2);
  header.write("constexpr unsigned kOther = 0;\n");
  EXPECT_TRUE(
      failsWith(createPlan(context, SLU_ORDER_STABLE, 1, &source), SLU_ERROR_INVALID_ARGUMENT, context, "kRest"));
}

TEST_F(InlineSourceSharing, TheLastPlanTakesItAway) {
  const std::int64_t none = fake->aliveCount();
  Plan first = makePlan(source);
  const std::int64_t alive = fake->aliveCount();
  EXPECT_EQ(alive, none + 2) << "a module and its kernel";
  Plan second = makePlan(source);
  const std::string name = launchesOf(first).at(0).name;
  first.reset();
  EXPECT_EQ(fake->aliveCount(), alive);
  EXPECT_EQ(launchesOf(second).at(0).name, name);
  second.reset();
  EXPECT_EQ(fake->aliveCount(), none);

  const std::size_t loads = loadCount();
  first = makePlan(source);
  EXPECT_EQ(loadCount(), loads + 1);
  EXPECT_EQ(fake->aliveCount(), alive);
  second = makePlan(source);
  context.reset();  // the plans live on
  first.reset();
  EXPECT_EQ(fake->aliveCount(), alive);
  second.reset();
  EXPECT_EQ(fake->aliveCount(), 0);
}

TEST_F(InlineSourceSharing, ContextsShareNothing) {
  const Context other = makeContext(fake->info());
  const Plan plan = makePlan(source);
  const std::size_t loads = loadCount();
  Plan ofOther;
  ASSERT_EQ(createPlan(other, SLU_ORDER_STABLE, 1, &source, ofOther.put()), SLU_SUCCESS) << sluGetErrorMessage(other);
  EXPECT_EQ(loadCount(), loads + 1);
}

// Neither what NVRTC refuses nor what the driver does.
TEST_F(InlineSourceSharing, FailuresAreNotKept) {
  const std::int64_t none = fake->aliveCount();
  const std::size_t loads = loadCount();
  const auto expectFailure = [&](const SluCudaSourceInfo& info, SluResult result, const char* sentence) {
    EXPECT_TRUE(failsWith(createPlan(context, SLU_ORDER_STABLE, 1, &info), result, context, sentence));
    EXPECT_EQ(fake->aliveCount(), none);
  };
  SluCudaSourceInfo broken = source;
  broken.source = "struct SluPredicate { nonsense };";
  for (int i = 0; i < 2; ++i) expectFailure(broken, SLU_ERROR_INVALID_ARGUMENT, "plan.source: does not compile");
  EXPECT_EQ(loadCount(), loads);
  fake->driver().moduleResult = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  expectFailure(source, SLU_ERROR_OUT_OF_DEVICE_MEMORY, "vkCreateCudaModuleNV");
  fake->driver().moduleResult = VK_SUCCESS;
  fake->driver().functionResult = VK_ERROR_OUT_OF_HOST_MEMORY;
  expectFailure(source, SLU_ERROR_OUT_OF_HOST_MEMORY, "vkCreateCudaFunctionNV");
  fake->driver().functionResult = VK_SUCCESS;
  const Plan plan = makePlan(source);
  EXPECT_EQ(fake->aliveCount(), none + 2);
  EXPECT_EQ(loadCount(), loads + 2) << "the one without its kernel, and the one that is there";
  const Plan second = makePlan(source);
  EXPECT_EQ(loadCount(), loads + 2);
}

// An answer that fails for want of memory says nothing of the device: no older one is taken for it.
TEST_F(InlineSourceSharing, AFailureIsNoComputeCapability) {
  context.reset();
  fake.reset();
  fake.emplace(device(), FakeDriver{});  // of the extension that does not tell
  context = makeContext(fake->info());
  fake->driver().moduleResult = VK_ERROR_OUT_OF_HOST_MEMORY;
  EXPECT_TRUE(failsWith(createPlan(context, SLU_ORDER_STABLE, 1, &source), SLU_ERROR_OUT_OF_HOST_MEMORY, context,
                        "vkCreateCuModuleNVX"));
  fake->driver().moduleResult = VK_ERROR_INITIALIZATION_FAILED;
  EXPECT_TRUE(failsWith(createPlan(context, SLU_ORDER_STABLE, 1, &source), SLU_ERROR_MISSING_FEATURE, context,
                        "the driver takes PTX of no compute capability"));
  fake->driver().moduleResult = VK_SUCCESS;
  const Plan plan = makePlan(source);
}

}  // namespace
}  // namespace slu::test
