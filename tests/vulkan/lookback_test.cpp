// Stable frames of one bucket on the Vulkan route. In small plans each tile asks for what the tiles before it keep; in
// large ones workgroups take tiles by ticket, and one turns their counts into prefixes; none relies on another. Frames of
// one plan follow each other with other records and other numbers of tiles, so that each meets what the others left behind.
#include <algorithm>
#include <cstring>

#include "base/vulkan_memory.h"
#include "fixture.h"
#include "plan/extents.h"
#include "plan/plan_checks.h"
#include "plan/views.h"
#include "routes/cpu/cpu_route.h"
#include "routes/vulkan/vulkan_plan.h"
#include "routes/vulkan_host/recorded_route.h"
#include "routes/vulkan_host/requirements.h"
#include "routes/vulkan_host/vulkan_buffer.h"
#include "shaders/shared/frame.h"
#include "sluice/culling.h"

namespace slu::test {
namespace {

// The library's Vulkan route with other limits.
class LimitedRoute final : public RecordedRoute {
 public:
  explicit LimitedRoute(const SluVulkanDeviceInfo& info, const RouteLimits& limits = {})
      : RecordedRoute(info, reachOf(info)), pipelines_(device(), bindsBuffers(), limits) {}

  // Memory as frames bind it.
  slu::VulkanBuffer bufferOf(const DeviceBuffer& memory) const {
    slu::VulkanBuffer buffer;
    buffer.handle = memory.buffer.get();
    buffer.size = memory.size;
    buffer.address = bindsBuffers() ? 0 : memory.address;
    return buffer;
  }

  std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) override {
    return makeVulkanPlan(device(), pipelines_, layout, watch_);
  }

 private:
  static Reach reachOf(const SluVulkanDeviceInfo& info) {
    const InstanceFunctions functions(info.getInstanceProcAddr, info.instance);
    return whyNoAddresses(functions, info).empty() ? Reach::addresses : Reach::bindings;
  }

  Pipelines pipelines_;
  BufferWatch watch_;
};

struct LookBackCase {
  const char* name;
  std::uint32_t stride;
  bool waits = false;  // else the worst order, and nothing is waited for
  // Of the plan. In the worst order the first workgroup counts all of them, and Mesa's CPU driver ends loops after 65,535
  // iterations in all.
  std::uint32_t tiles = SLU_LOOK_BACK_TILES;
  bool culls = false;  // in two views, by spheres beside the records, whose indices are written
  bool lists = false;  // writes the indices of those that are live, instead of the records
  bool byFlags = false;
  std::uint32_t emulatedSubgroupSize = 0;
  Kernel kernel = Kernel::ordered;  // persistent: the plan has more than lookBackTiles
  std::uint32_t lookBackTiles = SLU_LOOK_BACK_TILES;
};

void PrintTo(const LookBackCase& scene, std::ostream* out) { *out << scene.name; }

class LookBack : public VulkanTest, public testing::WithParamInterface<LookBackCase> {
 protected:
  static constexpr std::uint32_t kSphereBytes = 16;
  static constexpr std::uint32_t kStatisticsBytes = 64;  // of a view

  PlanLayout layout(std::uint32_t maxRecordCount) const {
    auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
    info.route = SLU_ROUTE_VULKAN;
    info.order = SLU_ORDER_STABLE;
    info.framesInFlight = 1;
    info.recordStride = GetParam().stride;
    info.maxRecordCount = maxRecordCount;
    info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
    if (GetParam().byFlags) info.live = {SLU_LIVE_FLAG_BITS, 0, 0};
    info.outputs = SLU_OUTPUT_STATISTICS_BIT;
    if (GetParam().culls) {
      info.cullFlags = SLU_CULL_DISTANCE_BIT | SLU_CULL_SIZE_BIT;
      info.bounds.source = SLU_BOUNDS_PER_RECORD;
      info.bounds.stride = kSphereBytes;
      info.maxViewCount = viewCount();
    }
    info.outputs |= writesIndices() ? SLU_OUTPUT_INDICES_BIT : SLU_OUTPUT_RECORDS_BIT;
    return checkPlan(info, {"vulkan", {}});
  }

  bool writesIndices() const { return GetParam().culls || GetParam().lists; }
  std::uint32_t viewCount() const { return GetParam().culls ? 2 : 1; }

