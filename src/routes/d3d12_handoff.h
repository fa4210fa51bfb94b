// What a route that takes turns with the host's ID3D12Device offers it: sluice_d3d12_cuda.h from inside.
#pragma once

#include <sluice/sluice_d3d12_cuda.h>

#include "routes/handoff.h"

namespace slu {

class D3D12Handoff : public Handoff {
 public:
  virtual SluD3D12Fences fences() const = 0;
};

}  // namespace slu
