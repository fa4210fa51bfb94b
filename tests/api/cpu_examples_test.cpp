// The CPU route on small inputs whose outputs are worked out by hand.
#include <array>
#include <bit>
#include <cstring>
#include <utility>

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

Words wordsOf(std::initializer_list<float> values) {
  Words words;
  for (const float value : values) words.push_back(bits(value));
  return words;
}

// The one record that is valid is kept by a plane that it just reaches along the normal, and not by one beyond.
void expectReach(Example& example, const std::array<float, 3>& normal, float most) {
  SCOPED_TRACE(testing::Message() << "along " << normal[0] << ", " << normal[1] << ", " << normal[2]);
  if (example.frame.statistics.buffer == nullptr) example.placeStatistics();
  for (const float beyond : {0.0f, 0.01f}) {
    SluView view = openView();
    std::copy_n(normal.begin(), 3, view.planes[2]);
    view.planes[2][3] = -most - beyond;
    example.cull(SLU_CULL_FRUSTUM_BIT, view);
    ASSERT_NO_FATAL_FAILURE(example.run());
    EXPECT_EQ(example.statistics().keptCount, beyond == 0.0f ? 1u : 0u) << "beyond by " << beyond;
    EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_FRUSTUM], beyond == 0.0f ? 0u : 1u);
  }
}

// Center (1, 2, 3) and extents (2, 4, 8), in each shape.
const std::pair<SluBoundsShape, Words> kBoxes[] = {
    {SLU_SHAPE_BOX, wordsOf({1, 2, 3, 2, 4, 8})},
    {SLU_SHAPE_CORNERS, wordsOf({-1, -2, -5, 3, 6, 11})},
    {SLU_SHAPE_BOX_VEC4, wordsOf({1, 2, 3, kNan, 2, 4, 8, kNan})},
    {SLU_SHAPE_CORNERS_VEC4, wordsOf({-1, -2, -5, kNan, 3, 6, 11, kNan})}};
std::uint32_t lengthOf(const Words& words) { return static_cast<std::uint32_t>(words.size()); }

TEST(CpuExamples, BoxesReachByTheirExtents) {
  for (const auto& [shape, box] : kBoxes) {
    SCOPED_TRACE(static_cast<int>(shape));
    Example example(lengthOf(box), box);
    example.plan.bounds.shape = shape;
    expectReach(example, {1, 0, 0}, 3);
    expectReach(example, {0, -1, 0}, 2);
    // 0.5 + 1 + 2.12109375 of the center and 1 + 2 + 5.65625 of the extents, each exact in floats.
    expectReach(example, {0.5f, 0.5f, 0.70703125f}, 12.27734375f);
    expectReach(example, {0.5f, -0.5f, -0.70703125f}, 6.03515625f);
  }
}

// Half the diagonal, of the length sqrt(4 + 16 + 64) = 9.165, against the distance from the center.
TEST(CpuExamples, BoxesAreAsLargeAsTheirDiagonal) {
  for (const auto& [shape, box] : kBoxes) {
    Example example(lengthOf(box), box);
    example.plan.bounds.shape = shape;
    example.placeStatistics();
    for (const float distance : {9.16f, 9.17f}) {
      SluView view = openView();
      view.eye[0] = 1.0f;
      view.eye[1] = 2.0f - distance;
      view.eye[2] = 3.0f;
      view.minSizeRatio = 1.0f;
      example.cull(SLU_CULL_SIZE_BIT, view);
      example.run();
      EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_SIZE], distance > 9.165f ? 1u : 0u);
    }
  }
}

