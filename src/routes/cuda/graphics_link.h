// Connects the CUDA route to the host's device of a graphics API.
#pragma once

#include "interop/external_semaphore.h"
#include "routes/handoff.h"
#include "routes/route.h"

namespace slu {

class VulkanLink;

class GraphicsLink {
 public:
  virtual ~GraphicsLink() = default;

  virtual Handoff& handoff() = 0;
  virtual TimelineEnds& timelineEnds() = 0;

  // The link itself, if it is to that API.
  virtual VulkanLink* vulkan() { return nullptr; }
  virtual D3D12Handoff* d3d12() { return nullptr; }

  // Do what they do of a route (routes/route.h).
  virtual std::unique_ptr<Allocation> allocate(const SluBufferCreateInfo&) const { return nullptr; }
  virtual std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) = 0;
};

}  // namespace slu
