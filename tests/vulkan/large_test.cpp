// Buffers of more than 4 GiB. Runs where the device is no CPU, or where SLUICE_TEST_LARGE=1 asks for it, and where the
// device lends that much memory.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

#include "fixture.h"
#include "plans.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kStride = 256;
constexpr std::uint32_t kRecords = 20'000'003;        // 5.1 GB
constexpr std::uint32_t kFirstBeyond4GiB = 1u << 24;  // the record there
constexpr std::uint64_t kRecordBytes = std::uint64_t{kRecords} * kStride;
constexpr std::uint32_t kMarked = 500;

class Large : public VulkanTest {
 protected:
  void SetUp() override {
    VulkanTest::SetUp();
    if (IsSkipped()) return;
    if (instance().properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU &&
        std::getenv("SLUICE_TEST_LARGE") == nullptr) {
      GTEST_SKIP() << "the device is a CPU, which takes long; SLUICE_TEST_LARGE=1 runs the test all the same";
    }
    context = makeContext();
    records = allocate(kRecordBytes);
    if (records == nullptr) GTEST_SKIP() << "the device lends no " << kRecordBytes << " bytes at once";
    chooseMarked();
  }
  void TearDown() override {
    buffers.clear();
    records.reset();
    small.reset();
    context.reset();
    VulkanTest::TearDown();
  }

  // Null when the device has not that much; what the validation layer says about it is no mistake of the library.
  std::unique_ptr<VulkanBuffer> allocate(std::uint64_t size) {
    try {
      return std::make_unique<VulkanBuffer>(device(), size, allUsages(instance()), VulkanBuffer::Kind::deviceLocal);
    } catch (const std::runtime_error&) {
      takeMessages();
      return nullptr;
    }
  }

  SluBinding bind(const VulkanBuffer& buffer, std::uint64_t offset) {
    buffers.emplace_back();
    require(context, registerBuffer(context, buffer, buffers.back().put()), "sluCreateBuffer");
    return {buffers.back(), offset};
  }

  // Random records, those at both sides of 4 GiB and at both ends among them, in ascending order.
  void chooseMarked() {
    std::set<std::uint32_t> indices = {0, kFirstBeyond4GiB - 1, kFirstBeyond4GiB, kRecords - 1};
    while (indices.size() < kMarked) indices.insert(random.below(kRecords));
    marked.assign(indices.begin(), indices.end());
    payload.resize(std::size_t{kMarked} * kStride);
    random.fill(payload);
    for (std::uint32_t i = 0; i < kMarked; ++i) std::memcpy(&payload[std::size_t{i} * kStride], &marked[i], 4);
    payload[0] = 1;  // record 0 is live too
  }

  // All records hold `word` throughout, the marked ones their own payload.
  void fillRecords(std::uint32_t word) {
    device().runOnce([&](VkCommandBuffer commands) {
      device().functions.vkCmdFillBuffer(commands, records->handle, 0, VK_WHOLE_SIZE, word);
      device().barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
      for (std::uint32_t i = 0; i < kMarked; ++i) {
        device().functions.vkCmdUpdateBuffer(commands, records->handle, std::uint64_t{marked[i]} * kStride, kStride,
                                             &payload[std::size_t{i} * kStride]);
      }
    });
  }

  // Fills the outputs with a pattern, runs the frame, and copies regions of the output to `small`.
  void run(const PlanSpec& spec, const SluFrameInfo& frame, const VulkanBuffer& output,
           const std::vector<VkBufferCopy>& regions) {
    Plan plan;
    require(context, sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put()), "sluCreatePlan");
    device().runOnce([&](VkCommandBuffer commands) {
      device().functions.vkCmdFillBuffer(commands, output.handle, 0, VK_WHOLE_SIZE, 0xcccccccc);
      device().functions.vkCmdFillBuffer(commands, small->handle, 0, VK_WHOLE_SIZE, 0);
      device().barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       SLU_VULKAN_INPUT_STAGES | SLU_VULKAN_OUTPUT_STAGES,
                       SLU_VULKAN_INPUT_ACCESS | SLU_VULKAN_OUTPUT_ACCESS);
      require(context, sluCmdCompact(plan, commands, &frame), "sluCmdCompact");
    });
    device().runOnce([&](VkCommandBuffer commands) {
      device().functions.vkCmdCopyBuffer(commands, output.handle, small->handle,
                                         static_cast<std::uint32_t>(regions.size()), regions.data());
    });
  }

  const std::uint8_t* payloadOf(std::uint32_t i) const { return &payload[std::size_t{i} * kStride]; }

  Random random;
  Context context;
  std::unique_ptr<VulkanBuffer> records;
  std::unique_ptr<VulkanBuffer> small;  // mapped
  std::vector<Buffer> buffers;
  std::vector<std::uint32_t> marked;
  Bytes payload;
};

