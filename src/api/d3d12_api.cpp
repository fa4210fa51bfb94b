// The C ABI of sluice_d3d12.h.
#include <sluice/sluice_d3d12.h>

#include <cstring>

#include "api/objects.h"
#include "routes/d3d12/d3d12_route.h"

SluResult sluCmdCompactD3D12(SluPlan plan, ID3D12GraphicsCommandList* commandList, const SluFrameInfo* frame) {
  return slu::runPlan(plan, frame, commandList, "sluCmdCompactD3D12");
}

SluResult sluCmdBuildPyramidD3D12(SluPyramid pyramid, ID3D12GraphicsCommandList* commandList,
                                  const SluPyramidBuildInfo* build) {
  return slu::buildPyramid(pyramid, build, commandList, "sluCmdBuildPyramidD3D12");
}

SluResult sluGetD3D12Shaders(SluContext context, void* data, size_t* size) {
  using namespace slu;
  if (context == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  const ContextState& state = *context->state;
  return guard(*context->state, [&] {
    require(size != nullptr, "size: is null");
    if (!state.routes[SLU_ROUTE_D3D12]) {
      fail(SLU_ERROR_ROUTE_UNAVAILABLE, "context: has no d3d12 route: ", state.reason(SLU_ROUTE_D3D12));
    }
    const std::vector<std::byte> shaders = saveShaders(*state.routes[SLU_ROUTE_D3D12]);
    if (data == nullptr) {
      *size = shaders.size();
      return;
    }
    require(*size >= shaders.size(), "size: is ", *size, ", and the shaders have ", shaders.size(), " bytes");
    std::memcpy(data, shaders.data(), shaders.size());
    *size = shaders.size();
  });
}
