// What a failed HRESULT of Direct3D 12 means.
#pragma once

#include "base/d3d12_calls.h"
#include "base/error.h"

namespace slu {

inline SluResult resultOf(HRESULT result) {
  switch (static_cast<unsigned long>(result)) {
    case 0x8007000e:  // E_OUTOFMEMORY
      return SLU_ERROR_OUT_OF_DEVICE_MEMORY;
    case 0x887a0005:  // DXGI_ERROR_DEVICE_REMOVED, DEVICE_HUNG and DEVICE_RESET of dxgi.h
    case 0x887a0006:
    case 0x887a0007:
      return SLU_ERROR_DEVICE_LOST;
    default:
      return SLU_ERROR_DRIVER;
  }
}

}  // namespace slu
