// The push constants of shaders with a thread per record (records.glsl).
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "vulkan/vulkan_competitor.h"
#include "workload/frustum.h"

namespace bench {

// The layout is that of records.glsl.
struct RecordPush {
  VkDeviceAddress records = 0;
  VkDeviceAddress elements = 0;
  VkDeviceAddress draws = 0;
  VkDeviceAddress spheres = 0;
  VkDeviceAddress frustum = 0;
  VkDeviceAddress others = 0;
  VkDeviceAddress drawCounts = 0;
  uint32_t recordCount = 0;
  uint32_t bucketCapacity = 0;
  uint32_t vertexCount = kDrawVertexCount;
  uint32_t groupCount = 0;
  uint32_t groupBuckets = 0;
};
static_assert(offsetof(RecordPush, recordCount) == 56 && offsetof(RecordPush, groupBuckets) == 72, "std430");
constexpr uint32_t kRecordPushBytes = offsetof(RecordPush, groupBuckets) + sizeof(uint32_t);

inline std::array<uint32_t, 4> recordConstants(const Workload& workload) {
  return {workload.recordBytes / 4, workload.bucketCount, workload.outputs == Outputs::Indices ? VK_TRUE : VK_FALSE,
          workload.predicate != Predicate::Word ? VK_TRUE : VK_FALSE};
}

// The planes of kFrustum.
class FrustumBuffer {
 public:
  explicit FrustumBuffer(const VulkanDevice& device) : buffer_(device, sizeof(Frustum)) {
    std::array<uint32_t, sizeof(Frustum) / 4> planes{};
    std::memcpy(planes.data(), &kFrustum, sizeof(kFrustum));
    buffer_.upload(planes);
  }
  VkDeviceAddress address() const { return buffer_.address(); }

 private:
  const VulkanBuffer buffer_;
};

// Without draws, draw counts and others.
inline RecordPush makeRecordPush(const Workload& workload, const VulkanFrame& frame, const FrustumBuffer& frustum) {
  RecordPush push;
  push.records = frame.input.address();
  push.elements = frame.output.address();
  push.spheres = push.records + workload.boundsOffset();
  push.frustum = frustum.address();
  push.recordCount = workload.recordCount;
  push.bucketCapacity = frame.bucketCapacity;
  push.groupCount = workload.groupCount;
  push.groupBuckets = workload.groupBuckets();
  return push;
}

}  // namespace bench
