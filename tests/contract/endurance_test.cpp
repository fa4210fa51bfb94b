// Many frames of all kinds of plans, three of them in flight, as a renderer records them. SLUICE_TEST_FRAMES says how many;
// without it there are few. Memory must not grow; of Vulkan that is judged with SLUICE_TEST_VALIDATION=0.
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "contract.h"

namespace slu::test {
namespace {

std::uint64_t frameCount() {
  const char* text = std::getenv("SLUICE_TEST_FRAMES");
  return text == nullptr ? 300 : std::strtoull(text, nullptr, 10);
}

// The memory of this process that is resident, or 0 where nothing tells.
std::uint64_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * 4096;
}

bool isCount(const Region& region) {
  return region.place == &FrameSpec::statistics || region.place == &FrameSpec::bucketCounts ||
         region.place == &FrameSpec::drawCounts || region.place == &FrameSpec::rejectCounts;
}

// Frames of every kernel, or of a part of all plans, with counts of records and views that change. Those in place would
// find what an earlier one left.
Scene makeScene(std::uint32_t most, double part, Random& random) {
  SceneBuilder builder(random);
  for (const SluOrder order : kOrders) {
    for (PlanSpec plan : plansOfEveryKernel(order, random)) {
      constexpr std::uint32_t kMostRecords = 20'000;  // more take the reference long
      const bool isInPlace = (plan.info.flags & SLU_PLAN_IN_PLACE_BIT) != 0;
      if (isInPlace || plan.info.maxRecordCount > kMostRecords || !random.chance(part)) continue;
      plan.info.framesInFlight = Endurance::kInFlight;
      const std::uint32_t index = builder.addPlan(plan);
      for (int i = 0; i < 4; ++i) {
        const std::uint32_t count = random.between(0, std::min(plan.info.maxRecordCount, most));
        const Pattern pattern = random.pick({Pattern::half, Pattern::sparse, Pattern::clustered});
        FrameSpec frame = builder.makeFrame(index, makeInput(plan, count, pattern, random),
                                            random.between(1, plan.info.maxViewCount));
        if (random.chance(0.5)) frame.liveCount = builder.addWord(random.between(0, count + 10));
        builder.addFrame(frame);
      }
    }
  }
  return builder.finish();
}

TEST_P(Contract, ManyFramesInFlight) {
  const bool isInFlight =
      GetParam() == MachineKind::vulkan || GetParam() == MachineKind::inlined || GetParam() == MachineKind::cuda;
  if (!isInFlight) GTEST_SKIP() << "frames of this machine are not in flight";
  const std::uint64_t count = frameCount();
  const bool isLong = count > 1000;
  const Scene scene = makeScene(isLong ? 5000 : 500, isLong ? 1.0 : 0.15, random);
  std::vector<Bytes> expected = scene.memories;
  makeCpuMachine()->record(scene)->execute(expected, 1);

  Endurance endurance;
  endurance.frameCount = count;
  // A round has each frame once, and begins 18 frames behind the end of the last one.
  const std::uint64_t round = scene.frames.size();
  ASSERT_GE(round, 24u);
  endurance.frameAt = [&](std::uint64_t i) { return static_cast<std::size_t>((i + i / round * 17) % round); };
  for (const FrameSpec& frame : scene.frames) {
    std::vector<Endurance::Range>& ranges = endurance.told.emplace_back();
    for (const Region& region : outputRegions(scene.planOf(frame), frame.viewCount)) {
      if (isCount(region) && region.bytes != 0) ranges.push_back({frame.*region.place, region.bytes});
    }
  }
  std::uint64_t judged = 0, wrong = 0, early = 0;
  endurance.judge = [&](std::size_t frame, const std::uint8_t* told) {
    for (const Endurance::Range& range : endurance.told[frame]) {
      const std::uint8_t* known = &expected[range.place.memory][range.place.offset];
      if (!std::equal(known, known + range.bytes, told) && ++wrong <= 5) {
        ADD_FAILURE() << "the counts of frame " << judged
                      << " are wrong: " << describe(scene.planOf(scene.frames[frame]));
      }
      told += range.bytes;
    }
    if (++judged == count / 10) early = residentBytes();
  };
  std::vector<Bytes> actual = scene.memories;
  machine().record(scene)->endure(actual, endurance);
  const std::uint64_t late = residentBytes();
  EXPECT_EQ(judged, count);
  EXPECT_EQ(wrong, 0u);
  if (count >= round) {
    EXPECT_TRUE(agreesWithReference(scene, actual));
  }
  std::cout << count << " frames of " << round << ", " << wrong << " wrong; resident " << early / 1024
            << " KiB after a tenth, " << late / 1024 << " KiB at the end\n";
  // What few frames need may still come. The validation layer keeps something of every command buffer.
  const char* validation = std::getenv("SLUICE_TEST_VALIDATION");
  const bool isWatched = GetParam() != MachineKind::cuda && (validation == nullptr || std::string(validation) != "0");
  if (count >= 100'000 && !isWatched) {
    EXPECT_LE(late, early + (4u << 20));
  }
}

}  // namespace
}  // namespace slu::test
