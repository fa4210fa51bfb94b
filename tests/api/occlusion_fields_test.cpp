// Each field of SluOcclusionInfo and SluOcclusionView, spoiled: refused by name, and no output is touched.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "floats.h"
#include "specimen.h"

namespace slu::test {
namespace {

// The specimen with a pyramid of 5 x 3 pixels and two layers, whose header is one of no pyramid.
struct Occluded {
  static constexpr std::uint64_t kLayerBytes = (3 * 2 + 2 * 1 + 1) * 4;  // levels of 3 x 2, 2 x 1 and 1 x 1 texels
  static constexpr std::uint64_t kPyramidBytes = SLU_PYRAMID_HEADER_WORDS * 4 + 2 * kLayerBytes;
  static constexpr std::uint64_t kBitsBytes = 2 * 4;

  Occluded() : info(SLU_INIT(OCCLUSION_INFO, SluOcclusionInfo)) {
    specimen.planInfo.cullFlags |= SLU_CULL_OCCLUSION_BIT;
    for (SluOcclusionView& view : views) {
      for (const int i : {0, 5, 10, 11}) view.viewProjection[i] = 1.0f;
      view.viewProjection[14] = -0.5f;
      view.layer = 1;
    }
    for (std::size_t i = 0; i < views.size(); ++i) {
      sluGetFrustumPlanes(views[i].viewProjection, specimen.views[i].planes);
    }
    specimen.place((16 - specimen.placedBytes % 16) % 16);
    pyramid = specimen.place(kPyramidBytes);
    lastVisible = specimen.place(kBitsBytes);
    visible = specimen.place(kBitsBytes);
    setPhase(SLU_OCCLUSION_SECOND);
    specimen.frame.pNext = &info;
  }

  void setPhase(SluOcclusionPhase phase) {
    info = SLU_INIT(OCCLUSION_INFO, SluOcclusionInfo);
    info.phase = phase;
    if (phase != SLU_OCCLUSION_SINGLE) info.lastVisible = lastVisible;
    if (phase == SLU_OCCLUSION_FIRST) return;
    info.viewStride = sizeof(SluOcclusionView);
    info.views = views.data();
    info.pyramid = pyramid;
    info.width = 5;
    info.height = 3;
    info.layerCount = 2;
    info.visible = visible;
  }

