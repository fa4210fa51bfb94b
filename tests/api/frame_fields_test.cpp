// Each field of SluFrameInfo, SluView and SluBinding, spoiled: refused by name, and no output is touched.
#include <algorithm>
#include <limits>

#include "api/objects.h"
#include "floats.h"
#include "specimen.h"

namespace slu::test {
namespace {

struct FrameCase {
  const char* name;
  const char* field;
  void (*spoil)(Specimen& specimen);
};

std::ostream& operator<<(std::ostream& stream, const FrameCase& c) { return stream << c.name; }

using S = Specimen;

void setPlane(float (&plane)[4], float x, float y, float z, float w) {
  const float values[] = {x, y, z, w};
  std::copy_n(values, 4, plane);
}

const FrameCase kFrameCases[] = {
    {"sType", "frame.sType", [](S& s) { s.frame.sType = SLU_STRUCTURE_TYPE_PLAN_CREATE_INFO; }},
    {"structSizeTooSmall", "frame.structSize",
     [](S& s) { s.frame.structSize = offsetof(SluFrameInfo, transient) - 8; }},
    {"structSizeZero", "frame.structSize", [](S& s) { s.frame.structSize = 0; }},
    {"structSizeInAPointer", "frame.structSize",
     [](S& s) { s.frame.structSize = offsetof(SluFrameInfo, morePlanes) + 4; }},
    {"pNext", "frame.pNext", [](S& s) { s.frame.pNext = &s.planInfo; }},
    {"pNextItself", "frame.pNext", [](S& s) { s.frame.pNext = &s.frame; }},
    {"recordCount", "frame.recordCount", [](S& s) { s.frame.recordCount = 9; }},
    {"viewCountZero", "frame.viewCount", [](S& s) { s.frame.viewCount = 0; }},
    {"viewCountLarge", "frame.viewCount", [](S& s) { s.frame.viewCount = 3; }},
    {"viewStrideSmall", "frame.viewStride", [](S& s) { s.frame.viewStride = sizeof(SluView) - 4; }},
    {"viewStrideOdd", "frame.viewStride", [](S& s) { s.frame.viewStride = sizeof(SluView) + 2; }},
    {"reserved", "frame.reserved", [](S& s) { s.frame.reserved = 1; }},
    {"meshCountWithoutTable", "frame.meshCount", [](S& s) { s.frame.meshCount = 1; }},
    {"meshesWithoutTable", "frame.meshes", [](S& s) { s.frame.meshes = s.frame.records; }},
    {"liveMeshCountWithoutTable", "frame.liveMeshCount", [](S& s) { s.frame.liveMeshCount = s.frame.liveCount; }},
    {"viewsNull", "frame.views", [](S& s) { s.frame.views = nullptr; }},

    {"planesNan", "frame.views[1].planes", [](S& s) { s.views[1].planes[5][3] = kNan; }},
    {"planesInfinite", "frame.views[0].planes", [](S& s) { s.views[0].planes[0][0] = kInfinity; }},
    {"planeOfNan", "frame.views[0].planes[2]", [](S& s) { std::fill_n(s.views[0].planes[2], 4, kNan); }},
    {"planeLong", "frame.views[0].planes[1]", [](S& s) { setPlane(s.views[0].planes[1], 2.0f, 1.0f, 0.0f, 1.0f); }},
    {"planeShort", "frame.views[1].planes[5]", [](S& s) { setPlane(s.views[1].planes[5], 0.0f, 0.0f, 0.1f, 1.0f); }},
    {"planeTooLong", "frame.views[0].planes[0]",
     [](S& s) { setPlane(s.views[0].planes[0], 1.0011f, 0.0f, 0.0f, 1.0f); }},
    {"planeTooShort", "frame.views[0].planes[0]",
     [](S& s) { setPlane(s.views[0].planes[0], 0.0f, -0.9989f, 0.0f, 1.0f); }},
    {"planeDenormal", "frame.views[0].planes[3]",
     [](S& s) { setPlane(s.views[0].planes[3], 0.0f, 1e-40f, 0.0f, 1.0f); }},
    {"planeHuge", "frame.views[0].planes[3]", [](S& s) { setPlane(s.views[0].planes[3], 3e38f, 3e38f, 3e38f, 1.0f); }},
    {"planeOfZeros", "frame.views[1].planes[0]", [](S& s) { setPlane(s.views[1].planes[0], 0.0f, 0.0f, 0.0f, 0.0f); }},
    {"planeThatNothingPasses", "frame.views[0].planes[4]",
     [](S& s) { setPlane(s.views[0].planes[4], 0.0f, 0.0f, 0.0f, -1.0f); }},
    {"eyeNan", "frame.views[1].eye", [](S& s) { s.views[1].eye[2] = kNan; }},
    {"eyeInfinite", "frame.views[0].eye", [](S& s) { s.views[0].eye[0] = -kInfinity; }},
    {"eyeFar", "frame.views[0].eye", [](S& s) { s.views[0].eye[0] = s.views[0].eye[1] = 0.8e18f; }},
    {"minDistanceNegative", "frame.views[0].minDistance", [](S& s) { s.views[0].minDistance = -1.0f; }},
    {"minDistanceNan", "frame.views[0].minDistance", [](S& s) { s.views[0].minDistance = kNan; }},
    {"minDistanceInfinite", "frame.views[1].minDistance",
     [](S& s) { s.views[1].minDistance = s.views[1].maxDistance = kInfinity; }},
    {"maxDistanceSmall", "frame.views[1].maxDistance", [](S& s) { s.views[1].minDistance = 101.0f; }},
    {"maxDistanceLeft", "frame.views[0].maxDistance", [](S& s) { s.views[0].maxDistance = 0.0f; }},
    {"maxDistanceNegativeZero", "frame.views[1].maxDistance", [](S& s) { s.views[1].maxDistance = -0.0f; }},
    {"maxDistanceNan", "frame.views[0].maxDistance", [](S& s) { s.views[0].maxDistance = kNan; }},
    {"minSizeRatioNegative", "frame.views[0].minSizeRatio", [](S& s) { s.views[0].minSizeRatio = -0.5f; }},
    {"minSizeRatioNan", "frame.views[0].minSizeRatio", [](S& s) { s.views[0].minSizeRatio = kNan; }},
    {"minSizeRatioInfinite", "frame.views[0].minSizeRatio", [](S& s) { s.views[0].minSizeRatio = kInfinity; }},
    {"viewFlags", "frame.views[1].flags", [](S& s) { s.views[1].flags = 2; }},
    {"lodDistancesNegative", "frame.views[0].lodDistances", [](S& s) { s.views[0].lodDistances[0] = -1.0f; }},
    {"lodDistancesNan", "frame.views[0].lodDistances", [](S& s) { s.views[0].lodDistances[1] = kNan; }},
    {"lodDistancesInfinite", "frame.views[0].lodDistances", [](S& s) { s.views[0].lodDistances[1] = kInfinity; }},
    {"lodDistancesDescending", "frame.views[1].lodDistances[1]", [](S& s) { s.views[1].lodDistances[1] = 9.0f; }},

    {"overlapInPlaceUndeclared", "frame.keptRecords", [](S& s) { s.frame.keptRecords = s.frame.records; }},
};

class FrameFields : public testing::TestWithParam<FrameCase> {};

TEST_P(FrameFields, AreChecked) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  expectAccepted(specimen);
  GetParam().spoil(specimen);
  expectRefused(specimen, GetParam().field);
}

// Where an orthographic view looks is read for cones alone.
TEST(FrameFields, CheckTheDirectionsOfCones) {
  const auto setDirection = [](SluView& view, float x, float y, float z) {
    view.flags = SLU_VIEW_ORTHOGRAPHIC_BIT;
    const float direction[] = {x, y, z};
    std::copy_n(direction, 3, view.direction);
  };
  Specimen without;
  ASSERT_EQ(without.createPlan(), SLU_SUCCESS) << without.context.message();
  setDirection(without.views[0], kNan, 0.0f, 0.0f);
  expectAccepted(without);
  Specimen specimen;
  specimen.planInfo.cullFlags |= SLU_CULL_CONE_BIT;
  specimen.planInfo.cones.offset = 4;  // the words of the bounds
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  specimen.views[1].direction[0] = kNan;  // of a perspective view
  for (const float length : {0.0f, 0.5f, 0.998f, 1.002f, kNan, kInfinity}) {
    setDirection(specimen.views[0], 0.0f, length, 0.0f);
    expectRefused(specimen, "frame.views[0].direction");
  }
  for (const float length : {-1.0f, 1.0005f}) {
    setDirection(specimen.views[0], 0.0f, length, 0.0f);
    expectAccepted(specimen);
  }
}

INSTANTIATE_TEST_SUITE_P(Api, FrameFields, testing::ValuesIn(kFrameCases),
                         [](const auto& instance) { return std::string(instance.param.name); });

struct BindingCase {
  const char* name;
  SluBinding SluFrameInfo::*binding;
  std::uint64_t bytes;  // of the specimen's frame
  SluFlags output;      // its bit; 0 for an input

