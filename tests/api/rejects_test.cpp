// Lists of rejects: what plans say of them, and what frames bind.
#include <cstring>
#include <string>

#include "specimen.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kListCapacity = 5, kListViews = 2;  // of the list, of the specimen

class Rejects : public testing::Test {
 protected:
  void SetUp() override {
    specimen.planInfo.outputs |= SLU_OUTPUT_REJECTS_BIT | SLU_OUTPUT_REJECT_COUNTS_BIT;
    specimen.planInfo.rejects.capacity = kListCapacity;
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    specimen.frame.rejects = specimen.place(kBytes);
    specimen.frame.rejectCounts = specimen.place(kCountBytes);
    expectAccepted(specimen);
  }

  static constexpr std::uint64_t kBytes = kListViews * kListCapacity * 4,
                                 kCountBytes = kListViews * sizeof(SluBucketCount);
  Specimen specimen;
};

TEST_F(Rejects, ArePropertiesOfThePlan) {
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.rejectsBytes, kBytes);
  EXPECT_EQ(properties.rejectCountsBytes, kCountBytes);
  specimen.planInfo.rejects.capacity = 0;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.rejectsBytes, kListViews * specimen.planInfo.maxRecordCount * 4u);
}

TEST_F(Rejects, LieInTheirBuffers) {
  const std::uint64_t size = specimen.memory.size() * 4;
  for (SluBinding SluFrameInfo::*binding : {&SluFrameInfo::rejects, &SluFrameInfo::rejectCounts}) {
    const bool isList = binding == &SluFrameInfo::rejects;
    const std::string field = isList ? "frame.rejects" : "frame.rejectCounts";
    const SluBinding known = specimen.frame.*binding;
    (specimen.frame.*binding).offset = size - (isList ? kBytes : kCountBytes);
    expectAccepted(specimen);
    (specimen.frame.*binding).offset += 4;
    expectRefused(specimen, field);
    (specimen.frame.*binding).offset = known.offset + 2;
    expectRefused(specimen, field + ".offset");
    specimen.frame.*binding = {};
    expectRefused(specimen, field);
    specimen.frame.*binding = known;
  }
}

TEST_F(Rejects, DoNotOverlap) {
  const SluBinding known = specimen.frame.rejects;
  for (const SluBinding& other : {specimen.frame.records, specimen.frame.bounds, specimen.frame.indices,
                                  specimen.frame.statistics, specimen.frame.keptRecords}) {
    specimen.frame.rejects = other;
    expectRefused(specimen, "frame.rejects");
  }
  specimen.frame.rejects = known;
  specimen.frame.rejectCounts = known;
  expectRefused(specimen, "frame.rejectCounts");
}

TEST_F(Rejects, AreBoundByPlansThatHaveThem) {
  specimen.planInfo.outputs &= ~SluFlags{SLU_OUTPUT_REJECTS_BIT};
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  expectRefused(specimen, "frame.rejects");
  specimen.frame.rejects = {};
  expectAccepted(specimen);
  specimen.planInfo.outputs &= ~SluFlags{SLU_OUTPUT_REJECT_COUNTS_BIT};
  specimen.planInfo.rejects = {};
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  expectRefused(specimen, "frame.rejectCounts");
}

// A host of an older header does not know them.
TEST(OlderHost, HasNoRejects) {
  Specimen specimen;
  std::memset(&specimen.planInfo.rejects, 0xff, sizeof(SluRejects));
  specimen.planInfo.structSize = offsetof(SluPlanCreateInfo, rejects);
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  constexpr std::size_t kFrameEnd = offsetof(SluFrameInfo, rejects);
  std::memset(&specimen.frame.rejects, 0xff, sizeof(SluFrameInfo) - kFrameEnd);
  specimen.frame.structSize = kFrameEnd;
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_SUCCESS) << specimen.context.message();
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  properties.structSize = offsetof(SluPlanProperties, rejectsBytes);
  properties.rejectsBytes = 7;
  EXPECT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS) << specimen.context.message();
  EXPECT_EQ(properties.rejectsBytes, 7u);
}

}  // namespace
}  // namespace slu::test
