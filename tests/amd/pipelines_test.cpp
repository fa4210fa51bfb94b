// Every kind of pipeline that plans ask for, compiled for AMD's GPUs by Mesa's RADV, which needs no GPU for that. Scratch
// memory, and registers that spill to it, cost so much on a GPU that a pipeline with any is a fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>
#include <sluice/sluice.hpp>
#include <thread>

#include "machine.h"
#include "null_device.h"
#include "plan_space.h"
#include "plans.h"

namespace slu::test {
namespace {

bool isSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && std::strcmp(value, "0") != 0;
}

// With SLUICE_TEST_ALL=1 all combinations of three properties run in all variants, and subgroups that are emulated.
// Otherwise all of two in the first variant, and in the others each value of a property among random ones.

struct Variant {
  const char* name;
  bool hasInt64Atomics;
  SluFlags deviceFlags;  // SluVulkanDeviceFlagBits
  std::uint32_t emulatedSubgroupSize = 0;
};

std::vector<Variant> variants() {
  std::vector<Variant> all = {
      {"64-bit atomics", true, 0},
      {"no 64-bit atomics", false, 0},
      {"several dispatches", true, SLU_VULKAN_SEVERAL_DISPATCHES_BIT},
      {"bound buffers", true, SLU_VULKAN_BOUND_BUFFERS_BIT},
      {"bound buffers, several dispatches", true, SLU_VULKAN_BOUND_BUFFERS_BIT | SLU_VULKAN_SEVERAL_DISPATCHES_BIT}};
  if (takesAll()) all.push_back({"emulated subgroups", true, 0, 64});
  return all;
}

// Frames of several dispatches have no kernel whose workgroups wait for each other.
std::set<std::string> kernelsOf(const Variant& variant) {
  std::set<std::string> names = {
      "sluice compact",        "sluice count",         "sluice count_views", "sluice emit",        "sluice gather",
      "sluice publish",        "sluice scan",          "sluice sorted",      "sluice sparse_rank", "sluice sparse_sums",
      "sluice sparse_publish", "sluice sparse_places", "sluice sparse_emit", "sluice find_visible"};
  if ((variant.deviceFlags & SLU_VULKAN_SEVERAL_DISPATCHES_BIT) == 0) {
    names.insert({"sluice ordered", "sluice persistent"});
  }
  return names;
}

const VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR kTellsStatistics = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, nullptr, VK_TRUE};

class AmdPipelines : public testing::Test {
 protected:
  void SetUp() override {
    try {
      instance_.emplace();
      if (!isNullRadv()) {
        GTEST_SKIP() << instance_->properties.deviceName
                     << " is no AMD GPU of RADV's null hardware; name RADV's manifest in VK_ICD_FILENAMES and a GPU in "
                        "RADV_FORCE_FAMILY";
      }
    } catch (const Unavailable& unavailable) {
      GTEST_SKIP() << unavailable.what();
    }
  }

  const VulkanInstance& instance() const { return *instance_; }

  DeviceFeatures features(bool hasInt64Atomics) const {
    DeviceFeatures features(requirementsOf(instance()));
    if (!hasInt64Atomics) features.vulkan12.shaderBufferInt64Atomics = VK_FALSE;
    features.extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    features.vulkan12.pNext = const_cast<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR*>(&kTellsStatistics);
    return features;
  }

  void expectNoSpillsToMemory(const Variant& variant, const std::vector<PipelineOrder>& orders,
                              const std::vector<PipelineStatistics>& results) const;

 private:
  bool isNullRadv() const {
    VkPhysicalDeviceDriverProperties driver{};
    driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &driver;
    instance_->functions.vkGetPhysicalDeviceProperties2(instance_->physicalDevice, &properties);
    return driver.driverID == VK_DRIVER_ID_MESA_RADV && isSet("RADV_FORCE_FAMILY");
  }

  testing::ScopedTrace seed_{__FILE__, __LINE__, describeSeed()};
  std::optional<VulkanInstance> instance_;
};

std::string nameOf(const PipelineOrder& order) { return order.name + " of the plan: " + order.plan; }

