#include "routes/vulkan/spirv/contraction.h"

#include <cstddef>
#include <set>

#include "routes/vulkan/spirv/spirv.h"

namespace slu {
namespace {

using spirv::codeOf, spirv::firstWord, spirv::kHeaderWords, spirv::kOpDecorate, spirv::lengthOf;

// Numbers from section 3 of the SPIR-V specification.
constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::uint32_t kOpTypeVoid = 19, kOpTypeLast = 39, kNoContraction = 42;
constexpr std::uint32_t kOpFNegate = 127, kOpFAdd = 129, kOpFSub = 131, kOpFMul = 133, kOpFDiv = 136, kOpFRem = 140,
                        kOpFMod = 141, kOpVectorTimesScalar = 142, kOpDot = 148;

// The instructions that the specification lets NoContraction decorate: from OpVectorTimesScalar to OpDot all are.
bool isArithmetic(std::uint32_t code) {
  switch (code) {
    case kOpFNegate:
    case kOpFAdd:
    case kOpFSub:
    case kOpFMul:
    case kOpFDiv:
    case kOpFRem:
    case kOpFMod:
      return true;
    default:
      return code >= kOpVectorTimesScalar && code <= kOpDot;
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
    if (code == kOpDecorate && module[at + 2] == kNoContraction) decorated.insert(module[at + 1]);
    if (code >= kOpTypeVoid && code <= kOpTypeLast && firstType == module.size()) firstType = at;
  });
  std::vector<std::uint32_t> words(module.begin(), module.begin() + static_cast<std::ptrdiff_t>(firstType));
  for (const std::uint32_t result : results) {
    if (!decorated.contains(result)) words.insert(words.end(), {firstWord(3, kOpDecorate), result, kNoContraction});
  }
  words.insert(words.end(), module.begin() + static_cast<std::ptrdiff_t>(firstType), module.end());
  return words;
}

}  // namespace slu
