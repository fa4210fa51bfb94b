// In which variant a kernel is compiled for a device. cmake/shaders.cmake has the same variants.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/vulkan_device.h"
#include "routes/shaders/kernel.h"

namespace slu {

enum class ShaderVariant : std::uint32_t {
  native,
  emulated,
  bound,
  boundEmulated,
  dispatches,
  dispatchesEmulated,
  boundDispatches,
  boundDispatchesEmulated,
  atomic64,
  boundAtomic64
};
constexpr std::uint32_t kShaderVariantCount = 10;

ShaderVariant variantFor(Kernel kernel, const Device& device, bool bindsBuffers);

// "compact_bound_dispatches".
std::string shaderName(Kernel kernel, ShaderVariant variant);

// The macros that the variant's shaders are compiled with.
std::span<const char* const> shaderMacros(ShaderVariant variant);

// Whether the variant's shaders need no more than Vulkan 1.1.
bool isForVulkan11(ShaderVariant variant);

}  // namespace slu
