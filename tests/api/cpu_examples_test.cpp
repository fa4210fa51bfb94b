// The CPU route on small inputs whose outputs are worked out by hand.
#include <array>
#include <bit>
#include <cstring>

#include "floats.h"
#include "specimen.h"

namespace slu::test {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kUntouched = 0xabababab;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

// A plan, its memory and a frame; inputs and outputs are lists of words.
class Example {
 public:
  Example(std::uint32_t recordWords, const Words& records) : memory_(4096, kUntouched) {
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.size = memory_.size() * 4;
    info.hostPointer = memory_.data();
    EXPECT_EQ(sluCreateBuffer(context_, &info, buffer_.put()), SLU_SUCCESS);
    const auto count = static_cast<std::uint32_t>(records.size()) / recordWords;
    plan.route = SLU_ROUTE_CPU;
    plan.recordStride = recordWords * 4;
    plan.maxRecordCount = count;
    plan.outputs = SLU_OUTPUT_INDICES_BIT;
    frame.recordCount = count;
    frame.viewCount = 1;
    frame.records = place(records);
    frame.indices = place(Words(count, kUntouched));
  }

  SluBinding place(const Words& words) {
    const SluBinding binding{buffer_, end_ * 4};
    std::copy(words.begin(), words.end(), memory_.begin() + static_cast<std::ptrdiff_t>(end_));
    end_ += words.size();
    return binding;
  }

  void placeStatistics() {
    plan.outputs |= SLU_OUTPUT_STATISTICS_BIT;
    frame.statistics = place(Words(16, 0));
  }

  void cull(SluFlags flags, const SluView& view) {
    plan.cullFlags = flags;
    plan.bounds.source = SLU_BOUNDS_IN_RECORD;
    view_ = view;
    frame.views = &view_;
  }

  void run() {
    if (handle_ == nullptr) {
      plan.bucketCount = static_cast<std::uint32_t>(buckets.size());
      plan.buckets = buckets.data();
      ASSERT_EQ(sluCreatePlan(context_, &plan, handle_.put()), SLU_SUCCESS) << context_.message();
    }
    ASSERT_EQ(sluCompact(handle_, &frame), SLU_SUCCESS) << context_.message();
  }

