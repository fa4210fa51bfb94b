// The route's compiled kernels, by kernel and constants: what plans share, and what the host stores between runs.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "routes/d3d12/d3d_compiler.h"
#include "routes/shaders/kernel_constants.h"

namespace slu {

// constants: those that the kernel reads (usedConstants).
struct KernelKey {
  Kernel kernel;
  KernelConstants constants;
  auto operator<=>(const KernelKey&) const = default;
};

class ShaderStore {
 public:
  // stored: what save gave, or nothing. Throws if it is not of this version of the library. Throws
  // SLU_ERROR_ROUTE_UNAVAILABLE if there is neither a compiler nor anything stored.
  explicit ShaderStore(std::span<const std::byte> stored);

  // Compiles those that are not there yet, several at a time.
  void prepare(std::span<const KernelKey> keys);

  // Returns the bytecode of a kernel that was prepared.
  std::span<const std::byte> get(const KernelKey& key) const { return shaders_.at(key); }

  // Returns all of them as bytes.
  std::vector<std::byte> save() const;

 private:
  std::map<KernelKey, std::vector<std::byte>> shaders_;
  std::optional<D3DCompiler> compiler_;
  std::string whyNoCompiler_;
};

}  // namespace slu
