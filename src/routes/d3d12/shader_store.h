// The route's compiled kernels, by kernel and constants: what plans share, and what the host stores between runs.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "routes/d3d12/hlsl_compiler.h"
#include "routes/shaders/kernel_constants.h"

namespace slu {

// A predicate of the host's in a kernel.
struct KernelPredicate {
  std::string source;  // in HLSL
  bool computesKey;
  auto operator<=>(const KernelPredicate&) const = default;
};

// constants: those that the kernel reads (usedConstants). Shader model 5 is for those that emulate subgroups, and 6 for
// the others.
struct KernelKey {
  Kernel kernel;
  KernelConstants constants;
  std::optional<KernelPredicate> predicate;  // if the kernel asks it
  auto operator<=>(const KernelKey&) const = default;
};

class ShaderStore {
 public:
  // What a compiler is made by; throws if it cannot be had.
  using MakeCompiler = std::function<std::unique_ptr<HlslCompiler>()>;

  // stored: what save gave, or nothing. Throws if it is not of this version of the library, or if there is neither a
  // compiler nor anything stored.
  ShaderStore(std::span<const std::byte> stored, const MakeCompiler& makeCompiler);

  // Compiles those that are not there yet, several at a time.
  void prepare(std::span<const KernelKey> keys);

  // Returns the bytecode of a kernel that was prepared.
  std::span<const std::byte> get(const KernelKey& key) const { return shaders_.at(key); }

  // Returns all of them as bytes.
  std::vector<std::byte> save() const;

 private:
  std::map<KernelKey, std::vector<std::byte>> shaders_;
  std::unique_ptr<HlslCompiler> compiler_;  // or null
  std::string whyNoCompiler_;
};

}  // namespace slu
