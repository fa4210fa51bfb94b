// Scenes whose frames run on several routes by turns, on the same buffers: recorded ones on the host's queue, those of
// CUDA in a hand-off. Several scenes are in flight.
#pragma once

#include <sluice/sluice_vulkan_cuda.h>

#include <array>
#include <memory>

#include "machine.h"
#include "shared_buffers.h"

namespace slu::test {

class MixedFrames {
 public:
  static constexpr std::uint32_t kSlots = 3;

  // Scenes have memories of these sizes, in buffers shared in ways that random picks. The stream is of the context's
  // device.
  MixedFrames(const VulkanDevice& device, SluContext context, CUstream_st* stream,
              const std::vector<std::uint64_t>& sizes, Random& random);
  ~MixedFrames();  // waits until the queue is idle
  MixedFrames(const MixedFrames&) = delete;
  MixedFrames& operator=(const MixedFrames&) = delete;

  // Submits and enqueues all of the scene without waiting, each frame on its route. The slot is finished.
  void begin(std::uint32_t slot, const Scene& scene, const std::vector<SluRoute>& routes);
  // Waits; what the scene's memories then hold.
  std::vector<Bytes> finish(std::uint32_t slot);

 private:
  struct Slot {
    std::unique_ptr<SharedBuffers> shared;
    std::vector<std::unique_ptr<VulkanBuffer>> staging;  // both ways
    std::vector<VkCommandBuffer> commands;               // the last one is being recorded
    TimelinePoint wait;                                  // of its submission
    VkFence fence = VK_NULL_HANDLE;
  };

  VkCommandBuffer beginCommands(Slot& slot) const;
  void submit(Slot& slot, TimelinePoint signal, VkFence fence) const;
  void upload(Slot& slot, const Scene& scene) const;
  void download(Slot& slot) const;
  void release(Slot& slot);
  void acquire(Slot& slot) const;
  SluPlan planOf(SluRoute route, const PlanSpec& spec);
  SluTransferInfo transfer(const Slot& slot) const;
  void freeCommands(Slot& slot) const;

  const VulkanDevice& device_;
  SluContext context_;
  CUstream_st* stream_;
  SluVulkanTimelines timelines_ = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  std::uint64_t value_ = 0;  // of the latest hand-off
  PlanCache inlinePlans_, vulkanPlans_, cudaPlans_;
  std::array<Slot, kSlots> slots_;
};

}  // namespace slu::test
