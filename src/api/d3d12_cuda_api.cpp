// The C ABI of sluice_d3d12_cuda.h.
#include <sluice/sluice_d3d12_cuda.h>

#include <algorithm>
#include <array>
#include <span>

#include "api/handoff_route.h"
#include "base/com.h"
#include "base/structs.h"
#include "routes/d3d12_handoff.h"

namespace slu {
namespace {

D3D12Handoff& handoffOf(const ContextState& state) {
  D3D12Handoff* const handoff = handoffRoute(state).d3d12Handoff();
  if (handoff == nullptr) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE,
         "context: CUDA takes no turns with Direct3D 12; create it with an SluD3D12DeviceInfo and without an "
         "SluVulkanDeviceInfo");
  }
  return *handoff;
}

ID3D12Resource* sharedResource(const SluBuffer_T& buffer) {
  const RouteBuffer* attached = buffer.attachments[SLU_ROUTE_CUDA].get();
  return attached == nullptr ? nullptr : attached->d3d12Resource();
}

// The index of the first buffer in the resource of the i-th one.
std::uint32_t firstInResource(const SluD3D12TransferInfo& transfer, std::uint32_t i) {
  const std::span<const SluBuffer> before(transfer.buffers, i);
  const auto found = std::ranges::find(before, sharedResource(*transfer.buffers[i]),
                                       [](SluBuffer buffer) { return sharedResource(*buffer); });
  return static_cast<std::uint32_t>(found - before.begin());
}

void checkTransfer(const SluD3D12TransferInfo& transfer, const ContextState& state) {
  checkChain(transfer.pNext, {}, "transfer");
  require(transfer.bufferCount == 0 || transfer.buffers != nullptr, "transfer.buffers: is null");
  require(transfer.bufferCount == 0 || transfer.states != nullptr, "transfer.states: is null");
  for (std::uint32_t i = 0; i < transfer.bufferCount; ++i) {
    const SluBuffer buffer = transfer.buffers[i];
    require(buffer != nullptr, "transfer.buffers[", i, "]: is null");
    require(buffer->state.get() == &state, "transfer.buffers[", i, "]: belongs to another context");
    require(sharedResource(*buffer) != nullptr, "transfer.buffers[", i,
            "]: is in no memory that CUDA shares with Direct3D 12");
    const std::uint32_t first = firstInResource(transfer, i);
    require(transfer.states[i] == transfer.states[first], "transfer.states[", i, "]: is ", transfer.states[i],
            ", and transfer.buffers[", first, "] in the same resource has ", transfer.states[first],
            "; a resource has one state");
  }
}

// One of the two directions.
enum class Direction { release, acquire };

D3D12_RESOURCE_BARRIER transitionOf(ID3D12Resource* resource, std::uint32_t state, Direction direction) {
  const auto given = static_cast<D3D12_RESOURCE_STATES>(state);
  const bool isRelease = direction == Direction::release;
  D3D12_RESOURCE_BARRIER barrier{};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition.pResource = resource;
  barrier.Transition.Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
  barrier.Transition.StateBefore = isRelease ? given : D3D12_RESOURCE_STATE_COMMON;
  barrier.Transition.StateAfter = isRelease ? D3D12_RESOURCE_STATE_COMMON : given;
  return barrier;
}

// It records some transitions at a time, so that it allocates nothing. From a state to the same one there is none.
void recordTransfer(ID3D12GraphicsCommandList& list, const SluD3D12TransferInfo& transfer, Direction direction) {
  std::array<D3D12_RESOURCE_BARRIER, 16> barriers;
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < transfer.bufferCount; ++i) {
    if (transfer.states[i] == D3D12_RESOURCE_STATE_COMMON || firstInResource(transfer, i) != i) continue;
    barriers[count++] = transitionOf(sharedResource(*transfer.buffers[i]), transfer.states[i], direction);
    if (count < barriers.size()) continue;
    list.ResourceBarrier(count, barriers.data());
    count = 0;
  }
  if (count != 0) list.ResourceBarrier(count, barriers.data());
}

SluResult transferBuffers(SluContext context, ID3D12GraphicsCommandList* list, const SluD3D12TransferInfo* info,
                          Direction direction) noexcept {
  if (context == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  return guard(*context->state, [&] {
    handoffOf(*context->state);
    require(list != nullptr, "commandList: is null");
    const auto transfer = readStruct(info, SLU_STRUCTURE_TYPE_D3D12_TRANSFER_INFO, sizeof(*info), "transfer");
    checkTransfer(transfer, *context->state);
    recordTransfer(*list, transfer, direction);
  });
}

}  // namespace
}  // namespace slu

using namespace slu;

SluResult sluGetD3D12Fences(SluContext context, SluD3D12Fences* fences) {
  if (context == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  return guard(*context->state, [&] {
    checkOutput(fences, SLU_STRUCTURE_TYPE_D3D12_FENCES, sizeof(*fences), "fences");
    writeStruct(fences, handoffOf(*context->state).fences());
  });
}

SluResult sluCmdReleaseD3D12(SluContext context, ID3D12GraphicsCommandList* commandList,
                             const SluD3D12TransferInfo* transfer) {
  return transferBuffers(context, commandList, transfer, Direction::release);
}

SluResult sluCmdAcquireD3D12(SluContext context, ID3D12GraphicsCommandList* commandList,
                             const SluD3D12TransferInfo* transfer) {
  return transferBuffers(context, commandList, transfer, Direction::acquire);
}
