// What a route that takes turns with the host's VkDevice offers it: sluice_vulkan_cuda.h from inside.
#pragma once

#include <sluice/sluice_vulkan_cuda.h>

#include <span>

#include "base/vulkan_device.h"
#include "routes/handoff.h"

namespace slu {

class VulkanHandoff : public Handoff {
 public:
  virtual const Device& device() const = 0;
  virtual std::uint32_t queueFamilyCount() const = 0;
  virtual SluVulkanTimelines timelines() const = 0;

  // Of transfer, what is not its buffers.
  virtual void recordRelease(VkCommandBuffer commands, std::span<const VkBuffer> buffers,
                             const SluTransferInfo& transfer) const = 0;
  virtual void recordAcquire(VkCommandBuffer commands, std::span<const VkBuffer> buffers,
                             const SluTransferInfo& transfer) const = 0;
};

}  // namespace slu
