#include "routes/vulkan/spirv/specialization.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <utility>

#include "routes/vulkan/spirv/spirv.h"

namespace slu {
namespace {

using spirv::codeOf, spirv::firstWord, spirv::kHeaderWords, spirv::lengthOf;
using Words = std::span<const std::uint32_t>;

// Numbers from section 3 of the SPIR-V specification.
constexpr std::uint32_t kSpecId = 1;

// Returns where an instruction has the id that it defines, in words; 0 if it defines none.
std::size_t resultOf(std::uint32_t code) {
  switch (code) {
    case spirv::OpNop:
    case spirv::OpSourceContinued:
    case spirv::OpSource:
    case spirv::OpSourceExtension:
    case spirv::OpName:
    case spirv::OpMemberName:
    case spirv::OpLine:
    case spirv::OpExtension:
    case spirv::OpMemoryModel:
    case spirv::OpEntryPoint:
    case spirv::OpExecutionMode:
    case spirv::OpCapability:
    case spirv::OpTypeForwardPointer:
    case spirv::OpFunctionEnd:
    case spirv::OpStore:
    case spirv::OpCopyMemory:
    case spirv::OpCopyMemorySized:
    case spirv::OpDecorate:
    case spirv::OpMemberDecorate:
    case spirv::OpImageWrite:
    case spirv::OpControlBarrier:
    case spirv::OpMemoryBarrier:
    case spirv::OpAtomicStore:
    case spirv::OpNoLine:
    case spirv::OpModuleProcessed:
    case spirv::OpExecutionModeId:
    case spirv::OpDecorateId:
    case spirv::OpTerminateInvocation:
    case spirv::OpDemoteToHelperInvocation:
    case spirv::OpDecorateString:
    case spirv::OpMemberDecorateString:
      return 0;
    case spirv::OpString:
    case spirv::OpExtInstImport:
    case spirv::OpLabel:
      return 1;
    default:
      if (code >= spirv::OpTypeVoid && code < spirv::OpTypeForwardPointer) return 1;
      return code >= spirv::OpLoopMerge && code <= spirv::OpLifetimeStop ? 0 : 2;
  }
}

// Returns what an operation of 32-bit integers or booleans yields; nothing if it is undefined or another operation.
std::optional<std::uint32_t> evaluate(std::uint32_t code, std::uint32_t a, std::uint32_t b) {
  switch (code) {
    case spirv::OpIAdd:
      return a + b;
    case spirv::OpISub:
      return a - b;
    case spirv::OpIMul:
      return a * b;
    case spirv::OpUDiv:
      return b == 0 ? std::nullopt : std::optional(a / b);
    case spirv::OpUMod:
      return b == 0 ? std::nullopt : std::optional(a % b);
    case spirv::OpShiftRightLogical:
      return b >= 32 ? std::nullopt : std::optional(a >> b);
    case spirv::OpShiftLeftLogical:
      return b >= 32 ? std::nullopt : std::optional(a << b);
    case spirv::OpBitwiseOr:
    case spirv::OpLogicalOr:
      return a | b;
    case spirv::OpBitwiseAnd:
    case spirv::OpLogicalAnd:
      return a & b;
    case spirv::OpBitwiseXor:
    case spirv::OpLogicalNotEqual:
      return a ^ b;
    case spirv::OpLogicalEqual:
    case spirv::OpIEqual:
      return a == b ? 1 : 0;
    case spirv::OpINotEqual:
      return a != b ? 1 : 0;
    case spirv::OpUGreaterThan:
      return a > b ? 1 : 0;
    case spirv::OpUGreaterThanEqual:
      return a >= b ? 1 : 0;
    case spirv::OpULessThan:
      return a < b ? 1 : 0;
    case spirv::OpULessThanEqual:
      return a <= b ? 1 : 0;
    default:
      return std::nullopt;
  }
}

struct Block {
  std::size_t begin, merge, terminator;  // merge: an OpSelectionMerge or OpLoopMerge; without one the terminator
  std::uint32_t label;
  std::vector<std::uint32_t> targets;  // of the branch that ends it, once the block is reached
  bool isReached = false;
  bool isNamed = false;  // as the end of a selection or loop that is reached, or as where a loop continues
};

struct Function {
  std::size_t begin;
  std::vector<Block> blocks;
  bool isReached = false;
};

class Specializer {
 public:
  Specializer(Words module, Words values)
      : module_(module),
        functionsBegin_(module.size()),
        specified_(module[3]),
        scalars_(module[3]),
        constants_(module[3]),
        functionOf_(module[3]),
        blockOf_(module[3], kNoBlock),
        isUsed_(module[3]),
        isKept_(module[3]) {
    std::size_t at = kHeaderWords;
    for (; at < module.size() && codeAt(at) != spirv::OpFunction; at = behind(at)) {
      const Words words = instruction(at);
      if (codeAt(at) == spirv::OpEntryPoint) entryPoint_ = words[2];
      if (isSpecId(words) && words[3] < values.size()) specified_[words[1]] = values[words[3]];
      takeConstant(words);
    }
    functionsBegin_ = at;
    while (at < module.size()) at = readFunction(at);
  }

