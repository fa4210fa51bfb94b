// The interface between the API and a route. A route is one folder that implements these three classes; what reaches it
// has been validated. Failures are thrown as slu::Error.
#pragma once

#include <sluice/sluice.h>

#include <memory>

#include "plan/layout.h"

namespace slu {

// What a registered buffer is to one route.
class RouteBuffer {
 public:
  virtual ~RouteBuffer() = default;
  std::uint64_t address = 0;  // of byte 0, in the route's address space
};

// How a frame uses a binding; a route may refuse a buffer for one of them.
enum class Use { input, copiedInput, output, drawArguments };

class RoutePlan {
 public:
  virtual ~RoutePlan() = default;

  // Executes the frame, or records or enqueues it into target (the verb's command buffer or stream; null on the CPU
  // route).
  virtual void run(const Frame& frame, void* target) = 0;

  virtual std::uint64_t tileRecords() const = 0;
  virtual std::uint64_t scratchBytes() const = 0;
};

class Route {
 public:
  virtual ~Route() = default;

  // Null when info describes no memory that this route can use.
  virtual std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) = 0;

  // Throws when the buffer was not created for the use; field begins the sentence.
  virtual void checkUse(const RouteBuffer& buffer, Use use, const char* field) const = 0;

  virtual std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) = 0;
};

}  // namespace slu
