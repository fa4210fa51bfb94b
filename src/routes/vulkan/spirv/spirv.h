// SPIR-V as words: section 2.3 of its specification.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slu::spirv {

constexpr std::size_t kHeaderWords = 5;

// Those codes of section 3 that are needed here.
enum Op : std::uint32_t {
  OpNop = 0,
  OpSourceContinued = 2,
  OpSource = 3,
  OpSourceExtension = 4,
  OpName = 5,
  OpMemberName = 6,
  OpString = 7,
  OpLine = 8,
  OpExtension = 10,
  OpExtInstImport = 11,
  OpMemoryModel = 14,
  OpEntryPoint = 15,
  OpExecutionMode = 16,
  OpCapability = 17,
  OpTypeVoid = 19,
  OpTypeBool = 20,
  OpTypeInt = 21,
  OpTypeForwardPointer = 39,
  OpConstantTrue = 41,
  OpConstantFalse = 42,
  OpConstant = 43,
  OpSpecConstantTrue = 48,
  OpSpecConstantFalse = 49,
  OpSpecConstant = 50,
  OpSpecConstantOp = 52,
  OpFunction = 54,
  OpFunctionEnd = 56,
  OpFunctionCall = 57,
  OpVariable = 59,
  OpStore = 62,
  OpCopyMemory = 63,
  OpCopyMemorySized = 64,
  OpDecorate = 71,
  OpMemberDecorate = 72,
  OpImageWrite = 99,
  OpFNegate = 127,
  OpIAdd = 128,
  OpFAdd = 129,
  OpISub = 130,
  OpFSub = 131,
  OpIMul = 132,
  OpFMul = 133,
  OpUDiv = 134,
  OpFDiv = 136,
  OpUMod = 137,
  OpFRem = 140,
  OpFMod = 141,
  OpVectorTimesScalar = 142,
  OpDot = 148,
  OpLogicalEqual = 164,
  OpLogicalNotEqual = 165,
  OpLogicalOr = 166,
  OpLogicalAnd = 167,
  OpLogicalNot = 168,
  OpSelect = 169,
  OpIEqual = 170,
  OpINotEqual = 171,
  OpUGreaterThan = 172,
  OpUGreaterThanEqual = 174,
  OpULessThan = 176,
  OpULessThanEqual = 178,
  OpShiftRightLogical = 194,
  OpShiftLeftLogical = 196,
  OpBitwiseOr = 197,
  OpBitwiseXor = 198,
  OpBitwiseAnd = 199,
  OpNot = 200,
  OpControlBarrier = 224,
  OpMemoryBarrier = 225,
  OpAtomicStore = 228,
  OpPhi = 245,
  OpLoopMerge = 246,
  OpSelectionMerge = 247,
  OpLabel = 248,
  OpBranch = 249,
  OpBranchConditional = 250,
  OpSwitch = 251,
  OpUnreachable = 255,
  OpLifetimeStop = 257,
  OpNoLine = 317,
  OpModuleProcessed = 330,
  OpExecutionModeId = 331,
  OpDecorateId = 332,
  OpTerminateInvocation = 4416,
  OpDemoteToHelperInvocation = 5380,
  OpDecorateString = 5632,
  OpMemberDecorateString = 5633
};

// The first word of an instruction is its length in words and its code.
constexpr std::uint32_t firstWord(std::uint32_t length, std::uint32_t code) { return length << 16 | code; }
constexpr std::uint32_t lengthOf(std::uint32_t firstWord) { return firstWord >> 16; }
constexpr std::uint32_t codeOf(std::uint32_t firstWord) { return firstWord & 0xffffu; }

}  // namespace slu::spirv
