// Tests which workloads CUB and Thrust are built for. Needs no GPU.
#include <gtest/gtest.h>

#include "competitors/all.h"

namespace bench {
namespace {

using Peers = std::vector<std::unique_ptr<Competitor>>;

Peers makePeers() {
  Peers peers;
  peers.push_back(makeCub());
  peers.push_back(makeCubFlagged());
  peers.push_back(makeCubPartition());
  peers.push_back(makeThrustCopyIf());
  return peers;
}

Workload records(uint32_t recordBytes) {
  Workload workload;
  workload.recordBytes = recordBytes;
  return workload;
}

Workload indices(uint32_t recordBytes) {
  Workload workload = records(recordBytes);
  workload.outputs = Outputs::Indices;
  return workload;
}

TEST(Cub, TakesRecordsOfItsSizesAndIndicesOfAny) {
  for (const auto& peer : makePeers()) {
    for (const uint32_t recordBytes : {4u, 8u, 12u, 16u, 24u, 32u, 48u, 64u, 96u, 128u})
      EXPECT_EQ(peer->refusal(records(recordBytes)), "") << peer->name() << ", " << recordBytes;
    EXPECT_EQ(peer->refusal(records(20)), "it is not built for records of 20 bytes") << peer->name();
    for (const uint32_t recordBytes : {4u, 20u, 256u})
      EXPECT_EQ(peer->refusal(indices(recordBytes)), "") << peer->name() << ", " << recordBytes;
  }
}

TEST(Cub, CullsByItsBestCalls) {
  Workload spheres = indices(16);
  spheres.predicate = Predicate::Sphere;
  Workload instances = records(64);
  instances.predicate = Predicate::SphereBeside;
  EXPECT_EQ(makeCub()->refusal(spheres) + makeCub()->refusal(instances), "");
  EXPECT_EQ(makeThrustCopyIf()->refusal(spheres), "");
  EXPECT_NE(makeThrustCopyIf()->refusal(instances), "");
  instances.recordBytes = 32;
  EXPECT_EQ(makeCub()->refusal(instances).find("it is not built for culling 32 B"), 0u)
      << makeCub()->refusal(instances);
  for (const auto& peer : {makeCubFlagged(), makeCubFlaggedTuned(), makeCubPartition()})
    EXPECT_NE(peer->refusal(spheres), "") << peer->name();
}

TEST(Cub, LeavesBoxesToOthers) {
  Workload boxes = records(64);
  boxes.predicate = Predicate::BoxBeside;
  Peers peers = makePeers();
  peers.push_back(makeCubTuned());
  peers.push_back(makeCubFlaggedTuned());
  for (boxes.outputs = Outputs::Records; const auto& peer : peers)
    EXPECT_EQ(peer->refusal(boxes), "it tests words and spheres, and boxes decide here") << peer->name();
  for (boxes.outputs = Outputs::Indices; const auto& peer : peers)
    EXPECT_EQ(peer->refusal(boxes), "it tests words and spheres, and boxes decide here") << peer->name();
  boxes.bucketCount = 64;
  EXPECT_EQ(makeCubSort()->refusal(boxes), "");
}

TEST(Cub, LeavesSpheresInRecordsAndViewsToOthers) {
  Workload spheres = records(64);
  spheres.predicate = Predicate::Sphere;
  Workload views = spheres;
  views.viewCount = 2;
  Peers peers = makePeers();
  peers.push_back(makeCubTuned());
  peers.push_back(makeCubFlaggedTuned());
  for (const auto& peer : peers) {
    EXPECT_EQ(peer->refusal(spheres), "it tests words and spheres without gaps, and spheres in records decide here");
    EXPECT_EQ(peer->refusal(views), "it culls for one view") << peer->name();
  }
  spheres.bucketCount = views.bucketCount = 64;
  EXPECT_EQ(makeCubSort()->refusal(spheres), "");
  EXPECT_EQ(makeCubSort()->refusal(views), "it culls for one view");
}

TEST(Cub, HasOneOutput) {
  Workload workload = records(16);
  workload.bucketCount = 2;
  for (const auto& peer : makePeers()) EXPECT_EQ(peer->refusal(workload), "it has one output") << peer->name();
  EXPECT_EQ(makeCubTuned()->refusal(workload), "it has one output");
  EXPECT_EQ(makeCubFlaggedTuned()->refusal(workload), "it has one output");
}

TEST(Cub, SortsAnythingIntoSeveralBuckets) {
  const auto sort = makeCubSort();
  for (Workload workload : {records(16), records(20), indices(20)}) {
    for (workload.order = Order::Unordered; workload.bucketCount <= 4096; workload.bucketCount *= 2)
      EXPECT_EQ(sort->refusal(workload), workload.bucketCount > 1 ? "" : "it sorts by bucket, and there is one");
  }
  Workload instances = records(48);
  instances.predicate = Predicate::SphereBeside;
  instances.bucketCount = 64;
  EXPECT_EQ(sort->refusal(instances), "");
}

// With CUB 3.0 the tuned competitors run what those with the default policy run. With other releases they run nothing.
TEST(Cub, IsTunedForAllOrNothing) {
  const bool isBuilt = makeCubTuned()->refusal(records(16)).empty();
  for (const auto& tuned : {makeCubTuned(), makeCubFlaggedTuned()}) {
    for (const uint32_t recordBytes : {4u, 8u, 12u, 16u, 24u, 32u, 48u, 64u, 96u, 128u})
      EXPECT_EQ(tuned->refusal(records(recordBytes)).empty(), isBuilt) << tuned->name() << ", " << recordBytes;
    EXPECT_EQ(tuned->refusal(indices(20)).empty(), isBuilt) << tuned->name();
    EXPECT_EQ(tuned->refusal(records(20)), "it is not built for records of 20 bytes, and for nothing without CUB 3.0");
  }
  Workload spheres = indices(16);
  spheres.predicate = Predicate::Sphere;
  Workload instances = records(64);
  instances.predicate = Predicate::SphereBeside;
  EXPECT_EQ(makeCubTuned()->refusal(spheres).empty(), isBuilt);
  EXPECT_EQ(makeCubTuned()->refusal(instances).empty(), isBuilt);
}

TEST(Cub, OnlyOneIsTheBaseline) {
  EXPECT_EQ(makeCub()->role(), Role::Baseline);
  for (const auto& competitor : makeCompetitors({}))
    EXPECT_EQ(competitor->role() == Role::Baseline, competitor->name() == "cub") << competitor->name();
}

}  // namespace
}  // namespace bench
