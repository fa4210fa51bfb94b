#include "routes/vulkan/rounding.h"

#include <cassert>
#include <cstddef>

namespace slu {
namespace {

// Of the SPIR-V specification, section 3. The first word of an instruction is its length in words and its code.
constexpr std::size_t kHeaderWords = 5;
constexpr std::uint32_t kOpEntryPoint = 15, kOpExecutionMode = 16, kOpCapability = 17;
constexpr std::uint32_t kCapabilityRoundingModeRte = 4467, kExecutionModeRoundingModeRte = 4462;

constexpr std::uint32_t firstWord(std::uint32_t length, std::uint32_t code) { return length << 16 | code; }

}  // namespace

// Capabilities come first, and execution modes behind the entry points.
std::vector<std::uint32_t> roundToNearest(std::span<const std::uint32_t> module) {
  std::size_t entry = kHeaderWords;
  while ((module[entry] & 0xffffu) != kOpEntryPoint) {
    assert(module[entry] >> 16 != 0);
    entry += module[entry] >> 16;
  }
  const std::size_t behind = entry + (module[entry] >> 16);
  const std::uint32_t function = module[entry + 2];
  const std::uint32_t capability[] = {firstWord(2, kOpCapability), kCapabilityRoundingModeRte};
  const std::uint32_t mode[] = {firstWord(4, kOpExecutionMode), function, kExecutionModeRoundingModeRte, 32};

  std::vector<std::uint32_t> declared;
  declared.reserve(module.size() + std::size(capability) + std::size(mode));
  const auto append = [&](std::span<const std::uint32_t> words) {
    declared.insert(declared.end(), words.begin(), words.end());
  };
  append(module.first(kHeaderWords));
  append(capability);
  append(module.subspan(kHeaderWords, behind - kHeaderWords));
  append(mode);
  append(module.subspan(behind));
  return declared;
}

}  // namespace slu