  std::string field() const { return std::string("frame.") + name; }
};

std::ostream& operator<<(std::ostream& stream, const BindingCase& c) { return stream << c.name; }

const BindingCase kBindings[] = {{"liveCount", &SluFrameInfo::liveCount, 4, 0},
                                 {"records", &SluFrameInfo::records, 8 * 64, 0},
                                 {"bounds", &SluFrameInfo::bounds, 7 * 24 + 20, 0},
                                 {"flags", &SluFrameInfo::flags, 8, 0},
                                 {"indices", &SluFrameInfo::indices, 48 * 4, SLU_OUTPUT_INDICES_BIT},
                                 {"keptRecords", &SluFrameInfo::keptRecords, 48 * 64, SLU_OUTPUT_RECORDS_BIT},
                                 {"draws", &SluFrameInfo::draws, 11 * 28 + 20, SLU_OUTPUT_DRAWS_BIT},
                                 {"drawCounts", &SluFrameInfo::drawCounts, 2 * 4, SLU_OUTPUT_DRAW_COUNTS_BIT},
                                 {"statistics", &SluFrameInfo::statistics, 2 * 64, SLU_OUTPUT_STATISTICS_BIT},
                                 {"bucketCounts", &SluFrameInfo::bucketCounts, 12 * 8, SLU_OUTPUT_BUCKET_COUNTS_BIT}};

class Bindings : public testing::TestWithParam<BindingCase> {
 protected:
  void SetUp() override {
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    expectAccepted(specimen);
  }

