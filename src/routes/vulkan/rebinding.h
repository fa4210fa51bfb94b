// Which of the shaders' storage buffers a plan binds, and where.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "plan/layout.h"
#include "shaders/shared/bindings.h"

namespace slu {

// Where each binding of shaders/shared/bindings.h lies in the descriptor set of a plan. The set holds only what the plan
// uses. Bindings that it does not use lie where its scratch is, and are not read.
struct BindingMap {
  std::array<std::uint8_t, SLU_BINDING_COUNT> slots{};
  std::uint8_t slotCount = 0;  // 0: shaders reach buffers by their addresses

  auto operator<=>(const BindingMap&) const = default;
  // Whether the binding has a place of its own.
  bool has(std::uint32_t binding) const { return slots[binding] != slots[SLU_BINDING_SCRATCH]; }
};

// most: storage buffers that the device lets a shader have. A plan that needs all of them has none for a live count, and
// one that leaves a single one has none for a live mesh count. Throws SLU_ERROR_MISSING_FEATURE if the plan needs more.
BindingMap mapBindings(const PlanLayout& layout, std::uint32_t most);

// The same of gather.comp: what it reads and writes of a further stream, and the lists of what is kept.
BindingMap mapStreamBindings(std::uint32_t most);

// The module with its storage buffers at the bindings of the map.
std::vector<std::uint32_t> rebind(std::span<const std::uint32_t> module, const BindingMap& map);

}  // namespace slu