  std::vector<std::uint32_t> run() {
    reach();
    written_.reserve(module_.size());
    for (const Function& function : functions_) {
      if (function.isReached) write(function);
    }
    const std::vector<std::uint32_t> bodies = std::exchange(written_, {});
    written_.reserve(module_.size());
    append(module_.first(kHeaderWords));
    keepDeclarations();
    writeDeclarations();
    append(bodies);
    return std::move(written_);
  }

 private:
  static constexpr std::uint32_t kNoBlock = ~0u;

  std::uint32_t codeAt(std::size_t at) const { return codeOf(module_[at]); }
  std::size_t behind(std::size_t at) const {
    assert(lengthOf(module_[at]) != 0);
    return at + lengthOf(module_[at]);
  }
  Words instruction(std::size_t at) const { return module_.subspan(at, lengthOf(module_[at])); }
  void append(Words words) { written_.insert(written_.end(), words.begin(), words.end()); }
  void append(std::initializer_list<std::uint32_t> words) { written_.insert(written_.end(), words); }
  static bool isSpecId(Words words) { return codeOf(words[0]) == spirv::OpDecorate && words[2] == kSpecId; }

  // ---- Constants ----

  // Takes the value of a boolean, or of an integer of 32 bits, if it is known.
  void takeConstant(Words words) {
    const std::uint32_t code = codeOf(words[0]);
    if (code == spirv::OpTypeBool || (code == spirv::OpTypeInt && words[2] == 32)) scalars_[words[1]] = code;
    if (code < spirv::OpConstantTrue || code > spirv::OpSpecConstantOp || scalars_[words[1]] == 0) return;
    std::optional<std::uint32_t>& value = constants_[words[2]];
    switch (code) {
      case spirv::OpConstantTrue:
      case spirv::OpConstantFalse:
      case spirv::OpSpecConstantTrue:
      case spirv::OpSpecConstantFalse:
        value = code == spirv::OpConstantTrue || code == spirv::OpSpecConstantTrue ? 1 : 0;
        if (specified_[words[2]]) value = *specified_[words[2]] != 0 ? 1 : 0;
        break;
      case spirv::OpConstant:
      case spirv::OpSpecConstant:
        value = specified_[words[2]].value_or(words[3]);
        break;
      case spirv::OpSpecConstantOp:
        value = operation(words[3], words.subspan(4), scalars_[words[1]]);
        break;
      default:
        break;
    }
  }

  // scalar: what kind of value results.
  std::optional<std::uint32_t> operation(std::uint32_t code, Words operands, std::uint32_t scalar) const {
    const std::optional<std::uint32_t> a = constants_[operands[0]];
    if (code == spirv::OpSelect) return a ? constants_[operands[*a != 0 ? 1 : 2]] : std::nullopt;
    if (code == spirv::OpLogicalNot || code == spirv::OpNot) {
      if (!a) return std::nullopt;
      return scalar == spirv::OpTypeBool ? *a ^ 1u : ~*a;
    }
    if (operands.size() != 2) return std::nullopt;
    const std::optional<std::uint32_t> b = constants_[operands[1]];
    if (code == spirv::OpLogicalAnd && (a == 0u || b == 0u)) return 0;  // one of two is enough
    if (code == spirv::OpLogicalOr && (a == 1u || b == 1u)) return 1;
    return a && b ? evaluate(code, *a, *b) : std::nullopt;
  }

  // ---- What is reached ----

  // Returns where the next function begins.
  std::size_t readFunction(std::size_t at) {
    functionOf_[module_[at + 2]] = functions_.size();
    Function& function = functions_.emplace_back();
    function.begin = at;
    for (; codeAt(at) != spirv::OpFunctionEnd; at = behind(at)) {
      if (codeAt(at) == spirv::OpLabel) {
        blockOf_[module_[at + 1]] = static_cast<std::uint32_t>(function.blocks.size());
        Block& block = function.blocks.emplace_back();
        block.begin = at;
        block.label = module_[at + 1];
      } else if (!function.blocks.empty()) {
        Block& block = function.blocks.back();
        block.terminator = at;
        if (!hasMerge(block)) block.merge = at;
      }
    }
    return behind(at);
  }

  bool hasMerge(const Block& block) const {
    return block.merge != 0 &&
           (codeAt(block.merge) == spirv::OpLoopMerge || codeAt(block.merge) == spirv::OpSelectionMerge);
  }
  bool isLoop(const Block& block) const { return codeAt(block.merge) == spirv::OpLoopMerge; }

