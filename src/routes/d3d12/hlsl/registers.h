// Where the kernels in HLSL find their buffers. All registers are in space 0. The uniform buffers are in b registers, as
// shaders/shared/registers.h numbers them: SLU_REGISTER_PLAN, SLU_REGISTER_FRAME, SLU_REGISTER_VIEW, and two words in
// SLU_REGISTER_DISPATCH.
#pragma once

#include <array>
#include <cstdint>

#include "shaders/shared/bindings.h"
#include "shaders/shared/registers.h"

namespace slu {

enum class HlslView : std::uint8_t {
  srv,  // t: ByteAddressBuffer
  uav   // u: RWByteAddressBuffer
};

struct HlslRegister {
  HlslView view;
  std::uint8_t number;
};

constexpr HlslRegister srvRegister(std::uint8_t number) { return {HlslView::srv, number}; }
constexpr HlslRegister uavRegister(std::uint8_t number) { return {HlslView::uav, number}; }

// By binding, SLU_BINDING_*. Bindings of which no plan has both may share a register.
inline constexpr std::array<HlslRegister, SLU_BINDING_COUNT> kHlslRegisters = {
    srvRegister(SLU_REGISTER_RECORDS),         srvRegister(SLU_REGISTER_LIVE_COUNT),
    srvRegister(SLU_REGISTER_BOUNDS),          srvRegister(SLU_REGISTER_TRANSFORMS),
    srvRegister(SLU_REGISTER_FLAGS),           uavRegister(SLU_REGISTER_INDICES),
    uavRegister(SLU_REGISTER_KEPT_RECORDS),    uavRegister(SLU_REGISTER_DRAWS),
    uavRegister(SLU_REGISTER_DRAW_COUNTS),     uavRegister(SLU_REGISTER_STATISTICS),
    uavRegister(SLU_REGISTER_BUCKET_COUNTS),   srvRegister(SLU_REGISTER_MESHES),
    srvRegister(SLU_REGISTER_LIVE_MESH_COUNT), srvRegister(SLU_REGISTER_LAYERS),
    srvRegister(SLU_REGISTER_LAST_LOD_STATES), uavRegister(SLU_REGISTER_LOD_STATES),
    uavRegister(SLU_REGISTER_SCRATCH),         srvRegister(SLU_REGISTER_LAST_VISIBLE),
    uavRegister(SLU_REGISTER_VISIBLE),         srvRegister(SLU_REGISTER_PYRAMID)};

}  // namespace slu