  Specimen specimen;
  std::array<SluOcclusionView, 2> views{};
  SluBinding pyramid{}, lastVisible{}, visible{};
  SluOcclusionInfo info;
};

using O = Occluded;

struct OcclusionCase {
  const char* name;
  const char* field;
  SluOcclusionPhase phase;
  void (*spoil)(Occluded& occluded);
};

std::ostream& operator<<(std::ostream& stream, const OcclusionCase& c) { return stream << c.name; }

constexpr SluOcclusionPhase kSingle = SLU_OCCLUSION_SINGLE, kFirst = SLU_OCCLUSION_FIRST,
                            kSecond = SLU_OCCLUSION_SECOND;

const OcclusionCase kOcclusionCases[] = {
    {"sType", "frame.pNext", kSingle, [](O& o) { o.info.sType = SLU_STRUCTURE_TYPE_PLAN_CREATE_INFO; }},
    {"structSizeZero", "occlusion.structSize", kSingle, [](O& o) { o.info.structSize = 0; }},
    {"structSizeSmall", "occlusion.structSize", kSecond,
     [](O& o) { o.info.structSize = offsetof(SluOcclusionInfo, visible); }},
    {"pNextItself", "frame.pNext", kSingle, [](O& o) { o.info.pNext = &o.info; }},
    {"pNextStranger", "frame.pNext", kSingle, [](O& o) { o.info.pNext = &o.specimen.planInfo; }},
    {"phaseZero", "occlusion.phase", kSingle, [](O& o) { o.info.phase = static_cast<SluOcclusionPhase>(0); }},
    {"phaseFour", "occlusion.phase", kSingle, [](O& o) { o.info.phase = static_cast<SluOcclusionPhase>(4); }},
    {"phaseOfNoEnum", "occlusion.phase", kSingle, [](O& o) { std::memset(&o.info.phase, 0xff, sizeof(o.info.phase)); }},
    {"marginNegative", "occlusion.depthMargin", kSingle, [](O& o) { o.info.depthMargin = -1e-6f; }},
    {"marginLarge", "occlusion.depthMargin", kFirst, [](O& o) { o.info.depthMargin = 0.51f; }},
    {"marginNan", "occlusion.depthMargin", kSecond, [](O& o) { o.info.depthMargin = kNan; }},
    {"viewStrideSmall", "occlusion.viewStride", kSingle, [](O& o) { o.info.viewStride = 68; }},
    {"viewStrideOdd", "occlusion.viewStride", kSecond, [](O& o) { o.info.viewStride = 74; }},
    {"viewsNull", "occlusion.views", kSecond, [](O& o) { o.info.views = nullptr; }},
    {"viewsOfFirst", "occlusion.views", kFirst, [](O& o) { o.info.views = o.views.data(); }},
    {"widthZero", "occlusion.width", kSingle, [](O& o) { o.info.width = 0; }},
    {"widthLarge", "occlusion.width", kSecond, [](O& o) { o.info.width = SLU_MAX_PYRAMID_SIZE + 1; }},
    {"widthOfFirst", "occlusion.width", kFirst, [](O& o) { o.info.width = 5; }},
    {"heightZero", "occlusion.height", kSecond, [](O& o) { o.info.height = 0; }},
    {"heightLarge", "occlusion.height", kSingle, [](O& o) { o.info.height = SLU_MAX_PYRAMID_SIZE + 1; }},
    {"heightOfFirst", "occlusion.height", kFirst, [](O& o) { o.info.height = 3; }},
    {"layersZero", "occlusion.layerCount", kSecond, [](O& o) { o.info.layerCount = 0; }},
    {"layersMany", "occlusion.layerCount", kSingle, [](O& o) { o.info.layerCount = SLU_MAX_PYRAMID_LAYERS + 1; }},
    {"layersOfFirst", "occlusion.layerCount", kFirst, [](O& o) { o.info.layerCount = 2; }},

    {"matrixNan", "occlusion.views[1].viewProjection", kSecond, [](O& o) { o.views[1].viewProjection[7] = kNan; }},
    {"matrixInfinite", "occlusion.views[0].viewProjection", kSingle,
     [](O& o) { o.views[0].viewProjection[0] = -kInfinity; }},
    {"matrixWithoutW", "occlusion.views[1].viewProjection", kSecond,
     [](O& o) { o.views[1].viewProjection[11] = 0.0f; }},
    {"matrixOfOtherPlanes", "occlusion.views[0].viewProjection", kSingle,
     [](O& o) { o.views[0].viewProjection[0] = 2.0f; }},
    {"matrixFlipped", "occlusion.views[1].viewProjection", kSecond, [](O& o) { o.views[1].viewProjection[5] = 1.5f; }},
    {"matrixTransposed", "occlusion.views[1].viewProjection", kSecond,
     [](O& o) { std::swap(o.views[1].viewProjection[11], o.views[1].viewProjection[14]); }},
    {"matrixElsewhere", "occlusion.views[0].viewProjection", kSecond,
     [](O& o) { o.views[0].viewProjection[12] = 3.0f; }},
    {"layerLarge", "occlusion.views[1].layer", kSecond, [](O& o) { o.views[1].layer = 2; }},
    {"layerHuge", "occlusion.views[0].layer", kSingle, [](O& o) { o.views[0].layer = ~0u; }},
    {"viewFlags", "occlusion.views[1].flags", kSecond, [](O& o) { o.views[1].flags = 2; }},

    {"pyramidUnbound", "occlusion.pyramid", kSecond, [](O& o) { o.info.pyramid = {}; }},
    {"pyramidOfFirst", "occlusion.pyramid", kFirst, [](O& o) { o.info.pyramid = o.pyramid; }},
    {"pyramidOffset4", "occlusion.pyramid.offset", kSingle, [](O& o) { o.info.pyramid.offset += 4; }},
    {"pyramidOffset8", "occlusion.pyramid.offset", kSecond, [](O& o) { o.info.pyramid.offset += 8; }},
    {"lastVisibleOfSingle", "occlusion.lastVisible", kSingle, [](O& o) { o.info.lastVisible = o.lastVisible; }},
    {"lastVisibleOffset", "occlusion.lastVisible.offset", kFirst, [](O& o) { o.info.lastVisible.offset += 2; }},
    {"visibleUnbound", "occlusion.visible", kSingle, [](O& o) { o.info.visible = {}; }},
    {"visibleOfFirst", "occlusion.visible", kFirst, [](O& o) { o.info.visible = o.visible; }},
    {"visibleOffset", "occlusion.visible.offset", kSecond, [](O& o) { o.info.visible.offset += 1; }},
};

class OcclusionFields : public testing::TestWithParam<OcclusionCase> {};

TEST_P(OcclusionFields, AreChecked) {
  Occluded occluded;
  ASSERT_EQ(occluded.specimen.createPlan(), SLU_SUCCESS) << occluded.specimen.context.message();
  occluded.setPhase(GetParam().phase);
  expectAccepted(occluded.specimen);
  GetParam().spoil(occluded);
  expectRefused(occluded.specimen, GetParam().field);
}

INSTANTIATE_TEST_SUITE_P(Api, OcclusionFields, testing::ValuesIn(kOcclusionCases),
                         [](const auto& instance) { return std::string(instance.param.name); });

class OcclusionFrames : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message(); }

