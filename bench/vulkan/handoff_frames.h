// Frames of a renderer whose compaction runs on a path, with or without a frame of latency. For comparison, frames
// without compaction, and hand-offs alone.
#pragma once

#include <sluice/sluice_vulkan_cuda.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/results.h"
#include "arena/sluice_plan.h"
#include "hosting/timestamps.h"
#include "vulkan/compute_pipeline.h"
#include "vulkan/vulkan_buffer.h"
#include "vulkan/vulkan_timeline.h"
#include "workload/host_input.h"

namespace bench {

constexpr uint32_t kHandoffPixels = 1u << 18;  // that are shaded

enum class Path { OneSubmission, ThreeSubmissions, OtherQueue, Cuda };
const char* name(Path path);

struct HandoffCase {
  HandoffWork work;
  SluRoute route;  // SLU_ROUTE_CUDA with Path::Cuda; without compaction, the route whose buffers are used
  Path path;
  uint32_t latency;
};

class HandoffFrames {
 public:
  HandoffFrames(const VulkanDevice& device, HostInput& input, const ComputePipeline& shade, const HandoffCase& chosen);
  ~HandoffFrames();

  // Records the frames that run() submits. drawGroups: how many workgroups shade, which stands for drawing.
  void record(uint32_t drawGroups);
  // Runs a unit of frames. False when the host submitted hand-offs more slowly than the GPU ran them, so that the times
  // of the unit say nothing about hand-offs.
  bool run();

  // Runs the same frames after record(), but records each one anew, at most two ahead of the GPU. Returns how long the
  // library's calls took, without those of a first unit. For frames of one submission, and of CUDA.
  std::vector<VerbTimes> runRecorded(uint32_t unitCount);

  // difference() checks the draws of the latest unit, and the records of the last frame in each slot. Nothing when all is
  // right, or when nothing is compacted. poison() comes before that unit.
  void poison();
  std::optional<std::string> difference() const;

  // Times of the latest unit.
  double frameMicroseconds() const;
  // See HandoffResult::gapSamples.
  double gapMicroseconds() const;
  double drawMicroseconds() const;
  double hostMicroseconds() const { return hostMicroseconds_; }

 private:
  using Clock = std::chrono::steady_clock;
  class FrameBuffer;
  struct Slot;

  const VulkanQueue& compactionQueue() const {
    return case_.path == Path::OtherQueue ? *device_.computeQueue() : device_.queue();
  }
  bool isWhole() const { return case_.work == HandoffWork::Frame; }
  bool isAlone() const { return case_.work == HandoffWork::HandoffAlone; }
  const Slot& slotOf(uint32_t frame) const;

  template <typename Call>
  void call(const char* verb, const Call& made) const;

  void fillInputs() const;
  void chooseTimelines();
  void stamp(VkCommandBuffer commands, uint32_t frame, uint32_t which) const;
  void recordShading(VkCommandBuffer commands) const;
  void recordBefore(VkCommandBuffer commands, uint32_t frame) const;
  void recordCompaction(VkCommandBuffer commands, uint32_t frame) const;
  void recordDraws(VkCommandBuffer commands, uint32_t frame) const;
  void recordFirst(VkCommandBuffer commands, uint32_t frame) const;
  void recordPlug(uint32_t drawCount);
  Clock::time_point runUnit();  // when all was submitted
  void handOver(uint32_t frame, uint64_t value) const;
  void compact(uint32_t frame, uint64_t value) const;
  void runRecordedFrame(uint32_t frame, uint64_t value, std::vector<VkCommandBuffer>& recorded) const;
  double between(uint32_t frame, uint32_t stamp, uint32_t laterFrame, uint32_t laterStamp) const;
  SluTransferInfo transferInfo(const Slot& slot) const;

  const VulkanDevice& device_;
  HostInput& input_;
  const ComputePipeline& shade_;
  const HandoffCase case_;
  const uint32_t bucketCapacity_;
  slu::Context context_;
  slu::Plan plan_;  // where frames are compacted
  std::vector<std::unique_ptr<Slot>> slots_;
  const VulkanBuffer target_;
  const VulkanBuffer results_;  // the draws of every frame
  std::optional<VulkanTimeline> ownReleased_, ownCompacted_;
  const VulkanTimeline drawn_;  // of runRecorded
  Timestamps times_;
  VkSemaphore released_ = VK_NULL_HANDLE, compacted_ = VK_NULL_HANDLE;
  uint64_t value_ = 0;  // of the latest frame
  uint32_t drawGroups_ = 0;
  VkCommandBuffer plug_ = VK_NULL_HANDLE;  // before hand-offs alone
  uint32_t plugDraws_ = 0;
  std::vector<VkCommandBuffer> before_, compactions_, draws_;
  double hostMicroseconds_ = 0;
  std::vector<VerbTimes>* verbs_ = nullptr;  // where the times of calls go; NULL: nowhere
};

}  // namespace bench
