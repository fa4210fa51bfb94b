// A renderer's frames: Vulkan writes and releases, two plans compact in one hand-off, Vulkan acquires and copies a log
// that tells whether each frame found exactly its own.
#pragma once

#include <sluice/sluice_vulkan_cuda.h>

#include <array>
#include <memory>
#include <sluice/sluice.hpp>

#include "random.h"
#include "shared_buffers.h"

namespace slu::test {

class CompactedFrames {
 public:
  static constexpr std::uint32_t kSlots = 3;

  // Buffers of the usage and transfers, shared in ways that random picks. The stream is of the context's device.
  CompactedFrames(const VulkanDevice& device, SluContext context, CUstream_st* stream, std::uint64_t frameCount,
                  VkBufferUsageFlags usage, Random& random);
  ~CompactedFrames();  // waits until all is done
  CompactedFrames(const CompactedFrames&) = delete;
  CompactedFrames& operator=(const CompactedFrames&) = delete;

  // All of the next frame, without waiting; its slot must be free. Without CUDA's signal, nothing ends it but signal().
  void run(bool signals = true);
  void signal(std::uint64_t value);

  // Of a frame's last submission. And what has completed.
  VkResult wait(std::uint64_t frame, std::uint64_t nanoseconds) const;
  std::uint64_t completed() const;

  // That a completed frame kept exactly what it should, and wrote nothing behind it.
  void expectExact(std::uint64_t frame) const;
  // That nothing was copied to the log yet.
  void expectUntouched(std::uint64_t frame) const;

 private:
  struct Slot {
    std::unique_ptr<SharedBuffers> shared;
    std::array<VkCommandBuffer, 2> commands{};
  };

  Plan createPlan(SluOrder order, SluFlags outputs) const;
  SluTransferInfo transfer(const Slot& slot, VkAccessFlags access) const;
  VkCommandBuffer recordWrite(const Slot& slot, std::uint64_t frame) const;
  VkCommandBuffer recordRead(const Slot& slot, std::uint64_t frame) const;
  void enqueue(const Slot& slot, std::uint64_t waitValue, std::uint64_t signalValue) const;
  void freeCommands(Slot& slot) const;

  const VulkanDevice& device_;
  SluContext context_;
  CUstream_st* stream_;
  SluVulkanTimelines timelines_ = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  Plan recordsPlan_;  // unordered
  Plan indicesPlan_;  // stable
  VulkanBuffer log_;
  VkSemaphore done_ = VK_NULL_HANDLE;  // the host's own timeline, for the last submission of each frame
  FrameRing ring_{kSlots};
  std::uint64_t begun_ = 0;
  std::array<Slot, kSlots> slots_;
};

}  // namespace slu::test
