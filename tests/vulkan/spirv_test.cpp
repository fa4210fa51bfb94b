// Forms of the shaders that drivers' compilers need, and which no output shows: NVIDIA's made culling three times slower
// where functions passed on copies of views, and a frame into several buckets twice as slow where arrays were left in
// memory, by loops that it does not unroll or whose bodies hold a `continue`.
#include "spirv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compact_atomic64.h"
#include "compact_bound.h"
#include "compact_bound_dispatches.h"
#include "compact_bound_dispatches_emulated.h"
#include "compact_bound_emulated.h"
#include "compact_dispatches.h"
#include "compact_dispatches_emulated.h"
#include "compact_emulated.h"
#include "compact_native.h"
#include "count_bound.h"
#include "count_bound_emulated.h"
#include "count_emulated.h"
#include "count_native.h"
#include "emit_bound.h"
#include "emit_bound_emulated.h"
#include "emit_emulated.h"
#include "emit_native.h"
#include "find_visible_bound.h"
#include "find_visible_native.h"
#include "ordered_bound.h"
#include "ordered_bound_emulated.h"
#include "ordered_emulated.h"
#include "ordered_native.h"
#include "persistent_bound.h"
#include "persistent_bound_emulated.h"
#include "persistent_emulated.h"
#include "persistent_native.h"
#include "publish_bound.h"
#include "publish_bound_emulated.h"
#include "publish_emulated.h"
#include "publish_native.h"
#include "routes/vulkan/rebinding.h"
#include "routes/vulkan/spirv/rounding.h"
#include "scan_bound.h"
#include "scan_bound_emulated.h"
#include "scan_emulated.h"
#include "scan_native.h"
#include "sluice/culling_types.h"
#include "sorted_bound.h"
#include "sorted_bound_dispatches.h"
#include "sorted_bound_dispatches_emulated.h"
#include "sorted_bound_emulated.h"
#include "sorted_dispatches.h"
#include "sorted_dispatches_emulated.h"
#include "sorted_emulated.h"
#include "sorted_native.h"

