// Each field of SluPlanCreateInfo, spoiled: refused by name, and no plan comes out.
#include <cstring>

#include "plan_cases.h"
#include "specimen.h"

namespace slu::test {
namespace {

class PlanFields : public testing::TestWithParam<PlanCase> {};

TEST_P(PlanFields, AreChecked) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();

  SluPlanCreateInfo info = specimen.planInfo;
  std::vector<SluBucket> buckets = specimen.buckets;
  GetParam().spoil(info, buckets);
  info.buckets = buckets.empty() ? nullptr : buckets.data();
  SluPlan untouched = specimen.plan;
  EXPECT_EQ(sluCreatePlan(specimen.context, &info, &untouched), GetParam().result);
  EXPECT_EQ(untouched, specimen.plan.get());
  EXPECT_TRUE(beginsWith(specimen.context.message(), GetParam().field));
  EXPECT_EQ(specimen.context.log().back().text, specimen.context.message());
  EXPECT_EQ(specimen.context.log().back().severity, SLU_LOG_ERROR);

  EXPECT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
}

INSTANTIATE_TEST_SUITE_P(Api, PlanFields, testing::ValuesIn(badPlans().begin(), badPlans().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

// What is just within the limits.
class GoodPlans : public testing::TestWithParam<GoodPlan> {};

TEST_P(GoodPlans, AreAccepted) {
  Specimen specimen;
  GetParam().change(specimen.planInfo, specimen.buckets);
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  EXPECT_STREQ(sluGetErrorMessage(specimen.context), "");
}

INSTANTIATE_TEST_SUITE_P(Api, GoodPlans, testing::ValuesIn(goodPlans().begin(), goodPlans().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(PlanArguments, NullsAreRefused) {
  Specimen specimen;
  SluPlan plan = nullptr;
  EXPECT_EQ(sluCreatePlan(nullptr, &specimen.planInfo, &plan), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluCreatePlan(specimen.context, nullptr, &plan), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "plan"));
  EXPECT_EQ(sluCreatePlan(specimen.context, &specimen.planInfo, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "plan"));
  EXPECT_EQ(plan, nullptr);
  sluDestroyPlan(nullptr);
}

// UndefinedBehaviorSanitizer stops where auto, which comes before the other checks, reads it as an enum.
TEST(PlanArguments, AutoRefusesALiveTestOutsideTheEnum) {
  Specimen specimen;
  specimen.planInfo.route = SLU_ROUTE_AUTO;
  std::memset(&specimen.planInfo.live.test, 0xff, sizeof(specimen.planInfo.live.test));
  EXPECT_EQ(specimen.createPlan(), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "plan.live.test")) << specimen.context.message();
}

TEST(PlanProperties, TellWhatAFrameNeeds) {
  Specimen specimen;
  specimen.planInfo.flags = SLU_PLAN_IN_PLACE_BIT;
  specimen.planInfo.route = SLU_ROUTE_AUTO;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.route, SLU_ROUTE_CPU);
  EXPECT_EQ(properties.bucketCount, 6u);
  EXPECT_EQ(properties.outputsPerView, 24u);
  EXPECT_EQ(properties.tileRecords, 1u);
  EXPECT_GE(properties.scratchBytes, 8u * 64);
  EXPECT_EQ(properties.indicesBytes, 48u * 4);
  EXPECT_EQ(properties.keptRecordsBytes, 48u * 64);
  EXPECT_EQ(properties.drawsBytes, 11u * 28 + 20);
  EXPECT_EQ(properties.drawCountsBytes, 2u * 4);
  EXPECT_EQ(properties.statisticsBytes, 2u * 64);
  EXPECT_EQ(properties.bucketCountsBytes, 12u * 8);
  EXPECT_EQ(properties.lodStatesBytes, 0u);
}

// The outputs of packed buckets are as many as their capacity, whatever the number of buckets.
TEST(PlanProperties, TellWhatPackedBucketsNeed) {
  Specimen specimen;
  specimen.planInfo.placement = SLU_PLACEMENT_PACKED;
  for (SluBucket& bucket : specimen.buckets) bucket.capacity = 0;
  for (const std::uint32_t capacity : {0u, 5u}) {
    specimen.planInfo.capacity = capacity;
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
    ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
    const std::uint64_t outputs = capacity != 0 ? capacity : specimen.planInfo.maxRecordCount;
    EXPECT_EQ(properties.bucketCount, 6u);
    EXPECT_EQ(properties.outputsPerView, outputs);
    EXPECT_EQ(properties.indicesBytes, 2 * outputs * 4);
    EXPECT_EQ(properties.keptRecordsBytes, 2 * outputs * 64);
    EXPECT_EQ(properties.drawsBytes, 11u * 28 + 20);
    EXPECT_EQ(properties.bucketCountsBytes, 12u * 8);
  }
}

// Buckets behind the first one may begin at any output, those of a single bucket and view at the first one alone.
TEST(PlanProperties, TellWhetherPackedDrawsHaveAFirstInstance) {
  const auto needsOf = [](std::uint32_t keyCount, std::uint32_t viewCount, SluDrawType type) {
    Specimen specimen;
    SluPlanCreateInfo& info = specimen.planInfo;
    info.placement = SLU_PLACEMENT_PACKED;
    info.capacity = 5;
    info.key = {keyCount, 0, 0, 0, 1};
    info.maxViewCount = viewCount;
    info.bucketCount = keyCount;
    info.draws.type = type;
    specimen.buckets.assign(keyCount, SluBucket{0, {3, 0, 0, 0, 0}});
    EXPECT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
    EXPECT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
    return properties.drawNeeds & SLU_DRAW_NEEDS_FIRST_INSTANCE_BIT;
  };
  EXPECT_EQ(needsOf(1, 1, SLU_DRAW_INDEXED_INSTANCES), 0u);
  EXPECT_NE(needsOf(2, 1, SLU_DRAW_INDEXED_INSTANCES), 0u);
  EXPECT_NE(needsOf(1, 2, SLU_DRAW_INDEXED_INSTANCES), 0u);
  EXPECT_EQ(needsOf(2, 2, SLU_DRAW_VERTICES), 0u);
}

// A command per record: as many commands as places. The word in front leaves firstInstance to the templates.
TEST(PlanProperties, OfOneList) {
  constexpr SluFlags kAlways = SLU_DRAW_NEEDS_MULTI_DRAW_BIT | SLU_DRAW_NEEDS_DRAW_COUNT_BIT;
  for (const SluFlags flags : {0u, SluFlags{SLU_DRAWS_RECORD_IN_FRONT_BIT}}) {
    Specimen specimen;
    specimen.planInfo.placement = SLU_PLACEMENT_MERGED;
    specimen.planInfo.capacity = 5;
    specimen.planInfo.outputs &= ~SluFlags{SLU_OUTPUT_BUCKET_COUNTS_BIT};
    specimen.planInfo.draws.flags = flags;
    for (SluBucket& bucket : specimen.buckets) bucket = {0, {36, 0, 6, -2, 0}};
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
    ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
    EXPECT_EQ(properties.bucketCount, 6u);
    EXPECT_EQ(properties.outputsPerView, 5u);
    EXPECT_EQ(properties.indicesBytes, 10u * 4);
    EXPECT_EQ(properties.keptRecordsBytes, 10u * 64);
    EXPECT_EQ(properties.drawsBytes, 9u * 28 + (flags == 0 ? 20 : 24));
    EXPECT_EQ(properties.bucketCountsBytes, 0u);
    EXPECT_EQ(properties.drawNeeds, flags == 0 ? kAlways | SLU_DRAW_NEEDS_FIRST_INSTANCE_BIT : kAlways);
    specimen.planInfo.capacity = 0;
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
    EXPECT_EQ(properties.outputsPerView, 8u);  // maxRecordCount
  }
}

TEST(PlanProperties, AreZeroForWhatIsNotWritten) {
  Specimen specimen;
  specimen.planInfo.outputs = SLU_OUTPUT_DRAW_COUNTS_BIT;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.indicesBytes, 0u);
  EXPECT_EQ(properties.keptRecordsBytes, 0u);
  EXPECT_EQ(properties.drawsBytes, 0u);
  EXPECT_EQ(properties.drawCountsBytes, 8u);
  EXPECT_EQ(properties.statisticsBytes, 0u);
  EXPECT_EQ(properties.bucketCountsBytes, 0u);
}

}  // namespace
}  // namespace slu::test
