// What the routes that record into the host's command buffer share: its device, and its buffers, by their addresses or
// bound.
#pragma once

#include "base/vulkan_device.h"
#include "routes/route.h"

namespace slu {

class RecordedRoute : public Route {
 public:
  enum class Reach { addresses, bindings };  // how kernels reach buffers

  explicit RecordedRoute(const SluVulkanDeviceInfo& info, Reach reach = Reach::addresses)
      : device_(info), reach_(reach) {}

  std::unique_ptr<Allocation> allocate(const SluBufferCreateInfo& info) override;
  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) override;
  void checkUse(const RouteBuffer& buffer, Use use, const char* field) const override;
  RecordedRoute* recorded() override { return this; }

  const Device& device() const { return device_; }
  bool bindsBuffers() const { return reach_ == Reach::bindings; }

 private:
  VkBufferUsageFlags bufferUsage() const;  // of every buffer that a frame binds

  const Device device_;
  const Reach reach_;
};

// Returns the struct in the chain, which must have one.
SluVulkanAllocateInfo readAllocateInfo(const void* pNext);

}  // namespace slu
