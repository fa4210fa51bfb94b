// No product or sum of a kernel with a predicate may be contracted.
#include "routes/vulkan/spirv/contraction.h"

#include <set>

#include "../vulkan/spirv.h"
#include "weighted.h"

namespace slu::test {
namespace {

std::vector<std::uint32_t> unpacked(const SluSpirvModule& module) {
  return unpack({module.bytes, module.byteCount, module.wordCount});
}

constexpr std::uint32_t kOpDecorate = 71, kNoContraction = 42;

// Results of float arithmetic: FNegate, FAdd, FSub, FMul, FDiv, FRem, FMod, and products of vectors and matrices.
std::set<std::uint32_t> arithmetic(Words module) {
  const std::set<std::uint32_t> codes = {127, 129, 131, 133, 136, 140, 141, 142, 143, 144, 145, 146, 147, 148};
  std::set<std::uint32_t> results;
  forEachInstruction(module, [&](std::uint32_t code, Words operands) {
    if (codes.contains(code)) results.insert(operands[1]);
  });
  return results;
}

// Those that are decorated; each once.
std::set<std::uint32_t> decorated(Words module) {
  std::set<std::uint32_t> found;
  forEachInstruction(module, [&](std::uint32_t code, Words operands) {
    if (code != kOpDecorate || operands[1] != kNoContraction) return;
    EXPECT_TRUE(found.insert(operands[0]).second) << "decorated twice";
  });
  return found;
}

TEST(Contraction, IsForbiddenOfAllArithmetic) {
  const SluSpirvPredicateInfo info = weighted();
  ASSERT_GT(info.moduleCount, 0u);
  for (std::uint32_t i = 0; i < info.moduleCount; ++i) {
    const std::vector<std::uint32_t> module = unpacked(info.modules[i]);
    const std::set<std::uint32_t> all = arithmetic(module);
    EXPECT_NE(decorated(module), all) << info.modules[i].name
                                      << ": the predicate's own is not, so the test shows nothing";
    const std::vector<std::uint32_t> exact = forbidContraction(module);
    EXPECT_EQ(decorated(exact), all) << info.modules[i].name;
    EXPECT_EQ(arithmetic(exact), all) << info.modules[i].name;
    EXPECT_EQ(forbidContraction(exact), exact) << info.modules[i].name;
  }
}

TEST(Contraction, SpirvIsToldFromOtherWords) {
  std::vector<std::uint32_t> module = unpacked(weighted().modules[0]);
  EXPECT_TRUE(isSpirv(module));
  EXPECT_FALSE(isSpirv(Words(module).first(4)));
  EXPECT_FALSE(isSpirv(Words(module).first(kHeaderWords + 1)));  // in the middle of an OpCapability
  std::vector<std::uint32_t> spoiled = module;
  spoiled[0] ^= 1;
  EXPECT_FALSE(isSpirv(spoiled));
  spoiled = module;
  spoiled[kHeaderWords] = 17;  // an instruction of no words
  EXPECT_FALSE(isSpirv(spoiled));
}

}  // namespace
}  // namespace slu::test