  std::uint32_t& word(const SluBinding& binding, std::size_t i = 0) { return memory_[binding.offset / 4 + i]; }
  Words words(const SluBinding& binding, std::size_t count) {
    const auto first = memory_.begin() + static_cast<std::ptrdiff_t>(binding.offset / 4);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
  SluStatistics statistics() {
    SluStatistics value;
    std::memcpy(&value, &word(frame.statistics), sizeof(value));
    return value;
  }
  Words indices(std::size_t count) { return words(frame.indices, count); }

  SluPlanCreateInfo plan = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  std::vector<SluBucket> buckets;
  SluFrameInfo frame = SLU_INIT(FRAME_INFO, SluFrameInfo);

 private:
  LoggedContext context_;
  std::vector<std::uint32_t> memory_;
  Buffer buffer_;
  Plan handle_;
  SluView view_{};
  std::size_t end_ = 0;
};

// Everything passes.
SluView openView() {
  SluView view{};
  for (auto& plane : view.planes) plane[3] = 1.0f;
  view.maxDistance = kInfinity;
  return view;
}

// Records of one sphere each.
Words spheres(std::initializer_list<std::array<float, 4>> list) {
  Words words;
  for (const auto& sphere : list) {
    for (const float value : sphere) words.push_back(bits(value));
  }
  return words;
}

TEST(CpuExamples, NonEmptyLooksAtItsRangeAlone) {
  Example example(3, {1, 0, 1, /**/ 0, 0x00010000, 0, /**/ 0, 0, 0, /**/ 0, 1, 0});
  example.plan.live = {SLU_LIVE_NON_EMPTY, 4, 4};
  example.run();
  EXPECT_EQ(example.indices(4), (Words{1, 3, kUntouched, kUntouched}));
}

TEST(CpuExamples, PositiveInt) {
  Example example(1, {0, 1, 0xffffffff, 0x7fffffff, 0x80000000});
  example.plan.live.test = SLU_LIVE_POSITIVE_INT;
  example.run();
  EXPECT_EQ(example.indices(3), (Words{1, 3, kUntouched}));
}

TEST(CpuExamples, PositiveFloat) {
  Example example(1, {0, 0x80000000, 1, 0x80000001, bits(1.0f), bits(-1.0f), 0x7f800000, 0xff800000, 0x7f800001,
                      0x7fc00000, 0xffc00000, 0x007fffff, 0x7f7fffff});
  example.plan.live.test = SLU_LIVE_POSITIVE_FLOAT;
  example.run();
  EXPECT_EQ(example.indices(6), (Words{2, 4, 6, 11, 12, kUntouched}));
}

TEST(CpuExamples, Flags) {
  struct Case {
    SluLiveTest test;
    Words flags;
    Words kept;
  };
  const Case cases[] = {
      {SLU_LIVE_FLAG_BITS, {0x80000001, 0x00000002}, {0, 31, 33}},
      {SLU_LIVE_FLAG_BYTES, {0x01000000, 0x00008000, 0, 0, 0, 0, 0, 0, 0xffff00ff}, {3, 5, 32, 34}},
      {SLU_LIVE_FLAG_WORDS, Words(35, 0x01000000), {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(static_cast<int>(c.test));
    Example example(1, Words(35, 0));
    example.plan.live.test = c.test;
    example.frame.records = {};  // not read
    example.frame.flags = example.place(c.flags);
    example.run();
    Words expected = c.kept;
    for (std::uint32_t i = 0; i < 35 && c.test == SLU_LIVE_FLAG_WORDS; ++i) expected.push_back(i);
    EXPECT_EQ(example.indices(expected.size()), expected);
    EXPECT_EQ(example.word(example.frame.indices, expected.size()), expected.size() < 35 ? kUntouched : c.flags[0]);
  }
}

TEST(CpuExamples, LimitsOfDistanceBelongInside) {
  Example example(4, spheres({{3, 4, 0, 1}, {2.99f, 4, 0, 1}, {0, 0, 10, 0}, {0, 0, 10.01f, 0}, {0, 6, 0, 0}}));
  SluView view = openView();
  view.minDistance = 5.0f;
  view.maxDistance = 10.0f;
  example.cull(SLU_CULL_DISTANCE_BIT, view);
  example.placeStatistics();
  example.run();
  EXPECT_EQ(example.indices(4), (Words{0, 2, 4, kUntouched}));
  EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_DISTANCE], 2u);
}

TEST(CpuExamples, SpheresThatTouchAPlaneAreInside) {
  Example example(4, spheres({{-2, 0, 0, 2}, {-2.01f, 0, 0, 2}, {0, 5, 0, 1}, {0, 5.01f, 0, 1}, {9, 0, 0, 0}}));
  SluView view = openView();
  const float left[4] = {1, 0, 0, 0}, top[4] = {0, -1, 0, 4};
  std::copy_n(left, 4, view.planes[0]);
  std::copy_n(top, 4, view.planes[5]);
  example.cull(SLU_CULL_FRUSTUM_BIT, view);
  example.placeStatistics();
  example.run();
  EXPECT_EQ(example.indices(4), (Words{0, 2, 4, kUntouched}));
  EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_FRUSTUM], 2u);
}

TEST(CpuExamples, ProjectedSize) {
  Example example(4, spheres({{8, 0, 0, 1}, {8.01f, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 8, 0.99f}}));
  SluView view = openView();
  view.minSizeRatio = 0.125f;
  example.cull(SLU_CULL_SIZE_BIT, view);
  example.placeStatistics();
  example.run();
  EXPECT_EQ(example.indices(3), (Words{0, 2, kUntouched}));
  EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_SIZE], 2u);
}

TEST(CpuExamples, TransformScalesThenRotatesThenMoves) {
  // A quarter turn about z takes x to y: the center (1, 0, 0) becomes 3 * (0, 1, 0) + (10, 0, 0), its radius 3 * 2.
  const float s = 0.70710678f;
  Words record = spheres({{1, 0, 0, 2}});
  for (const float value : {10.0f, 0.0f, 0.0f, -3.0f, 0.0f, 0.0f, -s, s}) record.push_back(bits(value));
  Example example(12, record);
  example.plan.bounds.transformFlags = 7;
  example.plan.bounds.positionOffset = 16;
  example.plan.bounds.scaleOffset = 28;
  example.plan.bounds.rotationOffset = 32;
  SluView view = openView();
  view.eye[0] = 10.0f;
  view.eye[1] = 3.0f;  // the world center
  view.maxDistance = 1e-5f;
  view.minSizeRatio = 1e5f;
  const float touched[4] = {0, -1, 0, -2.9999f}, missed[4] = {0, -1, 0, -3.001f};  // from y = 3 down to -3
  std::copy_n(touched, 4, view.planes[0]);
  example.cull(SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT, view);
  example.placeStatistics();
  example.run();
  EXPECT_EQ(example.statistics().keptCount, 1u);
  std::copy_n(missed, 4, view.planes[0]);
  example.cull(example.plan.cullFlags, view);
  example.run();
  EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_FRUSTUM], 1u);
}

