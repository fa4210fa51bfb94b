#include "routes/vulkan/spirv/rounding.h"

#include <cassert>
#include <cstddef>
#include <cstring>

#include "routes/vulkan/spirv/spirv.h"

namespace slu {
namespace {

using spirv::firstWord, spirv::lengthOf, spirv::codeOf, spirv::kHeaderWords;

// Of the SPIR-V specification, section 3.
constexpr std::uint32_t kVersion14 = 0x00010400;
constexpr char kExtension[] = "SPV_KHR_float_controls";
constexpr std::uint32_t kExtensionWords = (sizeof(kExtension) + 3) / 4;
constexpr std::uint32_t kCapabilityRoundingModeRte = 4467, kExecutionModeRoundingModeRte = 4462;

}  // namespace

// Capabilities come first, then extensions; execution modes come behind the entry points.
std::vector<std::uint32_t> roundToNearest(std::span<const std::uint32_t> module) {
  const auto find = [&](std::size_t at, const auto& isIt) {
    while (!isIt(codeOf(module[at]))) {
      assert(lengthOf(module[at]) != 0);
      at += lengthOf(module[at]);
    }
    return at;
  };
  const std::size_t extensions = find(kHeaderWords, [](std::uint32_t code) { return code != spirv::OpCapability; });
  const std::size_t entry = find(extensions, [](std::uint32_t code) { return code == spirv::OpEntryPoint; });
  const std::size_t behind = entry + lengthOf(module[entry]);
  const std::uint32_t function = module[entry + 2];
  const std::uint32_t capability[] = {firstWord(2, spirv::OpCapability), kCapabilityRoundingModeRte};
  const std::uint32_t mode[] = {firstWord(4, spirv::OpExecutionMode), function, kExecutionModeRoundingModeRte, 32};

  std::uint32_t extension[1 + kExtensionWords] = {firstWord(1 + kExtensionWords, spirv::OpExtension)};
  std::memcpy(extension + 1, kExtension, sizeof(kExtension));

  std::vector<std::uint32_t> declared;
  declared.reserve(module.size() + std::size(capability) + std::size(extension) + std::size(mode));
  const auto append = [&](std::span<const std::uint32_t> words) {
    declared.insert(declared.end(), words.begin(), words.end());
  };
  append(module.first(kHeaderWords));
  append(capability);
  append(module.subspan(kHeaderWords, extensions - kHeaderWords));
  if (module[1] < kVersion14) append(extension);
  append(module.subspan(extensions, behind - extensions));
  append(mode);
  append(module.subspan(behind));
  return declared;
}

}  // namespace slu
