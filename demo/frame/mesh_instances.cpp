#include "frame/mesh_instances.h"

#include <algorithm>
#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <limits>

#include "base/failure.h"

namespace demo {
namespace {

MatrixInstance withMatrix(const MeshInstance& instance) {
  const glm::vec4& q = instance.rotation;
  const glm::mat3 linear = instance.scale * glm::mat3_cast(glm::quat(q.w, q.x, q.y, q.z));
  MatrixInstance result = {};
  for (int row = 0; row < 3; ++row)
    result.rows[row] = {linear[0][row], linear[1][row], linear[2][row], instance.position[row]};
  result.mesh = instance.mesh;
  result.seed = instance.seed;
  return result;
}

}  // namespace

std::vector<std::byte> instanceBytes(std::span<const MeshInstance> instances, bool hasMatrices) {
  std::vector<MatrixInstance> matrices;
  if (hasMatrices) std::ranges::transform(instances, std::back_inserter(matrices), withMatrix);
  const auto bytes = hasMatrices ? std::as_bytes(std::span(matrices)) : std::as_bytes(instances);
  return {bytes.begin(), bytes.end()};
}

void describeTransforms(SluBounds& bounds, bool hasMatrices) {
  if (hasMatrices) {
    bounds.transformFlags = SLU_TRANSFORM_MATRIX_BIT;
    bounds.matrixOffset = offsetof(MatrixInstance, rows);
    bounds.matrixForm = SLU_MATRIX_ROWS;
    return;
  }
  bounds.transformFlags = SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT;
  bounds.positionOffset = offsetof(MeshInstance, position);
  bounds.scaleOffset = offsetof(MeshInstance, scale);
  bounds.rotationOffset = offsetof(MeshInstance, rotation);
}

void describeInstanceVertices(GraphicsPipelineInfo& info, bool hasMatrices) {
  info.vertexVariant = hasMatrices;
  info.vertexStride = sizeof(MeshVertex);
  info.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(MeshVertex, position)},
                     {1, 0, VK_FORMAT_R8G8B8A8_SNORM, offsetof(MeshVertex, normal)}};
}

// Without a draw count on the GPU the commands behind the last are zeros and draw nothing.
void drawCommands(const Device& device, VkCommandBuffer commands, const Kept& kept, bool hasDrawCount, uint32_t view,
                  uint32_t group) {
  const VkBuffer draws = kept.buffer(Channel::Draws)->get();
  constexpr uint32_t kStride = sizeof(VkDrawIndexedIndirectCommand);
  const uint32_t count = kept.drawsPerGroup(), place = view * kept.groupCount() + group;
  const VkDeviceSize first = VkDeviceSize{place} * count * kStride, countAt = VkDeviceSize{place} * sizeof(uint32_t);
  if (hasDrawCount && device.drawIndirectCount()) {
    const VkBuffer counts = kept.buffer(Channel::DrawCounts)->get();
    vkCmdDrawIndexedIndirectCount(commands, draws, first, counts, countAt, count, kStride);
  } else if (device.multiDrawIndirect()) {
    vkCmdDrawIndexedIndirect(commands, draws, first, count, kStride);
  } else {
    for (uint32_t draw = 0; draw < count; ++draw)
      vkCmdDrawIndexedIndirect(commands, draws, first + draw * kStride, 1, kStride);
  }
}

SluView viewOf(const Camera& camera, const FrameConstants& constants, const DetailLimits& limits) {
  SluView view = viewOf(camera, constants, limits.minPixels);
  view.maxDistance = limits.maxDistance;
  std::copy(std::begin(limits.lodDistances), std::end(limits.lodDistances), view.lodDistances);
  return view;
}

MeshInstances::MeshInstances(const MeshInstancesInfo& info, MeshLibrary meshes)
    : device_(info.device),
      hasMatrices_(info.hasMatrices),
      drawCount_(info.drawCount),
      instanceCount_(info.instances.size()),
      meshes_(std::move(meshes)) {
  if (!info.groups.names.empty()) meshes_.setGroups(info.groups.ofMeshes);
  meshes_.upload(device_);
  createBuffers(info);
  createRequest(info);
  if (info.hasMeshlets) createMeshlets();
}

std::string MeshInstances::description() const {
  return sentence(instanceCount_, " instances of ", meshCount(), " meshes", hasMatrices_ ? " with matrices" : "");
}

MeshInstance MeshInstances::nobody() {
  MeshInstance instance = {};
  instance.position = glm::vec3(std::numeric_limits<float>::quiet_NaN());  // so that nothing shows it
  instance.rotation.w = 1.0f;
  instance.mesh = ~0u;
  return instance;
}