  // Marks the functions that are called, and their blocks.
  void reach() {
    std::vector<std::size_t> functions = {functionOf_[entryPoint_]};
    while (!functions.empty()) {
      Function& function = functions_[functions.back()];
      functions.pop_back();
      if (std::exchange(function.isReached, true)) continue;
      std::vector<std::size_t> blocks = {0};
      while (!blocks.empty()) {
        Block& block = function.blocks[blocks.back()];
        blocks.pop_back();
        if (std::exchange(block.isReached, true)) continue;
        for (std::size_t at = block.begin; at < block.merge; at = behind(at)) {
          const Words words = instruction(at);
          if (codeAt(at) == spirv::OpFunctionCall) functions.push_back(functionOf_[words[3]]);
          takeLogical(words);
        }
        takeTargets(function, block);
        for (const std::uint32_t target : block.targets) blocks.push_back(blockOf_[target]);
      }
    }
  }

  // Conditions that are computed beside others.
  void takeLogical(Words words) {
    const std::uint32_t code = codeOf(words[0]);
    if (code < spirv::OpLogicalOr || code > spirv::OpLogicalNot || scalars_[words[1]] != spirv::OpTypeBool) return;
    constants_[words[2]] = operation(code, words.subspan(3), spirv::OpTypeBool);
  }

  // Returns where a branch goes whose condition is known. One that ends a loop stays a condition, since a loop must have a
  // way back.
  std::optional<std::uint32_t> onlyTarget(const Function& function, const Block& block) const {
    const Words words = instruction(block.terminator);
    if (codeOf(words[0]) != spirv::OpBranchConditional || !constants_[words[1]]) return std::nullopt;
    for (const std::uint32_t target : words.subspan(2, 2)) {
      const Block& to = function.blocks[blockOf_[target]];
      if (isLoop(to) && to.begin <= block.begin) return std::nullopt;
    }
    return words[*constants_[words[1]] != 0 ? 2 : 3];
  }

  void takeTargets(Function& function, Block& block) {
    const std::optional<std::uint32_t> only = onlyTarget(function, block);
    const Words words = instruction(block.terminator);
    switch (codeOf(words[0])) {
      case spirv::OpBranch:
      case spirv::OpBranchConditional:
      case spirv::OpSwitch:
        for (const std::uint32_t word : words.subspan(1)) {  // a number that is like a label does no harm
          const bool isTarget = only ? word == *only : word < blockOf_.size() && isLabelOf(function, word);
          if (isTarget) block.targets.push_back(word);
        }
        break;
      default:
        break;
    }
    if (!hasMerge(block) || (only && !isLoop(block))) return;
    const Words merge = instruction(block.merge);
    function.blocks[blockOf_[merge[1]]].isNamed = true;
    if (isLoop(block)) function.blocks[blockOf_[merge[2]]].isNamed = true;
  }

  bool isLabelOf(const Function& function, std::uint32_t id) const {
    return blockOf_[id] < function.blocks.size() && function.blocks[blockOf_[id]].label == id;
  }

  // ---- Writing ----

  // An instruction of a function. All its numbers are taken for ids that it uses, which keeps a little more than is needed.
  void take(Words words) {
    if (const std::size_t result = resultOf(codeOf(words[0])); result != 0) isKept_[words[result]] = true;
    use(words);
    append(words);
  }
  void use(Words words) {
    for (const std::uint32_t word : words.subspan(1)) {
      if (word < isUsed_.size()) isUsed_[word] = true;
    }
  }

  void write(const Function& function) {
    for (std::size_t at = function.begin; at < function.blocks.front().begin; at = behind(at)) take(instruction(at));
    for (const Block& block : function.blocks) {
      if (block.isReached) {
        write(function, block);
      } else if (block.isNamed) {
        writeStub(function, block);
      }
    }
    append({firstWord(1, spirv::OpFunctionEnd)});
  }

  void write(const Function& function, const Block& block) {
    for (std::size_t at = block.begin; at < block.merge; at = behind(at)) {
      if (codeAt(at) == spirv::OpPhi) {
        take(livePhi(function, block, instruction(at)));
      } else {
        take(instruction(at));
      }
    }
    const std::optional<std::uint32_t> only = onlyTarget(function, block);
    if (hasMerge(block) && (!only || isLoop(block))) take(instruction(block.merge));
    if (only) {
      append({firstWord(2, spirv::OpBranch), *only});
    } else {
      take(instruction(block.terminator));
    }
  }

  // A block that nothing reaches, but that a selection or a loop must name.
  void writeStub(const Function& function, const Block& block) {
    take(instruction(block.begin));
    for (const Block& header : function.blocks) {
      if (!header.isReached || !isLoop(header) || instruction(header.merge)[2] != block.label) continue;
      append({firstWord(2, spirv::OpBranch), header.label});
      return;
    }
    append({firstWord(1, spirv::OpUnreachable)});
  }

