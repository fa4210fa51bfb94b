// The C ABI of sluice_cuda.h. It is part of every build. Without a CUDA route it says why there is none.
#include <sluice/sluice_cuda.h>

#include "api/handoff_route.h"
#include "api/objects.h"
#include "base/structs.h"
#include "routes/handoff.h"

namespace slu {

Route& handoffRoute(const ContextState& state) {
  Route* route = state.routes[SLU_ROUTE_CUDA].get();
  if (route == nullptr) {
    fail(state.refusals[SLU_ROUTE_CUDA], "context: the cuda route is not available: ", state.reason(SLU_ROUTE_CUDA));
  }
  return *route;
}

}  // namespace slu

using namespace slu;

void* sluGetCudaPointer(SluBuffer buffer) {
  if (buffer == nullptr || !buffer->attachments[SLU_ROUTE_CUDA]) return nullptr;
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(buffer->attachments[SLU_ROUTE_CUDA]->address));
}

SluResult sluEnqueueCompact(SluPlan plan, CUstream_st* stream, const SluFrameInfo* frame) {
  return runPlan(plan, frame, stream, "sluEnqueueCompact");
}

SluResult sluEnqueueBuildPyramid(SluPyramid pyramid, CUstream_st* stream, const SluPyramidBuildInfo* build) {
  return buildPyramid(pyramid, build, stream, "sluEnqueueBuildPyramid");
}

SluResult sluEnqueueHandoff(SluContext context, CUstream_st* stream, const SluHandoffInfo* handoff) {
  if (context == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  return guard(*context->state, [&] {
    Handoff* const found = handoffRoute(*context->state).handoff();
    if (found == nullptr) {
      fail(SLU_ERROR_ROUTE_UNAVAILABLE,
           "context: was created without an SluVulkanDeviceInfo and without an SluD3D12DeviceInfo");
    }
    const auto read = readStruct(handoff, SLU_STRUCTURE_TYPE_HANDOFF_INFO, sizeof(*handoff), "handoff");
    checkChain(read.pNext, {}, "handoff");
    found->enqueue(found->check(read, stream), stream);
  });
}