// In the order of `orders`, by as many threads as there are processors.
std::vector<PipelineStatistics> compileAll(const NullDevice& device, const std::vector<PipelineOrder>& orders) {
  std::vector<PipelineStatistics> results(orders.size());
  std::vector<std::string> failures(orders.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1u); ++i) {
    threads.emplace_back([&] {
      for (std::size_t at = next++; at < orders.size(); at = next++) {
        try {
          results[at] = device.compile(orders[at]);
        } catch (const std::exception& failure) {
          failures[at] = failure.what();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t at = 0; at < orders.size(); ++at) EXPECT_EQ(failures[at], "") << nameOf(orders[at]);
  return results;
}

// SLUICE_TEST_PIPELINE_REPORT: a file to which a line per pipeline is added, for tests/amd/table.py.
void report(const VulkanInstance& instance, const Variant& variant, const std::vector<PipelineOrder>& orders,
            const std::vector<PipelineStatistics>& results) {
  const char* path = std::getenv("SLUICE_TEST_PIPELINE_REPORT");
  if (path == nullptr) return;
  std::ofstream file(path, std::ios::app);
  for (std::size_t at = 0; at < orders.size(); ++at) {
    const PipelineStatistics& result = results[at];
    file << std::getenv("RADV_FORCE_FAMILY") << '\t' << instance.properties.deviceName << '\t' << variant.name << '\t'
         << orders[at].name;
    for (const char* name : {"VGPRs", "SGPRs", "LDS size", "Subgroups per SIMD"}) file << '\t' << result.get(name);
    file << '\t' << result.milliseconds << '\n';
  }
  EXPECT_TRUE(file.good()) << path;
}

// Scalar registers spill to the lanes of a vector register, of which one suffices. The kernels that write a command per
// record in stable order do so, with tests of the most kinds.
constexpr std::uint64_t kLanes = 32;

void AmdPipelines::expectNoSpillsToMemory(const Variant& variant, const std::vector<PipelineOrder>& orders,
                                          const std::vector<PipelineStatistics>& results) const {
  if (HasFailure()) return;
  double milliseconds = 0;
  for (std::size_t at = 0; at < results.size(); ++at) {
    const PipelineStatistics& result = results[at];
    SCOPED_TRACE(nameOf(orders[at]));
    EXPECT_EQ(result.get("Spilled VGPRs"), 0u);
    EXPECT_LE(result.get("Spilled SGPRs"), kLanes);
    EXPECT_EQ(result.get("Scratch size"), 0u);
    EXPECT_LE(result.get("LDS size"), instance().properties.limits.maxComputeSharedMemorySize);
    EXPECT_GT(result.get("VGPRs"), 0u);  // the numbers are there
    milliseconds += result.milliseconds;
  }
  std::cout << milliseconds / static_cast<double>(results.size()) << " ms of a processor for each" << std::endl;
  report(instance(), variant, orders, results);
}

TEST_F(AmdPipelines, NeitherSpillToMemoryNorUseScratch) {
  Random random;
  std::vector<std::uint32_t> strides = {4, 16, 64};
  if (takesAll()) {
    strides.clear();
    for (std::uint32_t stride = SLU_MIN_RECORD_STRIDE; stride <= SLU_MAX_RECORD_STRIDE; stride += 4) {
      strides.push_back(stride);
    }
  }
  std::vector<PlanSpec> more = plansOfStrides(strides);
  const std::vector<PlanSpec> ofViews = plansOfSeveralViews();
  more.insert(more.end(), ofViews.begin(), ofViews.end());
  const std::vector<PlanSpec> ofStreams = plansOfStreams();
  more.insert(more.end(), ofStreams.begin(), ofStreams.end());
  std::uint32_t strength = takesAll() ? 3 : 2;
  std::set<decltype(PipelineOrder().key())> seen;  // variants share some
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.name);
    std::vector<PlanSpec> plans = coveringPlans(strength, random);
    plans.insert(plans.end(), more.begin(), more.end());
    if (!takesAll()) strength = 1;
    const VulkanDevice device(instance(), features(variant.hasInt64Atomics));
    NullDevice null(device);
    SluVulkanDeviceInfo vulkan = device.info();
    vulkan.getInstanceProcAddr = null.entry();
    vulkan.flags = variant.deviceFlags;
    vulkan.emulatedSubgroupSize = variant.emulatedSubgroupSize;
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &vulkan;
    Context context;
    SluMessage message{};
    ASSERT_EQ(sluCreateContext(&info, context.put(), &message), SLU_SUCCESS) << message.text;
    for (const PlanSpec& spec : plans) {
      null.setPlan(describe(spec));
      Plan plan;
      const PlanArguments arguments(spec, SLU_ROUTE_VULKAN);
      require(context, sluCreatePlan(context, arguments.get(), plan.put()), "sluCreatePlan");
    }
    std::vector<PipelineOrder> orders;
    std::copy_if(null.orders().begin(), null.orders().end(), std::back_inserter(orders),
                 [&](const PipelineOrder& order) { return seen.insert(order.key()).second; });
    ASSERT_FALSE(orders.empty());
    std::cout << instance().properties.deviceName << ", " << variant.name << ": " << plans.size() << " plans, "
              << orders.size() << " pipelines" << std::endl;
    std::set<std::string> kernels;
    for (const PipelineOrder& order : null.orders()) kernels.insert(order.name);
    EXPECT_EQ(kernels, kernelsOf(variant));
    expectNoSpillsToMemory(variant, orders, compileAll(null, orders));
  }
}

// The forms of pyramid.comp, with the defaults of their constants: one dispatch, and one sample.
TEST_F(AmdPipelines, OfPyramids) {
  const VulkanDevice device(instance(), features(true));
  NullDevice null(device);
  SluVulkanDeviceInfo vulkan = device.info();
  vulkan.getInstanceProcAddr = null.entry();
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.pNext = &vulkan;
  Context context;
  SluMessage message{};
  ASSERT_EQ(sluCreateContext(&info, context.put(), &message), SLU_SUCCESS) << message.text;
  std::vector<Pyramid> pyramids;  // whose layouts the orders borrow
  const auto create = [&](const SluVulkanPyramidInfo* images) {
    null.setPlan("pyramid " + std::to_string(pyramids.size()));
    auto pyramid = SLU_INIT(PYRAMID_CREATE_INFO, SluPyramidCreateInfo);
    pyramid.pNext = images;
    pyramid.route = SLU_ROUTE_VULKAN;
    pyramid.width = pyramid.height = 1000;
    pyramid.layerCount = pyramid.framesInFlight = 1;
    require(context, sluCreatePyramid(context, &pyramid, pyramids.emplace_back().put()), "sluCreatePyramid");
  };
  create(nullptr);
  for (const VkImageViewType viewType : {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY}) {
    for (const VkSampleCountFlagBits samples : {VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_4_BIT}) {
      auto images = SLU_INIT(VULKAN_PYRAMID_INFO, SluVulkanPyramidInfo);
      images.format = VK_FORMAT_D32_SFLOAT;
      images.samples = samples;
      images.viewType = viewType;
      create(&images);
    }
  }
  std::set<std::size_t> codes;
  for (const PipelineOrder& order : null.orders()) codes.insert(order.code);
  EXPECT_EQ(codes.size(), pyramids.size());
  const std::vector<PipelineStatistics> results = compileAll(null, null.orders());
  if (HasFailure()) return;
  for (const PipelineStatistics& result : results) {
    EXPECT_EQ(result.get("Spilled VGPRs"), 0u);
    EXPECT_EQ(result.get("Spilled SGPRs"), 0u);
    EXPECT_EQ(result.get("Scratch size"), 0u);
    std::cout << "pyramid: " << result.get("VGPRs") << " VGPRs, " << result.get("SGPRs") << " SGPRs, "
              << result.get("LDS size") << " bytes of LDS" << std::endl;
  }
}

}  // namespace
}  // namespace slu::test

// The validation layer would not know what is made up here. A pipeline from Mesa's cache on disk would take no time.
int main(int argc, char** argv) {
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
  setenv("SLUICE_TEST_VALIDATION", "0", 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