  // The instruction with the blocks alone from which it is reached. A loop that never continues would find its own value.
  std::vector<std::uint32_t> livePhi(const Function& function, const Block& block, Words words) const {
    std::vector<std::uint32_t> live(words.begin(), words.begin() + 3);
    for (std::size_t i = 3; i < words.size(); i += 2) {
      const Block& from = function.blocks[blockOf_[words[i + 1]]];
      if (!from.isReached || std::ranges::find(from.targets, block.label) == from.targets.end()) continue;
      live.insert(live.end(), {words[i], words[i + 1]});
    }
    if (isLoop(block)) {
      const std::uint32_t next = instruction(block.merge)[2];
      if (!function.blocks[blockOf_[next]].isReached) live.insert(live.end(), {words[2], next});
    }
    live[0] = firstWord(static_cast<std::uint32_t>(live.size()), spirv::OpPhi);
    return live;
  }

  // ---- Declarations ----

  static bool canBeLeftOut(std::uint32_t code) {
    return (code >= spirv::OpTypeVoid && code < spirv::OpTypeForwardPointer) ||
           (code >= spirv::OpConstantTrue && code <= spirv::OpSpecConstantOp) || code == spirv::OpVariable;
  }

  // Marks what is still used, from the last to the first, since each uses earlier ones. Only pointers may be named before.
  void keepDeclarations() {
    std::vector<std::size_t> places;
    for (std::size_t at = kHeaderWords; at < functionsBegin_; at = behind(at)) {
      if (codeAt(at) == spirv::OpEntryPoint || codeAt(at) == spirv::OpExecutionModeId) use(instruction(at));
      places.push_back(at);
    }
    for (std::size_t i = places.size(); i-- > 0;) {
      const Words words = instruction(places[i]);
      const std::uint32_t code = codeOf(words[0]);
      const std::size_t result = resultOf(code);
      if (result == 0 || (canBeLeftOut(code) && !isUsed_[words[result]])) continue;
      isKept_[words[result]] = true;
      if (!isKnown(words)) use(words);
    }
  }

  bool isKnown(Words words) const { return codeOf(words[0]) == spirv::OpSpecConstantOp && constants_[words[2]]; }

  void writeDeclarations() {
    for (std::size_t at = kHeaderWords; at < functionsBegin_; at = behind(at)) {
      const Words words = instruction(at);
      const std::size_t result = resultOf(codeAt(at));
      switch (codeAt(at)) {
        case spirv::OpName:
        case spirv::OpMemberName:
        case spirv::OpDecorate:
        case spirv::OpMemberDecorate:
        case spirv::OpTypeForwardPointer:
          if (isKept_[words[1]] && !isSpecId(words)) append(words);
          break;
        case spirv::OpSpecConstantTrue:
        case spirv::OpSpecConstantFalse:
        case spirv::OpSpecConstant:
        case spirv::OpSpecConstantOp:
          if (isKept_[words[2]]) writeConstant(words);
          break;
        default:
          if (result == 0 || isKept_[words[result]]) append(words);
          break;
      }
    }
  }

  void writeConstant(Words words) {
    const std::optional<std::uint32_t> value = constants_[words[2]];
    if (!value) {  // of another type, or an operation that is left to the driver
      const std::size_t at = written_.size();
      append(words);
      if (codeOf(words[0]) == spirv::OpSpecConstant) written_[at] = firstWord(lengthOf(words[0]), spirv::OpConstant);
    } else if (scalars_[words[1]] == spirv::OpTypeBool) {
      append({firstWord(3, *value != 0 ? spirv::OpConstantTrue : spirv::OpConstantFalse), words[1], words[2]});
    } else {
      append({firstWord(4, spirv::OpConstant), words[1], words[2], *value});
    }
  }

  const Words module_;
  std::size_t functionsBegin_;
  std::uint32_t entryPoint_ = 0;
  std::vector<Function> functions_;
  // By id.
  std::vector<std::optional<std::uint32_t>> specified_;  // by `values`
  std::vector<std::uint32_t> scalars_;                   // spirv::OpTypeBool, or spirv::OpTypeInt of 32 bits; else 0
  std::vector<std::optional<std::uint32_t>> constants_;
  std::vector<std::size_t> functionOf_;
  std::vector<std::uint32_t> blockOf_;  // within its function
  std::vector<bool> isUsed_;
  std::vector<bool> isKept_;

  std::vector<std::uint32_t> written_;
};

}  // namespace

std::vector<std::uint32_t> specialize(std::span<const std::uint32_t> module, std::span<const std::uint32_t> values) {
  return Specializer(module, values).run();
}

}  // namespace slu