// (x, y, z) goes to (10 - 2y, 20 + 3x, 30 - z), in each form. The fourth rows of 4x4 matrices are not read.
const std::pair<SluMatrixForm, Words> kMatrices[] = {
    {SLU_MATRIX_ROWS, wordsOf({0, -2, 0, 10, /**/ 3, 0, 0, 20, /**/ 0, 0, -1, 30})},
    {SLU_MATRIX_COLUMNS_4X4,
     wordsOf({0, 3, 0, kNan, /**/ -2, 0, 0, kInfinity, /**/ 0, 0, -1, 1e30f, /**/ 10, 20, 30, kNan})},
    {SLU_MATRIX_COLUMNS_3X4, wordsOf({0, 3, 0, /**/ -2, 0, 0, /**/ 0, 0, -1, /**/ 10, 20, 30})}};

Words join(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// A mirror image: the box's center becomes (6, 23, 27) and its extents (8, 6, 8); the sphere's radius, 2, becomes 6.
TEST(CpuExamples, MatricesInEachForm) {
  for (const auto& [form, matrix] : kMatrices) {
    SCOPED_TRACE(static_cast<int>(form));
    const auto move = [&, form = form](Example& example, std::uint32_t boundsWords) {
      example.plan.bounds.transformFlags = SLU_TRANSFORM_MATRIX_BIT;
      example.plan.bounds.matrixForm = form;
      example.plan.bounds.matrixOffset = boundsWords * 4;
    };
    for (const auto& [shape, box] : kBoxes) {
      Example example(lengthOf(box) + lengthOf(matrix), join(box, matrix));
      example.plan.bounds.shape = shape;
      move(example, lengthOf(box));
      expectReach(example, {1, 0, 0}, 14);
      expectReach(example, {-1, 0, 0}, 2);
      expectReach(example, {0, 1, 0}, 29);
      expectReach(example, {0, 0, -1}, -19);
    }
    Example example(4 + lengthOf(matrix), join(spheres({{1, 2, 3, 2}}), matrix));
    move(example, 4);
    expectReach(example, {1, 0, 0}, 12);
    expectReach(example, {0, -1, 0}, -17);
    expectReach(example, {0, 0, 1}, 33);
  }
}

// The columns (1, 0, 0), (2, 1, 0) and (0, 0, 1): the rows of transpose(M) * M add up to 3, 7 and 1. The longest column
// alone has the length 2.236.
TEST(CpuExamples, AShearedSphereGrowsByTheBound) {
  Example example(16, join(spheres({{0, 0, 0, 1}}), wordsOf({1, 2, 0, 0, /**/ 0, 1, 0, 0, /**/ 0, 0, 1, 0})));
  example.plan.bounds.transformFlags = SLU_TRANSFORM_MATRIX_BIT;
  example.plan.bounds.matrixOffset = 16;
  expectReach(example, {1, 0, 0}, 2.64f);  // sqrt(7) is 2.6458
  expectReach(example, {0, -1, 0}, 2.64f);
}

// The quaternion takes x to y, y to z and z to x. Center (1, 1, 1) is scaled to (2, -3, 0.5), turned to (0.5, 2, -3) and
// moved to (10.5, 2, -3); extents (1, 2, 4) become (2, 2, 6), a radius of 2 becomes 6. The second record's are NaN.
TEST(CpuExamples, AScalePerAxisInAStream) {
  const Words transform = wordsOf({-7, 10, 0, 0, /**/ 2, -3, 0.5f, /**/ 0.5f, 0.5f, 0.5f, 0.5f});
  for (const bool isBox : {true, false}) {
    SCOPED_TRACE(isBox);
    const Words bounds = isBox ? wordsOf({1, 1, 1, 1, 2, 4}) : wordsOf({1, 1, 1, 2});
    Example example(static_cast<std::uint32_t>(bounds.size()), join(bounds, bounds));
    SluBounds& by = example.plan.bounds;
    by.shape = isBox ? SLU_SHAPE_BOX : SLU_SHAPE_SPHERE;
    by.transformFlags = SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT;
    by.transformStride = 44;
    by.positionOffset = 4;
    by.scaleOffset = 16;
    by.rotationOffset = 28;
    example.frame.transforms = example.place(join(transform, Words(11, bits(kNan))));
    expectReach(example, {1, 0, 0}, isBox ? 12.5f : 16.5f);
    expectReach(example, {0, 1, 0}, isBox ? 4.0f : 8.0f);
    expectReach(example, {0, 0, -1}, 9);
    EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_INVALID], 1u);
  }
}