std::vector<std::byte> MeshInstances::recordBytes(std::span<const MeshInstance> instances) const {
  return instanceBytes(instances, hasMatrices_);
}

LodMesh MeshInstances::meshRow(uint32_t mesh, uint32_t lodMask) const {
  LodMesh row = meshes_.meshes()[mesh];
  row.lodMask = lodMask;
  if (lodMask) return row;
  row.lodCount = 0;
  std::ranges::fill(row.lods, LodRange());
  return row;
}

void MeshInstances::writeRecords(FrameWrites& writes, uint32_t first, std::span<const MeshInstance> instances) const {
  writes.add(records_, uint64_t{first} * request_.plan.recordStride, recordBytes(instances));
}

void MeshInstances::writeMesh(FrameWrites& writes, uint32_t mesh, uint32_t lodMask) const {
  const LodMesh row = meshRow(mesh, lodMask);
  writes.add(table_, mesh * sizeof(row), std::as_bytes(std::span(&row, 1)));
}

void MeshInstances::createBuffers(const MeshInstancesInfo& info) {
  const bool come = info.recordCount != 0;
  const std::vector<MeshInstance> none(info.recordCount, nobody());
  const std::vector<std::byte> records = recordBytes(come ? std::span(none) : info.instances);
  std::vector<LodMesh> rows = meshes_.meshes();
  for (uint32_t mesh = 0; come && mesh < rows.size(); ++mesh) rows[mesh] = meshRow(mesh, 0);
  const Memory memory = inputMemory(info.route);
  records_ = Buffer(device_, records.size(), 0, memory, "instances");
  table_ = Buffer(device_, rows.size() * sizeof(LodMesh), 0, memory, "meshes");
  upload(device_, records_, records);
  upload(device_, table_, rows);
}

void MeshInstances::createRequest(const MeshInstancesInfo& info) {
  SluPlanCreateInfo& plan = request_.plan;
  plan = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  plan.maxRecordCount = info.recordCount ? info.recordCount : static_cast<uint32_t>(info.instances.size());
  plan.maxViewCount = info.viewCount;
  plan.live.test = SLU_LIVE_ALWAYS;
  plan.cullFlags = SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT;
  plan.bounds.source = SLU_BOUNDS_IN_MESH;
  plan.bounds.offset = offsetof(LodMesh, sphere);
  plan.key.keyCount = static_cast<uint32_t>(meshCount());
  plan.key.lodCount = kLodCount;
  plan.meshes.stride = sizeof(LodMesh);
  plan.meshes.parts =
      SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT | SLU_MESH_LOD_VERTEX_OFFSET_BIT;
  plan.meshes.lodCountOffset = offsetof(LodMesh, lodCount);
  plan.meshes.lodMaskOffset = offsetof(LodMesh, lodMask);
  plan.meshes.lodStride = sizeof(LodRange);
  plan.meshes.elementCountOffset = offsetof(LodMesh, lods) + offsetof(LodRange, indexCount);
  plan.meshes.firstElementOffset = offsetof(LodMesh, lods) + offsetof(LodRange, firstIndex);
  plan.meshes.vertexOffsetOffset = offsetof(LodMesh, lods) + offsetof(LodRange, vertexOffset);
  plan.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT |
                 SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  plan.draws.type = SLU_DRAW_INDEXED_INSTANCES;
  plan.draws.stride = sizeof(VkDrawIndexedIndirectCommand);
  plan.draws.flags = SLU_DRAWS_SKIP_EMPTY_BIT;
  describeRecords();
  addBuckets(info.instances);
  request_.inputs[Channel::Records] = &records_;
  request_.inputs[Channel::Meshes] = &table_;
  request_.inputs[Channel::Bounds] = &table_;  // of a plan without a table
  request_.meshShaderRefusal = "the scene has no meshlets";
  request_.groups = info.groups;
  request_.groups.meshOffset = offsetof(LodMesh, group);
  request_.viewDependent = true;
  request_.isOpaque = true;
  for (const LodMesh& mesh : meshes_.meshes())
    for (const LodRange& lod : mesh.lods) request_.bucketTriangles.push_back(lod.indexCount / 3);
}

