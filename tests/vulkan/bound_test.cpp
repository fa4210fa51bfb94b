// Bound buffers: what a device binds at most, and the descriptor sets that plans keep.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "fixture.h"
#include "plans.h"
#include "shim.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kRecordBytes = 16;
constexpr std::uint32_t kMostRecords = 10'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{kMostRecords} * kRecordBytes;
constexpr std::uint8_t kPoison = 0xa5;

// What the device says of its limits, instead of what it has.
void (*changeLimits)(VkPhysicalDeviceLimits& limits) = nullptr;
PFN_vkGetInstanceProcAddr nextFunction = nullptr;
PFN_vkGetPhysicalDeviceProperties2 getProperties = nullptr;

VKAPI_ATTR void VKAPI_CALL getChanged(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties2* properties) {
  getProperties(physicalDevice, properties);
  if (changeLimits != nullptr) changeLimits(properties->properties.limits);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL changedFunction(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction next = nextFunction(instance, name);
  return std::strcmp(name, "vkGetPhysicalDeviceProperties2") == 0 ? replace(getProperties, next, getChanged) : next;
}

// A VkBuffer of its own, mapped and registered.
struct Memory {
  Memory(const VulkanDevice& device, SluContext context, std::uint64_t size)
      : buffer(
            device, size,
            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
            VulkanBuffer::Kind::mapped) {
    std::fill_n(buffer.mapped, size, kPoison);
    require(context, registerBuffer(context, buffer, registered.put()), "sluCreateBuffer");
  }
  VulkanBuffer buffer;
  Buffer registered;
};

class Bound : public VulkanTest {
 protected:
  void TearDown() override {
    plan.reset();
    context.reset();
    if (shim) {
      EXPECT_EQ(shim->aliveCount(), 0) << "objects are left behind";
      EXPECT_EQ(shim->complaints(), std::vector<std::string>());
    }
    shim.reset();
    bound_.reset();
    changeLimits = nullptr;
    VulkanTest::TearDown();
  }

  // A context on a device without addresses.
  void start(bool pushesDescriptors, void (*change)(VkPhysicalDeviceLimits&) = nullptr) {
    DeviceFeatures features(requirementsOf(instance()));
    if (pushesDescriptors) {
      features.bindBuffers(requirementsOf(instance()));
    } else {
      auto without = requirementsOf(instance());
      without.pushDescriptorExtension = VK_FALSE;
      features.bindBuffers(without);
      std::erase_if(features.extensions, [](const char* extension) {
        return std::strcmp(extension, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME) == 0;
      });
    }
    bound_.emplace(instance(), features);
    shim = std::make_unique<Shim>();
    changeLimits = change;
    nextFunction = shim->entry();
    SluVulkanDeviceInfo info = bound_->info();
    info.getInstanceProcAddr = changedFunction;
    context = makeContext(info);
  }

  const VulkanDevice& boundDevice() const { return *bound_; }

  static PlanSpec spec(SluFlags outputs, std::uint32_t bufferSetCount = 0) {
    PlanSpec result = simplePlan(SLU_ORDER_STABLE, kRecordBytes, kMostRecords);
    result.info.outputs = outputs;
    result.info.framesInFlight = 64;
    result.info.bufferSetCount = bufferSetCount;
    return result;
  }
  void makePlan(const PlanSpec& planSpec) {
    ASSERT_EQ(sluCreatePlan(context, PlanArguments(planSpec, SLU_ROUTE_VULKAN).get(), plan.put()), SLU_SUCCESS)
        << sluGetErrorMessage(context);
  }

  // Fills records at an offset at random, and returns those that are kept.
  Bytes fillRecords(Memory& memory, std::uint64_t offset, std::uint32_t count) {
    Bytes kept;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t record[kRecordBytes / 4];
      for (std::uint32_t& word : record) word = random_.word();
      if (random_.chance(0.5)) record[0] = 0;
      std::memcpy(memory.buffer.mapped + offset + std::uint64_t{i} * kRecordBytes, record, sizeof(record));
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(record);
      if (record[0] != 0) kept.insert(kept.end(), bytes, bytes + sizeof(record));
    }
    return kept;
  }

  static SluFrameInfo frameOf(std::uint32_t count, SluBinding records, SluBinding keptRecords) {
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = count;
    frame.viewCount = 1;
    frame.records = records;
    frame.keptRecords = keptRecords;
    return frame;
  }
  SluResult run(const SluFrameInfo& frame) {
    SluResult result = SLU_ERROR_INTERNAL;
    boundDevice().runOnce([&](VkCommandBuffer commands) {
      result = sluCmdCompact(plan, commands, &frame);
      boundDevice().barrier(commands, SLU_VULKAN_OUTPUT_STAGES, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                            VK_ACCESS_HOST_READ_BIT);
    });
    return result;
  }
  // Kept records are there, with poison before and behind them.
  static void expectKept(const Memory& memory, std::uint64_t offset, const Bytes& kept) {
    EXPECT_TRUE(std::equal(kept.begin(), kept.end(), memory.buffer.mapped + offset));
    if (offset != 0) {
      EXPECT_EQ(memory.buffer.mapped[offset - 1], kPoison);
    }
    EXPECT_EQ(memory.buffer.mapped[offset + kept.size()], kPoison);
  }

  std::unique_ptr<Shim> shim;
  Context context;
  Plan plan;
  Random random_;

 private:
  std::optional<VulkanDevice> bound_;
};