// Of boxes a negative extent or inverted corners, of what a matrix moves a radius whose square is not finite.
TEST(CpuExamples, InvalidVolumes) {
  Words boxes;
  for (const Words& box : {wordsOf({0, 0, 0, 1, 1, 1}), wordsOf({0, 0, 0, 1, -0.0f, 0}), wordsOf({0, 0, 0, 1, -1, 1}),
                           wordsOf({0, 0, 0, 1, 1, kNan}), wordsOf({0, kNan, 0, 1, 1, 1}),
                           wordsOf({0, 0, 0, 2e19f, 0, 0}), wordsOf({0, 0, 0, 1e19f, 0, 0})}) {
    boxes = join(boxes, box);
  }
  Example example(6, boxes);
  example.plan.bounds.shape = SLU_SHAPE_BOX;
  example.cull(SLU_CULL_DISTANCE_BIT, openView());
  example.placeStatistics();
  example.run();
  EXPECT_EQ(example.indices(4), (Words{0, 1, 6, kUntouched}));
  EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_INVALID], 4u);

  Example corners(6, join(wordsOf({-1, -1, -1, 1, 1, 1}), wordsOf({-1, 1, -1, 1, 0.5f, 1})));
  corners.plan.bounds.shape = SLU_SHAPE_CORNERS;
  corners.cull(SLU_CULL_DISTANCE_BIT, openView());
  corners.run();
  EXPECT_EQ(corners.indices(2), (Words{0, kUntouched}));

  Words sphereWords;
  for (const float radius : {1.0f, 1e19f, 2e19f, -1.0f}) {
    sphereWords = join(sphereWords, join(spheres({{0, 0, 0, radius}}), wordsOf({1, -1, 0.5f})));
  }
  Example scaled(7, sphereWords);
  scaled.plan.bounds.transformFlags = SLU_TRANSFORM_AXIS_SCALE_BIT;
  scaled.plan.bounds.scaleOffset = 16;
  scaled.cull(SLU_CULL_DISTANCE_BIT, openView());
  scaled.run();
  EXPECT_EQ(scaled.indices(3), (Words{0, 1, kUntouched}));
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

// Sizes and LODs of an orthographic view do not depend on the distance, which is 1 for them, even on the near side of a
// sphere that holds the eye.
TEST(CpuExamples, AnOrthographicView) {
  const auto kept = [](SluView view, SluFlags flags, SluFlags lodFlags) {
    view.flags = flags;
    Example example(4, spheres({{3, 0, 0, 0.25f}, {300, 0, 0, 0.25f}, {300, 0, 0, 0.2f}, {1, 0, 0, 4}}));
    example.cull(SLU_CULL_SIZE_BIT, view);
    example.plan.lod.flags = lodFlags;
    example.plan.key = {1, 0, 0, 0, 3};
    example.buckets.assign(3, SluBucket{4, {}});
    example.frame.indices = example.place(Words(12, kUntouched));
    example.run();
    return example.words(example.frame.indices, 12);
  };
  const std::uint32_t none = kUntouched;
  SluView view = openView();
  view.minSizeRatio = 0.25f;
  view.lodDistances[0] = 1.0f;
  view.lodDistances[1] = 1.5f;
  const Words second = {none, none, none, none, 0, 1, 3, none, none, none, none, none};
  EXPECT_EQ(kept(view, SLU_VIEW_ORTHOGRAPHIC_BIT, 0), second);
  EXPECT_EQ(kept(view, SLU_VIEW_ORTHOGRAPHIC_BIT, SLU_LOD_NEAR_SIDE_BIT), second);
  view.lodDistances[0] = 1.0625f;
  const Words first = {0, 1, 3, none, none, none, none, none, none, none, none, none};
  EXPECT_EQ(kept(view, SLU_VIEW_ORTHOGRAPHIC_BIT, 0), first);
  EXPECT_EQ(kept(view, SLU_VIEW_ORTHOGRAPHIC_BIT, SLU_LOD_NEAR_SIDE_BIT), first);
  EXPECT_EQ(kept(view, 0, 0), (Words{3, none, none, none, none, none, none, none, none, none, none, none}));
}