// Few records of many live: where they are read.
TEST_F(Large, SparseInput) {
  fillRecords(0);
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, kStride, kRecords);
    plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
    plan.buckets.assign(1, {kMarked + 1, {}});
    constexpr std::uint64_t kIndices = 4096;
    constexpr std::uint64_t kKept = 8192;
    const std::unique_ptr<VulkanBuffer> output = allocate(1 << 20);
    small = std::make_unique<VulkanBuffer>(device(), 1 << 20, allUsages(instance()), VulkanBuffer::Kind::mapped);
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = kRecords;
    frame.viewCount = 1;
    frame.records = bind(*records, 0);
    frame.statistics = bind(*output, 0);
    frame.indices = {frame.statistics.buffer, kIndices};
    frame.keptRecords = {frame.statistics.buffer, kKept};
    run(plan, frame, *output, {{0, 0, 1 << 20}});

    SluStatistics statistics;
    std::memcpy(&statistics, small->mapped, sizeof(statistics));
    EXPECT_EQ(statistics.inputCount, kRecords);
    ASSERT_EQ(statistics.keptCount, kMarked);
    std::vector<std::uint32_t> indices(kMarked);
    std::memcpy(indices.data(), small->mapped + kIndices, kMarked * 4);
    for (std::uint32_t i = 0; i < kMarked; ++i) {
      const auto found = std::lower_bound(marked.begin(), marked.end(), indices[i]);
      ASSERT_TRUE(found != marked.end() && *found == indices[i]) << "record " << indices[i] << " was not live";
      const auto mark = static_cast<std::uint32_t>(found - marked.begin());
      EXPECT_EQ(std::memcmp(small->mapped + kKept + i * std::size_t{kStride}, payloadOf(mark), kStride), 0);
    }
    if (order == SLU_ORDER_UNORDERED) std::sort(indices.begin(), indices.end());
    EXPECT_EQ(indices, marked);
    std::uint32_t behind = 0;
    std::memcpy(&behind, small->mapped + kIndices + kMarked * 4, 4);
    EXPECT_EQ(behind, 0xccccccccu) << "something is written behind the kept ones";
  }
}

// All records live: where they are written. A stable plan that keeps everything is a copy.
TEST_F(Large, DenseOutput) {
  const std::unique_ptr<VulkanBuffer> output = allocate(kRecordBytes + kStride);
  if (output == nullptr) GTEST_SKIP() << "the device lends no second " << kRecordBytes << " bytes";
  fillRecords(0x01010101);
  small = std::make_unique<VulkanBuffer>(device(), (kMarked + 1) * kStride, allUsages(instance()),
                                         VulkanBuffer::Kind::mapped);
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, kStride, kRecords);
  plan.info.outputs = SLU_OUTPUT_RECORDS_BIT;
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = kRecords;
  frame.viewCount = 1;
  frame.records = bind(*records, 0);
  frame.keptRecords = bind(*output, 0);
  std::vector<VkBufferCopy> regions;
  for (std::uint32_t i = 0; i < kMarked; ++i) {
    regions.push_back({std::uint64_t{marked[i]} * kStride, std::uint64_t{i} * kStride, kStride});
  }
  regions.push_back({kRecordBytes, std::uint64_t{kMarked} * kStride, kStride});
  run(plan, frame, *output, regions);
  for (std::uint32_t i = 0; i < kMarked; ++i) {
    ASSERT_EQ(std::memcmp(small->mapped + i * std::size_t{kStride}, payloadOf(i), kStride), 0)
        << "record " << marked[i];
  }
  const Bytes untouched(kStride, 0xcc);
  EXPECT_EQ(std::memcmp(small->mapped + kMarked * std::size_t{kStride}, untouched.data(), kStride), 0)
      << "something is written behind the last record";
}

// A few records at an offset beyond 4 GiB.
TEST_F(Large, OffsetsBeyond4GiB) {
  fillRecords(0);
  constexpr std::uint32_t kFirst = kFirstBeyond4GiB + 1000;
  const auto begin = std::lower_bound(marked.begin(), marked.end(), kFirst);
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, kStride, kRecords - kFirst);
    plan.info.outputs = SLU_OUTPUT_INDICES_BIT;
    plan.buckets.assign(1, {kMarked, {}});
    const std::uint64_t indicesOffset = std::uint64_t{kFirst - 500} * kStride;  // records that nothing reads
    small = std::make_unique<VulkanBuffer>(device(), kMarked * 4, allUsages(instance()), VulkanBuffer::Kind::mapped);
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = kRecords - kFirst;
    frame.viewCount = 1;
    frame.records = bind(*records, std::uint64_t{kFirst} * kStride);
    frame.indices = {frame.records.buffer, indicesOffset};
    const std::unique_ptr<VulkanBuffer> unused = allocate(4096);
    run(plan, frame, *unused, {{0, 0, 4}});
    device().runOnce([&](VkCommandBuffer commands) {
      const VkBufferCopy region{indicesOffset, 0, kMarked * 4};
      device().functions.vkCmdCopyBuffer(commands, records->handle, small->handle, 1, &region);
    });
    std::vector<std::uint32_t> expected;
    for (auto mark = begin; mark != marked.end(); ++mark) expected.push_back(*mark - kFirst);
    std::vector<std::uint32_t> indices(expected.size());
    std::memcpy(indices.data(), small->mapped, indices.size() * 4);
    if (order == SLU_ORDER_UNORDERED) std::sort(indices.begin(), indices.end());
    EXPECT_EQ(indices, expected);
  }
}

}  // namespace
}  // namespace slu::test