  std::uint64_t memoryBytes() const { return specimen.memory.size() * 4; }

  Occluded occluded;
  Specimen& specimen = occluded.specimen;
};

TEST_F(OcclusionFrames, NeedAPlanThatTests) {
  specimen.planInfo.cullFlags &= ~SluFlags{SLU_CULL_OCCLUSION_BIT};
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  expectRefused(specimen, "frame.pNext");
  specimen.frame.pNext = nullptr;
  expectAccepted(specimen);
}

TEST_F(OcclusionFrames, MayTestNothing) {
  specimen.frame.pNext = nullptr;
  expectAccepted(specimen);
}

TEST_F(OcclusionFrames, MayHaveNoBitsOfTheLastFrame) {
  for (const SluOcclusionPhase phase : {kFirst, kSecond}) {
    occluded.setPhase(phase);
    occluded.info.lastVisible = {};
    expectAccepted(specimen);
  }
}

// Margins, strides and sizes at their ends.
TEST_F(OcclusionFrames, TakeWhatIsAllowed) {
  occluded.setPhase(kSingle);
  for (const float margin : {0.0f, 0.5f, 1e-7f}) {
    occluded.info.depthMargin = margin;
    expectAccepted(specimen);
  }
  occluded.info.viewStride = 0;
  expectAccepted(specimen);
  for (SluOcclusionView& view : occluded.views) {
    view.flags = SLU_OCCLUSION_FLIPPED_BIT;
    view.layer = 0;
  }
  expectAccepted(specimen);
  // The pyramid is read by its header, whose first word is garbage.
  EXPECT_EQ(specimen.memory[occluded.visible.offset / 4], 0xffu);
  EXPECT_EQ(specimen.memory[occluded.visible.offset / 4 + 1], 0xffu);
}

// Planes that let everything pass are those of no side, and so are those of a view that has more planes.
TEST_F(OcclusionFrames, CompareThePlanesThatAreThere) {
  for (SluView& view : specimen.views) {
    for (auto& plane : view.planes) std::copy_n(std::begin({0.0f, 0.0f, 0.0f, 1.0f}), 4, plane);
  }
  expectAccepted(specimen);
  SluMorePlanes more{};
  sluGetFrustumPlanes(occluded.views[0].viewProjection, more.planes);
  std::memcpy(specimen.views[0].planes, more.planes, sizeof(more.planes));
  occluded.views[0].viewProjection[0] = 2.0f;
  expectRefused(specimen, "occlusion.views[0].viewProjection");
  specimen.planInfo.cullFlags |= SLU_CULL_MORE_PLANES_BIT;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  expectRefused(specimen, "occlusion.views[0].viewProjection");
  specimen.frame.morePlanes = &more;
  specimen.frame.morePlanesCount = 1;
  expectAccepted(specimen);
}