// By layers alone a view has nothing else to say.
TEST(CpuExamples, LayersAlone) {
  const auto kept = [](std::uint32_t mask, bool isStream) {
    Example example(1, {5, 0xffffffff, 0, 0x80000000, 2});
    SluView view;
    std::memset(&view, 0xff, sizeof(view));
    view.flags = 0;
    view.layerMask = mask;
    example.cull(SLU_CULL_LAYERS_BIT, view);
    example.plan.bounds = {};
    if (isStream) {
      example.plan.layers = {8, 4, 0, 0};
      example.frame.layers = example.place({0, 2, 0, 0, 0, 0xffffffff, 0, 4, 0, 1});
      example.frame.records = {};
    }
    example.run();
    return example.indices(5);
  };
  const std::uint32_t none = kUntouched;
  EXPECT_EQ(kept(4, false), (Words{0, 1, none, none, none}));
  EXPECT_EQ(kept(0x80000002u, false), (Words{1, 3, 4, none, none}));
  EXPECT_EQ(kept(0, false), Words(5, none));
  EXPECT_EQ(kept(6, true), (Words{0, 2, 3, none, none}));
}

// Record: mark, sphere. A record that is marked is kept whatever its bounds hold, and is at LOD 0 if they say nothing.
TEST(CpuExamples, RecordsThatAreNeverCulled) {
  Words records;
  for (const auto& [mark, sphere] : {std::pair(0u, std::array{50.0f, 0.0f, 0.0f, 1.0f}),
                                     {4u, {50.0f, 0.0f, 0.0f, 1.0f}},
                                     {0xfbu, {5.0f, 0.0f, 0.0f, 1.0f}},
                                     {0xffu, {kNan, 0.0f, 0.0f, kInfinity}},
                                     {3u, {5.0f, 0.0f, 0.0f, -1.0f}},
                                     {4u, {5.0f, 0.0f, 0.0f, -1.0f}}}) {
    records.push_back(mark);
    for (const float value : sphere) records.push_back(bits(value));
  }
  Example example(5, records);
  SluView view = openView();
  view.maxDistance = 10.0f;
  view.lodDistances[0] = 2.0f;
  view.lodDistances[1] = 20.0f;
  example.cull(SLU_CULL_DISTANCE_BIT, view);
  example.plan.bounds.offset = 4;
  example.plan.layers.neverCullMask = 4;
  example.plan.key.lodCount = 3;
  example.buckets.assign(3, SluBucket{6, {}});
  example.frame.indices = example.place(Words(18, kUntouched));
  example.placeStatistics();
  example.run();
  const std::uint32_t none = kUntouched;
  EXPECT_EQ(example.words(example.frame.indices, 18),
            (Words{3, 5, none, none, none, none, 2, none, none, none, none, none, 1, none, none, none, none, none}));
  EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_DISTANCE], 1u);
  EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_INVALID], 1u);
}

