// Stable frames of one bucket on the Vulkan route. In plans for few tiles each tile asks for what the tiles before it
// keep, and no workgroup relies on another; others count first. Frames of one plan follow each other with other records
// and other numbers of tiles, so that each meets what the others left behind.
#include <algorithm>
#include <cstring>

#include "cpu/cpu_route.h"
#include "fixture.h"
#include "plan/frame_checks.h"
#include "plan/plan_checks.h"
#include "shaders/frame.h"
#include "vulkan/recorded_route.h"
#include "vulkan/vulkan_buffer.h"
#include "vulkan/vulkan_plan.h"

namespace slu::test {
namespace {

// The library's Vulkan route with other patience.
class PatientRoute final : public RecordedRoute {
 public:
  PatientRoute(const SluVulkanDeviceInfo& info, std::uint32_t patience)
      : RecordedRoute(info), pipelines_(device(), patience) {}
  std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) override {
    return makeVulkanPlan(device(), pipelines_, layout);
  }

 private:
  Pipelines pipelines_;
};

struct LookBackCase {
  const char* name;
  std::uint32_t stride;
  std::uint32_t patience = 1;              // that of tests: the worst order, and nothing is waited for
  bool culls = false;                      // by spheres beside the records, whose indices are written
  std::uint32_t emulatedSubgroupSize = 0;  // then without 64-bit atomics, too
  bool looksBack = true;                   // or the plan is for a tile too many
};

void PrintTo(const LookBackCase& scene, std::ostream* out) { *out << scene.name; }

class LookBack : public VulkanTest, public testing::WithParamInterface<LookBackCase> {
 protected:
  static constexpr std::uint32_t kSphereBytes = 16;

  PlanLayout layout(std::uint32_t maxRecordCount) const {
    auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
    info.route = SLU_ROUTE_VULKAN;
    info.order = SLU_ORDER_STABLE;
    info.recordStride = GetParam().stride;
    info.maxRecordCount = maxRecordCount;
    info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
    info.outputs = SLU_OUTPUT_STATISTICS_BIT;
    if (GetParam().culls) {
      info.cullFlags = SLU_CULL_DISTANCE_BIT | SLU_CULL_SIZE_BIT;
      info.bounds.source = SLU_SPHERE_PER_RECORD;
      info.bounds.stride = kSphereBytes;
      info.outputs |= SLU_OUTPUT_INDICES_BIT;
    } else {
      info.outputs |= SLU_OUTPUT_RECORDS_BIT;
    }
    return checkPlan(info, SLU_ROUTE_VULKAN);
  }

