// Connects the CUDA route to the host's VkDevice: memory that both use, and the two timelines.
#pragma once

#include "interop/external_memory.h"
#include "interop/external_semaphore.h"
#include "routes/cuda/graphics_link.h"
#include "routes/vulkan_handoff.h"

namespace slu {

class VulkanLink final : public GraphicsLink, public VulkanHandoff {
 public:
  // context is for the CUDA device that the VkDevice runs on, and outlives the link. Throws an error that names what
  // keeps the two from sharing memory and semaphores.
  VulkanLink(const SluVulkanDeviceInfo& info, const CudaContext& context);

  const Device& device() const override { return device_; }
  std::uint32_t queueFamilyCount() const override { return queueFamilyCount_; }
  SluVulkanTimelines timelines() const override;
  void recordRelease(VkCommandBuffer commands, std::span<const VkBuffer> buffers,
                     const SluTransferInfo& transfer) const override;
  void recordAcquire(VkCommandBuffer commands, std::span<const VkBuffer> buffers,
                     const SluTransferInfo& transfer) const override;
  HandoffValues check(const SluHandoffInfo& handoff, CUstream_st* stream) const override;
  void enqueue(const HandoffValues& values, CUstream_st* stream) override;

  Handoff& handoff() override { return *this; }
  TimelineEnds& timelineEnds() override { return timelines_; }
  VulkanLink* vulkan() override { return this; }

  // Creates a VkBuffer that the library owns and CUDA can import.
  std::unique_ptr<Allocation> allocate(const SluBufferCreateInfo& info) const override;
  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) override;

  // buffer belongs to the device.
  BufferRequirements bufferRequirements(VkBuffer buffer) const { return external_.bufferRequirements(buffer); }

  // Imports the host's VkDeviceMemory.
  std::shared_ptr<const ImportedMemory> import(VkDeviceMemory memory, const ExternalAllocation& allocation) {
    return memories_.import(memory, allocation);
  }

 private:
  const CudaContext& context_;
  const Device device_;
  const VulkanExternal external_;
  const std::uint32_t queueFamilyCount_;
  const bool hasAddresses_;  // whether the VkDevice was created with bufferDeviceAddress
  ImportedMemoryCache memories_;
  Timelines timelines_;
};

}  // namespace slu