// Record: flag and layers, key, sphere. Each fails one test more than the one before it. Of the two meshes the first has
// no LOD.
TEST(CpuExamples, TheFirstTestThatFailsCounts) {
  const auto record = [](std::uint32_t live, std::uint32_t key, std::array<float, 4> sphere) {
    Words words = {live, key};
    for (const float value : sphere) words.push_back(bits(value));
    return words;
  };
  Words records;
  for (const Words& words :
       {record(6, 1, {5, 0, 0, 5}), record(6, 0, {5, 0, 0, 5}), record(6, 0, {5, 0, 0, 0.1f}),
        record(6, 0, {-6, 0, 0, 0.1f}), record(6, 0, {-60, 0, 0, 0.1f}), record(6, 0, {kNan, 0, 0, 0.1f}),
        record(4, 0, {kNan, 0, 0, 0.1f}), record(4, 2, {kNan, 0, 0, 0.1f}), record(0, 2, {kNan, 0, 0, 0.1f})}) {
    records.insert(records.end(), words.begin(), words.end());
  }
  Example example(6, records);
  SluView view = openView();
  view.planes[0][0] = 1.0f;
  view.planes[0][3] = 0.0f;
  view.maxDistance = 10.0f;
  view.minSizeRatio = 0.5f;
  view.layerMask = 0x80000002u;
  example.plan.live.test = SLU_LIVE_POSITIVE_INT;
  example.plan.key = {2, 4, 0, 0, 0};
  example.cull(15, view);
  example.plan.bounds.offset = 8;
  example.buckets.assign(2, SluBucket{7, {}});
  example.plan.meshes = {4, SLU_MESH_LOD_MASK_BIT, 0, 0, 0, 0, 0, 0, 0};
  example.frame.meshes = example.place({0, 1});
  example.frame.meshCount = 2;
  example.frame.indices = example.place(Words(14, kUntouched));
  example.placeStatistics();
  example.run();
  const SluStatistics statistics = example.statistics();
  EXPECT_EQ(statistics.inputCount, 9u);
  EXPECT_EQ(statistics.demandedCount, 1u);
  for (std::uint32_t reason = 0; reason < SLU_REJECT_COUNT; ++reason) {
    const bool isTested = reason < SLU_REJECT_OCCLUDED;
    EXPECT_EQ(statistics.rejectedCount[reason], isTested ? 1u : 0u) << "reason " << reason;
  }
  EXPECT_EQ(example.words(example.frame.indices, 8)[7], 0u);
}

// Two buckets and two views: the commands, their gaps, and zeros behind the draw count.
struct DrawCase {
  SluDrawType type;
  SluDrawTemplate first, second;
  Words commands;  // without gaps: view 0 keeps 0 in bucket 0 and 2 in bucket 1, view 1 the same
};