  std::uint64_t outputBytes(std::uint32_t records) const {
    return std::uint64_t{records} * (GetParam().culls ? 4 : GetParam().stride);
  }
};

TEST_P(LookBack, FramesOfManySizes) {
  SluVulkanDeviceInfo deviceInfo = device().info();
  deviceInfo.emulatedSubgroupSize = GetParam().emulatedSubgroupSize;
  PatientRoute route(deviceInfo, GetParam().patience);
  const auto tile = static_cast<std::uint32_t>(route.createPlan(layout(1u << 19))->tileRecords());
  const std::uint32_t few = SLU_LOOK_BACK_TILES * tile;
  const std::uint32_t most = GetParam().looksBack ? few : few + 1;
  const KernelConstants constants = kernelConstants(layout(most), route.device());
  ASSERT_EQ(compactKernel(constants), GetParam().looksBack ? Kernel::ordered : Kernel::compact);
  const std::unique_ptr<RoutePlan> plan = route.createPlan(layout(most));
  const std::unique_ptr<Route> cpu = makeCpuRoute();
  const std::unique_ptr<RoutePlan> reference = cpu->createPlan(layout(most));

  // Each frame begins at other records than the one before.
  std::vector<std::uint32_t> counts = {most, 1, 256 * tile + 1, 0, 3 * tile + 5, most, most - 1};
  Random random;
  counts.push_back(random.below(most + 1));
  const std::uint32_t shift = tile / 2 / 16 * 16 + 16;
  const auto recordCount = static_cast<std::uint32_t>(most + 2 * counts.size() * shift);
  const std::uint64_t spheresOffset = std::uint64_t{recordCount} * GetParam().stride;
  const std::uint64_t liveOffset = spheresOffset + std::uint64_t{recordCount} * kSphereBytes;
  const std::uint64_t statisticsOffset = liveOffset + 256;
  const std::uint64_t outputOffset = statisticsOffset + 256;
  DeviceBuffer memory(route.device(), outputOffset + outputBytes(most), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                      DeviceBuffer::Memory::mapped, "records");
  slu::VulkanBuffer buffer;
  buffer.handle = memory.buffer.get();
  buffer.address = memory.address;
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
  std::vector<std::uint32_t> actual(static_cast<std::size_t>(words.end() - written));
  std::uint64_t first = 0;
  for (const std::uint32_t count : counts) {
    for (const bool isCounted : {false, true}) {  // on the device, of a frame that is recorded for the most
      SCOPED_TRACE(testing::Message() << count << " records from " << first << " on, in tiles of " << tile << ", "
                                      << percent << " %" << (isCounted ? ", counted on the device" : ""));
      std::fill(written, words.end(), 0xa5a5a5a5u);
      std::fill_n(written, 16, 0u);
      words[liveOffset / 4] = count;
      auto* const mapped = static_cast<std::uint8_t*>(memory.mapped);
      std::memcpy(mapped + liveOffset, &words[liveOffset / 4], memory.size - liveOffset);
      const auto frameAt = [&](std::uint64_t address) {
        const auto bind = [&](std::uint64_t offset) { return Binding{&buffer, offset, address + offset}; };
        Frame frame;
        frame.recordCount = isCounted ? most : count;
        frame.viewCount = 1;
        if (isCounted) frame.liveCount = bind(liveOffset);
        frame.records = bind(first * GetParam().stride);
        frame.statistics = bind(statisticsOffset);
        if (GetParam().culls) {
          SluView view{};
          view.maxDistance = 100.0f;
          view.minSizeRatio = 0.5f;
          frame.views[0] = makeViewBlock(view, 1);
          frame.spheres = bind(spheresOffset + first * kSphereBytes);
          frame.indices = bind(outputOffset);
        } else {
          frame.keptRecords = bind(outputOffset);
        }
        return frame;
      };
      device().runOnce([&](VkCommandBuffer commands) { plan->run(frameAt(buffer.address), commands); });
      reference->run(frameAt(reinterpret_cast<std::uintptr_t>(words.data())), nullptr);
      std::memcpy(actual.data(), mapped + statisticsOffset, actual.size() * 4);
      const auto [wrong, right] = std::mismatch(written, words.end(), actual.begin());
      ASSERT_EQ(wrong, words.end()) << "word " << wrong - written << " of the statistics and the output is " << *right
                                    << ", must be " << *wrong;
      first += shift;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Stable, LookBack,
    testing::Values(LookBackCase{.name = "Words", .stride = 4, .patience = kPatience},
                    LookBackCase{.name = "WordsWithoutPatience", .stride = 4},
                    LookBackCase{.name = "EightBytesWithoutPatience", .stride = 8},
                    LookBackCase{.name = "TwelveBytesEmulated", .stride = 12, .emulatedSubgroupSize = 8},
                    LookBackCase{.name = "SixtyFourBytesWithoutPatience", .stride = 64},
                    LookBackCase{.name = "Listed", .stride = 68, .patience = kPatience},
                    LookBackCase{.name = "ListedWithoutPatience", .stride = 68},
                    LookBackCase{.name = "CulledWithoutPatience", .stride = 4, .culls = true},
                    LookBackCase{.name = "CulledEmulated", .stride = 4, .culls = true, .emulatedSubgroupSize = 8},
                    LookBackCase{.name = "WordsInChunks", .stride = 4, .looksBack = false},
                    LookBackCase{.name = "TwelveBytesInChunks", .stride = 12, .looksBack = false},
                    LookBackCase{.name = "TwentyFourBytesInChunks", .stride = 24, .looksBack = false},
                    LookBackCase{.name = "SixtyFourBytesInChunks", .stride = 64, .looksBack = false},
                    LookBackCase{.name = "CulledInChunks", .stride = 4, .culls = true, .looksBack = false}),
    [](const testing::TestParamInfo<LookBackCase>& scene) { return scene.param.name; });

}  // namespace
}  // namespace slu::test
