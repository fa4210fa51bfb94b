// Compacts instances of meshes into a bucket for each mesh and level of detail, whose draws come from a table of the
// meshes, and draws all buckets with one indirect call.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "frame/compaction.h"
#include "frame/frame_writes.h"
#include "render/camera.h"
#include "render/mesh_library.h"
#include "render/meshlets.h"
#include "vulkan/pipelines.h"

namespace demo {

// Says from where on instances are left out or drawn coarser.
struct DetailLimits {
  float maxDistance;
  float minPixels;                    // of the diameter
  float lodDistances[kLodCount - 1];  // farther than these, in units of the scene, an instance takes the next LOD
};
SluView viewOf(const Camera& camera, const FrameConstants& constants, const DetailLimits& limits);

// Return the bytes of instances as parts of a transform or with matrices, and how many one of them has.
std::vector<std::byte> instanceBytes(std::span<const MeshInstance> instances, bool hasMatrices);
inline uint32_t instanceStride(bool hasMatrices) { return hasMatrices ? sizeof(MatrixInstance) : sizeof(MeshInstance); }
// Says where the transform is in such an instance.
void describeTransforms(SluBounds& bounds, bool hasMatrices);
// Fills in what pipelines that draw instances have in common. The vertex shader includes instance.glsl. It reads the
// position at location 0, and the normal at location 1 with the material over 127 in w.
void describeInstanceVertices(GraphicsPipelineInfo& info, bool hasMatrices);
// Draws what a view kept for a group, by one call. hasDrawCount: with a count on the GPU, where the device can do that.
void drawCommands(const Device& device, VkCommandBuffer commands, const Kept& kept, bool hasDrawCount,
                  uint32_t view = 0, uint32_t group = 0);

// Where the position begins in an instance with a matrix, whose coordinates are a row apart.
constexpr uint32_t kMatrixPosition = offsetof(MatrixInstance, rows) + 3 * sizeof(float);

struct MeshInstancesInfo {
  const Device& device;
  SluRoute route;
  std::span<const MeshInstance> instances;  // their field mesh is an index into the library's meshes
  uint32_t viewCount;                       // of a frame
  bool hasMatrices;                         // the records hold them instead of position, scale and rotation
  bool drawCount;                           // use vkCmdDrawIndexedIndirectCount where the device has it
  // 0: the records are the instances. Else there is room for so many records, of which each may become one of the
  // instances by writeRecords(). There is none at first, and the table has no mesh until writeMesh().
  uint32_t recordCount = 0;
  bool hasMeshlets = false;  // drawMeshTasks() can be used if the device has what it takes
  // What the draws of the meshes differ in; draw() then binds a state of the pipeline for each group.
  DrawGroups groups = {};
};

class MeshInstances {
 public:
  // The instances are culled by distance, frustum and size.
  MeshInstances(const MeshInstancesInfo& info, MeshLibrary meshes);
  MeshInstances(const MeshInstances&) = delete;
  MeshInstances& operator=(const MeshInstances&) = delete;

  const CompactionRequest& compaction() const { return request_; }
  size_t meshCount() const { return meshes_.meshes().size(); }
  const MeshLibrary& meshes() const { return meshes_; }
  // "2000 instances of 7 meshes", with what is unusual about them.
  std::string description() const;
  VkDeviceAddress records() const { return records_.address(); }

  // Return the bytes of records, and of a row of the table of meshes that has the LODs of a mask. Without LODs the mesh
  // is not there.
  std::vector<std::byte> recordBytes(std::span<const MeshInstance> instances) const;
  LodMesh meshRow(uint32_t mesh, uint32_t lodMask) const;
  // Have the next frame write them, into records from `first` on, or into the row of the mesh.
  void writeRecords(FrameWrites& writes, uint32_t first, std::span<const MeshInstance> instances) const;
  void writeMesh(FrameWrites& writes, uint32_t mesh, uint32_t lodMask) const;

  void describeVertices(GraphicsPipelineInfo& info) const { describeInstanceVertices(info, hasMatrices_); }

  // What the task and mesh shaders get, by rock_mesh.glsl.
  struct MeshTaskPush {
    VkDeviceAddress frame, instances, indices, draws, counts, range, meshlets, vertexList, triangleList, vertices;
    uint32_t bucket, reserved;
  };
  static constexpr VkShaderStageFlags kMeshTaskStages =
      VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT | VK_SHADER_STAGE_FRAGMENT_BIT;
  // Draws what a plan of mesh tasks kept. The scene has bound a pipeline whose layout has the push constants.
  void drawMeshTasks(VkCommandBuffer commands, VkPipelineLayout layout, VkDeviceAddress frameConstants,
                     const Kept& kept) const;

  // Returns a record of nobody: its mesh is one that no table has.
  static MeshInstance nobody();

  // Draws what the view kept. The scene has bound its pipeline, or bindGroup does so before the draws of each group.
  void draw(VkCommandBuffer commands, const Kept& kept, uint32_t view = 0,
            const std::function<void(uint32_t group)>& bindGroup = {}) const;

 private:
  void createBuffers(const MeshInstancesInfo& info);
  void createRequest(const MeshInstancesInfo& info);
  void createMeshlets();
  void describeRecords();
  void addBuckets(std::span<const MeshInstance> instances);

  const Device& device_;
  bool hasMatrices_, drawCount_;
  size_t instanceCount_;
  MeshLibrary meshes_;
  std::optional<Meshlets> meshlets_;
  Buffer records_;
  Buffer table_;
  CompactionRequest request_;
};

}  // namespace demo
