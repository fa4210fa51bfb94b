// Draws in the order of their groups, whose number buckets or meshes tell.
#include <bit>

#include "contract.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kGroupCounts[] = {1, 2, 5, 256};

// Records of 8 bytes, of which the second word is the key. Some keys are out of range, and half of the buckets drop what
// they get, so that they are empty.
PlanSpec makePlan(SluOrder order, std::uint32_t bucketCount, SluFlags drawFlags, Random& random) {
  PlanSpec plan = simplePlan(order, 8, 6000);
  plan.info.maxViewCount = 2;
  addBuckets(plan, bucketCount, 1, 6000 / bucketCount, 4);
  plan.info.key.bits = static_cast<std::uint32_t>(std::bit_width(bucketCount));
  for (SluBucket& bucket : plan.buckets) bucket.capacity *= random.below(2);
  addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, drawFlags, random);
  return plan;
}

TEST_P(Contract, GroupsOfBuckets) {
  for (const std::uint32_t bucketCount : {2u, 40u, 700u}) {
    for (const std::uint32_t groupCount : kGroupCounts) {
      for (const SluFlags flags : {SluFlags{0}, SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT}}) {
        PlanSpec plan = makePlan(nextOrder(), bucketCount, flags | SLU_DRAWS_NUMBER_IN_FRONT_BIT, random);
        addGroups(plan, groupCount, 0, random);
        ASSERT_TRUE(agreesOn(plan, random.pick({0u, 200u, 6000u}), Pattern::half, random.between(1, 2)));
      }
    }
  }
}

// With room for all draws of a group, for some of them, and for one.
TEST_P(Contract, GroupsAtFixedPlaces) {
  for (const std::uint32_t groupCount : kGroupCounts) {
    for (const std::uint32_t capacity : {40u, 7u, 1u}) {
      PlanSpec plan = makePlan(nextOrder(), 40, SLU_DRAWS_SKIP_EMPTY_BIT | SLU_DRAWS_BUCKET_IN_FRONT_BIT, random);
      addGroups(plan, groupCount, capacity, random);
      ASSERT_TRUE(agreesOn(plan, 3000, Pattern::half, 2));
    }
  }
}

// Some meshes name groups that there are not. Those of mirrored records begin elsewhere.
TEST_P(Contract, GroupsOfMeshes) {
  for (const SluOrder order : kOrders) {
    for (const bool areMirrored : {false, true}) {
      for (const std::uint32_t capacity : {0u, 5u}) {
        PlanSpec plan = simplePlan(order, 48, 3000);
        plan.info.maxViewCount = 2;
        addCulling(plan, SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 8);
        addTransform(plan, SLU_TRANSFORM_SCALE_BIT, 24);
        addBuckets(plan, 30, 2, 60, 4);
        plan.info.key.bits = 5;
        if (areMirrored) splitMirrored(plan);
        addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, random.below(2), random);
        addMeshes(plan, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_FIRST_ELEMENT_BIT, SLU_LOD_MESH_DISTANCES);
        addGroups(plan, 6, capacity, random);
        ASSERT_TRUE(agreesOn(plan, 2500, Pattern::half, 2));
        packBuckets(plan, random.pick({0u, 700u}));
        ASSERT_TRUE(agreesOn(plan, 2500, Pattern::half, 2));
      }
    }
  }
}

TEST_P(Contract, DrawCountsOfGroupsAlone) {
  PlanSpec plan = makePlan(nextOrder(), 40, SLU_DRAWS_SKIP_EMPTY_BIT, random);
  addGroups(plan, 5, random.pick({0u, 3u}), random);
  plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  ASSERT_TRUE(agreesOn(plan, 3000, Pattern::half, 2));
}

}  // namespace
}  // namespace slu::test
