// The CUDA route's side of the host's VkDevice: memory that both use, and the two timelines.
#pragma once

#include "interop/external_memory.h"
#include "interop/external_semaphore.h"
#include "routes/handoff.h"
#include "routes/route.h"

namespace slu {

class VulkanLink final : public VulkanHandoff {
 public:
  // context is the CUDA device that the VkDevice runs on, and outlives the link. Throws what keeps the two from
  // sharing.
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

  Timelines& semaphores() { return timelines_; }

  // A VkBuffer of the library's own that CUDA can import.
  std::unique_ptr<Allocation> allocate(const SluBufferCreateInfo& info) const;

  // Of a VkBuffer of the device.
  BufferRequirements bufferRequirements(VkBuffer buffer) const { return external_.bufferRequirements(buffer); }

  // The import of the host's VkDeviceMemory.
  std::shared_ptr<const ImportedMemory> import(VkDeviceMemory memory, const ExternalAllocation& allocation) {
    return memories_.import(memory, allocation);
  }

 private:
  const CudaContext& context_;
  const Device device_;
  const VulkanExternal external_;
  const std::uint32_t queueFamilyCount_;
  const bool hasAddresses_;  // the device enables bufferDeviceAddress
  ImportedMemoryCache memories_;
  Timelines timelines_;
};

}  // namespace slu