// Offsets are multiples of 4, in buffers that are bound as a whole and in buffers that are larger than the device binds.
TEST_F(Bound, AnyOffsetWorks) {
  constexpr std::uint64_t kBytes = 600'000;
  for (const bool isLarge : {false, true}) {
    start(true, isLarge ? +[](VkPhysicalDeviceLimits& limits) { limits.maxStorageBufferRange = 200'000; } : nullptr);
    makePlan(spec(SLU_OUTPUT_RECORDS_BIT));
    for (std::uint32_t turn = 0; turn < 20; ++turn) {
      Memory records(boundDevice(), context, kBytes);
      Memory kept(boundDevice(), context, kBytes);
      const std::uint32_t count = random_.below(kMostRecords);
      const std::uint64_t bytes = std::uint64_t{count} * kRecordBytes;
      const std::uint64_t recordsOffset = 4 * random_.below(static_cast<std::uint32_t>((kBytes - bytes) / 4));
      const std::uint64_t keptOffset = 4 * random_.below(static_cast<std::uint32_t>((kBytes - kMostBytes) / 4));
      SCOPED_TRACE(testing::Message() << count << " records from " << recordsOffset << " to " << keptOffset);
      const Bytes expected = fillRecords(records, recordsOffset, count);
      ASSERT_EQ(run(frameOf(count, {records.registered, recordsOffset}, {kept.registered, keptOffset})), SLU_SUCCESS)
          << sluGetErrorMessage(context);
      expectKept(kept, keptOffset, expected);
    }
    plan.reset();
    context.reset();
    EXPECT_EQ(shim->aliveCount(), 0);
    shim.reset();
  }
}

TEST_F(Bound, MoreThanTheDeviceBindsIsRefused) {
  start(true, [](VkPhysicalDeviceLimits& limits) { limits.maxStorageBufferRange = 200'000; });
  PlanSpec larger = spec(SLU_OUTPUT_RECORDS_BIT);
  larger.info.maxRecordCount = 13'000;
  makePlan(larger);
  Memory memory(boundDevice(), context, 3'000'000);
  SluFrameInfo frame = frameOf(13'000, {memory.registered, 0}, {memory.registered, 2'000'000});
  const std::size_t before = shim->commands().size();
  const SluResult result = run(frame);
  EXPECT_TRUE(failsWith(result, SLU_ERROR_INVALID_ARGUMENT, context, "frame.records: has 208000 bytes"));
  EXPECT_TRUE(failsWith(result, SLU_ERROR_INVALID_ARGUMENT, context, "maxStorageBufferRange"));
  EXPECT_EQ(shim->commands().size(), before) << "a refused frame records nothing";
  plan.reset();

  PlanSpec large = spec(SLU_OUTPUT_RECORDS_BIT);
  large.info.maxRecordCount = 1u << 28;
  EXPECT_TRUE(failsWith(sluCreatePlan(context, PlanArguments(large, SLU_ROUTE_VULKAN).get(), plan.put()),
                        SLU_ERROR_INVALID_ARGUMENT, context, "plan.maxRecordCount"));
}

// Four storage buffers are all that Vulkan promises: three of the frame, and the plan's own.
TEST_F(Bound, PlansOfTooManyBuffersAreRefused) {
  start(true, [](VkPhysicalDeviceLimits& limits) { limits.maxPerStageDescriptorStorageBuffers = 4; });
  const SluFlags most = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  const PlanSpec tooMany = spec(most | SLU_OUTPUT_STATISTICS_BIT);
  const SluResult refused = sluCreatePlan(context, PlanArguments(tooMany, SLU_ROUTE_VULKAN).get(), plan.put());
  EXPECT_TRUE(failsWith(refused, SLU_ERROR_MISSING_FEATURE, context, "plan.outputs"));
  EXPECT_TRUE(failsWith(refused, SLU_ERROR_MISSING_FEATURE, context, "binds 5 storage buffers"));
  EXPECT_TRUE(failsWith(refused, SLU_ERROR_MISSING_FEATURE, context, "the device has 4"));

  makePlan(spec(most));
  Memory records(boundDevice(), context, 100'000), kept(boundDevice(), context, 2'000'000);
  Memory counts(boundDevice(), context, 64);
  const Bytes expected = fillRecords(records, 0, 5000);
  SluFrameInfo frame = frameOf(5000, {records.registered, 0}, {kept.registered, 0});
  frame.bucketCounts = {counts.registered, 8};
  ASSERT_EQ(run(frame), SLU_SUCCESS) << sluGetErrorMessage(context);
  expectKept(kept, 0, expected);
  SluBucketCount count{};
  std::memcpy(&count, counts.buffer.mapped + 8, sizeof(count));
  EXPECT_EQ(count.keptCount, expected.size() / kRecordBytes);

  frame.liveCount = {counts.registered, 32};
  EXPECT_TRUE(failsWith(run(frame), SLU_ERROR_INVALID_ARGUMENT, context, "frame.liveCount"));
  plan.reset();

  makePlan(spec(SLU_OUTPUT_RECORDS_BIT));  // a live count has room
  frame.bucketCounts = {};
  const std::uint32_t live = 777;
  std::memcpy(counts.buffer.mapped + 32, &live, sizeof(live));
  std::fill_n(kept.buffer.mapped, kept.buffer.size, kPoison);
  const Bytes fewer = fillRecords(records, 0, 5000);
  std::size_t keptOfLive = 0;
  for (std::uint32_t i = 0; i < live; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, records.buffer.mapped + i * kRecordBytes, sizeof(word));
    keptOfLive += word != 0;
  }
  ASSERT_EQ(run(frame), SLU_SUCCESS) << sluGetErrorMessage(context);
  expectKept(kept, 0, Bytes(fewer.begin(), fewer.begin() + static_cast<std::ptrdiff_t>(keptOfLive * kRecordBytes)));
}

// Of six storage buffers the plan has four, then comes frame.liveCount, and the last one is for frame.liveMeshCount.
TEST_F(Bound, ALiveMeshCountTakesTheLastBuffer) {
  for (const bool hasRoom : {false, true}) {
    SCOPED_TRACE(hasRoom);
    start(
        true, hasRoom ? +[](VkPhysicalDeviceLimits& limits) { limits.maxPerStageDescriptorStorageBuffers = 6; }
                      : +[](VkPhysicalDeviceLimits& limits) { limits.maxPerStageDescriptorStorageBuffers = 5; });
    PlanSpec withMeshes = spec(SLU_OUTPUT_RECORDS_BIT);
    addBuckets(withMeshes, 1, 1, kMostRecords);
    addMeshes(withMeshes, SLU_MESH_LOD_MASK_BIT);
    makePlan(withMeshes);
    {
      Memory records(boundDevice(), context, kMostBytes), kept(boundDevice(), context, 2 * kMostBytes);
      Memory numbers(boundDevice(), context, 128);
      const auto setNumber = [&](std::uint64_t offset, std::uint32_t number) {
        std::memcpy(numbers.buffer.mapped + offset, &number, sizeof(number));
      };
      const Bytes expected = fillRecords(records, 0, 5000);
      SluFrameInfo frame = frameOf(5000, {records.registered, 0}, {kept.registered, 0});
      frame.meshes = {numbers.registered, 12};
      frame.meshCount = 1;
      setNumber(12, 1);  // LOD 0 is resident
      setNumber(64, 5000);
      frame.liveCount = {numbers.registered, 64};
      ASSERT_EQ(run(frame), SLU_SUCCESS) << sluGetErrorMessage(context);
      expectKept(kept, 0, expected);

      std::fill_n(kept.buffer.mapped, kept.buffer.size, kPoison);
      setNumber(68, 0);
      frame.liveMeshCount = {numbers.registered, 68};
      if (hasRoom) {
        ASSERT_EQ(run(frame), SLU_SUCCESS) << sluGetErrorMessage(context);
        expectKept(kept, 0, {});
        setNumber(68, 0xffffffffu);
        ASSERT_EQ(run(frame), SLU_SUCCESS) << sluGetErrorMessage(context);
        expectKept(kept, 0, expected);
      } else {
        EXPECT_TRUE(
            failsWith(run(frame), SLU_ERROR_INVALID_ARGUMENT, context, "frame.liveMeshCount: the device has 5"));
      }
    }
    plan.reset();
    context.reset();
    EXPECT_EQ(shim->aliveCount(), 0);
    shim.reset();
  }
}

// A combination takes a set when it comes for the first time; then nothing is allocated or updated any more. Destroying a
// buffer frees its sets.
TEST_F(Bound, SetsAreKeptPerCombination) {
  constexpr std::uint32_t kSets = 3;
  start(false);
  makePlan(spec(SLU_OUTPUT_RECORDS_BIT, kSets));
  std::vector<std::unique_ptr<Memory>> records;
  for (std::uint32_t i = 0; i < kSets + 1; ++i) {
    records.push_back(std::make_unique<Memory>(boundDevice(), context, 200'000));
  }
  Memory kept(boundDevice(), context, 2'000'000);
  const auto runWith = [&](std::uint32_t i, std::uint64_t offset) {
    std::fill_n(kept.buffer.mapped, kept.buffer.size, kPoison);
    const Bytes expected = fillRecords(*records[i], offset, 3000);
    const SluResult result = run(frameOf(3000, {records[i]->registered, offset}, {kept.registered, 64}));
    if (result == SLU_SUCCESS) expectKept(kept, 64, expected);
    return result;
  };
  std::uint32_t updates = shim->calls("vkUpdateDescriptorSets");
  for (std::uint32_t turn = 0; turn < 2; ++turn) {
    for (std::uint32_t i = 0; i < kSets; ++i) {
      EXPECT_EQ(runWith(i, 4 * random_.below(1000)), SLU_SUCCESS) << sluGetErrorMessage(context);
    }
    if (turn == 0) updates += kSets;
    EXPECT_EQ(shim->calls("vkUpdateDescriptorSets"), updates);
  }
  const std::uint32_t allocations = shim->calls("vkAllocateDescriptorSets");
  const SluResult result = runWith(kSets, 0);
  EXPECT_TRUE(failsWith(result, SLU_ERROR_INVALID_ARGUMENT, context, "plan.bufferSetCount"));
  EXPECT_TRUE(failsWith(result, SLU_ERROR_INVALID_ARGUMENT, context, "have bound 3 combinations"));

  records[1].reset();
  EXPECT_EQ(runWith(kSets, 0), SLU_SUCCESS) << sluGetErrorMessage(context);
  for (const std::uint32_t i : {0u, 2u}) EXPECT_EQ(runWith(i, 4), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_EQ(shim->calls("vkUpdateDescriptorSets"), updates + 1);
  EXPECT_EQ(shim->calls("vkAllocateDescriptorSets"), allocations);
  EXPECT_EQ(shim->calls("vkCmdPushDescriptorSetKHR"), 0u);
}

TEST_F(Bound, DescriptorsArePushedWhereTheyCanBe) {
  if (requirementsOf(instance()).pushDescriptorExtension == VK_FALSE) GTEST_SKIP() << "the device pushes none";
  start(true);
  makePlan(spec(SLU_OUTPUT_RECORDS_BIT, 1));
  Memory kept(boundDevice(), context, 2'000'000);
  const std::uint32_t updates = shim->calls("vkUpdateDescriptorSets");
  for (std::uint32_t i = 0; i < 3; ++i) {
    Memory records(boundDevice(), context, 200'000);
    const Bytes expected = fillRecords(records, 0, 3000);
    ASSERT_EQ(run(frameOf(3000, {records.registered, 0}, {kept.registered, 0})), SLU_SUCCESS)
        << sluGetErrorMessage(context);
    EXPECT_EQ(std::memcmp(kept.buffer.mapped, expected.data(), expected.size()), 0);
  }
  EXPECT_EQ(shim->calls("vkCmdPushDescriptorSetKHR"), 3u);
  EXPECT_EQ(shim->calls("vkUpdateDescriptorSets"), updates);
}

TEST_F(Bound, OverlapIsFoundInOneVkBuffer) {
  start(true);
  makePlan(spec(SLU_OUTPUT_RECORDS_BIT));
  Memory memory(boundDevice(), context, 4'000'000);
  Buffer again;
  ASSERT_EQ(registerBuffer(context, memory.buffer, again.put()), SLU_SUCCESS);
  EXPECT_TRUE(failsWith(run(frameOf(1000, {memory.registered, 64}, {again, 80})), SLU_ERROR_INVALID_ARGUMENT, context,
                        "overlap"));
  Memory other(boundDevice(), context, 4'000'000);
  const Bytes expected = fillRecords(memory, 64, 1000);
  EXPECT_EQ(run(frameOf(1000, {memory.registered, 64}, {other.registered, 80})), SLU_SUCCESS)
      << sluGetErrorMessage(context);
  expectKept(other, 80, expected);
}

// The host asks for it on a device that has addresses.
TEST_F(Bound, ByRequest) {
  const Shim counting;
  SluVulkanDeviceInfo info = device().info();
  info.getInstanceProcAddr = counting.entry();
  info.flags = SLU_VULKAN_BOUND_BUFFERS_BIT;
  {
    const Context asked = makeContext(info);
    device().runOnce([&](VkCommandBuffer commands) {
      ASSERT_EQ(sluCmdSelfTest(asked, SLU_ROUTE_VULKAN, commands), SLU_SUCCESS) << sluGetErrorMessage(asked);
    });
    EXPECT_EQ(sluGetSelfTestResult(asked, SLU_ROUTE_VULKAN), SLU_SUCCESS) << sluGetErrorMessage(asked);
  }
  EXPECT_EQ(counting.aliveCount(), 0);
  info.flags = 1u << 30;
  SluMessage message{};
  Context refused;
  EXPECT_TRUE(failsWith(createContext(info, refused.put(), &message), SLU_ERROR_INVALID_ARGUMENT, message,
                        "vulkanDevice.flags"));
}

}  // namespace
}  // namespace slu::test