TEST(CpuExamples, Draws) {
  const DrawCase cases[] = {
      {SLU_DRAW_INSTANCES,
       {3, 0, 4, 0, 50},
       {6, 0, 7, 0, 60},
       {3, 0, 4, 50, /**/ 6, 2, 7, 61, /**/ 3, 0, 4, 55, /**/ 6, 2, 7, 66}},
      {SLU_DRAW_VERTICES,
       {3, 8, 4, 0, 50},
       {6, 9, 7, 0, 60},
       {0, 8, 4, 50, /**/ 12, 9, 13, 60, /**/ 0, 8, 19, 50, /**/ 12, 9, 43, 60}},
      {SLU_DRAW_INDEXED_INSTANCES, {3, 0, 4, -1, 50}, {6, 0, 7, -2, 60}, {3,      0, 4, 0xffffffff, 50,
                                                                          /**/ 6, 2, 7, 0xfffffffe, 61,
                                                                          /**/ 3, 0, 4, 0xffffffff, 55,
                                                                          /**/ 6, 2, 7, 0xfffffffe, 66}},
      {SLU_DRAW_WORKGROUPS, {64, 0, 0, 0, 0}, {1, 0, 0, 0, 0}, {0, 1, 1, /**/ 2, 1, 1, /**/ 0, 1, 1, /**/ 2, 1, 1}}};
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

// Two meshes of 3 LODs each, between words of the host's own: LODs, mask, then of each LOD indices, first index and
// threshold, then the vertex offset. The second one uses 2 LODs, of which the coarser one is not there.
TEST(CpuExamples, AMeshTable) {
  const auto record = [](std::uint32_t key, float x) { return join({key}, wordsOf({x, 0, 0, 1})); };
  Words records;
  for (const Words& words :
       {record(0, 4.99f), record(0, 5), record(0, -10), record(0, 100), record(1, 1), record(1, 50), record(2, 1)}) {
    records.insert(records.end(), words.begin(), words.end());
  }
  Example example(5, records);
  SluView view = openView();
  view.lodRatio = 2.0f;  // a threshold of 10 is reached at a distance of 5
  example.cull(0, view);
  example.plan.bounds.offset = 4;
  example.plan.key = {3, 0, 0, 0, 3};
  example.plan.lod.rule = SLU_LOD_MESH_DISTANCES;
  SluMeshes& meshes = example.plan.meshes;
  meshes.stride = 14 * 4;
  meshes.parts =
      SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT | SLU_MESH_VERTEX_OFFSET_BIT;
  meshes.lodCountOffset = 1 * 4;
  meshes.lodMaskOffset = 2 * 4;
  meshes.elementCountOffset = 3 * 4;
  meshes.firstElementOffset = 4 * 4;
  meshes.thresholdOffset = 5 * 4;
  meshes.lodStride = 3 * 4;
  meshes.vertexOffsetOffset = 12 * 4;
  const std::uint32_t below = static_cast<std::uint32_t>(-5), nan = bits(kNan);
  example.frame.meshes =
      example.place({77, 3, 7, /**/ 300, 0,    nan, /**/ 120, 300,  bits(10), /**/ 36, 420,  bits(20), /**/ below, 77,
                     77, 2, 5, /**/ 600, 1000, nan, /**/ 60,  1600, bits(5),  /**/ 6,  1660, bits(8),  /**/ 100,   77});
  example.frame.meshCount = 2;
  for (const std::uint32_t capacity : {2u, 2u, 3u, 4u, 1u, 1u, 1u, 1u, 1u}) example.buckets.push_back({capacity, {}});
  example.plan.draws = {SLU_DRAW_INDEXED_INSTANCES, 20, 0};
  example.plan.outputs |= SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  example.frame.indices = example.place(Words(16, kUntouched));
  example.frame.draws = example.place(Words(9 * 5, kUntouched));
  example.frame.bucketCounts = example.place(Words(18, kUntouched));
  example.placeStatistics();
  example.run();
  EXPECT_EQ(example.words(example.frame.bucketCounts, 18),
            (Words{1, 1, 1, 1, 2, 2, /**/ 2, 2, 0, 0, 0, 0, /**/ 0, 0, 0, 0, 0, 0}));
  constexpr std::uint32_t _ = kUntouched;
  EXPECT_EQ(example.indices(16), (Words{0, _, 1, _, 2, 3, _, /**/ 4, 5, _, _, _, _, /**/ _, _, _}));
  EXPECT_EQ(example.words(example.frame.draws, 45),
            (Words{300, 1, 0,    below, 0,  /**/ 120, 1, 300,  below, 2,  /**/ 36, 2, 420,  below, 4,
                   600, 2, 1000, 100,   7,  /**/ 60,  0, 1600, 100,   11, /**/ 6,  0, 1660, 100,   12,
                   0,   0, 0,    0,     13, /**/ 0,   0, 0,    0,     14, /**/ 0,  0, 0,    0,     15}));
  EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_KEY], 1u);
  EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_LOD], 0u);

  // The first mesh is streamed out. All LODs of the second one are there, one of them with another number of indices.
  example.word(example.frame.meshes, 2) = 0;
  example.word(example.frame.meshes, 14 + 1) = 3;
  example.word(example.frame.meshes, 14 + 2) = 7;
  example.word(example.frame.meshes, 14 + 9) = 9;
  example.run();
  EXPECT_EQ(example.words(example.frame.bucketCounts, 12), (Words{0, 0, 0, 0, 0, 0, /**/ 1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(example.words(example.frame.indices, 13)[12], 5u);
  EXPECT_EQ(example.words(example.frame.draws, 30),
            (Words{300, 0, 0,    below, 0, /**/ 120, 0, 300,  below, 2,  /**/ 36, 0, 420,  below, 4,
                   600, 1, 1000, 100,   7, /**/ 60,  0, 1600, 100,   11, /**/ 9,  1, 1660, 100,   12}));
  EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_KEY], 1u);
  EXPECT_EQ(example.statistics().rejectedCount[SLU_REJECT_LOD], 4u);
}

