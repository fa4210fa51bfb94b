// What the opaque handles point to, and the one place where exceptions become results.
#pragma once

#include <sluice/sluice.h>

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "api/error_texts.h"
#include "base/error.h"
#include "plan/layout.h"
#include "plan/pyramid.h"
#include "routes/route.h"

namespace slu {

class SelfTest;

// Shared by a context and all that was created from it, so that they can be destroyed in any order.
struct ContextState {
  SluLogCallback log = nullptr;
  void* logUserData = nullptr;
  SluFlags hostFlags = 0;
  ErrorTexts errorTexts;
  std::array<std::unique_ptr<Route>, SLU_ROUTE_COUNT> routes;  // by SluRoute; null when not available
  std::array<std::string, SLU_ROUTE_COUNT> reasons;            // by SluRoute; why it is not available
  std::array<SluResult, SLU_ROUTE_COUNT> refusals{};           // by SluRoute; what creating a plan on it answers then
  std::array<std::shared_ptr<const SelfTest>, SLU_ROUTE_COUNT> selfTests;  // by SluRoute; the latest, or null
  bool lacksFirstInstance = false;  // the host's Vulkan device was created without drawIndirectFirstInstance

  // Returns whether the route is available and the host calls its verb.
  bool mayPick(SluRoute route) const;
  // Returns the best available route whose verb the host calls, for SLU_ROUTE_AUTO. Any other route is returned as it
  // is, available or not.
  SluRoute resolve(SluRoute route) const;
  void refuse(SluRoute route, SluResult result, const char* reason);
  // Returns why a route is not available; for SLU_ROUTE_AUTO why it does not pick a better one.
  std::string reason(SluRoute route) const;
  // Throws unless the host's device can draw what a plan with these SluDrawNeedFlagBits writes.
  void checkDrawNeeds(SluFlags drawNeeds) const;
  // Logs a line per route: it is available, or why not.
  void logRoutes() const;
  void report(SluLogSeverity severity, const char* sentence) const noexcept;
};

// Reads info, probes the routes and logs what was found.
std::shared_ptr<ContextState> makeContextState(const SluContextCreateInfo& info);

// Runs body. An exception becomes a result, and its sentence goes to onFailure(sentence).
template <typename OnFailure, typename Body>
SluResult guardWith(const OnFailure& onFailure, const Body& body) noexcept {
  SluResult result = SLU_ERROR_INTERNAL;
  try {
    body();
    return SLU_SUCCESS;
  } catch (const Error& error) {
    result = error.result();
    onFailure(error.what());
  } catch (const std::bad_alloc&) {
    result = SLU_ERROR_OUT_OF_HOST_MEMORY;
    onFailure("out of host memory");
  } catch (const std::exception& exception) {
    onFailure(exception.what());
  } catch (...) {
    onFailure("an exception of unknown type");
  }
  return result;
}

// Guards a function that has a context. The sentence is stored, cut to the capacity, and logged as a whole.
template <typename Body>
SluResult guard(ContextState& state, const Body& body) noexcept {
  const auto onFailure = [&state](const char* sentence) noexcept {
    state.errorTexts.set(sentence);
    state.report(SLU_LOG_ERROR, sentence);
  };
  return guardWith(onFailure, body);
}

// Guards a function that has no context. message may be null.
template <typename Body>
SluResult guard(SluMessage* message, const Body& body) noexcept {
  const auto onFailure = [message](const char* sentence) noexcept {
    if (message != nullptr) copyMessage(message->text, sentence);
  };
  return guardWith(onFailure, body);
}

// Does what every verb does: checks that it is the plan's, checks the frame, and runs it. target is the command buffer
// or the stream that the verb was given, and null if it takes none. It allocates nothing unless it fails.
SluResult runPlan(SluPlan plan, const SluFrameInfo* frame, void* target, const char* verb) noexcept;

// The same of verbs that build pyramids.
SluResult buildPyramid(SluPyramid pyramid, const SluPyramidBuildInfo* build, void* target, const char* verb) noexcept;

}  // namespace slu

struct SluContext_T {
  std::shared_ptr<slu::ContextState> state;
};

// state comes first, because it outlives what its routes made. So does allocation, which the attachments use.
struct SluBuffer_T {
  std::shared_ptr<slu::ContextState> state;
  std::uint64_t size = 0;
  std::unique_ptr<slu::Allocation> allocation;  // null if the memory is the host's
  std::array<std::unique_ptr<slu::RouteBuffer>, SLU_ROUTE_COUNT>
      attachments;  // by SluRoute; null if the route cannot use the buffer
};

struct SluPlan_T {
  std::shared_ptr<slu::ContextState> state;
  SluRoute route = SLU_ROUTE_AUTO;
  slu::PlanLayout layout;
  std::unique_ptr<slu::RoutePlan> routePlan;
};

struct SluPyramid_T {
  std::shared_ptr<slu::ContextState> state;
  SluRoute route = SLU_ROUTE_AUTO;
  slu::PyramidLayout layout;
  std::unique_ptr<slu::RoutePyramid> routePyramid;
};
