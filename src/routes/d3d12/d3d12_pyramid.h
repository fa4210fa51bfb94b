// What builds depth pyramids on the d3d12 route: the vulkan route's shader, in two dispatches.
#pragma once

#include <memory>

#include "plan/pyramid.h"
#include "routes/d3d12/d3d12_device.h"
#include "routes/d3d12/shader_store.h"
#include "routes/route.h"

namespace slu {

// chain: of SluPyramidCreateInfo. device outlives the object.
std::unique_ptr<RoutePyramid> makeD3D12Pyramid(const D3D12Device& device, ShaderStore& store,
                                               const PyramidLayout& layout, const void* chain);

}  // namespace slu
