// The predicate of SLU_LIVE_CUSTOM.
#pragma once

#include <sluice/sluice_cuda.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace slu {

// A copy of an SluSpirvModule.
struct SpirvModule {
  bool operator==(const SpirvModule&) const = default;
  std::string name;
  std::vector<unsigned char> bytes;
  std::uint32_t wordCount;
};

// A predicate's modules. Copies share them.
class SpirvModules {
 public:
  SpirvModules() = default;
  explicit SpirvModules(std::vector<SpirvModule> modules)
      : modules_(std::make_shared<const std::vector<SpirvModule>>(std::move(modules))) {}

  explicit operator bool() const { return modules_ != nullptr; }
  const std::vector<SpirvModule>& operator*() const { return *modules_; }
  bool operator==(const SpirvModules& other) const {
    if (modules_ == other.modules_) return true;
    return modules_ != nullptr && other.modules_ != nullptr && *modules_ == *other.modules_;
  }

 private:
  std::shared_ptr<const std::vector<SpirvModule>> modules_;
};

using PredicateState = std::array<unsigned char, SLU_MAX_PREDICATE_STATE>;

// Holds what the plan's route takes: functions of the host, or source code. All members are null and empty if the plan
// has no custom predicate.
struct CustomPredicate {
  SluHostPredicateFunction isLive = nullptr;
  SluHostKeyFunction keyWord = nullptr;
  SluCudaLaunchFunction launch = nullptr;
  SluCudaBlocksFunction blocks = nullptr;
  std::string source;                // CUDA C++, GLSL, or HLSL
  std::vector<std::string> options;  // of CUDA C++
  SpirvModules modules;
  bool computesKey = false;
  std::uint32_t stateSize = 0;
  alignas(16) PredicateState state{};
};

}  // namespace slu
