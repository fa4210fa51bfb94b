#include "frame/cluster_instances.h"

#include <algorithm>
#include <cstddef>

#include "base/failure.h"

namespace demo {
namespace {

constexpr uint64_t kMaxRecords = 1u << 26;  // whose commands take 1.3 GB

}  // namespace

ClusterInstances::ClusterInstances(const MeshInstancesInfo& info, std::span<const uint32_t> lods, MeshLibrary meshes)
    : device_(info.device), hasMatrices_(info.hasMatrices), drawCount_(info.drawCount), meshes_(std::move(meshes)) {
  const ClusterTable table = meshes_.cutIntoClusters();
  meshes_.upload(device_);
  const std::vector<ClusterRecord> records = makeRecords(info.instances, lods, table);
  createBuffers(info, records, table.clusters);
  createRequest(info, table.clusters, static_cast<uint32_t>(records.size()));
}

std::string ClusterInstances::description() const {
  return sentence(wholeDraws_.size(), " instances of ", meshes_.meshes().size(), " meshes",
                  hasMatrices_ ? " with matrices" : "", ", in ", request_.plan.maxRecordCount, " clusters of ",
                  request_.boundsCount, " shapes");
}

std::vector<ClusterRecord> ClusterInstances::makeRecords(std::span<const MeshInstance> instances,
                                                         std::span<const uint32_t> lods, const ClusterTable& table) {
  const auto lodOf = [&](size_t instance) { return size_t{instances[instance].mesh} * kLodCount + lods[instance]; };
  uint64_t count = 0;
  for (size_t instance = 0; instance < instances.size(); ++instance) count += table.ofLods[lodOf(instance)].count;
  if (count > kMaxRecords)
    failInput("--clusters: ", instances.size(), " instances have ", count, " clusters, more than the ", kMaxRecords,
              " that fit; take fewer --instances");
  std::vector<ClusterRecord> records;
  records.reserve(count);
  for (uint32_t instance = 0; instance < instances.size(); ++instance) {
    const LodRange& whole = meshes_.meshes()[instances[instance].mesh].lods[lods[instance]];
    const MeshletRange& clusters = table.ofLods[lodOf(instance)];
    wholeDraws_.push_back(
        {whole.indexCount, whole.firstIndex, whole.vertexOffset, static_cast<uint32_t>(records.size())});
    for (uint32_t cluster = 0; cluster < clusters.count; ++cluster)
      records.push_back({instance, clusters.first + cluster});
  }
  return records;
}

void ClusterInstances::createBuffers(const MeshInstancesInfo& info, const std::vector<ClusterRecord>& records,
                                     const std::vector<Cluster>& clusters) {
  const auto create = [&](Buffer& buffer, std::span<const std::byte> bytes, const char* name) {
    buffer = Buffer(device_, bytes.size(), 0, inputMemory(info.route), name);
    upload(device_, buffer, bytes);
  };
  create(records_, std::as_bytes(std::span(records)), "records of clusters");
  create(instances_, instanceBytes(info.instances, hasMatrices_), "instances");
  create(clusters_, std::as_bytes(std::span(clusters)), "clusters");
  create(table_, std::as_bytes(std::span(clusters)), "table of clusters");
  std::vector<Cluster> withoutCones = clusters;
  for (Cluster& cluster : withoutCones) cluster.coneCutoff = 1.0f;  // which rejects nothing
  create(clustersWithoutCones_, std::as_bytes(std::span(withoutCones)), "clusters without cones");
}

// The clusters are the stream of bounds and cones, and the table of what draws them: in a buffer each, since a buffer is
// handed to CUDA once. There is no test of size: a cluster may be smaller than what can be seen where its instance is
// not, which would then have holes.
void ClusterInstances::createRequest(const MeshInstancesInfo& info, const std::vector<Cluster>& clusters,
                                     uint32_t recordCount) {
  SluPlanCreateInfo& plan = request_.plan;
  plan = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  plan.recordStride = sizeof(ClusterRecord);
  plan.maxRecordCount = recordCount;
  plan.maxViewCount = info.viewCount;
  plan.live.test = SLU_LIVE_ALWAYS;
  plan.cullFlags = SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_CONE_BIT;
  plan.bounds.source = SLU_BOUNDS_PER_RECORD;
  plan.bounds.offset = offsetof(Cluster, sphere);
  plan.bounds.stride = sizeof(Cluster);
  describeTransforms(plan.bounds, hasMatrices_);
  plan.bounds.transformStride = instanceStride(hasMatrices_);
  plan.indices.streams = SLU_INDEXED_BOUNDS_BIT | SLU_INDEXED_TRANSFORMS_BIT;
  plan.indices.boundsOffset = offsetof(ClusterRecord, cluster);
  plan.indices.transformOffset = offsetof(ClusterRecord, instance);
  plan.cones.offset = offsetof(Cluster, coneAxis);
  plan.cones.flags = SLU_CONE_FIXED_FRONT_FACE_BIT;
  plan.key.keyCount = static_cast<uint32_t>(clusters.size());
  plan.key.offset = offsetof(ClusterRecord, cluster);
  plan.meshes.stride = sizeof(Cluster);
  plan.meshes.parts = SLU_MESH_FIRST_ELEMENT_BIT | SLU_MESH_VERTEX_OFFSET_BIT;
  plan.meshes.elementCountOffset = offsetof(Cluster, indexCount);
  plan.meshes.firstElementOffset = offsetof(Cluster, firstIndex);
  plan.meshes.vertexOffsetOffset = offsetof(Cluster, vertexOffset);
  plan.placement = SLU_PLACEMENT_MERGED;
  plan.capacity = recordCount;
  if (device_.multiDrawIndirect())  // which draws so many commands at once
    plan.capacity = std::min(recordCount, device_.properties().limits.maxDrawIndirectCount);
  plan.zeroCommandCount = drawCount_ && device_.drawIndirectCount() ? 0 : ~0u;
  plan.outputs = SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  plan.draws.type = SLU_DRAW_INDEXED_INSTANCES;
  plan.draws.stride = sizeof(VkDrawIndexedIndirectCommand);

  request_.buckets = {{plan.capacity, {}}};
  request_.sufficientCapacities = {plan.capacity};
  request_.inputs[Channel::Records] = &records_;
  request_.inputs[Channel::Meshes] = &table_;
  request_.inputs[Channel::Bounds] = &clusters_;
  request_.inputs[Channel::Transforms] = &instances_;
  request_.boundsWithoutCones = &clustersWithoutCones_;
  request_.boundsCount = static_cast<uint32_t>(clusters.size());
  request_.transformCount = static_cast<uint32_t>(info.instances.size());
  request_.transformIndexOffset = plan.indices.transformOffset;
  request_.transformStride = plan.bounds.transformStride;
  request_.positionOffset = hasMatrices_ ? kMatrixPosition : offsetof(MeshInstance, position);
  request_.positionStep = hasMatrices_ ? sizeof(glm::vec4) : sizeof(float);
  request_.meshShaderRefusal = "clusters are drawn as ranges of indices, a command for each";
  request_.viewDependent = true;
  request_.isOpaque = true;
  for (const Cluster& cluster : clusters) request_.bucketTriangles.push_back(cluster.indexCount / 3);
}

void ClusterInstances::draw(VkCommandBuffer commands, const Kept& kept) const {
  meshes_.bind(commands);
  drawCommands(device_, commands, kept, drawCount_);
}

void ClusterInstances::drawWhole(VkCommandBuffer commands) const {
  meshes_.bind(commands);
  for (const WholeDraw& draw : wholeDraws_)
    vkCmdDrawIndexed(commands, draw.indexCount, 1, draw.firstIndex, draw.vertexOffset, draw.firstRecord);
}

}  // namespace demo