// The limits are those of a draw of one bucket, whatever it keeps.
void MeshInstances::createMeshlets() {
  request_.taskRecords = kTaskRecords;
  request_.meshShaderRefusal.clear();
  if (!device_.meshShaders()) {
    request_.meshShaderRefusal = sentence("device ", device_.properties().deviceName, " lacks ",
                                          VK_EXT_MESH_SHADER_EXTENSION_NAME, " with task shaders");
    return;
  }
  meshlets_.emplace(device_, meshes_);
  const VkPhysicalDeviceMeshShaderPropertiesEXT& limits = device_.meshLimits();
  const uint64_t most = request_.plan.maxRecordCount;  // all are in one bucket if all are drawn as one mesh
  const uint64_t tasks = (most + kTaskRecords - 1) / kTaskRecords,
                 meshes = uint64_t{meshlets_->mostOfLod()} * kTaskRecords;
  if (tasks > limits.maxTaskWorkGroupTotalCount)
    request_.meshShaderRefusal =
        sentence("a draw of ", most, " instances takes ", tasks, " task workgroups, and maxTaskWorkGroupTotalCount is ",
                 limits.maxTaskWorkGroupTotalCount);
  else if (meshlets_->mostOfLod() > limits.maxMeshWorkGroupCount[0] || meshes > limits.maxMeshWorkGroupTotalCount)
    request_.meshShaderRefusal =
        sentence("a task workgroup starts up to ", meshlets_->mostOfLod(), " x ", kTaskRecords,
                 " mesh workgroups, and maxMeshWorkGroupCount is ", limits.maxMeshWorkGroupCount[0],
                 ", maxMeshWorkGroupTotalCount ", limits.maxMeshWorkGroupTotalCount);
}

void MeshInstances::describeRecords() {
  SluPlanCreateInfo& plan = request_.plan;
  plan.recordStride = instanceStride(hasMatrices_);
  describeTransforms(plan.bounds, hasMatrices_);
  if (hasMatrices_) {
    plan.key.offset = offsetof(MatrixInstance, mesh);
    request_.seedOffset = offsetof(MatrixInstance, seed);
    request_.positionOffset = kMatrixPosition;
    request_.positionStep = sizeof(glm::vec4);
    return;
  }
  plan.key.offset = offsetof(MeshInstance, mesh);
  request_.seedOffset = offsetof(MeshInstance, seed);
}

// Each instance of a mesh may be in any of its LODs. The table has the draws.
void MeshInstances::addBuckets(std::span<const MeshInstance> instances) {
  std::vector<uint32_t> counts(meshCount());
  for (const MeshInstance& instance : instances) ++counts[instance.mesh];
  for (uint32_t& count : counts) count = std::min(count, request_.plan.maxRecordCount);
  for (size_t mesh = 0; mesh < counts.size(); ++mesh) {
    request_.buckets.insert(request_.buckets.end(), kLodCount, {counts[mesh], {}});
    request_.sufficientCapacities.insert(request_.sufficientCapacities.end(), kLodCount, counts[mesh]);
  }
}

void MeshInstances::draw(VkCommandBuffer commands, const Kept& kept, uint32_t view,
                         const std::function<void(uint32_t group)>& bindGroup) const {
  meshes_.bind(commands);
  for (uint32_t group = 0; group < kept.groupCount(); ++group) {
    if (bindGroup) bindGroup(group);
    drawCommands(device_, commands, kept, drawCount_, view, group);
  }
}

// A draw per bucket: a mesh shader has no draw state of the table, and takes the bucket from its push constants.
void MeshInstances::drawMeshTasks(VkCommandBuffer commands, VkPipelineLayout layout, VkDeviceAddress frameConstants,
                                  const Kept& kept) const {
  const uint32_t stride = kept.request().plan.draws.stride;
  const uint32_t lodCount = std::max(kept.request().plan.key.lodCount, 1u);
  MeshTaskPush push = {.frame = frameConstants,
                       .instances = records_.address(),
                       .indices = kept.buffer(Channel::Indices)->address(),
                       .draws = kept.buffer(Channel::Draws)->address(),
                       .counts = kept.buffer(Channel::BucketCounts)->address(),
                       .range = 0,
                       .meshlets = meshlets_->meshlets().address(),
                       .vertexList = meshlets_->vertices().address(),
                       .triangleList = meshlets_->triangles().address(),
                       .vertices = meshes_.vertexAddress(),
                       .bucket = 0,
                       .reserved = 0};
  for (; push.bucket < kept.bucketCount(); ++push.bucket) {
    const uint32_t mesh = push.bucket / lodCount, lod = push.bucket % lodCount;
    push.range = meshlets_->ranges().address() + (mesh * kLodCount + lod) * sizeof(MeshletRange);
    vkCmdPushConstants(commands, layout, kMeshTaskStages, 0, sizeof(push), &push);
    // The bucket's first output stands in front of the command.
    const VkDeviceSize command = VkDeviceSize{push.bucket} * stride + sizeof(uint32_t);
    vkCmdDrawMeshTasksIndirectEXT(commands, kept.buffer(Channel::Draws)->get(), command, 1, stride);
  }
}

}  // namespace demo