  std::uint64_t outputBytes(std::uint32_t records) const {
    return std::uint64_t{records} * viewCount() * (writesIndices() ? 4 : GetParam().stride);
  }
};

TEST_P(LookBack, FramesOfManySizes) {
  SluVulkanDeviceInfo deviceInfo = device().info();
  deviceInfo.emulatedSubgroupSize = GetParam().emulatedSubgroupSize;
  RouteLimits limits;
  if (!GetParam().waits) limits.patience = 1;
  limits.lookBackTiles = GetParam().lookBackTiles;
  LimitedRoute route(deviceInfo, limits);
  // Of tiles as those of plans for so many records, and a part of one.
  const auto constantsFor = [&](std::uint32_t records) {
    return kernelConstants(layout(records), route.device(), limits);
  };
  std::uint32_t most = 0;
  std::uint32_t tile = SLU_WORKGROUP;
  for (int i = 0; i < 3; ++i) {  // a longer plan may have longer tiles
    most = GetParam().tiles * tile - tile / 3;
    tile = constantsFor(most).tileRecords();
  }
  ASSERT_EQ((most + tile - 1) / tile, GetParam().tiles);
  ASSERT_EQ(compactKernel(constantsFor(most)), GetParam().kernel);
  const std::unique_ptr<RoutePlan> plan = route.createPlan(layout(most));
  const std::unique_ptr<Route> cpu = makeCpuRoute();
  const std::unique_ptr<RoutePlan> reference = cpu->createPlan(layout(most));

  // Each frame begins at other records than the one before.
  std::vector<std::uint32_t> counts = {most, 1,       std::min(SLU_WORKGROUP * tile + 1, most), 0, 3 * tile + 5,
                                       most, most - 1};
  for (const std::uint32_t tiles : {SLU_WORKGROUP - 1u, 2u * SLU_WORKGROUP, SLU_LOOK_BACK_TILES + 1u}) {
    counts.push_back(std::min(tiles * tile + 1, most));
  }
  Random random;
  counts.push_back(random.below(most + 1));
  const std::uint32_t shift = tile / 2 / 16 * 16 + 16;
  const auto recordCount = static_cast<std::uint32_t>(most + counts.size() * shift);
  const std::uint64_t spheresOffset = std::uint64_t{recordCount} * GetParam().stride;
  const std::uint64_t liveOffset = spheresOffset + std::uint64_t{recordCount} * kSphereBytes;
  const std::uint64_t statisticsOffset = liveOffset + 256;
  const std::uint64_t outputOffset = statisticsOffset + 256;
  DeviceBuffer memory(route.device(), outputOffset + outputBytes(most),
                      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryKind::mapped,
                      "records");
  const slu::VulkanBuffer buffer = route.bufferOf(memory);
  std::vector<std::uint32_t> words(memory.size / 4);
  const std::uint32_t percent = 5 + random.below(91);
  for (std::uint64_t i = 0; i < recordCount; ++i) {
    const std::uint64_t word = i * GetParam().stride / 4;
    random.fill({reinterpret_cast<std::uint8_t*>(&words[word]), GetParam().stride});
    words[word] = random.below(100) < percent ? static_cast<std::uint32_t>(i) + 1 : 0;
    const float sphere[4] = {random.below(2) == 0 ? 1.0f : 1000.0f, 0.0f, 0.0f, random.below(2) == 0 ? 0.0f : 8.0f};
    std::memcpy(&words[spheresOffset / 4 + 4 * i], sphere, sizeof(sphere));
  }

  std::memcpy(memory.mapped, words.data(), memory.size);
  const auto written = words.begin() + static_cast<std::ptrdiff_t>(statisticsOffset / 4);  // from here on
  // A processor takes long to read from the memory of a GPU.
  const VulkanBuffer actual(device(), memory.size - statisticsOffset, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            VulkanBuffer::Kind::mapped);
  std::uint64_t first = 0;
  bool isCounted = true;  // on the device, of a frame that is recorded for the most: every other one
  for (const std::uint32_t count : counts) {
    isCounted = !isCounted;
    SCOPED_TRACE(testing::Message() << count << " records from " << first << " on, in tiles of " << tile << ", "
                                    << percent << " %" << (isCounted ? ", counted on the device" : ""));
    std::fill(written, words.end(), 0xa5a5a5a5u);
    std::fill_n(written, viewCount() * kStatisticsBytes / 4, 0u);
    words[liveOffset / 4] = count;
    auto* const mapped = static_cast<std::uint8_t*>(memory.mapped);
    std::memcpy(mapped + liveOffset, &words[liveOffset / 4], memory.size - liveOffset);
    const auto frameAt = [&](std::uint64_t address) {
      const auto bind = [&](std::uint64_t offset) { return Binding{&buffer, offset, address + offset}; };
      Frame frame;
      frame.recordCount = isCounted ? most : count;
      frame.viewCount = viewCount();
      if (isCounted) frame.liveCount = bind(liveOffset);
      const Binding input = bind(first * GetParam().stride);
      if (GetParam().byFlags) frame.flags = input;  // bits as good as any
      if (!GetParam().byFlags || !writesIndices()) frame.records = input;
      frame.statistics = bind(statisticsOffset);
      if (GetParam().culls) {
        SluView view{};
        view.maxDistance = 100.0f;
        view.minSizeRatio = 0.5f;
        frame.views[0] = sluPrepareView(view, 1);
        view.maxDistance = 2000.0f;
        view.minSizeRatio = 0.001f;
        frame.views[1] = sluPrepareView(view, 1);
        frame.bounds = bind(spheresOffset + first * kSphereBytes);
      }
      (writesIndices() ? frame.indices : frame.keptRecords) = bind(outputOffset);
      return frame;
    };
    device().runOnce([&](VkCommandBuffer commands) {
      plan->run(frameAt(buffer.address), commands);
      device().barrier(commands, SLU_VULKAN_OUTPUT_STAGES, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_ACCESS_TRANSFER_READ_BIT);
      const VkBufferCopy all{statisticsOffset, 0, actual.size};
      device().functions.vkCmdCopyBuffer(commands, buffer.handle, actual.handle, 1, &all);
      device().barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    });
    reference->run(frameAt(reinterpret_cast<std::uintptr_t>(words.data())), nullptr);
    const auto [wrong, right] =
        std::mismatch(written, words.end(), reinterpret_cast<const std::uint32_t*>(actual.mapped));
    ASSERT_EQ(wrong, words.end()) << "word " << wrong - written << " of the statistics and the output is " << *right
                                  << ", must be " << *wrong;
    first += shift;
  }
}

// Of a persistent kernel, in a plan that could look back.
LookBackCase persistent(LookBackCase scene) {
  scene.tiles = 600;
  scene.kernel = Kernel::persistent;
  scene.lookBackTiles = 4;
  return scene;
}

INSTANTIATE_TEST_SUITE_P(
    Stable, LookBack,
    testing::Values(
        LookBackCase{.name = "Words", .stride = 4, .waits = true},
        LookBackCase{.name = "WordsInTheWorstOrder", .stride = 4},
        LookBackCase{.name = "EightBytesInTheWorstOrder", .stride = 8},
        LookBackCase{.name = "TwelveBytesEmulated", .stride = 12, .emulatedSubgroupSize = 8},
        LookBackCase{.name = "SixtyFourBytesInTheWorstOrder", .stride = 64},
        LookBackCase{.name = "Listed", .stride = 68, .waits = true, .tiles = 900},
        LookBackCase{.name = "ListedInTheWorstOrder", .stride = 68, .tiles = 900},
        LookBackCase{.name = "Culled", .stride = 4, .waits = true, .culls = true},
        LookBackCase{.name = "CulledInTheWorstOrder", .stride = 4, .culls = true},
        LookBackCase{.name = "CulledEmulated", .stride = 4, .culls = true, .emulatedSubgroupSize = 8},
        persistent({.name = "ManyWords", .stride = 4, .waits = true}),
        persistent({.name = "ManyWordsInTheWorstOrder", .stride = 4}),
        persistent({.name = "ManyWordsEmulated", .stride = 4, .waits = true, .emulatedSubgroupSize = 8}),
        persistent({.name = "ManyEightBytes", .stride = 8, .waits = true}),
        persistent({.name = "ManyTwelveBytesInTheWorstOrder", .stride = 12}),
        persistent({.name = "ManyTwelveBytesEmulated", .stride = 12, .waits = true, .emulatedSubgroupSize = 8}),
        persistent({.name = "ManySixtyFourBytes", .stride = 64, .waits = true}),
        persistent({.name = "ManyIndicesByFlags", .stride = 20, .waits = true, .lists = true, .byFlags = true}),
        persistent({.name = "ManyIndicesByFlagsInTheWorstOrder", .stride = 20, .lists = true, .byFlags = true}),
        persistent({.name = "ManyCulled", .stride = 4, .waits = true, .culls = true}),
        persistent({.name = "ManyCulledInTheWorstOrder", .stride = 4, .culls = true}),
        persistent(
            {.name = "ManyCulledEmulated", .stride = 4, .waits = true, .culls = true, .emulatedSubgroupSize = 8})),
    [](const testing::TestParamInfo<LookBackCase>& scene) { return scene.param.name; });

TEST_F(VulkanTest, PlansOfMoreTilesThanLookBackArePersistent) {
  LimitedRoute route(device().info());
  for (const std::uint32_t stride : {4u, 8u, 12u, 64u, 68u}) {
    SCOPED_TRACE(stride);
    const auto constantsOf = [&](std::uint32_t maxRecordCount) {
      auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
      info.route = SLU_ROUTE_VULKAN;
      info.order = SLU_ORDER_STABLE;
      info.recordStride = stride;
      info.maxRecordCount = maxRecordCount;
      info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
      info.outputs = SLU_OUTPUT_RECORDS_BIT;
      return kernelConstants(checkPlan(info, {"vulkan", {}}), route.device(), {});
    };
    std::uint32_t most = 1u << 17;
    for (int i = 0; i < 2; ++i) most = SLU_LOOK_BACK_TILES * constantsOf(most).tileRecords();  // tiles may get longer
    EXPECT_EQ(compactKernel(constantsOf(most)), Kernel::ordered);
    EXPECT_EQ(compactKernel(constantsOf(most + 1)), Kernel::persistent);
  }
}

// The persistent kernel would take boxes for spheres, and every key for that of a mesh.
TEST_F(VulkanTest, ManyTilesOfScenesAreCounted) {
  LimitedRoute route(device().info());
  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = SLU_ROUTE_VULKAN;
  info.order = SLU_ORDER_STABLE;
  info.recordStride = 64;
  info.maxRecordCount = 1u << 27;
  info.outputs = SLU_OUTPUT_INDICES_BIT;
  info.cullFlags = SLU_CULL_FRUSTUM_BIT;
  info.maxViewCount = 1;
  info.bounds.source = SLU_BOUNDS_IN_RECORD;
  const auto kernelOf = [&](SluBoundsShape shape, SluFlags transforms) {
    info.bounds.shape = shape;
    info.bounds.transformFlags = transforms;
    info.bounds.scaleOffset = transforms == 0 ? 0 : 32;
    return compactKernel(kernelConstants(checkPlan(info, {"vulkan", {}}), route.device(), {}));
  };
  EXPECT_EQ(kernelOf(SLU_SHAPE_SPHERE, 0), Kernel::persistent);
  EXPECT_EQ(kernelOf(SLU_SHAPE_SPHERE, SLU_TRANSFORM_SCALE_BIT), Kernel::persistent);
  EXPECT_EQ(kernelOf(SLU_SHAPE_SPHERE, SLU_TRANSFORM_AXIS_SCALE_BIT), Kernel::emit);
  EXPECT_EQ(kernelOf(SLU_SHAPE_BOX, 0), Kernel::emit);
  EXPECT_EQ(kernelOf(SLU_SHAPE_CORNERS, 0), Kernel::emit);

  const SluBucket bucket{1000, {}};
  info.bucketCount = 1;
  info.buckets = &bucket;
  EXPECT_EQ(kernelOf(SLU_SHAPE_SPHERE, 0), Kernel::persistent);
  info.meshes.stride = 4;
  EXPECT_EQ(kernelOf(SLU_SHAPE_SPHERE, 0), Kernel::emit);
  info.cullFlags = 0;
  info.bounds = {};
  EXPECT_EQ(kernelOf(SLU_SHAPE_SPHERE, 0), Kernel::emit);
}

// A bit per record, so that few bytes are more tiles than workgroups of a usual frame take; what is kept beyond the
// capacity is counted all the same.
TEST_F(VulkanTest, PersistentFramesOfVeryManyTiles) {
  constexpr std::uint32_t kMost = (1u << 27) + 5;
  constexpr std::uint32_t kCapacity = 20'000;
  const SluBucket bucket{kCapacity, {}};
  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = SLU_ROUTE_VULKAN;
  info.order = SLU_ORDER_STABLE;
  info.framesInFlight = 1;
  info.recordStride = 12;
  info.maxRecordCount = kMost;
  info.maxViewCount = 2;
  info.live = {SLU_LIVE_FLAG_BITS, 0, 0};
  info.bucketCount = 1;
  info.buckets = &bucket;
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  const PlanLayout layout = checkPlan(info, {"vulkan", {}});
  LimitedRoute route(device().info());
  const KernelConstants constants = kernelConstants(layout, route.device(), {});
  ASSERT_EQ(compactKernel(constants), Kernel::persistent);
  ASSERT_GT(kMost / constants.tileRecords(), 1024u * SLU_MOST_TILES - 1);
  const std::unique_ptr<RoutePlan> plan = route.createPlan(layout);

  constexpr std::uint64_t kFlagBytes = (kMost / 32 + 1) * 4;
  constexpr std::uint64_t kLiveOffset = (kFlagBytes + 255) / 256 * 256;
  constexpr std::uint64_t kCountsOffset = kLiveOffset + 256;
  constexpr std::uint64_t kIndicesOffset = kCountsOffset + 256;
  constexpr std::uint64_t kIndicesBytes = std::uint64_t{4} * kCapacity;  // of a view
  DeviceBuffer memory(route.device(), kIndicesOffset + 2 * kIndicesBytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                      MemoryKind::mapped, "flags");
  auto* const mapped = static_cast<std::uint8_t*>(memory.mapped);
  std::vector<std::uint32_t> flags(kFlagBytes / 4);
  Random random;
  for (std::uint32_t i = 0; i < 2 * kCapacity; ++i) {
    const std::uint32_t place = random.below(kMost);
    flags[place / 32] |= 1u << place % 32;
  }
  flags[(kMost - 1) / 32] |= 1u << (kMost - 1) % 32;
  std::memcpy(mapped, flags.data(), kFlagBytes);
  std::vector<std::uint32_t> live;
  for (std::uint32_t i = 0; i < kMost; ++i) {
    if ((flags[i / 32] >> i % 32 & 1) != 0) live.push_back(i);
  }
  const slu::VulkanBuffer buffer = route.bufferOf(memory);
  const auto bind = [&](std::uint64_t offset) { return Binding{&buffer, offset, buffer.address + offset}; };
  // Recorded for all records, of which the device knows how many there are.
  for (const std::uint32_t count : {kMost, 25'000'003u, 2'049u, 0u}) {
    const std::uint32_t views = count == kMost ? 1 : 2;
    std::memset(mapped + kCountsOffset, 0xa5, memory.size - kCountsOffset);
    std::memcpy(mapped + kLiveOffset, &count, sizeof(count));
    Frame frame;
    frame.recordCount = kMost;
    frame.viewCount = views;
    frame.liveCount = bind(kLiveOffset);
    frame.flags = bind(0);
    frame.bucketCounts = bind(kCountsOffset);
    frame.indices = bind(kIndicesOffset);
    device().runOnce([&](VkCommandBuffer commands) { plan->run(frame, commands); });
    const auto demanded = static_cast<std::uint32_t>(std::lower_bound(live.begin(), live.end(), count) - live.begin());
    const std::uint32_t kept = std::min(demanded, kCapacity);
    for (std::uint32_t view = 0; view < views; ++view) {
      SCOPED_TRACE(testing::Message() << count << " records, view " << view);
      std::uint32_t counts[2];
      std::memcpy(counts, mapped + kCountsOffset + view * sizeof(counts), sizeof(counts));
      ASSERT_EQ(counts[0], demanded);
      ASSERT_EQ(counts[1], kept);
      std::vector<std::uint32_t> indices(kCapacity);
      std::memcpy(indices.data(), mapped + kIndicesOffset + view * kIndicesBytes, kIndicesBytes);
      std::vector<std::uint32_t> expected(live.begin(), live.begin() + kept);
      expected.resize(kCapacity, 0xa5a5a5a5u);
      ASSERT_EQ(indices, expected);
    }
  }
}

}  // namespace
}  // namespace slu::test
