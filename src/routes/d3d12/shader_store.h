// The route's compiled shaders, by their constants: what plans and pyramids share, and what the host stores between runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "routes/d3d12/hlsl/own_hlsl.h"
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

// The specialization constants of shaders/pyramid.comp, in the order of their ids.
struct PyramidConstants {
  std::uint32_t direction;
  std::uint32_t parts;  // SLU_PYRAMID_TILES or SLU_PYRAMID_REST
  std::uint32_t samples;
  auto operator<=>(const PyramidConstants&) const = default;
};

// Of what builds pyramids. shaderModel: 5 or 6.
struct PyramidKey {
  HlslDepths depths;
  PyramidConstants constants;
  std::uint32_t shaderModel;
  auto operator<=>(const PyramidKey&) const = default;
};

class ShaderStore {
 public:
  // What a compiler is made by; throws if it cannot be had.
  using MakeCompiler = std::function<std::unique_ptr<HlslCompiler>()>;

  // stored: what save gave, or nothing. Throws if it is not of this version of the library, or if there is neither a
  // compiler nor anything stored.
  ShaderStore(std::span<const std::byte> stored, const MakeCompiler& makeCompiler);

  // Compiles those that are not there yet, several at a time.
  void prepare(std::span<const KernelKey> keys) { prepare(keys, kernels_); }
  void prepare(std::span<const PyramidKey> keys) { prepare(keys, pyramids_); }

  // Return the bytecode of what was prepared.
  std::span<const std::byte> get(const KernelKey& key) const { return kernels_.at(key); }
  std::span<const std::byte> get(const PyramidKey& key) const { return pyramids_.at(key); }

  // Returns all of them as bytes.
  std::vector<std::byte> save() const;

 private:
  template <typename Key>
  using Shaders = std::map<Key, std::vector<std::byte>>;

  template <typename Key>
  void prepare(std::span<const Key> keys, Shaders<Key>& shaders);
  void readStored(std::span<const std::byte> bytes);

  Shaders<KernelKey> kernels_;
  Shaders<PyramidKey> pyramids_;
  std::unique_ptr<HlslCompiler> compiler_;  // or null
  std::string whyNoCompiler_;
};

}  // namespace slu