TEST(CpuExamples, InvalidBoundsAreRejectedWithoutAnyCulling) {
  Example example(4, spheres({{1, 2, 3, 1},
                              {kNan, 0, 0, 1},
                              {0, kInfinity, 0, 1},
                              {0, 0, 0, kNan},
                              {0, 0, 0, kInfinity},
                              {0, 0, 1.1e18f, 1},
                              {0, 0, 0.9e18f, 1}}));
  example.cull(0, openView());
  example.plan.key.lodCount = 2;
  example.buckets.assign(2, SluBucket{7, {}});
  example.frame.indices = example.place(Words(14, kUntouched));
  example.placeStatistics();
  example.run();
  EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_INVALID], 5u);
  EXPECT_EQ(example.words(example.frame.indices, 10),
            (Words{kUntouched, kUntouched, kUntouched, kUntouched, kUntouched, kUntouched, kUntouched, 0, 6,
                   kUntouched}));  // the thresholds are 0, so all are at LOD 1
}

TEST(CpuExamples, LodCountsTheThresholdsReached) {
  Example example(4, spheres({{0, 0, 1.99f, 1}, {0, 0, 2, 1}, {0, 0, 5, 1}, {0, 0, 4.99f, 1}, {0, 0, 900, 1}}));
  SluView view = openView();
  view.lodDistances[0] = 2.0f;
  view.lodDistances[1] = 5.0f;
  example.cull(0, view);
  example.plan.key.lodCount = 3;
  example.buckets = {{1, {}}, {3, {}}, {2, {}}};
  example.plan.outputs |= SLU_OUTPUT_BUCKET_COUNTS_BIT;
  example.frame.indices = example.place(Words(6, kUntouched));
  example.frame.bucketCounts = example.place(Words(6, kUntouched));
  example.run();
  EXPECT_EQ(example.words(example.frame.indices, 6), (Words{0, 1, 3, kUntouched, 2, 4}));
  EXPECT_EQ(example.words(example.frame.bucketCounts, 6), (Words{1, 1, 2, 2, 2, 2}));
}

// Record: flag, key, sphere. Each fails one test more than the one before it.
TEST(CpuExamples, TheFirstTestThatFailsCounts) {
  const auto record = [](std::uint32_t live, std::uint32_t key, std::array<float, 4> sphere) {
    Words words = {live, key};
    for (const float value : sphere) words.push_back(bits(value));
    return words;
  };
  Words records;
  for (const Words& words : {record(1, 1, {5, 0, 0, 5}), record(1, 1, {5, 0, 0, 0.1f}), record(1, 1, {-6, 0, 0, 0.1f}),
                             record(1, 1, {-60, 0, 0, 0.1f}), record(1, 1, {kNan, 0, 0, 0.1f}),
                             record(1, 2, {kNan, 0, 0, 0.1f}), record(0, 2, {kNan, 0, 0, 0.1f})}) {
    records.insert(records.end(), words.begin(), words.end());
  }
  Example example(6, records);
  SluView view = openView();
  view.planes[0][0] = 1.0f;
  view.planes[0][3] = 0.0f;
  view.maxDistance = 10.0f;
  view.minSizeRatio = 0.5f;
  example.plan.live.test = SLU_LIVE_POSITIVE_INT;
  example.plan.key = {2, 4, 0, 0, 0};
  example.cull(7, view);
  example.plan.bounds.offset = 8;
  example.buckets.assign(2, SluBucket{7, {}});
  example.frame.indices = example.place(Words(14, kUntouched));
  example.placeStatistics();
  example.run();
  const SluStatistics statistics = example.statistics();
  EXPECT_EQ(statistics.inputCount, 7u);
  EXPECT_EQ(statistics.demandedCount, 1u);
  for (const std::uint32_t count : statistics.rejectedCount) EXPECT_EQ(count, 1u);
  EXPECT_EQ(example.words(example.frame.indices, 8)[7], 0u);
}

// Two buckets and two views: the commands, their gaps, and zeros behind the draw count.
struct DrawCase {
  SluDrawType type;
  SluDrawTemplate first, second;
  Words commands;  // without gaps: view 0 keeps 0 in bucket 0 and 2 in bucket 1, view 1 the same
};