  SluBinding& binding() { return specimen.frame.*GetParam().binding; }

  Specimen specimen;
};

TEST_P(Bindings, AreNeeded) {
  binding() = {};
  if (GetParam().binding == &SluFrameInfo::liveCount) {
    expectAccepted(specimen);
  } else {
    expectRefused(specimen, GetParam().field());
  }
}

TEST_P(Bindings, HaveAlignedOffsets) {
  binding().offset += 2;
  expectRefused(specimen, GetParam().field() + ".offset");
}

TEST_P(Bindings, FitTheBuffer) {
  const std::uint64_t size = specimen.memory.size() * 4;
  const std::uint64_t last = size - (GetParam().bytes + 3) / 4 * 4;
  binding().offset = last;
  expectAccepted(specimen);
  for (const std::uint64_t offset : {last + 4, size, size + 4, ~std::uint64_t{0} - 3}) {
    binding().offset = offset;
    expectRefused(specimen, GetParam().field());
  }
}

TEST_P(Bindings, BelongToTheContext) {
  LoggedContext other;
  specimen.buffers.emplace_back(specimen.makeBuffer(other, specimen.memory.data(), specimen.memory.size() * 4));
  binding().buffer = specimen.buffers.back();
  expectRefused(specimen, GetParam().field() + ".buffer");
}

TEST_P(Bindings, AreAttachedToTheRoute) {
  SluBuffer_T bare;
  bare.state = binding().buffer->state;
  bare.size = specimen.memory.size() * 4;
  binding().buffer = &bare;
  expectRefused(specimen, GetParam().field() + ".buffer");
  EXPECT_NE(specimen.context.message().find("hostPointer"), std::string::npos) << specimen.context.message();
}

TEST_P(Bindings, OverlapNoOutput) {
  // A second buffer over the same memory: what counts is where the bytes lie.
  const SluBuffer alias = specimen.makeBuffer(specimen.context, specimen.memory.data(), specimen.memory.size() * 4);
  specimen.buffers.emplace_back(alias);
  const SluBinding saved = binding();
  for (const BindingCase& other : kBindings) {
    if (other.binding == GetParam().binding || (other.output == 0 && GetParam().output == 0)) continue;
    SCOPED_TRACE(other.name);
    const std::uint64_t first = (specimen.frame.*other.binding).offset;
    const std::uint64_t lastWord = first + (other.bytes - 1) / 4 * 4;
    for (const std::uint64_t offset : {first, lastWord}) {
      binding() = {alias, offset};
      expectRefused(specimen, "frame");
      const std::string sentence = specimen.context.message();
      EXPECT_NE(sentence.find("overlap"), std::string::npos) << sentence;
      EXPECT_NE(sentence.find(GetParam().field()), std::string::npos) << sentence;
    }
    binding() = saved;
  }
  expectAccepted(specimen);
}

TEST_P(Bindings, AreRefusedWhenThePlanHasNoUse) {
  if (GetParam().binding == &SluFrameInfo::liveCount) return;
  // Nothing is read but the count, and one other output is written.
  const bool keepsIndices = GetParam().binding != &SluFrameInfo::indices;
  specimen.planInfo.live = {};
  specimen.planInfo.cullFlags = 0;
  specimen.planInfo.bounds = {};
  specimen.planInfo.key = {};
  specimen.planInfo.bucketCount = 0;
  specimen.planInfo.draws = {};
  specimen.planInfo.outputs = keepsIndices ? SLU_OUTPUT_INDICES_BIT : SLU_OUTPUT_STATISTICS_BIT;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();

  const SluBinding spoiling = binding();
  const SluBinding output = keepsIndices ? specimen.frame.indices : specimen.frame.statistics;
  for (const BindingCase& other : kBindings) specimen.frame.*other.binding = {};
  (keepsIndices ? specimen.frame.indices : specimen.frame.statistics) = output;
  specimen.frame.views = nullptr;
  expectAccepted(specimen);
  binding() = spoiling;
  expectRefused(specimen, GetParam().field());
  binding() = {};
  specimen.frame.views = specimen.views.data();
  expectRefused(specimen, "frame.views");
}

INSTANTIATE_TEST_SUITE_P(Api, Bindings, testing::ValuesIn(kBindings),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(InPlace, RecordsMayOverlapTheirInputAlone) {
  Specimen specimen;
  specimen.planInfo.flags = SLU_PLAN_IN_PLACE_BIT;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  const SluBinding spheres = specimen.place(7 * 24 + 20);
  const SluBinding records = specimen.place(48 * 64);
  specimen.frame.records = records;
  specimen.frame.keptRecords = records;
  expectAccepted(specimen);
  specimen.frame.records.offset += 4;
  expectAccepted(specimen);
  specimen.frame.bounds = spheres;
  expectAccepted(specimen);
  specimen.frame.keptRecords = spheres;
  expectRefused(specimen, "frame.keptRecords");
}

// A plan whose transforms lie in a stream, 40 bytes apart, of which each has 36.
class Transforms : public testing::Test {
 protected:
  static constexpr std::uint64_t kBytes = 7 * 40 + 36;

  void SetUp() override {
    specimen.planInfo.bounds.transformStride = 40;
    specimen.frame.transforms = specimen.place(kBytes);
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  }

  SluBinding& binding() { return specimen.frame.transforms; }

  Specimen specimen;
};

TEST_F(Transforms, AreNeeded) {
  expectAccepted(specimen);
  binding() = {};
  expectRefused(specimen, "frame.transforms");
  specimen.frame.recordCount = 0;
  expectAccepted(specimen);
}

TEST_F(Transforms, HaveAlignedOffsets) {
  binding().offset += 2;
  expectRefused(specimen, "frame.transforms.offset");
}

TEST_F(Transforms, FitTheBuffer) {
  const std::uint64_t size = specimen.memory.size() * 4;
  binding().offset = size - kBytes;
  expectAccepted(specimen);
  for (const std::uint64_t offset : {size - kBytes + 4, size, size + 4, ~std::uint64_t{0} - 3}) {
    binding().offset = offset;
    expectRefused(specimen, "frame.transforms");
  }
}

TEST_F(Transforms, OverlapNoOutput) {
  const SluBinding saved = binding();
  for (const BindingCase& other : kBindings) {
    if (other.output == 0) continue;
    SCOPED_TRACE(other.name);
    const std::uint64_t first = (specimen.frame.*other.binding).offset;
    for (const std::uint64_t offset : {first, first + (other.bytes - 1) / 4 * 4}) {
      binding().offset = offset;
      expectRefused(specimen, "frame");
      const std::string sentence = specimen.context.message();
      EXPECT_NE(sentence.find("overlap"), std::string::npos) << sentence;
      EXPECT_NE(sentence.find("frame.transforms"), std::string::npos) << sentence;
    }
    binding() = saved;
  }
  expectAccepted(specimen);
}

TEST_F(Transforms, MayShareBytesWithInputs) {
  binding() = specimen.frame.records;
  binding().offset += 4;
  expectAccepted(specimen);
}

TEST_F(Transforms, BelongToTheContext) {
  LoggedContext other;
  specimen.buffers.emplace_back(specimen.makeBuffer(other, specimen.memory.data(), specimen.memory.size() * 4));
  binding().buffer = specimen.buffers.back();
  expectRefused(specimen, "frame.transforms.buffer");
}

// Whether the plan has none at all, finds them in its records, or neither culls nor has LODs.
TEST_F(Transforms, AreRefusedWhenThePlanHasNoUse) {
  SluPlanCreateInfo& info = specimen.planInfo;
  const SluBinding transforms = binding();
  const SluPlanCreateInfo streamed = info;
  const auto expectUnused = [&] {
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    binding() = transforms;
    expectRefused(specimen, "frame.transforms");
    binding() = {};
    expectAccepted(specimen);
  };
  info.bounds.transformStride = 0;
  expectUnused();
  info.bounds.transformFlags = 0;
  info.bounds.positionOffset = info.bounds.scaleOffset = info.bounds.rotationOffset = 0;
  expectUnused();
  info = streamed;
  info.cullFlags = 0;
  info.key.lodCount = 1;
  info.bucketCount = 2;
  specimen.frame.views = nullptr;
  specimen.frame.bounds = {};
  expectUnused();
}

// Where only the transforms of records are read, and these lie in a stream, nothing reads the records.
TEST_F(Transforms, InAStreamLeaveRecordsUnread) {
  SluPlanCreateInfo& info = specimen.planInfo;
  info.outputs = SLU_OUTPUT_INDICES_BIT;
  info.draws = {};
  info.key = {};
  info.bucketCount = 0;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  SluFrameInfo& frame = specimen.frame;
  const SluBinding records = frame.records;
  frame.keptRecords = frame.draws = frame.drawCounts = frame.statistics = frame.bucketCounts = {};
  expectRefused(specimen, "frame.records");
  frame.records = {};
  expectAccepted(specimen);
  info.bounds.transformStride = 0;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  frame.transforms = {};
  expectRefused(specimen, "frame.records");
  frame.records = records;
  expectAccepted(specimen);
}

// A plan whose layers lie in a stream. Its elements are 12 bytes apart, and the first 8 bytes of each are needed.
class Layers : public testing::Test {
 protected:
  static constexpr std::uint64_t kBytes = 7 * 12 + 8;

  void SetUp() override {
    specimen.planInfo.cullFlags |= SLU_CULL_LAYERS_BIT;
    specimen.planInfo.layers = {12, 4, 0, 0};
    specimen.frame.layers = specimen.place(kBytes);
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  }

  SluBinding& binding() { return specimen.frame.layers; }

  Specimen specimen;
};

TEST_F(Layers, AreNeeded) {
  expectAccepted(specimen);
  binding() = {};
  expectRefused(specimen, "frame.layers");
  specimen.frame.recordCount = 0;
  expectAccepted(specimen);
}

TEST_F(Layers, HaveAlignedOffsets) {
  binding().offset += 2;
  expectRefused(specimen, "frame.layers.offset");
}

TEST_F(Layers, FitTheBuffer) {
  const std::uint64_t size = specimen.memory.size() * 4;
  binding().offset = size - kBytes;
  expectAccepted(specimen);
  for (const std::uint64_t offset : {size - kBytes + 4, size, size + 4, ~std::uint64_t{0} - 3}) {
    binding().offset = offset;
    expectRefused(specimen, "frame.layers");
  }
}

TEST_F(Layers, OverlapNoOutput) {
  binding() = specimen.frame.indices;
  expectRefused(specimen, "frame.indices");
  binding() = specimen.frame.records;
  expectAccepted(specimen);
}

// Whether the plan finds them in its records, or does not test them.
TEST_F(Layers, AreRefusedWhenThePlanHasNoUse) {
  const SluBinding layers = binding();
  for (const SluFlags flag : {SluFlags{SLU_CULL_LAYERS_BIT}, SluFlags{0}}) {
    specimen.planInfo.cullFlags = (specimen.planInfo.cullFlags & ~SluFlags{SLU_CULL_LAYERS_BIT}) | flag;
    specimen.planInfo.layers = {};
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    binding() = layers;
    expectRefused(specimen, "frame.layers");
    binding() = {};
    expectAccepted(specimen);
  }
}

// A plan with a table of two meshes, 72 bytes apart, of which 68 are read.
class Meshes : public testing::Test {
 protected:
  static constexpr std::uint64_t kBytes = 72 + 68;

  void SetUp() override {
    specimen.planInfo.lod.rule = SLU_LOD_MESH_DISTANCES;
    specimen.planInfo.meshes = {72, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT, 0, 4, 16, 16, 0, 0, 32};
    for (SluBucket& bucket : specimen.buckets) bucket.draw = {};
    for (SluView& view : specimen.views) view.lodRatio = 1.0f;
    specimen.frame.meshes = specimen.place(kBytes);
    specimen.frame.liveMeshCount = specimen.place(4);
    specimen.frame.meshCount = 2;
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  }

  SluBinding& binding() { return specimen.frame.meshes; }

  Specimen specimen;
};

TEST_F(Meshes, AreNeeded) {
  expectAccepted(specimen);
  binding() = {};
  expectRefused(specimen, "frame.meshes");
  specimen.frame.meshCount = 0;
  expectAccepted(specimen);
}

TEST_F(Meshes, MayBeAsManyAsThePlanHasKeys) {
  for (const std::uint32_t count : {0u, 1u, 2u}) {
    specimen.frame.meshCount = count;
    expectAccepted(specimen);
  }
  for (const std::uint32_t count : {3u, 0xffffffffu}) {
    specimen.frame.meshCount = count;
    expectRefused(specimen, "frame.meshCount");
  }
}

TEST_F(Meshes, LiveCountsAreOptional) {
  expectAccepted(specimen);
  specimen.frame.liveMeshCount = {};
  expectAccepted(specimen);
}

TEST_F(Meshes, HaveAlignedOffsets) {
  binding().offset += 2;
  expectRefused(specimen, "frame.meshes.offset");
  binding().offset -= 2;
  specimen.frame.liveMeshCount.offset += 2;
  expectRefused(specimen, "frame.liveMeshCount.offset");
}

TEST_F(Meshes, FitTheBuffer) {
  const std::uint64_t size = specimen.memory.size() * 4;
  binding().offset = size - kBytes;
  expectAccepted(specimen);
  for (const std::uint64_t offset : {size - kBytes + 4, size, size + 4, ~std::uint64_t{0} - 3}) {
    binding().offset = offset;
    expectRefused(specimen, "frame.meshes");
  }
  specimen.frame.meshCount = 1;
  binding().offset = size - 68;
  expectAccepted(specimen);
  specimen.frame.liveMeshCount.offset = size - 4;
  expectAccepted(specimen);
  specimen.frame.liveMeshCount.offset = size;
  expectRefused(specimen, "frame.liveMeshCount");
}

// The last mesh is bound as far as it is read: to its last number, or to the end of its bounds.
TEST_F(Meshes, ReachToTheEndOfTheirBounds) {
  specimen.planInfo.bounds.source = SLU_BOUNDS_IN_MESH;
  specimen.planInfo.bounds.stride = 0;
  specimen.planInfo.bounds.offset = 56;
  specimen.frame.bounds = {};
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  binding().offset = specimen.memory.size() * 4 - 2 * 72;
  expectAccepted(specimen);
  binding().offset += 4;
  expectRefused(specimen, "frame.meshes");
}

TEST_F(Meshes, OverlapNoOutput) {
  const SluFrameInfo saved = specimen.frame;
  for (const BindingCase& other : kBindings) {
    if (other.output == 0) continue;
    SCOPED_TRACE(other.name);
    const std::uint64_t first = (specimen.frame.*other.binding).offset;
    for (const std::uint64_t offset : {first, first + (other.bytes - 1) / 4 * 4}) {
      for (SluBinding SluFrameInfo::*input : {&SluFrameInfo::meshes, &SluFrameInfo::liveMeshCount}) {
        (specimen.frame.*input).offset = offset;
        expectRefused(specimen, "frame");
        const std::string sentence = specimen.context.message();
        EXPECT_NE(sentence.find("overlap"), std::string::npos) << sentence;
        const bool isTable = input == &SluFrameInfo::meshes;
        EXPECT_NE(sentence.find(isTable ? "frame.meshes" : "frame.liveMeshCount"), std::string::npos) << sentence;
        const bool tellsOfCounts = sentence.find("cannot write the count that it reads") != std::string::npos;
        EXPECT_EQ(tellsOfCounts, !isTable) << sentence;
        specimen.frame = saved;
      }
    }
  }
  expectAccepted(specimen);
}

TEST_F(Meshes, MayShareBytesWithInputs) {
  binding() = specimen.frame.records;
  specimen.frame.liveMeshCount = specimen.frame.liveCount;
  expectAccepted(specimen);
}

TEST_F(Meshes, BelongToTheContext) {
  LoggedContext other;
  specimen.buffers.emplace_back(specimen.makeBuffer(other, specimen.memory.data(), specimen.memory.size() * 4));
  const SluBinding saved = binding();
  binding().buffer = specimen.buffers.back();
  expectRefused(specimen, "frame.meshes.buffer");
  binding() = saved;
  specimen.frame.liveMeshCount.buffer = specimen.buffers.back();
  expectRefused(specimen, "frame.liveMeshCount.buffer");
}

// Where the bounds are in the meshes, nothing reads the stream of bounds.
TEST_F(Meshes, WithBoundsLeaveTheStreamUnread) {
  specimen.planInfo.bounds.source = SLU_BOUNDS_IN_MESH;
  specimen.planInfo.bounds.stride = 0;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  expectRefused(specimen, "frame.bounds");
  specimen.frame.bounds = {};
  expectAccepted(specimen);
}

TEST_F(Meshes, NeedARatioThatIsOne) {
  for (const float ratio : {1e-9f, 1.0f, 1e9f}) {
    specimen.views[1].lodRatio = ratio;
    expectAccepted(specimen);
  }
  for (const float ratio : {0.0f, -1.0f, 0.99e-9f, 1.01e9f, kNan, kInfinity}) {
    specimen.views[1].lodRatio = ratio;
    expectRefused(specimen, "frame.views[1].lodRatio");
  }
}

// Of the view's distances and its ratio, one is read.
TEST_F(Meshes, LeaveTheViewsDistancesUnread) {
  std::fill(std::begin(specimen.views[0].lodDistances), std::end(specimen.views[0].lodDistances), kNan);
  expectAccepted(specimen);
  specimen.planInfo.lod.rule = SLU_LOD_VIEW_DISTANCES;
  specimen.planInfo.meshes.thresholdOffset = 0;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  expectRefused(specimen, "frame.views[0].lodDistances");
  specimen.views[0] = specimen.views[1];
  specimen.views[0].lodRatio = kNan;
  expectAccepted(specimen);
}

TEST(FrameRanges, OfBoxesAreLonger) {
  Specimen specimen;
  specimen.planInfo.bounds.shape = SLU_SHAPE_BOX;
  specimen.planInfo.bounds.stride = 28;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  specimen.frame.bounds = {specimen.buffers[0], specimen.memory.size() * 4 - (7 * 28 + 28)};
  expectAccepted(specimen);
  specimen.frame.bounds.offset += 4;
  expectRefused(specimen, "frame.bounds");
}

TEST(FrameRanges, OfNothingOverlapNothing) {
  Specimen specimen;
  for (SluBucket& bucket : specimen.buckets) bucket.capacity = 0;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  specimen.frame.indices = specimen.frame.keptRecords = specimen.frame.records;
  specimen.frame.indices.offset += 4;
  expectAccepted(specimen);
}

TEST(FrameRanges, AreThoseOfTheViewsAndRecordsGiven) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  const std::uint64_t end = specimen.memory.size() * 4;
  specimen.frame.viewCount = 1;
  specimen.frame.recordCount = 0;
  specimen.frame.records = specimen.frame.bounds = specimen.frame.flags = {specimen.buffers[0], end};
  specimen.frame.indices.offset = end - 24 * 4;
  expectAccepted(specimen);
  specimen.frame.viewCount = 2;
  expectRefused(specimen, "frame.indices");
  specimen.frame.viewCount = 1;
  specimen.frame.recordCount = 1;
  expectRefused(specimen, "frame.records");
}

TEST(FrameRanges, OfFlagsAreWholeWords) {
  struct Case {
    SluLiveTest test;
    std::uint32_t recordCount;
    std::uint64_t bytes;
  };
  for (const Case& c :
       {Case{SLU_LIVE_FLAG_BITS, 33, 8}, Case{SLU_LIVE_FLAG_BITS, 32, 4}, Case{SLU_LIVE_FLAG_BYTES, 5, 8},
        Case{SLU_LIVE_FLAG_BYTES, 4, 4}, Case{SLU_LIVE_FLAG_WORDS, 3, 12}}) {
    SCOPED_TRACE(std::to_string(c.test) + ", records " + std::to_string(c.recordCount));
    Specimen specimen;
    specimen.planInfo.live.test = c.test;
    specimen.planInfo.maxRecordCount = 64;
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    specimen.frame.recordCount = c.recordCount;
    specimen.frame.records = specimen.place(64 * 64);
    specimen.frame.bounds = specimen.place(64 * 24);
    specimen.frame.flags.offset = specimen.memory.size() * 4 - c.bytes;
    expectAccepted(specimen);
    specimen.frame.flags.offset += 4;
    expectRefused(specimen, "frame.flags");
  }
}

TEST(ViewFields, MayBeAtTheirLimits) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  SluView& view = specimen.views[0];
  view.eye[1] = 0.99e18f;
  view.minDistance = view.maxDistance = std::numeric_limits<float>::max();
  view.minSizeRatio = std::numeric_limits<float>::max();
  view.lodDistances[0] = view.lodDistances[1] = std::numeric_limits<float>::max();
  view.lodDistances[2] = kNan;  // not read: the plan has 3 LODs
  expectAccepted(specimen);
  view = specimen.views[1];
  view.maxDistance = kInfinity;
  view.lodDistances[0] = view.lodDistances[1] = 0.0f;
  expectAccepted(specimen);
}

