#include "routes/vulkan/spirv/shader_variant.h"

#include <array>

namespace slu {
namespace {

struct VariantRow {
  const char* name;
  std::array<const char*, 3> macros;
  std::size_t macroCount;
};

constexpr const char* kEmulatedMacro = "SLU_EMULATED_SUBGROUPS";
constexpr const char* kBoundMacro = "SLU_BOUND";
constexpr const char* kAtomic64Macro = "SLU_ATOMIC_INT64";
constexpr const char* kDispatchesMacro = "SLU_SEVERAL_DISPATCHES";

// In the order of the enum.
constexpr std::array<VariantRow, kShaderVariantCount> kVariants = {
    {{"native", {}, 0},
     {"emulated", {kEmulatedMacro}, 1},
     {"bound", {kBoundMacro}, 1},
     {"bound_emulated", {kBoundMacro, kEmulatedMacro}, 2},
     {"dispatches", {kDispatchesMacro}, 1},
     {"dispatches_emulated", {kDispatchesMacro, kEmulatedMacro}, 2},
     {"bound_dispatches", {kBoundMacro, kDispatchesMacro}, 2},
     {"bound_dispatches_emulated", {kBoundMacro, kDispatchesMacro, kEmulatedMacro}, 3},
     {"atomic64", {kAtomic64Macro}, 1},
     {"bound_atomic64", {kBoundMacro, kAtomic64Macro}, 2}}};

const VariantRow& variantRow(ShaderVariant variant) { return kVariants[static_cast<std::size_t>(variant)]; }

}  // namespace

// Some kernels are one of several dispatches anyway, and others no frame in several dispatches has. One has no subgroups.
ShaderVariant variantFor(Kernel kernel, const Device& device, bool bindsBuffers) {
  if (kernel == Kernel::findVisible) return bindsBuffers ? ShaderVariant::bound : ShaderVariant::native;
  const bool isEmulated = device.emulatedSubgroupSize != 0;
  const bool isOneOfSeveral = device.severalDispatches && (kernel == Kernel::compact || kernel == Kernel::sorted);
  if (device.hasAtomicInt64 && !isEmulated && !isOneOfSeveral && kernel == Kernel::compact) {
    return bindsBuffers ? ShaderVariant::boundAtomic64 : ShaderVariant::atomic64;
  }
  return static_cast<ShaderVariant>((isEmulated ? 1u : 0u) + (bindsBuffers ? 2u : 0u) + (isOneOfSeveral ? 4u : 0u));
}

std::string shaderName(Kernel kernel, ShaderVariant variant) {
  return std::string(kernelName(kernel)) + "_" + variantRow(variant).name;
}

std::span<const char* const> shaderMacros(ShaderVariant variant) {
  const VariantRow& row = variantRow(variant);
  return std::span(row.macros).first(row.macroCount);
}

bool isForVulkan11(ShaderVariant variant) {
  if (variant >= ShaderVariant::atomic64) return variant == ShaderVariant::boundAtomic64;
  return (static_cast<std::uint32_t>(variant) & 2u) != 0;
}

}  // namespace slu