TEST(CpuExamples, Draws) {
  const DrawCase cases[] = {{SLU_DRAW_INSTANCES,
                             {3, 0, 4, 0, 50},
                             {6, 0, 7, 0, 60},
                             {3, 0, 4, 50, /**/ 6, 2, 7, 61, /**/ 3, 0, 4, 55, /**/ 6, 2, 7, 66}},
                            {SLU_DRAW_VERTICES,
                             {3, 8, 4, 0, 50},
                             {6, 9, 7, 0, 60},
                             {0, 8, 4, 50, /**/ 12, 9, 13, 60, /**/ 0, 8, 19, 50, /**/ 12, 9, 43, 60}},
                            {SLU_DRAW_INDEXED_INSTANCES,
                             {3, 0, 4, -1, 50},
                             {6, 0, 7, -2, 60},
                             {3,      0, 4, 0xffffffff, 50, /**/ 6, 2, 7, 0xfffffffe, 61,
                              /**/ 3, 0, 4, 0xffffffff, 55, /**/ 6, 2, 7, 0xfffffffe, 66}}};
  for (const DrawCase& c : cases) {
    for (const SluFlags flags : {SluFlags{0}, SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT}}) {
      SCOPED_TRACE(std::to_string(c.type) + ", flags " + std::to_string(flags));
      const std::size_t commandWords = c.commands.size() / 4;
      Example example(1, {1, 1});
      example.plan.key.keyCount = 2;
      example.plan.maxViewCount = 2;
      example.frame.viewCount = 2;
      example.buckets = {{1, c.first}, {4, c.second}};
      example.plan.outputs = SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
      example.plan.draws = {c.type, static_cast<std::uint32_t>(commandWords + 2) * 4, flags};
      example.frame.indices = {};
      example.frame.draws = example.place(Words(4 * (commandWords + 2), kUntouched));
      example.frame.drawCounts = example.place(Words(2, kUntouched));
      example.run();
      Words expected;
      for (std::size_t i = 0; i < 4; ++i) {
        const auto command = c.commands.begin() + static_cast<std::ptrdiff_t>((flags != 0 ? i | 1 : i) * commandWords);
        const bool isPadding = flags != 0 && i % 2 == 1;
        for (std::size_t w = 0; w < commandWords; ++w) {
          expected.push_back(isPadding ? 0 : command[static_cast<std::ptrdiff_t>(w)]);
        }
        expected.insert(expected.end(), 2, kUntouched);
      }
      EXPECT_EQ(example.words(example.frame.draws, expected.size()), expected);
      EXPECT_EQ(example.words(example.frame.drawCounts, 2), flags != 0 ? (Words{1, 1}) : (Words{2, 2}));
    }
  }
}

TEST(CpuExamples, OverflowStaysUntilCleared) {
  Example example(1, {1, 1, 1, 1});
  example.plan.live.test = SLU_LIVE_POSITIVE_INT;
  example.buckets = {{2, {}}};
  example.placeStatistics();
  example.frame.liveCount = example.place({9});
  example.run();
  EXPECT_EQ(example.indices(3), (Words{0, 1, kUntouched}));
  EXPECT_EQ(example.statistics().inputCount, 4u);
  EXPECT_EQ(example.statistics().demandedCount, 4u);
  EXPECT_EQ(example.statistics().keptCount, 2u);
  EXPECT_EQ(example.statistics().overflow, SLU_OVERFLOW_CAPACITY_BIT | SLU_OVERFLOW_INPUT_BIT);
  example.word(example.frame.liveCount) = 2;
  example.run();
  EXPECT_EQ(example.statistics().inputCount, 2u);
  EXPECT_EQ(example.statistics().keptCount, 2u);
  EXPECT_EQ(example.statistics().overflow, SLU_OVERFLOW_CAPACITY_BIT | SLU_OVERFLOW_INPUT_BIT);
  example.word(example.frame.statistics, 4) = 0;
  example.run();
  EXPECT_EQ(example.statistics().overflow, 0u);
}

TEST(CpuExamples, NothingInNothingOut) {
  Example example(1, {1});
  example.plan.live.test = SLU_LIVE_POSITIVE_INT;
  example.placeStatistics();
  example.frame.recordCount = 0;
  example.run();
  EXPECT_EQ(example.statistics().inputCount, 0u);
  EXPECT_EQ(example.statistics().keptCount, 0u);
  EXPECT_EQ(example.indices(1), Words{kUntouched});
}

TEST(CpuExamples, InPlaceReadsBeforeItWrites) {
  Example example(1, {0, 5, 6, 0, 7, 8});
  example.plan.live.test = SLU_LIVE_POSITIVE_INT;
  example.plan.flags = SLU_PLAN_IN_PLACE_BIT;
  example.plan.outputs = SLU_OUTPUT_RECORDS_BIT;
  example.buckets = {{4, {}}};
  example.frame.indices = {};
  example.frame.keptRecords = example.frame.records;
  example.frame.keptRecords.offset += 8;  // a plain forward copy would read what it wrote
  example.run();
  EXPECT_EQ(example.words(example.frame.records, 6), (Words{0, 5, 5, 6, 7, 8}));
}

}  // namespace
}  // namespace slu::test