TEST(ViewFields, PlanesMayBeUnitWithinAThousandthOrPassEverything) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  SluView& view = specimen.views[0];
  setPlane(view.planes[0], 1.0009f, 0.0f, 0.0f, -1e30f);
  setPlane(view.planes[1], 0.0f, -0.9991f, 0.0f, std::numeric_limits<float>::max());
  setPlane(view.planes[2], -0.0f, 0.0f, -0.0f, 1e-40f);
  setPlane(view.planes[3], 0.6f, 0.0f, -0.8f, 0.0f);
  expectAccepted(specimen);
}

TEST(ViewFields, SentencesTellTheRemedy) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  const auto expectSays = [&](const std::string& words) {
    expectRefused(specimen, "frame.views[1]");
    const std::string sentence = specimen.context.message();
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
  };
  SluView& view = specimen.views[1];
  const SluView right = view;
  setPlane(view.planes[1], 3.0f, 0.0f, -4.0f, 1.0f);
  expectSays("length 5, ");
  expectSays("sluGetFrustumPlanes");
  for (const float value : {0.0f, kNan}) {
    view = right;
    std::fill_n(view.planes[0], 24, value);
    expectSays("sluGetFrustumPlanes");
  }
  view = right;
  view.maxDistance = 0.0f;
  expectSays("INFINITY");
}

