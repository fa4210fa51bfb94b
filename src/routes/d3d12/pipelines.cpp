#include "routes/d3d12/pipelines.h"

#include <string>

namespace slu {

std::vector<ID3D12PipelineState*> D3D12Pipelines::get(std::span<const Kernel> kernels, const KernelConstants& constants,
                                                      const std::optional<KernelPredicate>& predicate) {
  std::vector<KernelKey> keys;
  for (const Kernel kernel : kernels) {
    KernelKey& key = keys.emplace_back(KernelKey{kernel, usedConstants(kernel, constants), std::nullopt});
    if (predicate && asksPredicate(kernel, predicate->computesKey)) key.predicate = predicate;
  }
  store_.prepare(keys);
  std::vector<ID3D12PipelineState*> found;
  for (const KernelKey& key : keys) {
    ComPtr<ID3D12PipelineState>& pipeline = pipelines_[key];
    if (!pipeline) {
      const std::string name = std::string("sluice ") + kernelName(key.kernel);
      pipeline = device_.makePipeline(device_.rootSignature(), store_.get(key),
                                      std::wstring(name.begin(), name.end()).c_str());
    }
    found.push_back(pipeline.get());
  }
  return found;
}

}  // namespace slu
