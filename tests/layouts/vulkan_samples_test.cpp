// KhronosGroup/Vulkan-Samples: samples/performance/multi_draw_indirect and its cull.comp, as they were in 2025.
#include <cstddef>

#include "layouts.h"

namespace slu::test::samples {
namespace {

struct GpuModelInformation {
  float boundingSphereCenter[3];
  float boundingSphereRadius;
  std::uint32_t textureIndex;
  std::uint32_t firstIndex;
  std::uint32_t indexCount;  // the sample writes the number of triangles
  std::uint32_t pad;
};
static_assert(sizeof(GpuModelInformation) == 32 && offsetof(GpuModelInformation, boundingSphereRadius) == 12 &&
              offsetof(GpuModelInformation, pad) == 28);

// Tests a sphere against the rows w - c and w + c of a projection, for some of the coordinates c.
bool isVisible(const float projView[16], const GpuModelInformation& model, const std::vector<int>& coordinates,
               Judge& judge) {
  for (const int coordinate : coordinates) {
    for (const double sign : {-1.0, 1.0}) {
      double plane[4];
      for (int column = 0; column < 4; ++column) {
        plane[column] = projView[column * 4 + 3] + sign * projView[column * 4 + coordinate];
      }
      const Vector normal = {plane[0], plane[1], plane[2]};
      const double distance = dot(normal, vectorOf(model.boundingSphereCenter)) + plane[3];
      if (!judge.isInside(distance / length(normal) + model.boundingSphereRadius)) return false;
    }
  }
  return true;
}

constexpr std::uint32_t kModelCount = 700;

// The sample leaves out the planes of y, and its near plane is where z = -w. A host that asks for all six drops more.
enum class Planes { ofTheSample, all };

// The page's plan. The commands are those that the sample makes when it loads.
PlanSpec makePlan(SluOrder order, SluFlags drawFlags, const std::vector<IndexedDraw>& commands) {
  PlanSpec plan;
  SluPlanCreateInfo& info = plan.info;
  info.order = order;
  info.recordStride = sizeof(GpuModelInformation);
  info.maxRecordCount = kModelCount;
  info.maxViewCount = 1;
  info.cullFlags = SLU_CULL_FRUSTUM_BIT;
  info.bounds.source = SLU_BOUNDS_IN_RECORD;
  info.bounds.offset = offsetof(GpuModelInformation, boundingSphereCenter);
  info.key.keyCount = kModelCount;
  info.key.offset = offsetof(GpuModelInformation, pad);
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  info.draws = {SLU_DRAW_INDEXED_INSTANCES, sizeof(IndexedDraw), drawFlags};
  for (const IndexedDraw& command : commands) {
    plan.buckets.push_back({1, {command.indexCount, 0, command.firstIndex, command.vertexOffset, 0}});
  }
  return plan;
}

SluView makeView(const Camera& camera, const std::array<float, 16>& projView, Planes planes) {
  SluView view{};
  sluGetFrustumPlanes(projView.data(), view.planes);
  for (std::size_t i = 0; i < 3; ++i) view.eye[i] = static_cast<float>(camera.eye[i]);
  if (planes == Planes::all) return view;
  for (const std::size_t passedByAll : {2u, 3u}) {
    const float plane[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    std::copy_n(plane, 4, view.planes[passedByAll]);
  }
  double near[4];
  for (std::size_t i = 0; i < 4; ++i) near[i] = double{projView[i * 4 + 3]} + double{projView[i * 4 + 2]};
  for (std::size_t i = 0; i < 4; ++i) {
    view.planes[4][i] = static_cast<float>(near[i] / length(Vector{near[0], near[1], near[2]}));
  }
  return view;
}

// Commands as the sample's loader makes them, before a pass.
std::vector<IndexedDraw> makeCommands(const std::vector<std::uint32_t>& triangleCounts) {
  std::vector<IndexedDraw> commands;
  std::uint32_t firstIndex = 0;
  std::int32_t vertexOffset = 0;
  for (std::uint32_t i = 0; i < triangleCounts.size(); ++i) {
    commands.push_back({triangleCounts[i] * 3, 0, firstIndex, vertexOffset, i});
    firstIndex += triangleCounts[i] * 3;
    vertexOffset += static_cast<std::int32_t>(triangleCounts[i] + 2);
  }
  return commands;
}

// The two sets of planes must agree with the pass, or with the pass if it tested them all.
bool isVisible(const Camera& camera, const std::array<float, 16>& projView, const GpuModelInformation& model,
               Planes planes, Judge& judge) {
  if (planes == Planes::ofTheSample) return isVisible(projView.data(), model, {0, 2}, judge);
  // z >= 0, where the sample has z >= -w.
  const double z = dot(camera.forward, subtract(vectorOf(model.boundingSphereCenter), camera.eye));
  return isVisible(projView.data(), model, {0, 1}, judge) &&
         judge.isInside(z - camera.nearest + model.boundingSphereRadius) &&
         judge.isInside(camera.farthest - z + model.boundingSphereRadius);
}

GpuModelInformation makeModel(const IndexedDraw& command, std::uint32_t number, Random& random) {
  GpuModelInformation model = makeAny<GpuModelInformation>(random);
  setPoint(model.boundingSphereCenter, kWorld, random);
  model.boundingSphereRadius = random.uniform(0.1f, 8.0f);
  model.firstIndex = command.firstIndex;
  model.indexCount = command.indexCount / 3;
  model.pad = number;
  return model;
}

TEST_P(Layouts, VulkanSamples) {
  std::vector<std::uint32_t> triangleCounts(kModelCount);
  for (std::uint32_t& count : triangleCounts) count = random.between(1, 500);
  const std::vector<IndexedDraw> loaded = makeCommands(triangleCounts);
  for (const SluOrder order : kOrders) {
    for (const SluFlags drawFlags : {SluFlags{0}, SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT}}) {
      const PlanSpec plan = makePlan(order, drawFlags, loaded);
      for (const Planes planes : {Planes::ofTheSample, Planes::all, Planes::ofTheSample}) {
        const Camera camera = makeCamera(random);
        const std::array<float, 16> projView = columnsOf(finiteClipMatrix(camera));
        std::vector<GpuModelInformation> models;
        std::vector<IndexedDraw> expected;
        while (models.size() < kModelCount) {
          const auto number = static_cast<std::uint32_t>(models.size());
          const GpuModelInformation model = makeModel(loaded[number], number, random);
          Judge judge;
          IndexedDraw command = loaded[number];
          command.instanceCount = isVisible(camera, projView, model, planes, judge) ? 1 : 0;
          if (!judge.isClear()) continue;
          models.push_back(model);
          if (drawFlags == 0 || command.instanceCount != 0) expected.push_back(command);
        }
        Input input;
        input.count = kModelCount;
        input.records = bytesOf(models);
        const Outcome outcome = run(plan, input, makeView(camera, projView, planes));
        ASSERT_EQ(outcome.commands(), expected);
        EXPECT_GT(outcome.statistics().keptCount, 0u);
        EXPECT_GT(outcome.statistics().rejectedCount[SLU_REJECT_FRUSTUM], 0u);
      }
    }
  }
}

}  // namespace
}  // namespace slu::test::samples
