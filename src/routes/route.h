// The interface between the API and a route. A route is one folder that implements these three classes; what reaches it
// has been validated. Failures are thrown as slu::Error.
#pragma once

#include <sluice/sluice.h>

#include <memory>
#include <string>

#include "plan/layout.h"

struct ID3D12Resource;

namespace slu {

class D3D12Handoff;
class Handoff;
struct PyramidBuild;
struct PyramidLayout;
class RecordedRoute;
class VulkanHandoff;

// What a registered buffer is to one route.
class RouteBuffer {
 public:
  virtual ~RouteBuffer() = default;

  // Its VkBuffer as a number, 0 when it has none.
  virtual std::uint64_t vulkanBuffer() const { return 0; }

  // Its resource, if that is what CUDA shares with Direct3D 12; else null.
  virtual ID3D12Resource* d3d12Resource() const { return nullptr; }

  // The call that made it succeeds: what the caller gives away with success is taken now.
  virtual void accept() noexcept {}

  std::uint64_t address = 0;  // of byte 0, in the route's address space; 0: the route has the VkBuffer alone
};

// Memory of the library's own that the host asked for.
class Allocation {
 public:
  virtual ~Allocation() = default;
  SluBufferCreateInfo info{};  // describes it as if it were the host's; the structs of its chain live as long as this
};

// How a frame uses a binding; a route may refuse a buffer for one of them.
enum class Use { input, copiedInput, output, drawArguments, transient };

class RoutePlan {
 public:
  virtual ~RoutePlan() = default;

  // Executes the frame, or records or enqueues it into target (the verb's command buffer or stream; null on the CPU
  // route).
  virtual void run(const Frame& frame, void* target) = 0;

  // Throws if run would refuse the frame. Records and enqueues nothing.
  virtual void checkFrame(const Frame&, void*) {}

  virtual std::uint64_t tileRecords() const = 0;
  virtual std::uint64_t scratchBytes() const = 0;

  // Of SluFrameInfo::transient for so many views; 0 where a frame needs none.
  virtual std::uint64_t transientBytes(std::uint32_t) const { return 0; }
};

// What builds pyramids of one kind.
class RoutePyramid {
 public:
  virtual ~RoutePyramid() = default;

  // Builds one, or records or enqueues that into target, as in RoutePlan::run. Throws before it has done anything if
  // what is chained to the build is wrong.
  virtual void build(const PyramidBuild& build, void* target) = 0;

  // Whether depths come from images, and not from buffers.
  virtual bool readsImages() const = 0;
  virtual std::uint64_t scratchBytes() const = 0;
};

class Route {
 public:
  virtual ~Route() = default;

  // What SluVulkanAllocateInfo in info's chain asks for. Null when the route allocates nothing.
  virtual std::unique_ptr<Allocation> allocate(const SluBufferCreateInfo&) { return nullptr; }

  // Whether every route of the context can use what this one allocates.
  virtual bool sharesAllocations() const { return false; }

  // Null when info describes no memory that this route can use.
  virtual std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) = 0;

  // Throws when the buffer was not created for the use; field begins the sentence.
  virtual void checkUse(const RouteBuffer& buffer, Use use, const char* field) const = 0;

  virtual std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) = 0;

  // chain: of SluPyramidCreateInfo, with structs of the route's row alone.
  virtual std::unique_ptr<RoutePyramid> createPyramid(const PyramidLayout&, const void*) { return nullptr; }

  // What the log says of the route when it is available; empty: nothing.
  virtual std::string remark() const { return {}; }

  // Null unless the route records into the host's command buffer.
  virtual RecordedRoute* recorded() { return nullptr; }

  // Of a frame that chains an SluHandoffInfo, which only rows of the route table with that struct let through. Throws
  // unless its values can be enqueued into target.
  virtual HandoffValues checkHandoff(const void*, void*) const { return {}; }

  // Return null unless the route takes turns with the host's graphics API: with any, with Vulkan, with Direct3D 12.
  virtual Handoff* handoff() { return nullptr; }
  virtual VulkanHandoff* vulkanHandoff() { return nullptr; }
  virtual D3D12Handoff* d3d12Handoff() { return nullptr; }
};

}  // namespace slu
