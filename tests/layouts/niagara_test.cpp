// zeux/niagara: src/shaders/drawcull.comp.glsl over MeshDraw and Mesh of src/scene.h, as it was in July 2026.
#include <cstddef>

#include "layouts.h"

namespace slu::test::niagara {
namespace {

struct MeshLod {
  std::uint32_t indexOffset, indexCount;
  std::uint32_t meshletOffset, meshletCount;
  float error;
};
static_assert(sizeof(MeshLod) == 20 && offsetof(MeshLod, error) == 16);

struct alignas(16) Mesh {
  float center[3];
  float radius;
  std::uint32_t vertexOffset, vertexCount;
  std::uint32_t ommIndexData, ommIndexBase;
  std::uint32_t lodCount, lodRT;
  std::uint32_t padding[2];
  MeshLod lods[8];
};
static_assert(sizeof(Mesh) == 208 && offsetof(Mesh, vertexOffset) == 16 && offsetof(Mesh, lodCount) == 32 &&
              offsetof(Mesh, lods) == 48);

struct alignas(16) MeshDraw {
  float position[3];
  float scale;
  float orientation[4];  // x, y, z, w
  std::uint32_t meshIndex, meshletVisibilityOffset, postPass, materialIndex;
};
static_assert(sizeof(MeshDraw) == 48 && offsetof(MeshDraw, scale) == 12 && offsetof(MeshDraw, orientation) == 16 &&
              offsetof(MeshDraw, meshIndex) == 32 && offsetof(MeshDraw, postPass) == 40);

// The pass writes one per draw that it keeps.
struct MeshDrawCommand {
  std::uint32_t drawId;
  IndexedDraw indirect;
};
static_assert(sizeof(MeshDrawCommand) == 24 && offsetof(MeshDrawCommand, indirect) == 4);

// What the pass reads of its push constants.
struct CullData {
  float view[16];  // by columns; z is forward
  float znear, zfar;
  float frustum[4];  // the normals of the planes to the sides: x and z of left and right, y and z of top and bottom
  float lodTarget;
  std::uint32_t postPass;
};

struct Verdict {
  bool isDrawn;
  std::uint32_t lod;
};

// Rotates by the matrix of a quaternion.
Vector rotate(const float orientation[4], const Vector& v) {
  const double x = orientation[0], y = orientation[1], z = orientation[2], w = orientation[3];
  return {(1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - w * z) * v[1] + 2 * (x * z + w * y) * v[2],
          2 * (x * y + w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - w * x) * v[2],
          2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2]};
}

bool isInFrustum(const CullData& cull, const Vector& center, double radius, Judge& judge) {
  const Vector normalX = {cull.frustum[0], 0.0, cull.frustum[1]}, normalY = {cull.frustum[2], 0.0, cull.frustum[3]};
  // The frustum is symmetric, so one plane stands for two.
  return judge.isInside(center[2] * normalX[2] - std::fabs(center[0]) * normalX[0] + radius) &&
         judge.isInside(center[2] * normalY[2] - std::fabs(center[1]) * normalY[0] + radius) &&
         judge.isInside(center[2] + radius - cull.znear) && judge.isInside(cull.zfar - (center[2] - radius));
}

// The pass without its occlusion test. isLate: the second of its two phases.
Verdict judgeDraw(const CullData& cull, const MeshDraw& draw, const Mesh& mesh, bool isLate, std::uint32_t visibility,
                  Judge& judge) {
  if (draw.postPass != cull.postPass || (!isLate && visibility == 0)) return {};
  const Vector rotated = rotate(draw.orientation, vectorOf(mesh.center));
  Vector world, center;
  for (std::size_t i = 0; i < 3; ++i) world[i] = rotated[i] * draw.scale + draw.position[i];
  for (std::size_t i = 0; i < 3; ++i) {
    center[i] = cull.view[i] * world[0] + cull.view[4 + i] * world[1] + cull.view[8 + i] * world[2] + cull.view[12 + i];
  }
  const double scale = draw.scale, radius = mesh.radius * scale;
  if (!isInFrustum(cull, center, radius, judge)) return {};
  if (isLate && visibility != 0 && cull.postPass == 0) return {};
  Verdict verdict = {true, 0};
  const double distance = std::max(length(center) - radius, 0.0);
  for (std::uint32_t lod = 1; lod < mesh.lodCount; ++lod) {
    // The pass asks whether error < distance * lodTarget / scale.
    if (judge.isInside(distance - mesh.lods[lod].error * scale / cull.lodTarget)) verdict.lod = lod;
  }
  return verdict;
}

constexpr std::uint32_t kMeshCount = 7;
constexpr std::uint32_t kDrawCount = 3000;

enum class Phase { early, lateWithoutOcclusion, post };

// The page's plan.
PlanSpec makePlan(SluOrder order, Phase phase) {
  PlanSpec plan;
  SluPlanCreateInfo& info = plan.info;
  info.order = order;
  info.recordStride = sizeof(MeshDraw);
  info.maxRecordCount = kDrawCount;
  info.maxViewCount = 1;
  info.live.test = SLU_LIVE_MASK_EQUAL;
  info.live.offset = offsetof(MeshDraw, postPass);
  info.liveMask = ~0u;
  info.liveValue = phase == Phase::post ? 1 : 0;
  if (phase == Phase::early) info.secondLive.test = SLU_LIVE_FLAG_WORDS;
  info.cullFlags = SLU_CULL_FRUSTUM_BIT;
  info.bounds.source = SLU_BOUNDS_IN_MESH;
  info.bounds.offset = offsetof(Mesh, center);
  info.bounds.transformFlags = SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT;
  info.bounds.positionOffset = offsetof(MeshDraw, position);
  info.bounds.scaleOffset = offsetof(MeshDraw, scale);
  info.bounds.rotationOffset = offsetof(MeshDraw, orientation);
  info.key.keyCount = kMeshCount;
  info.key.offset = offsetof(MeshDraw, meshIndex);
  info.key.lodCount = 8;
  info.lod.rule = SLU_LOD_MESH_ERRORS;
  info.lod.flags = SLU_LOD_NEAR_SIDE_BIT;
  info.meshes.stride = sizeof(Mesh);
  info.meshes.parts = SLU_MESH_LOD_COUNT_BIT | SLU_MESH_FIRST_ELEMENT_BIT | SLU_MESH_VERTEX_OFFSET_BIT;
  info.meshes.lodCountOffset = offsetof(Mesh, lodCount);
  info.meshes.lodStride = sizeof(MeshLod);
  info.meshes.elementCountOffset = offsetof(Mesh, lods[0].indexCount);
  info.meshes.firstElementOffset = offsetof(Mesh, lods[0].indexOffset);
  info.meshes.vertexOffsetOffset = offsetof(Mesh, vertexOffset);
  info.meshes.thresholdOffset = offsetof(Mesh, lods[0].error);
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  info.draws = {SLU_DRAW_INDEXED_INSTANCES, sizeof(IndexedDraw), SLU_DRAWS_SKIP_EMPTY_BIT};
  plan.buckets.assign(kMeshCount * 8, SluBucket{kDrawCount, {}});
  return plan;
}

// The page's plan with the pass's own commands.
PlanSpec makeCommandPlan(SluOrder order, Phase phase) {
  PlanSpec plan = makePlan(order, phase);
  plan.info.placement = SLU_PLACEMENT_MERGED;
  plan.info.outputs = SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  plan.info.draws = {SLU_DRAW_INDEXED_INSTANCES, sizeof(MeshDrawCommand), SLU_DRAWS_RECORD_IN_FRONT_BIT};
  plan.buckets.clear();
  return plan;
}

CullData makeCullData(const Camera& camera, Phase phase, Random& random) {
  CullData cull;
  const std::array<float, 16> view = columnsOf(viewMatrix(camera));
  std::copy(view.begin(), view.end(), cull.view);
  cull.znear = static_cast<float>(camera.nearest);
  cull.zfar = static_cast<float>(camera.farthest);
  const double lengthX = std::hypot(1.0 / camera.tanX, 1.0), lengthY = std::hypot(1.0 / camera.tanY, 1.0);
  cull.frustum[0] = static_cast<float>(1.0 / camera.tanX / lengthX);
  cull.frustum[1] = static_cast<float>(1.0 / lengthX);
  cull.frustum[2] = static_cast<float>(1.0 / camera.tanY / lengthY);
  cull.frustum[3] = static_cast<float>(1.0 / lengthY);
  const float height = random.uniform(480.0f, 2160.0f);
  cull.lodTarget = static_cast<float>(2.0 * camera.tanY) / height;
  cull.postPass = phase == Phase::post ? 1 : 0;
  return cull;
}

SluView makeView(const Camera& camera, const CullData& cull) {
  SluView view{};
  sluGetFrustumPlanes(columnsOf(reversedClipMatrix(camera)).data(), view.planes);
  // The projection has no far plane, so that 0 <= z is passed by everything. The pass tests draw distance instead.
  for (std::size_t i = 0; i < 3; ++i) view.planes[4][i] = static_cast<float>(-camera.forward[i]);
  view.planes[4][3] = static_cast<float>(dot(camera.forward, camera.eye) + camera.farthest);
  for (std::size_t i = 0; i < 3; ++i) view.eye[i] = static_cast<float>(camera.eye[i]);
  view.lodRatio = cull.lodTarget;
  return view;
}

// unit: the error that one LOD is drawn with at a distance of 1.
Mesh makeMesh(float unit, Random& random) {
  Mesh mesh = makeAny<Mesh>(random);
  setPoint(mesh.center, 2.0f, random);
  mesh.radius = random.uniform(0.1f, 4.0f);
  mesh.lodCount = random.between(1, 8);
  float distance = 0.0f;
  for (MeshLod& lod : mesh.lods) {
    lod.error = unit * distance;
    distance += random.uniform(1.0f, 15.0f);
  }
  return mesh;
}

MeshDraw makeDraw(Random& random) {
  MeshDraw draw = makeAny<MeshDraw>(random);
  setPoint(draw.position, kWorld, random);
  draw.scale = random.uniform(0.2f, 3.0f);
  const Quaternion rotation = makeRotation(random);
  std::memcpy(draw.orientation, &rotation, sizeof(rotation));
  draw.meshIndex = random.below(kMeshCount);
  draw.postPass = random.chance(0.3) ? 1 : 0;
  return draw;
}

// A frame's buffers, and what the pass draws with them.
struct Frame {
  std::vector<MeshDraw> draws;
  std::vector<std::uint32_t> visibility;
  std::vector<Mesh> meshes;
  std::vector<Drawn> drawn;
};

// lodCounts: to which what is drawn at each LOD is added.
Frame makeFrame(const CullData& cull, Phase phase, std::array<std::uint32_t, 8>& lodCounts, Random& random) {
  Frame frame;
  while (frame.meshes.size() < kMeshCount) frame.meshes.push_back(makeMesh(cull.lodTarget, random));
  while (frame.draws.size() < kDrawCount) {
    const MeshDraw draw = makeDraw(random);
    const Mesh& mesh = frame.meshes[draw.meshIndex];
    // Without occlusion there is one phase for what no post pass draws: the late one, with nothing drawn before.
    const std::uint32_t visibility = phase == Phase::lateWithoutOcclusion ? 0 : random.below(2);
    Judge judge;
    const Verdict verdict = judgeDraw(cull, draw, mesh, phase != Phase::early, visibility, judge);
    if (!judge.isClear()) continue;
    if (verdict.isDrawn) {
      const MeshLod& lod = mesh.lods[verdict.lod];
      frame.drawn.push_back({static_cast<std::uint32_t>(frame.draws.size()), lod.indexCount, lod.indexOffset,
                             static_cast<std::int32_t>(mesh.vertexOffset)});
      ++lodCounts[verdict.lod];
    }
    frame.draws.push_back(draw);
    frame.visibility.push_back(visibility);
  }
  return frame;
}

Input inputOf(const Frame& frame) {
  Input input;
  input.count = kDrawCount;
  input.records = bytesOf(frame.draws);
  input.flags = bytesOf(frame.visibility);
  input.meshes = bytesOf(frame.meshes);
  return input;
}

// The commands as the pass writes them, sorted by their draws.
std::vector<Drawn> drawnBy(const std::vector<MeshDrawCommand>& commands) {
  std::vector<Drawn> drawn;
  for (const MeshDrawCommand& command : commands) {
    const IndexedDraw& indirect = command.indirect;
    EXPECT_EQ(indirect.instanceCount, 1u);
    EXPECT_EQ(indirect.firstInstance, 0u);
    drawn.push_back({command.drawId, indirect.indexCount, indirect.firstIndex, indirect.vertexOffset});
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

TEST_P(Layouts, NiagaraWithACommandPerDraw) {
  std::array<std::uint32_t, 8> lodCounts = {};
  for (const SluOrder order : kOrders) {
    for (const Phase phase : {Phase::early, Phase::lateWithoutOcclusion, Phase::post}) {
      const PlanSpec plan = makeCommandPlan(order, phase);
      const Camera camera = makeCamera(random);
      const CullData cull = makeCullData(camera, phase, random);
      const Frame frame = makeFrame(cull, phase, lodCounts, random);
      const Outcome outcome = run(plan, inputOf(frame), makeView(camera, cull));
      ASSERT_EQ(drawnBy(outcome.recordCommands<MeshDrawCommand>()), frame.drawn);
    }
  }
  EXPECT_LE(std::count(lodCounts.begin(), lodCounts.end(), 0u), 4);
}

TEST_P(Layouts, Niagara) {
  std::array<std::uint32_t, 8> lodCounts = {};
  for (const SluOrder order : kOrders) {
    for (const Phase phase : {Phase::early, Phase::lateWithoutOcclusion, Phase::post}) {
      const PlanSpec plan = makePlan(order, phase);
      for (int round = 0; round < 3; ++round) {
        const Camera camera = makeCamera(random);
        const CullData cull = makeCullData(camera, phase, random);
        const Frame frame = makeFrame(cull, phase, lodCounts, random);
        const Outcome outcome = run(plan, inputOf(frame), makeView(camera, cull));
        ASSERT_EQ(outcome.drawn(), frame.drawn);
        ASSERT_EQ(outcome.statistics().keptCount, frame.drawn.size());
        // The frames must exercise all tests.
        EXPECT_GT(outcome.statistics().rejectedCount[SLU_REJECT_FRUSTUM], 0u);
        EXPECT_GT(outcome.statistics().rejectedCount[SLU_REJECT_NOT_LIVE], 0u);
      }
    }
  }
  EXPECT_LE(std::count(lodCounts.begin(), lodCounts.end(), 0u), 2);
}

}  // namespace
}  // namespace slu::test::niagara