namespace slu::test {
namespace {

// Of SPIR-V, section 3 of its specification. Operands of types begin with the id of the type.
constexpr std::uint32_t kOpEntryPoint = 15;
constexpr std::uint32_t kOpExecutionMode = 16;
constexpr std::uint32_t kOpCapability = 17;
constexpr std::uint32_t kOpTypeInt = 21;
constexpr std::uint32_t kOpTypeFloat = 22;
constexpr std::uint32_t kOpTypeArray = 28;
constexpr std::uint32_t kOpTypeStruct = 30;
constexpr std::uint32_t kOpTypePointer = 32;
constexpr std::uint32_t kOpTypeFunction = 33;
constexpr std::uint32_t kOpConstant = 43;
constexpr std::uint32_t kOpSpecConstant = 50;
constexpr std::uint32_t kOpSpecConstantOp = 52;
constexpr std::uint32_t kOpFunctionParameter = 55;
constexpr std::uint32_t kOpFunctionEnd = 56;
constexpr std::uint32_t kOpVariable = 59;
constexpr std::uint32_t kOpAccessChain = 65;
constexpr std::uint32_t kOpLoopMerge = 246;
constexpr std::uint32_t kOpLabel = 248;
constexpr std::uint32_t kOpBranch = 249;
constexpr std::uint32_t kOpBranchConditional = 250;
constexpr std::uint32_t kStoragePrivate = 6;
constexpr std::uint32_t kStorageFunction = 7;
constexpr std::uint32_t kLoopUnroll = 1;
constexpr std::uint32_t kRoundingModeRteCapability = 4467;
constexpr std::uint32_t kRoundingModeRte = 4462;

bool isOwn(std::uint32_t storage) { return storage == kStoragePrivate || storage == kStorageFunction; }

// How types are built, as text: they have no names in what the library holds, and a struct in a uniform buffer and its
// copies are types of their own.
std::map<std::uint32_t, std::string> shapesOf(Words module) {
  std::map<std::uint32_t, std::string> shapes;
  std::map<std::uint32_t, std::uint32_t> lengths;  // values of constants
  forEachInstruction(module, [&](std::uint32_t op, Words operands) {
    switch (op) {
      case kOpTypeInt:
        shapes[operands[0]] = operands[2] != 0 ? "int" : "uint";
        break;
      case kOpTypeFloat:
        shapes[operands[0]] = "float";
        break;
      case kOpConstant:
        lengths[operands[1]] = operands[2];
        break;
      case kOpTypeArray:
        shapes[operands[0]] = shapes[operands[1]] + "[" + std::to_string(lengths[operands[2]]) + "]";
        break;
      case kOpTypeStruct: {
        std::string& shape = shapes[operands[0]];
        for (const std::uint32_t member : operands.subspan(1)) shape += shapes[member] + ";";
        break;
      }
      default:
        break;
    }
  });
  return shapes;
}

// Of SluViewBlock.
const std::string kViewShape =
    "float[24];float;float;float;float;float;float;float[7];float;float;float;uint;uint;uint;uint;float;float;float;"
    "float;";
static_assert(sizeof(SluViewBlock) == 4 * (24 + 6 + 7 + 3 + 4 + 4));

// Of SluOcclusionBlock, which begins with four rows.
const std::string kRowShape = "float;float;float;float;";
const std::string kOcclusionShape = kRowShape + ";" + kRowShape + ";" + kRowShape + ";" + kRowShape + ";" +
                                    "float;float;float;float;float;float;float;float;float;float;float;float;float;"
                                    "uint;uint;uint;uint;uint;uint;uint;";
static_assert(sizeof(SluOcclusionBlock) == 4 * (4 * 4 + 13 + 7));

// Expects that no variable of an invocation, and no argument, is a view or has one.
void expectNoCopies(Words module) {
  const std::map<std::uint32_t, std::string> shapes = shapesOf(module);
  std::set<std::uint32_t> views;  // types that are one or have one
  const auto isView = [&](std::uint32_t id) { return views.contains(id); };
  forEachInstruction(module, [&](std::uint32_t op, Words operands) {
    switch (op) {
      case kOpTypeArray:
      case kOpTypeStruct:
        if (shapes.at(operands[0]) == kViewShape || shapes.at(operands[0]) == kOcclusionShape ||
            std::any_of(operands.begin() + 1, operands.end(), isView)) {
          views.insert(operands[0]);
        }
        break;
      case kOpTypePointer:
        EXPECT_FALSE(isOwn(operands[1]) && isView(operands[2]));
        break;
      case kOpTypeFunction:
        EXPECT_FALSE(std::any_of(operands.begin() + 1, operands.end(), isView));
        break;
      default:
        break;
    }
  });
  EXPECT_FALSE(views.empty()) << "no type is built as a view is";
}

// Expects that loops ask to be unrolled which index an invocation's arrays, and that their bodies end in one place.
// Returns how many such accesses there are.
std::size_t expectUnrolled(Words module) {
  struct Loop {
    std::uint32_t merge;
    std::uint32_t continueTarget;
    bool isUnrolled;
    bool indexes = false;
    std::uint32_t ends = 0;  // branches to its next turn
  };
  std::set<std::uint32_t> arrays, pointers, constants, variables;
  std::vector<Loop> loops;  // that are open
  std::size_t accesses = 0;
  const auto branch = [&](std::uint32_t target) {
    for (Loop& loop : loops) loop.ends += loop.continueTarget == target;
  };
  forEachInstruction(module, [&](std::uint32_t op, Words operands) {
    switch (op) {
      case kOpTypeArray:
        arrays.insert(operands[0]);
        break;
      case kOpTypePointer:
        if (isOwn(operands[1]) && arrays.contains(operands[2])) pointers.insert(operands[0]);
        break;
      case kOpConstant:
      case kOpSpecConstant:
      case kOpSpecConstantOp:
        constants.insert(operands[1]);
        break;
      case kOpVariable:
      case kOpFunctionParameter:
        if (pointers.contains(operands[0])) variables.insert(operands[1]);
        break;
      case kOpAccessChain:
        if (!variables.contains(operands[2]) || constants.contains(operands[3])) break;
        ++accesses;
        EXPECT_TRUE(std::any_of(loops.begin(), loops.end(), std::mem_fn(&Loop::isUnrolled)));
        for (Loop& loop : loops) loop.indexes = true;
        break;
      case kOpLoopMerge:
        loops.push_back({operands[0], operands[1], (operands[2] & kLoopUnroll) != 0});
        break;
      case kOpLabel:
        if (loops.empty() || loops.back().merge != operands[0]) break;
        if (loops.back().isUnrolled && loops.back().indexes) {
          EXPECT_EQ(loops.back().ends, 1u) << "has a `continue`";
        }
        loops.pop_back();
        break;
      case kOpBranch:
        branch(operands[0]);
        break;
      case kOpBranchConditional:
        branch(operands[1]);
        branch(operands[2]);
        break;
      case kOpFunctionEnd:
        EXPECT_TRUE(loops.empty());
        break;
      default:
        break;
    }
  });
  return accesses;
}

const NamedModule kModules[] = {{"compact_native", compact_native},
                                {"compact_atomic64", compact_atomic64},
                                {"compact_emulated", compact_emulated},
                                {"ordered_native", ordered_native},
                                {"ordered_emulated", ordered_emulated},
                                {"persistent_native", persistent_native},
                                {"persistent_emulated", persistent_emulated},
                                {"sorted_native", sorted_native},
                                {"sorted_emulated", sorted_emulated},
                                {"count_native", count_native},
                                {"count_emulated", count_emulated},
                                {"scan_native", scan_native},
                                {"scan_emulated", scan_emulated},
                                {"compact_dispatches", compact_dispatches},
                                {"compact_dispatches_emulated", compact_dispatches_emulated},
                                {"sorted_dispatches", sorted_dispatches},
                                {"sorted_dispatches_emulated", sorted_dispatches_emulated},
                                {"publish_native", publish_native},
                                {"publish_emulated", publish_emulated},
                                {"emit_native", emit_native},
                                {"emit_emulated", emit_emulated},
                                {"find_visible_native", find_visible_native}};

const NamedModule kBoundModules[] = {{"compact_bound", compact_bound},
                                     {"compact_bound_emulated", compact_bound_emulated},
                                     {"ordered_bound", ordered_bound},
                                     {"ordered_bound_emulated", ordered_bound_emulated},
                                     {"persistent_bound", persistent_bound},
                                     {"persistent_bound_emulated", persistent_bound_emulated},
                                     {"sorted_bound", sorted_bound},
                                     {"sorted_bound_emulated", sorted_bound_emulated},
                                     {"count_bound", count_bound},
                                     {"count_bound_emulated", count_bound_emulated},
                                     {"scan_bound", scan_bound},
                                     {"scan_bound_emulated", scan_bound_emulated},
                                     {"compact_bound_dispatches", compact_bound_dispatches},
                                     {"compact_bound_dispatches_emulated", compact_bound_dispatches_emulated},
                                     {"sorted_bound_dispatches", sorted_bound_dispatches},
                                     {"sorted_bound_dispatches_emulated", sorted_bound_dispatches_emulated},
                                     {"publish_bound", publish_bound},
                                     {"publish_bound_emulated", publish_bound_emulated},
                                     {"emit_bound", emit_bound},
                                     {"emit_bound_emulated", emit_bound_emulated},
                                     {"find_visible_bound", find_visible_bound}};

std::vector<NamedModule> allModules() {
  std::vector<NamedModule> modules(std::begin(kModules), std::end(kModules));
  modules.insert(modules.end(), std::begin(kBoundModules), std::end(kBoundModules));
  return modules;
}

// Of SPIR-V 1.3, which is that of Vulkan 1.1. Subgroup operations are those that the requirements ask for.
TEST(Spirv, BoundBuffersNeedNothingBeyondVulkan11) {
  constexpr std::uint32_t kVersion13 = 0x00010300, kOpExtension = 10, kOpMemoryModel = 14;
  constexpr std::uint32_t kShader = 1, kGroupNonUniform = 61, kArithmetic = 63, kBallot = 64;
  constexpr std::uint32_t kLogical = 0, kGlsl450 = 1;
  for (const auto& [name, module] : kBoundModules) {
    SCOPED_TRACE(name);
    EXPECT_EQ(module[1], kVersion13);
    const bool isEmulated = std::string(name).find("emulated") != std::string::npos;
    const std::set<std::uint32_t> allowed =
        isEmulated ? std::set{kShader} : std::set{kShader, kGroupNonUniform, kArithmetic, kBallot};
    forEachInstruction(module, [&](std::uint32_t op, Words operands) {
      EXPECT_NE(op, kOpExtension);
      if (op == kOpCapability) {
        EXPECT_TRUE(allowed.contains(operands[0])) << operands[0];
      }
      if (op == kOpMemoryModel) {
        EXPECT_EQ(operands[0], kLogical);
        EXPECT_EQ(operands[1], kGlsl450);
      }
    });
  }
}

// Every storage buffer is where the map says, and the uniforms stay.
TEST(Spirv, RebindsStorageBuffersAlone) {
  constexpr std::uint32_t kOpDecorate = 71, kBinding = 33, kDescriptorSet = 34;
  BindingMap map;
  for (std::uint32_t i = 0; i < SLU_BINDING_COUNT; ++i) map.slots[i] = static_cast<std::uint8_t>(100 + 3 * i);
  for (const auto& [name, module] : kBoundModules) {
    SCOPED_TRACE(name);
    const std::vector<std::uint32_t> rebound = rebind(module, map);
    ASSERT_EQ(rebound.size(), module.size());
    std::set<std::uint32_t> buffers;
    forEachInstruction(module, [&](std::uint32_t op, Words operands) {
      if (op == kOpDecorate && operands[1] == kDescriptorSet && operands[2] == 2) buffers.insert(operands[0]);
    });
    std::set<std::uint32_t> bindings;
    std::size_t at = kHeaderWords;
    forEachInstruction(module, [&](std::uint32_t op, Words operands) {
      const Words now = Words(rebound).subspan(at + 1, operands.size());
      at += operands.size() + 1;
      if (op != kOpDecorate || operands[1] != kBinding || !buffers.contains(operands[0])) {
        EXPECT_TRUE(std::ranges::equal(now, operands));
        return;
      }
      EXPECT_EQ(now[2], 100 + 3 * operands[2]);
      bindings.insert(operands[2]);
    });
    EXPECT_FALSE(bindings.empty());
  }
}

TEST(Spirv, ViewsAreNotCopied) {
  for (const auto& [name, module] : kModules) {
    SCOPED_TRACE(name);
    expectNoCopies(module);
  }
}

// The instructions stand where SPIR-V has them, and nothing else changes. Only SPIR-V before 1.4 names the extension.
TEST(Spirv, DeclaresHowFloatsAreRounded) {
  constexpr std::uint32_t kVersion14 = 0x00010400, kOpExtension = 10;
  for (const auto& [name, module] : allModules()) {
    SCOPED_TRACE(name);
    const bool namesExtension = module[1] < kVersion14;
    const std::vector<std::uint32_t> declared = roundToNearest(module);
    std::vector<std::uint32_t> rest(declared.begin(), declared.begin() + kHeaderWords);
    std::vector<std::vector<std::uint32_t>> added;
    std::uint32_t entryPoint = 0;
    std::uint32_t before = 0;
    forEachInstruction(declared, [&](std::uint32_t op, Words operands) {
      if (op == kOpEntryPoint) entryPoint = operands[1];
      if (op == kOpExtension && namesExtension) {
        EXPECT_EQ(before, kOpCapability);
        EXPECT_EQ(std::string("SPV_KHR_float_controls"), reinterpret_cast<const char*>(operands.data()));
        before = op;
        return;
      }
      const bool isCapability = op == kOpCapability && operands[0] == kRoundingModeRteCapability;
      const bool isMode = op == kOpExecutionMode && operands[1] == kRoundingModeRte;
      if (isCapability || isMode) {
        EXPECT_EQ(before, isMode ? kOpEntryPoint : 0u);
        added.emplace_back(operands.begin(), operands.end());
      } else {
        rest.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | op);
        rest.insert(rest.end(), operands.begin(), operands.end());
      }
      before = op;
    });
    EXPECT_EQ(added, (std::vector<std::vector<std::uint32_t>>{{kRoundingModeRteCapability},
                                                              {entryPoint, kRoundingModeRte, 32}}));
    EXPECT_TRUE(std::ranges::equal(rest, module));
  }
}

TEST(Spirv, LoopsOverArraysAreUnrolled) {
  for (const auto& [name, module] : allModules()) {
    SCOPED_TRACE(name);
    const std::size_t accesses = expectUnrolled(module);
    const bool hasArrays = std::string(name).rfind("publish", 0) != 0 && std::string(name).rfind("find", 0) != 0;
    EXPECT_EQ(accesses != 0, hasArrays) << "arrays are not recognised";
  }
}

}  // namespace
}  // namespace slu::test
