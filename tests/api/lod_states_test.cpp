// States of LODs: what frames bind for them, and the rules of sluice/culling.h.
#include <sluice/culling.h>

#include <limits>
#include <utility>

#include "specimen.h"

namespace slu::test {
namespace {

class LodStates : public testing::Test {
 protected:
  void SetUp() override {
    specimen.planInfo.lod.flags = SLU_LOD_STATES_BIT;
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    specimen.frame.lastLodStates = specimen.place(kBytes);
    specimen.frame.lodStates = specimen.place(kBytes);
    specimen.frame.lodFadeStep = 255;
    expectAccepted(specimen);
  }

  static constexpr std::uint64_t kBytes = 2 * 8 * 4;  // views, records
  Specimen specimen;
};

TEST_F(LodStates, ArePropertiesOfThePlan) {
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.lodStatesBytes, kBytes);
}

TEST_F(LodStates, AreWrittenAndNeedNotBeRead) {
  specimen.frame.lastLodStates = {};
  expectAccepted(specimen);
  specimen.frame.lodStates = {};
  expectRefused(specimen, "frame.lodStates");
}

TEST_F(LodStates, LieInTheirBuffers) {
  const std::uint64_t size = specimen.memory.size() * 4;
  for (SluBinding SluFrameInfo::*binding : {&SluFrameInfo::lastLodStates, &SluFrameInfo::lodStates}) {
    const char* field = binding == &SluFrameInfo::lodStates ? "frame.lodStates" : "frame.lastLodStates";
    const SluBinding known = specimen.frame.*binding;
    (specimen.frame.*binding).offset = size - kBytes;
    expectAccepted(specimen);
    (specimen.frame.*binding).offset += 4;
    expectRefused(specimen, field);
    specimen.frame.recordCount = 7;  // the last view has as many states
    expectAccepted(specimen);
    specimen.frame.recordCount = 8;
    (specimen.frame.*binding).offset = size - kBytes / 2;
    expectRefused(specimen, field);
    specimen.frame.viewCount = 1;
    expectAccepted(specimen);
    specimen.frame.viewCount = 2;
    (specimen.frame.*binding).offset = known.offset + 2;
    expectRefused(specimen, std::string(field) + ".offset");
    specimen.frame.*binding = known;
  }
}

TEST_F(LodStates, DoNotOverlap) {
  specimen.frame.lodStates.offset = specimen.frame.lastLodStates.offset + kBytes - 4;
  expectRefused(specimen, "frame.lodStates");
  specimen.frame.lodStates = specimen.frame.records;
  expectRefused(specimen, "frame.lodStates");
  specimen.frame.lodStates = specimen.frame.bucketCounts;
  expectRefused(specimen, "frame.lodStates");
}

TEST_F(LodStates, MayBeThoseOfNoRecords) {
  specimen.frame.recordCount = 0;
  specimen.frame.lodStates = {};
  expectAccepted(specimen);
}

TEST_F(LodStates, HaveAHysteresisAndAStep) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  for (const float hysteresis : {0.0f, -0.0f, 0.1f, 0.5f}) {
    specimen.frame.lodHysteresis = hysteresis;
    expectAccepted(specimen);
  }
  for (const float hysteresis : {-0.1f, 0.51f, 1.0f, kInfinity, -kInfinity, kNan}) {
    specimen.frame.lodHysteresis = hysteresis;
    expectRefused(specimen, "frame.lodHysteresis");
  }
  specimen.frame.lodHysteresis = 0.1f;
  for (const std::uint32_t step : {0u, 1u, 255u}) {
    specimen.frame.lodFadeStep = step;
    expectAccepted(specimen);
  }
  for (const std::uint32_t step : {256u, 0xffffffffu}) {
    specimen.frame.lodFadeStep = step;
    expectRefused(specimen, "frame.lodFadeStep");
  }
}

TEST(NoLodStates, TakeNothing) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  specimen.frame.lastLodStates = specimen.place(64);
  expectRefused(specimen, "frame.lastLodStates");
  specimen.frame.lodStates = std::exchange(specimen.frame.lastLodStates, {});
  expectRefused(specimen, "frame.lodStates");
  specimen.frame.lodStates = {};
  specimen.frame.lodHysteresis = 0.1f;
  expectRefused(specimen, "frame.lodHysteresis");
  specimen.frame.lodHysteresis = 0.0f;
  specimen.frame.lodFadeStep = 1;
  expectRefused(specimen, "frame.lodFadeStep");
}

TEST(LodRules, TakeNoLodOfGarbage) {
  for (std::uint32_t lodCount = 2; lodCount <= SLU_MAX_LODS; ++lodCount) {
    for (std::uint32_t low = 0; low < 256; ++low) {
      const std::uint32_t expected = low < lodCount ? low : SLU_LOD_NONE;
      EXPECT_EQ(sluLodOfState(low, lodCount), expected);
      EXPECT_EQ(sluLodOfState(0xffffff00u | low, lodCount), expected);
    }
  }
}

TEST(LodRules, HoldALodInItsRange) {
  EXPECT_EQ(sluHeldLod(3, 2, 4), 3u);
  EXPECT_EQ(sluHeldLod(1, 2, 4), 2u);
  EXPECT_EQ(sluHeldLod(7, 2, 4), 4u);
  EXPECT_EQ(sluHeldLod(SLU_LOD_NONE, 2, 2), 2u);
  EXPECT_EQ(sluHeldLod(SLU_LOD_NONE, 0, 0), 0u);
}

constexpr std::uint32_t stateOf(std::uint32_t lod, std::uint32_t before, std::uint32_t fade) {
  return lod | before << 8 | fade << 16;
}

TEST(LodRules, MakeStates) {
  constexpr std::uint32_t kNone = SLU_LOD_NONE;
  EXPECT_EQ(sluNextLodState(SLU_LOD_STATE_NONE, 2, 4, 10), stateOf(2, kNone, 255)) << "the record has come";
  EXPECT_EQ(sluNextLodState(stateOf(2, kNone, 255), 2, 4, 10), stateOf(2, kNone, 255)) << "it stays";
  EXPECT_EQ(sluNextLodState(stateOf(2, kNone, 255), 3, 4, 10), stateOf(3, 2, 0)) << "it changes";
  EXPECT_EQ(sluNextLodState(stateOf(3, 2, 0), 3, 4, 10), stateOf(3, 2, 10)) << "it fades";
  EXPECT_EQ(sluNextLodState(stateOf(3, 2, 250), 3, 4, 10), stateOf(3, 2, 255)) << "it has faded";
  EXPECT_EQ(sluNextLodState(stateOf(3, 2, 30), 1, 4, 10), stateOf(1, 3, 0)) << "it changes while it fades";
  EXPECT_EQ(sluNextLodState(stateOf(3, 2, 30), 3, 4, 0), stateOf(3, 2, 30));
  EXPECT_EQ(sluNextLodState(stateOf(3, 2, 0), 3, 4, 255), stateOf(3, 2, 255));
  EXPECT_EQ(sluNextLodState(0xffffffffu, 0, 2, 255), stateOf(0, kNone, 255)) << "garbage is no LOD";
  EXPECT_EQ(sluNextLodState(0xab050901u, 1, 2, 1), stateOf(1, kNone, 6)) << "nor is garbage before it";
  EXPECT_EQ(SLU_LOD_STATE_NONE, stateOf(kNone, kNone, 255));
}

}  // namespace
}  // namespace slu::test