// What a field needs to be read, and how to spoil it alone.
struct UsedField {
  const char* name;
  SluFlags cullFlag;  // 0: LODs
  void (*spoil)(SluView& view);
};

const UsedField kUsedFields[] = {
    {"planes", SLU_CULL_FRUSTUM_BIT, [](SluView& v) { std::fill_n(v.planes[0], 24, 0.0f); }},
    {"planes", SLU_CULL_FRUSTUM_BIT, [](SluView& v) { v.planes[5][0] = kNan; }},
    {"minDistance", SLU_CULL_DISTANCE_BIT, [](SluView& v) { v.minDistance = kNan; }},
    {"maxDistance", SLU_CULL_DISTANCE_BIT, [](SluView& v) { v.maxDistance = 0.0f; }},
    {"maxDistance", SLU_CULL_DISTANCE_BIT, [](SluView& v) { v.maxDistance = kNan; }},
    {"minSizeRatio", SLU_CULL_SIZE_BIT, [](SluView& v) { v.minSizeRatio = kNan; }},
    {"lodDistances", 0, [](SluView& v) { v.lodDistances[0] = kNan; }},
};

// A plan with any flags refuses a field that it reads, and otherwise keeps the same records whatever the field holds.
TEST(ViewFields, AreJudgedWhereThePlanReadsThem) {
  for (SluFlags cullFlags = 0; cullFlags < 8; ++cullFlags) {
    for (const std::uint32_t lodCount : {1u, 3u}) {
      if (cullFlags == 0 && lodCount == 1) continue;
      SCOPED_TRACE(testing::Message() << "cullFlags " << cullFlags << ", " << lodCount << " LODs");
      Specimen specimen;
      specimen.planInfo.cullFlags = cullFlags;
      specimen.planInfo.key.lodCount = lodCount;
      specimen.planInfo.bucketCount = 2 * lodCount;
      std::fill(specimen.memory.begin(), specimen.memory.end(), 0u);  // all records are at the eye
      specimen.memory[specimen.frame.liveCount.offset / 4] = 8;
      std::fill_n(&specimen.memory[specimen.frame.flags.offset / 4], 2, 0x01010101u);
      const std::vector<std::uint32_t> empty = specimen.memory;
      ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
      expectAccepted(specimen);
      const std::vector<std::uint32_t> expected = specimen.memory;
      EXPECT_NE(expected, empty);
      const auto views = specimen.views;
      for (const UsedField& field : kUsedFields) {
        SCOPED_TRACE(field.name);
        specimen.views = views;
        field.spoil(specimen.views[1]);
        specimen.memory = empty;
        if (field.cullFlag == 0 ? lodCount > 1 : (cullFlags & field.cullFlag) != 0) {
          expectRefused(specimen, std::string("frame.views[1].") + field.name);
        } else {
          expectAccepted(specimen);
          EXPECT_EQ(specimen.memory, expected);
        }
      }
      specimen.views = views;
      specimen.views[1].eye[1] = kNan;
      expectRefused(specimen, "frame.views[1].eye");
    }
  }
}

TEST(FrameArguments, NullsAreRefused) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  EXPECT_EQ(sluCompact(nullptr, &specimen.frame), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluCompact(specimen.plan, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "frame"));
  SluPlanProperties properties{};
  EXPECT_EQ(sluGetPlanProperties(nullptr, &properties), SLU_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace slu::test
