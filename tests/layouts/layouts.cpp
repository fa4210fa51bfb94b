#include "layouts.h"

#include <utility>

#include "left_overs.h"

namespace slu::test {
namespace {

std::string nameOf(const testing::TestParamInfo<MachineKind>& info) { return machineName(info.param); }

INSTANTIATE_TEST_SUITE_P(, Layouts, testing::ValuesIn(kMachineKinds), nameOf);

const testing::Environment* const kLeftOvers = testing::AddGlobalTestEnvironment(new LeftOvers);

std::array<double, 4> planeThrough(const Vector& eye, const Vector& axis, double scale) {
  return {axis[0] * scale, axis[1] * scale, axis[2] * scale, -scale * dot(axis, eye)};
}

// The rows of x, y and w. That of z is left to the caller.
Matrix4 clipMatrix(const Camera& camera) {
  return {planeThrough(camera.eye, camera.right, 1.0 / camera.tanX),
          planeThrough(camera.eye, camera.up, 1.0 / camera.tanY),
          {},
          planeThrough(camera.eye, camera.forward, 1.0)};
}

}  // namespace

Camera makeCamera(Random& random) {
  Camera camera;
  for (double& coordinate : camera.eye) coordinate = random.uniform(-10.0f, 10.0f);
  const Quaternion q = makeRotation(random);
  camera.right = {1 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z), 2.0 * (q.x * q.z - q.w * q.y)};
  camera.up = {2.0 * (q.x * q.y - q.w * q.z), 1 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.w * q.x)};
  // The quaternion is of floats, so the axes are made exact: Gram and Schmidt.
  const double x = length(camera.right);
  for (double& part : camera.right) part /= x;
  const double along = dot(camera.up, camera.right);
  for (std::size_t i = 0; i < 3; ++i) camera.up[i] -= along * camera.right[i];
  const double y = length(camera.up);
  for (double& part : camera.up) part /= y;
  const Vector &r = camera.right, &u = camera.up;
  camera.forward = {r[1] * u[2] - r[2] * u[1], r[2] * u[0] - r[0] * u[2], r[0] * u[1] - r[1] * u[0]};
  camera.tanX = random.uniform(0.6f, 1.2f);
  camera.tanY = random.uniform(0.6f, 1.2f);
  camera.nearest = random.uniform(0.3f, 2.0f);
  camera.farthest = random.uniform(40.0f, 70.0f);
  return camera;
}

Matrix4 viewMatrix(const Camera& camera) {
  return {planeThrough(camera.eye, camera.right, 1.0),
          planeThrough(camera.eye, camera.up, 1.0),
          planeThrough(camera.eye, camera.forward, 1.0),
          {0.0, 0.0, 0.0, 1.0}};
}

Matrix4 reversedClipMatrix(const Camera& camera) {
  Matrix4 matrix = clipMatrix(camera);
  matrix[2] = {0.0, 0.0, 0.0, camera.nearest};
  return matrix;
}

Matrix4 finiteClipMatrix(const Camera& camera) {
  Matrix4 matrix = clipMatrix(camera);
  const double scale = camera.farthest / (camera.farthest - camera.nearest);
  for (std::size_t i = 0; i < 4; ++i) matrix[2][i] = scale * matrix[3][i];
  matrix[2][3] -= scale * camera.nearest;
  return matrix;
}

std::array<float, 16> columnsOf(const Matrix4& matrix) {
  std::array<float, 16> columns;
  for (std::size_t i = 0; i < 16; ++i) columns[i] = static_cast<float>(matrix[i % 4][i / 4]);
  return columns;
}

std::vector<std::uint32_t> Outcome::kept() const { return read<std::uint32_t>(frame_.indices, statistics().keptCount); }

std::vector<IndexedDraw> Outcome::commandsOfGroup(std::uint32_t group) const {
  const SluGroups& groups = plan_.info.groups;
  const std::uint32_t count = read<std::uint32_t>(frame_.drawCounts, groups.count).at(group);
  const Place first = {frame_.draws.memory,
                       frame_.draws.offset + std::uint64_t{group} * groups.drawCapacity * sizeof(IndexedDraw)};
  return read<IndexedDraw>(first, std::min(count, groups.drawCapacity));
}

std::vector<Drawn> Outcome::drawnBy(const std::vector<IndexedDraw>& commands) const {
  const auto indices = read<std::uint32_t>(frame_.indices, plan_.outputsPerView());
  std::vector<Drawn> drawn;
  for (const IndexedDraw& command : commands) {
    for (std::uint32_t i = 0; i < command.instanceCount; ++i) {
      const std::uint32_t record = indices.at(std::size_t{command.firstInstance} + i);
      drawn.push_back({record, command.indexCount, command.firstIndex, command.vertexOffset});
    }
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

void Layouts::SetUp() {
  std::string reason;
  machine_ = findMachine(GetParam(), reason);
  if (machine_ == nullptr) GTEST_SKIP() << reason;
}

void Layouts::TearDown() {
  if (machine_ == nullptr) return;
  machine_->dropPlans();
  EXPECT_EQ(takeMessages(), "");
}

Outcome Layouts::run(const PlanSpec& plan, const Input& input, const SluView& view,
                     const std::function<void(SceneBuilder& builder, FrameSpec& frame)>& arrange) {
  SceneBuilder builder(random);
  FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input);
  if (plan.info.cullFlags != 0) frame.views = {view};
  frame.meshCount = plan.hasMeshes() ? plan.keyCount() : 0;
  frame.liveMeshCount = {};
  if (arrange) arrange(builder, frame);
  builder.addFrame(frame);
  const Scene scene = builder.finish();
  std::vector<Bytes> memories = scene.memories;
  machine_->record(scene)->execute(memories, 1);
  return Outcome(plan, frame, std::move(memories));
}

}  // namespace slu::test
