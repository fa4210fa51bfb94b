// The route's pipeline states, one per kernel and set of constants, which all plans share.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "routes/d3d12/d3d12_device.h"
#include "routes/d3d12/shader_store.h"

namespace slu {

class D3D12Pipelines {
 public:
  // stored: see ShaderStore.
  D3D12Pipelines(const D3D12Device& device, std::span<const std::byte> stored,
                 const ShaderStore::MakeCompiler& compiler)
      : device_(device), store_(stored, compiler) {}

  // Returns the pipelines of a plan's kernels, in their order. constants, predicate: the plan's.
  std::vector<ID3D12PipelineState*> get(std::span<const Kernel> kernels, const KernelConstants& constants,
                                        const std::optional<KernelPredicate>& predicate);

  ShaderStore& store() { return store_; }
  const ShaderStore& store() const { return store_; }

 private:
  const D3D12Device& device_;
  ShaderStore store_;
  std::map<KernelKey, ComPtr<ID3D12PipelineState>> pipelines_;
};

}  // namespace slu
