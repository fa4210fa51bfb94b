// NVIDIA/cuda-samples: marchingCubes, its compaction of voxels and the launch behind it, as they were in 2025.
#include "layouts.h"

namespace slu::test::cubes {
namespace {

constexpr std::uint32_t kThreads = 32;  // a block of generateTriangles, one voxel each

// A volume with a surface in it, and what the sample's classifyVoxel writes for each voxel: whether the surface passes.
struct Volume {
  std::uint32_t size;  // voxels along an axis
  std::vector<std::uint32_t> occupied;
};

// The surface is where the distances to some points, each less a radius, have their least value 0.
Volume makeVolume(std::uint32_t size, Random& random) {
  struct Ball {
    Vector center;
    double radius;
  };
  std::vector<Ball> balls(random.between(1, 4));
  for (Ball& ball : balls) {
    for (double& coordinate : ball.center) coordinate = random.uniform(0.2f, 0.8f);
    ball.radius = random.uniform(0.05f, 0.4f);
  }
  const auto isInside = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const Vector point = {double(x) / size, double(y) / size, double(z) / size};
    return std::ranges::any_of(balls,
                               [&](const Ball& ball) { return length(subtract(point, ball.center)) < ball.radius; });
  };
  Volume volume{size, {}};
  for (std::uint32_t voxel = 0; voxel < size * size * size; ++voxel) {
    const std::uint32_t x = voxel % size, y = voxel / size % size, z = voxel / (size * size);
    std::uint32_t corners = 0;
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
      corners += isInside(x + corner % 2, y + corner / 2 % 2, z + corner / 4) ? 1 : 0;
    }
    volume.occupied.push_back(corners > 0 && corners < 8 ? 1 : 0);
  }
  return volume;
}

// The sample's exclusive scan and compactVoxels.
std::vector<std::uint32_t> compactVoxels(const std::vector<std::uint32_t>& occupied) {
  std::vector<std::uint32_t> scan(occupied.size() + 1);
  for (std::size_t i = 0; i < occupied.size(); ++i) scan[i + 1] = scan[i] + occupied[i];
  std::vector<std::uint32_t> compacted(scan.back());
  for (std::uint32_t i = 0; i < occupied.size(); ++i) {
    if (occupied[i] != 0) compacted[scan[i]] = i;
  }
  return compacted;
}

// The page's plan.
PlanSpec makePlan(std::uint32_t voxelCount) {
  PlanSpec plan;
  SluPlanCreateInfo& info = plan.info;
  info.order = SLU_ORDER_STABLE;
  info.recordStride = sizeof(std::uint32_t);
  info.maxRecordCount = voxelCount;
  info.maxViewCount = 1;
  info.live = {SLU_LIVE_NON_EMPTY, 0, sizeof(std::uint32_t)};
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  info.draws = {SLU_DRAW_WORKGROUPS, sizeof(Workgroups), SLU_DRAWS_AS_DATA_BIT};
  plan.buckets.push_back({voxelCount, {kThreads, 0, 0, 0, 0}});
  return plan;
}

// The launch must reach every voxel, and no dimension of it may be larger than the sample's.
TEST_P(Layouts, MarchingCubes) {
  for (const std::uint32_t size : {8u, 32u, 50u}) {
    const Volume volume = makeVolume(size, random);
    Input input;
    input.count = static_cast<std::uint32_t>(volume.occupied.size());
    input.records = bytesOf(volume.occupied);
    const PlanSpec plan = makePlan(input.count);
    const Outcome outcome = run(plan, input, {});
    const std::vector<std::uint32_t> expected = compactVoxels(volume.occupied);
    ASSERT_EQ(outcome.kept(), expected);
    const auto launches = outcome.commands<Workgroups>();
    ASSERT_EQ(launches.size(), 1u);
    const Workgroups& launch = launches[0];
    const auto blocks = static_cast<std::uint32_t>((expected.size() + kThreads - 1) / kThreads);
    EXPECT_EQ(launch.x, blocks);
    EXPECT_EQ(launch.y, 1u);
    EXPECT_EQ(launch.z, 1u);
  }
}

}  // namespace
}  // namespace slu::test::cubes