// The matrix doubles lengths: the error of LOD 1 grows from 3 to 6 and the radius from 1 to 2. So LOD 1 begins at 6,
// and by the near side at 8.
TEST(CpuExamples, ErrorsGrowAsRadiiDo) {
  for (const bool isNearSide : {false, true}) {
    SCOPED_TRACE(isNearSide);
    const float begin = isNearSide ? 8.0f : 6.0f;
    Words records;
    for (const float x : {begin - 0.001f, begin, -begin, 0.0f}) {
      records = join(records, wordsOf({2, 0, 0, x, /**/ 0, 2, 0, 0, /**/ 0, 0, -2, 0}));
    }
    Example example(12, records);
    SluView view = openView();
    view.lodRatio = 1.0f;
    example.cull(0, view);
    example.plan.bounds.source = SLU_BOUNDS_IN_MESH;
    example.plan.bounds.offset = 8;
    example.plan.bounds.transformFlags = SLU_TRANSFORM_MATRIX_BIT;
    example.plan.key.lodCount = 2;
    example.plan.lod = {SLU_LOD_MESH_ERRORS, isNearSide ? SluFlags{SLU_LOD_NEAR_SIDE_BIT} : 0};
    example.plan.meshes.stride = 24;
    example.plan.meshes.lodStride = 4;
    example.frame.meshes = example.place(wordsOf({kNan, 3, /**/ 0, 0, 0, 1}));
    example.frame.meshCount = 1;
    example.buckets = {{4, {}}, {4, {}}};
    example.frame.indices = example.place(Words(8, kUntouched));
    example.run();
    EXPECT_EQ(example.indices(8), (Words{0, 3, kUntouched, kUntouched, 1, 2, kUntouched, kUntouched}));
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

// 5,000 buckets with room for four records, of meshes of which the frame has 90. The second mesh that keeps something is
// cut, and the third one gets nothing.
TEST(CpuExamples, MorePackedBucketsThanAreDescribed) {
  Example example(1, {70, 3, 89, 70, 90, 3, 3});
  example.plan.key.keyCount = 5000;
  example.plan.placement = SLU_PLACEMENT_PACKED;
  example.plan.capacity = 4;
  example.plan.outputs |= SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
  example.plan.draws = {SLU_DRAW_INSTANCES, 16, SLU_DRAWS_SKIP_EMPTY_BIT};
  example.plan.zeroCommandCount = 1;
  example.plan.meshes.stride = 4;
  Words elementCounts;
  for (std::uint32_t mesh = 0; mesh < 90; ++mesh) elementCounts.push_back(1000 + mesh);
  example.frame.meshes = example.place(elementCounts);
  example.frame.meshCount = 90;
  example.placeStatistics();
  example.frame.draws = example.place(Words(16, kUntouched));
  example.frame.drawCounts = example.place({kUntouched});
  example.run();
  EXPECT_EQ(example.indices(5), (Words{1, 5, 6, 0, kUntouched}));
  EXPECT_EQ(example.words(example.frame.draws, 13),
            (Words{1003, 3, 0, 0, /**/ 1070, 1, 0, 3, /**/ 0, 0, 0, 0, /**/ kUntouched}));
  EXPECT_EQ(example.word(example.frame.drawCounts), 2u);
  EXPECT_EQ(example.statistics().demandedCount, 6u);
  EXPECT_EQ(example.statistics().keptCount, 4u);
  EXPECT_EQ(example.statistics().drawCount, 2u);
  EXPECT_EQ(example.statistics().overflow, SluFlags{SLU_OVERFLOW_CAPACITY_BIT});
}

}  // namespace
}  // namespace slu::test