TEST_F(OcclusionFrames, FitTheirBuffers) {
  const std::uint64_t size = memoryBytes();
  const auto check = [&](SluBinding SluOcclusionInfo::*binding, const std::string& field, std::uint64_t last,
                         std::uint64_t step) {
    (occluded.info.*binding).offset = last;
    expectAccepted(specimen);
    for (const std::uint64_t offset : {last + step, size, size + step, ~std::uint64_t{0} - (step - 1)}) {
      (occluded.info.*binding).offset = offset;
      expectRefused(specimen, field);
    }
    (occluded.info.*binding).offset = last;
  };
  const std::uint64_t ofPyramid = (size - Occluded::kPyramidBytes) / 16 * 16;
  check(&SluOcclusionInfo::pyramid, "occlusion.pyramid", ofPyramid, 16);
  occluded.setPhase(kSecond);
  check(&SluOcclusionInfo::lastVisible, "occlusion.lastVisible", size - Occluded::kBitsBytes, 4);
  occluded.setPhase(kSecond);
  check(&SluOcclusionInfo::visible, "occlusion.visible", size - Occluded::kBitsBytes, 4);
}

TEST_F(OcclusionFrames, BelongToTheContext) {
  LoggedContext other;
  specimen.buffers.emplace_back(specimen.makeBuffer(other, specimen.memory.data(), memoryBytes()));
  const std::pair<SluBinding SluOcclusionInfo::*, const char*> bindings[] = {
      {&SluOcclusionInfo::pyramid, "occlusion.pyramid.buffer"},
      {&SluOcclusionInfo::lastVisible, "occlusion.lastVisible.buffer"},
      {&SluOcclusionInfo::visible, "occlusion.visible.buffer"}};
  for (const auto& [binding, field] : bindings) {
    occluded.setPhase(kSecond);
    (occluded.info.*binding).buffer = specimen.buffers.back();
    expectRefused(specimen, field);
  }
}

// Outputs overlap nothing, and inputs no output.
TEST_F(OcclusionFrames, OverlapNoOutput) {
  const auto expectOverlap = [&](const char* field) {
    const std::vector<std::uint32_t> before = specimen.memory;
    EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(specimen.memory, before);
    const std::string sentence = specimen.context.message();
    EXPECT_NE(sentence.find("overlap"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(field), std::string::npos) << sentence;
    occluded.setPhase(kSecond);
  };
  for (const SluBinding& other : {specimen.frame.records, specimen.frame.bounds, specimen.frame.flags,
                                  specimen.frame.liveCount, specimen.frame.indices, specimen.frame.draws,
                                  specimen.frame.statistics, occluded.lastVisible, occluded.pyramid}) {
    occluded.info.visible = other;
    expectOverlap("occlusion.visible");
  }
  occluded.info.visible.offset = occluded.pyramid.offset + Occluded::kPyramidBytes - 4;
  expectOverlap("occlusion.pyramid");
  for (const SluBinding& other : {specimen.frame.indices, specimen.frame.keptRecords, specimen.frame.statistics}) {
    occluded.info.lastVisible = other;
    expectOverlap("occlusion.lastVisible");
    occluded.info.pyramid.offset = (other.offset + 15) / 16 * 16;
    expectOverlap("occlusion.pyramid");
  }
  occluded.info.lastVisible = specimen.frame.records;
  expectAccepted(specimen);
}

TEST_F(OcclusionFrames, TellTheBytesOfBits) {
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.visibilityBytes, Occluded::kBitsBytes);
  properties.structSize = offsetof(SluPlanProperties, visibilityBytes);
  properties.visibilityBytes = 7;
  ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.visibilityBytes, 7u);
  specimen.planInfo.cullFlags &= ~SluFlags{SLU_CULL_OCCLUSION_BIT};
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.visibilityBytes, 0u);
}

TEST_F(OcclusionFrames, MayHaveNoRecords) {
  specimen.frame.recordCount = 0;
  for (const SluOcclusionPhase phase : {kSingle, kFirst, kSecond}) {
    occluded.setPhase(phase);
    expectAccepted(specimen);
  }
}

}  // namespace
}  // namespace slu::test
