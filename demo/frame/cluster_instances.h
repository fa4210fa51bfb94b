// Culls the clusters of instances of meshes, also by their cones, and draws each that is kept by a command of its own.
// Records are pairs of an instance and a cluster; transforms and bounds are streams that they share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "frame/mesh_instances.h"

namespace demo {

class ClusterInstances {
 public:
  // Each instance has one level of detail of its mesh, for good. lods has them by instance. Throws Failure
  // (Cause::BadInput) if there are too many clusters.
  ClusterInstances(const MeshInstancesInfo& info, std::span<const uint32_t> lods, MeshLibrary meshes);
  ClusterInstances(const ClusterInstances&) = delete;
  ClusterInstances& operator=(const ClusterInstances&) = delete;

  const CompactionRequest& compaction() const { return request_; }
  // "2000 instances of 7 meshes, in 31000 clusters of 402 shapes", with what is unusual about them.
  std::string description() const;

  // Return ClusterRecord by number, and the instances that these name.
  VkDeviceAddress records() const { return records_.address(); }
  VkDeviceAddress instances() const { return instances_.address(); }

  void describeVertices(GraphicsPipelineInfo& info) const { describeInstanceVertices(info, hasMatrices_); }

  // Draw what is kept, or all instances as whole meshes, in the order of the records. gl_InstanceIndex is the number of a
  // record; that of a whole mesh is the number of its first cluster. The scene has bound its pipeline.
  void draw(VkCommandBuffer commands, const Kept& kept) const;
  void drawWhole(VkCommandBuffer commands) const;

 private:
  struct WholeDraw {
    uint32_t indexCount, firstIndex;
    int32_t vertexOffset;
    uint32_t firstRecord;
  };

  std::vector<ClusterRecord> makeRecords(std::span<const MeshInstance> instances, std::span<const uint32_t> lods,
                                         const ClusterTable& table);
  void createBuffers(const MeshInstancesInfo& info, const std::vector<ClusterRecord>& records,
                     const std::vector<Cluster>& clusters);
  void createRequest(const MeshInstancesInfo& info, const std::vector<Cluster>& clusters, uint32_t recordCount);

  const Device& device_;
  bool hasMatrices_, drawCount_;
  MeshLibrary meshes_;
  std::vector<WholeDraw> wholeDraws_;  // by instance
  Buffer records_, instances_;
  Buffer clusters_, clustersWithoutCones_, table_;
  CompactionRequest request_;
};

}  // namespace demo
