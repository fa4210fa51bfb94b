#include "routes/vulkan/spirv/contraction.h"

#include <cstddef>
#include <set>

#include "routes/vulkan/spirv/spirv.h"

namespace slu {
namespace {

using spirv::codeOf, spirv::firstWord, spirv::kHeaderWords, spirv::lengthOf;

// Numbers from section 3 of the SPIR-V specification.
constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::uint32_t kNoContraction = 42;

// The instructions that the specification lets NoContraction decorate: from OpVectorTimesScalar to OpDot all are.
bool isArithmetic(std::uint32_t code) {
  switch (code) {
    case spirv::OpFNegate:
    case spirv::OpFAdd:
    case spirv::OpFSub:
    case spirv::OpFMul:
    case spirv::OpFDiv:
    case spirv::OpFRem:
    case spirv::OpFMod:
      return true;
    default:
      return code >= spirv::OpVectorTimesScalar && code <= spirv::OpDot;
  }
}

template <typename Use>
void forEachInstruction(std::span<const std::uint32_t> module, const Use& use) {
  for (std::size_t at = kHeaderWords; at < module.size(); at += lengthOf(module[at])) use(at, codeOf(module[at]));
}

}  // namespace

bool isSpirv(std::span<const std::uint32_t> module) {
  if (module.size() < kHeaderWords || module[0] != kMagic) return false;
  for (std::size_t at = kHeaderWords; at < module.size(); at += lengthOf(module[at])) {
    if (lengthOf(module[at]) == 0 || lengthOf(module[at]) > module.size() - at) return false;
  }
  return true;
}

// Decorations come before the first type.
std::vector<std::uint32_t> forbidContraction(std::span<const std::uint32_t> module) {
  std::set<std::uint32_t> results, decorated;
  std::size_t firstType = module.size();
  forEachInstruction(module, [&](std::size_t at, std::uint32_t code) {
    if (isArithmetic(code)) results.insert(module[at + 2]);
    if (code == spirv::OpDecorate && module[at + 2] == kNoContraction) decorated.insert(module[at + 1]);
    if (code >= spirv::OpTypeVoid && code <= spirv::OpTypeForwardPointer && firstType == module.size()) firstType = at;
  });
  std::vector<std::uint32_t> words(module.begin(), module.begin() + static_cast<std::ptrdiff_t>(firstType));
  for (const std::uint32_t result : results) {
    if (!decorated.contains(result))
      words.insert(words.end(), {firstWord(3, spirv::OpDecorate), result, kNoContraction});
  }
  words.insert(words.end(), module.begin() + static_cast<std::ptrdiff_t>(firstType), module.end());
  return words;
}

}  // namespace slu
