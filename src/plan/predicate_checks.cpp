#include "plan/predicate_checks.h"

#include <sluice/detail/kernels_hash.h>
#include <sluice/detail/shaders_hash.h>
#include <sluice/sluice_glsl.h>
#include <sluice/sluice_hlsl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "base/error.h"
#include "base/structs.h"

namespace slu {
namespace {

constexpr std::uint32_t kMaxOptions = 64;
constexpr std::uint32_t kMaxModules = 256;
constexpr std::uint32_t kMaxModuleWords = 1u << 22;  // 50 times what the library's own have

void readState(CustomPredicate& predicate, const void* state, std::uint32_t size) {
  require(size <= SLU_MAX_PREDICATE_STATE, "plan.stateSize: is ", size, ", must be at most ", SLU_MAX_PREDICATE_STATE);
  require((state == nullptr) == (size == 0), "plan.state: ", state == nullptr ? "is null" : "is set",
          ", and plan.stateSize is ", size);
  predicate.stateSize = size;
  if (size != 0) std::memcpy(predicate.state.data(), state, size);
}

// Both are set, or neither.
void checkComputesKey(SluBool32 computesKey, bool isAsked) {
  require((computesKey != 0) == isAsked, "plan.computesKey: is ", computesKey, ", and plan.flags ",
          isAsked ? "has" : "lacks", " SLU_PLAN_CUSTOM_KEY_BIT; the predicate computes keys with it, and only then");
}

void checkReserved(std::uint32_t reserved) { require(reserved == 0, "plan.reserved: is ", reserved, ", must be 0"); }

void read(CustomPredicate& predicate, const SluHostPredicateInfo& info) {
  require(info.isLive != nullptr, "plan.isLive: is null");
  require((info.keyWord != nullptr) == predicate.computesKey, "plan.keyWord: is ",
          info.keyWord == nullptr ? "null" : "set", ", and plan.flags ", predicate.computesKey ? "has" : "lacks",
          " SLU_PLAN_CUSTOM_KEY_BIT");
  checkReserved(info.reserved);
  predicate.isLive = info.isLive;
  predicate.keyWord = info.keyWord;
  readState(predicate, info.state, info.stateSize);
}

template <typename SourceInfo>
void readSource(CustomPredicate& predicate, const SourceInfo& info) {
  require(info.source != nullptr, "plan.source: is null");
  checkReserved(info.reserved);
  predicate.source = info.source;
  readState(predicate, info.state, info.stateSize);
}

void read(CustomPredicate& predicate, const SluGlslSourceInfo& info) { readSource(predicate, info); }
void read(CustomPredicate& predicate, const SluHlslSourceInfo& info) { readSource(predicate, info); }

void read(CustomPredicate& predicate, const SluSpirvPredicateInfo& info) {
  require(info.shadersHash == kShadersHash, "plan.shadersHash: is ", info.shadersHash, ", the library's is ",
          kShadersHash, "; compile the predicate with the shaders of the library that runs it");
  checkComputesKey(info.computesKey, predicate.computesKey);
  require(info.moduleCount <= kMaxModules, "plan.moduleCount: is ", info.moduleCount, ", must be at most ",
          kMaxModules);
  require(info.modules != nullptr || info.moduleCount == 0, "plan.modules: is null, and plan.moduleCount is ",
          info.moduleCount);
  checkReserved(info.reserved);
  std::vector<SpirvModule> modules;
  for (std::uint32_t i = 0; i < info.moduleCount; ++i) {
    const SluSpirvModule& module = info.modules[i];
    require(module.name != nullptr, "plan.modules[", i, "].name: is null");
    require(module.bytes != nullptr || module.byteCount == 0, "plan.modules[", i, "].bytes: is null");
    require(module.wordCount <= kMaxModuleWords, "plan.modules[", i, "].wordCount: is ", module.wordCount,
            ", must be at most ", kMaxModuleWords);
    modules.push_back({module.name, {module.bytes, module.bytes + module.byteCount}, module.wordCount});
  }
  predicate.modules = SpirvModules(std::move(modules));
  readState(predicate, info.state, info.stateSize);
}

void read(CustomPredicate& predicate, const SluCudaPredicateInfo& info) {
  require(info.version == sluGetVersion(), "plan.version: is ", info.version, ", the library's is ", sluGetVersion(),
          "; compile the predicate with the headers of the library that runs it");
  // Two builds of the same version may have different kernels.
  require(info.kernelsHash == cuda::kKernelsHash, "plan.kernelsHash: is ", info.kernelsHash, ", the library's is ",
          cuda::kKernelsHash, "; compile the predicate with the headers of the library that runs it");
  require(info.launch != nullptr, "plan.launch: is null");
  require(info.blocks != nullptr, "plan.blocks: is null");
  checkComputesKey(info.computesKey, predicate.computesKey);
  checkReserved(info.reserved);
  predicate.launch = info.launch;
  predicate.blocks = info.blocks;
  readState(predicate, info.state, info.stateSize);
}

void read(CustomPredicate& predicate, const SluCudaSourceInfo& info) {
  require(info.source != nullptr, "plan.source: is null");
  require(info.optionCount <= kMaxOptions, "plan.optionCount: is ", info.optionCount, ", must be at most ",
          kMaxOptions);
  require(info.options != nullptr || info.optionCount == 0, "plan.options: is null, and plan.optionCount is ",
          info.optionCount);
  predicate.source = info.source;
  for (std::uint32_t i = 0; i < info.optionCount; ++i) {
    require(info.options[i] != nullptr, "plan.options[", i, "]: is null");
    predicate.options.emplace_back(info.options[i]);
  }
  readState(predicate, info.state, info.stateSize);
}

// Reads the struct of type T, whose first version had firstSize bytes.
template <typename T>
void readAs(CustomPredicate& predicate, const void* chained, SluStructureType type, std::size_t firstSize,
            const char* name) {
  read(predicate, readStruct(static_cast<const T*>(chained), type, static_cast<std::uint32_t>(firstSize), name));
}

void readAny(CustomPredicate& predicate, const void* chained, SluStructureType type) {
  switch (type) {
    case SLU_STRUCTURE_TYPE_HOST_PREDICATE_INFO:
      return readAs<SluHostPredicateInfo>(predicate, chained, type, sizeof(SluHostPredicateInfo), "hostPredicate");
    case SLU_STRUCTURE_TYPE_GLSL_SOURCE_INFO:
      return readAs<SluGlslSourceInfo>(predicate, chained, type, sizeof(SluGlslSourceInfo), "glslSource");
    case SLU_STRUCTURE_TYPE_SPIRV_PREDICATE_INFO:
      return readAs<SluSpirvPredicateInfo>(predicate, chained, type, sizeof(SluSpirvPredicateInfo), "spirvPredicate");
    case SLU_STRUCTURE_TYPE_HLSL_SOURCE_INFO:
      return readAs<SluHlslSourceInfo>(predicate, chained, type, sizeof(SluHlslSourceInfo), "hlslSource");
    case SLU_STRUCTURE_TYPE_CUDA_PREDICATE_INFO:
      return readAs<SluCudaPredicateInfo>(predicate, chained, type, offsetof(SluCudaPredicateInfo, kernelsHash),
                                          "cudaPredicate");
    default:
      return readAs<SluCudaSourceInfo>(predicate, chained, type, sizeof(SluCudaSourceInfo), "cudaSource");
  }
}

// A plan may chain one for each route.
constexpr SluStructureType kPredicates[] = {
    SLU_STRUCTURE_TYPE_HOST_PREDICATE_INFO,  SLU_STRUCTURE_TYPE_GLSL_SOURCE_INFO,
    SLU_STRUCTURE_TYPE_SPIRV_PREDICATE_INFO, SLU_STRUCTURE_TYPE_HLSL_SOURCE_INFO,
    SLU_STRUCTURE_TYPE_CUDA_PREDICATE_INFO,  SLU_STRUCTURE_TYPE_CUDA_SOURCE_INFO};
constexpr std::size_t kPredicateCount = std::size(kPredicates);

struct Chained {
  const void* info;
  SluStructureType type;
};

// Returns the predicates of the chain whose types are among those.
std::vector<Chained> findPredicates(const void* pNext, std::span<const SluStructureType> types) {
  std::array<const void*, kPredicateCount> found{};
  checkChain(pNext, kPredicates, "plan", found);
  std::vector<Chained> chained;
  for (std::size_t i = 0; i < kPredicateCount; ++i) {
    const bool isAmong = std::ranges::find(types, kPredicates[i]) != types.end();
    if (found[i] != nullptr && isAmong) chained.push_back({found[i], kPredicates[i]});
  }
  return chained;
}

// "SluGlslSourceInfo or SluSpirvPredicateInfo".
std::string namesOf(std::span<const SluStructureType> types) {
  std::string names;
  for (const SluStructureType type : types) names += (names.empty() ? "" : " or ") + std::string(structName(type));
  return names;
}

}  // namespace

bool takesPredicate(const SluPlanCreateInfo& info, const PredicateStructs& structs) {
  checkEnum(info.live.test, SLU_LIVE_MASK_EQUAL, "plan.live.test");
  return info.live.test != SLU_LIVE_CUSTOM || !findPredicates(info.pNext, structs.types).empty();
}

CustomPredicate checkPredicate(const SluPlanCreateInfo& info, const PredicateStructs& structs) {
  const std::vector<Chained> all = findPredicates(info.pNext, kPredicates);
  if (info.live.test != SLU_LIVE_CUSTOM) {
    require(all.empty(), "plan.pNext: ", all.empty() ? "" : structName(all.front().type),
            " needs SLU_LIVE_CUSTOM in plan.live.test");
    return {};
  }
  const std::vector<Chained> chained = findPredicates(info.pNext, structs.types);
  require(chained.size() <= 1, "plan.pNext: ", namesOf(structs.types), ", and not both, is for the ", structs.route,
          " route");
  require(!chained.empty(), "plan.pNext: SLU_LIVE_CUSTOM in plan.live.test needs ", namesOf(structs.types), " on the ",
          structs.route,
          " route; chain it, or set plan.route to SLU_ROUTE_AUTO, which picks a route that takes what is ", "chained");
  CustomPredicate predicate;
  predicate.computesKey = (info.flags & SLU_PLAN_CUSTOM_KEY_BIT) != 0;
  readAny(predicate, chained.front().info, chained.front().type);
  return predicate;
}

PredicateState checkPredicateState(const SluPredicateState* chained, SluLiveTest test,
                                   const CustomPredicate& predicate) {
  if (chained == nullptr) return predicate.state;
  const auto state =
      readStruct(chained, SLU_STRUCTURE_TYPE_PREDICATE_STATE, sizeof(SluPredicateState), "predicateState");
  require(test == SLU_LIVE_CUSTOM, "frame.pNext: SluPredicateState needs a plan whose live.test is SLU_LIVE_CUSTOM");
  require(state.stateSize == predicate.stateSize, "frame.stateSize: is ", state.stateSize, ", must be ",
          predicate.stateSize, ", the plan's stateSize");
  require((state.state == nullptr) == (state.stateSize == 0),
          "frame.state: ", state.state == nullptr ? "is null" : "is set", ", and frame.stateSize is ", state.stateSize);
  PredicateState copy{};
  if (state.stateSize != 0) std::memcpy(copy.data(), state.state, state.stateSize);
  return copy;
}

}  // namespace slu
