// What the routes that record into the host's command buffer share: its device, and its buffers by their addresses.
#pragma once

#include "base/vulkan_device.h"
#include "routes/route.h"

namespace slu {

class RecordedRoute : public Route {
 public:
  explicit RecordedRoute(const SluVulkanDeviceInfo& info) : device_(info) {}

  std::unique_ptr<Allocation> allocate(const SluBufferCreateInfo& info) override;
  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) override;
  void checkUse(const RouteBuffer& buffer, Use use, const char* field) const override;
  RecordedRoute* recorded() override { return this; }

  const Device& device() const { return device_; }

 private:
  const Device device_;
};

// Returns the struct in the chain, which must have one.
SluVulkanAllocateInfo readAllocateInfo(const void* pNext);

}  // namespace slu
