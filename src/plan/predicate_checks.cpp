#include "plan/predicate_checks.h"

#include <sluice/detail/kernels_hash.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/error.h"
#include "base/structs.h"

namespace slu {
namespace {

constexpr std::uint32_t kMaxOptions = 64;

template <typename T>
const T* findAndRead(const void* pNext, SluStructureType type, std::size_t firstSize, const char* name, T& read) {
  const auto* chained = findInChain<T>(pNext, type);
  if (chained == nullptr) return nullptr;
  read = readStruct(chained, type, static_cast<std::uint32_t>(firstSize), name);
  return &read;
}

void readState(CustomPredicate& predicate, const void* state, std::uint32_t size) {
  require(size <= SLU_MAX_PREDICATE_STATE, "plan.stateSize: is ", size, ", must be at most ", SLU_MAX_PREDICATE_STATE);
  require((state == nullptr) == (size == 0), "plan.state: ", state == nullptr ? "is null" : "is set",
          ", and plan.stateSize is ", size);
  predicate.stateSize = size;
  if (size != 0) std::memcpy(predicate.state.data(), state, size);
}

CustomPredicate readFunctions(const SluCudaPredicateInfo& info) {
  require(info.version == sluGetVersion(), "plan.version: is ", info.version, ", the library's is ", sluGetVersion(),
          "; compile the predicate with the headers of the library that runs it");
  // Two builds of the same version may have different kernels.
  require(info.kernelsHash == cuda::kKernelsHash, "plan.kernelsHash: is ", info.kernelsHash, ", the library's is ",
          cuda::kKernelsHash, "; compile the predicate with the headers of the library that runs it");
  require(info.launch != nullptr, "plan.launch: is null");
  require(info.blocks != nullptr, "plan.blocks: is null");
  CustomPredicate predicate;
  predicate.launch = info.launch;
  predicate.blocks = info.blocks;
  readState(predicate, info.state, info.stateSize);
  return predicate;
}

CustomPredicate readSource(const SluCudaSourceInfo& info) {
  require(info.source != nullptr, "plan.source: is null");
  require(info.optionCount <= kMaxOptions, "plan.optionCount: is ", info.optionCount, ", must be at most ",
          kMaxOptions);
  require(info.options != nullptr || info.optionCount == 0, "plan.options: is null, and plan.optionCount is ",
          info.optionCount);
  CustomPredicate predicate;
  predicate.source = info.source;
  for (std::uint32_t i = 0; i < info.optionCount; ++i) {
    require(info.options[i] != nullptr, "plan.options[", i, "]: is null");
    predicate.options.emplace_back(info.options[i]);
  }
  readState(predicate, info.state, info.stateSize);
  return predicate;
}

constexpr SluStructureType kPredicateInfo = SLU_STRUCTURE_TYPE_CUDA_PREDICATE_INFO;
constexpr SluStructureType kSourceInfo = SLU_STRUCTURE_TYPE_CUDA_SOURCE_INFO;
constexpr std::size_t kFirstPredicate = offsetof(SluCudaPredicateInfo, kernelsHash);  // its size in version 0.1

void checkPlanChain(const void* pNext) { checkChain(pNext, {kPredicateInfo, kSourceInfo}, "plan"); }

bool takes(const PredicateStructs& structs, SluStructureType type) {
  return std::ranges::find(structs.types, type) != structs.types.end();
}

}  // namespace

bool takesPredicate(const SluPlanCreateInfo& info, const PredicateStructs& structs) {
  checkEnum(info.live.test, SLU_LIVE_MASK_EQUAL, "plan.live.test");
  if (info.live.test != SLU_LIVE_CUSTOM) return true;
  checkPlanChain(info.pNext);
  if (structs.types.empty()) return false;
  return takes(structs, kPredicateInfo) || findInChain<SluCudaPredicateInfo>(info.pNext, kPredicateInfo) == nullptr;
}

CustomPredicate checkPredicate(const SluPlanCreateInfo& info, const PredicateStructs& structs) {
  SluCudaPredicateInfo functions;
  SluCudaSourceInfo source;
  checkPlanChain(info.pNext);
  const bool hasFunctions =
      findAndRead(info.pNext, kPredicateInfo, kFirstPredicate, "cudaPredicate", functions) != nullptr;
  const bool hasSource = findAndRead(info.pNext, kSourceInfo, sizeof(source), "cudaSource", source) != nullptr;
  if (info.live.test != SLU_LIVE_CUSTOM) {
    require(!hasFunctions && !hasSource, "plan.pNext: ", hasSource ? "SluCudaSourceInfo" : "SluCudaPredicateInfo",
            " needs SLU_LIVE_CUSTOM in plan.live.test");
    return {};
  }
  require(!structs.types.empty(), "plan.live.test: is SLU_LIVE_CUSTOM, which plans of the ", structs.route,
          " route do not take; set plan.route to SLU_ROUTE_AUTO, which picks one that does if there is one");
  require(!hasFunctions || takes(structs, kPredicateInfo),
          "plan.pNext: SluCudaPredicateInfo holds kernels that the host's CUDA runtime launches, which plans of the ",
          structs.route, " route do not take; chain SluCudaSourceInfo");
  require(!hasFunctions || !hasSource, "plan.pNext: SluCudaPredicateInfo and SluCudaSourceInfo exclude each other");
  require(hasFunctions || hasSource,
          "plan.pNext: SLU_LIVE_CUSTOM in plan.live.test needs an SluCudaPredicateInfo or an SluCudaSourceInfo");
  return hasFunctions ? readFunctions(functions) : readSource(source);
}

PredicateState checkPredicateState(const SluCudaPredicateState* chained, SluLiveTest test,
                                   const CustomPredicate& predicate) {
  if (chained == nullptr) return predicate.state;
  const auto state =
      readStruct(chained, SLU_STRUCTURE_TYPE_CUDA_PREDICATE_STATE, sizeof(SluCudaPredicateState), "predicateState");
  require(test == SLU_LIVE_CUSTOM,
          "frame.pNext: SluCudaPredicateState needs a plan whose live.test is SLU_LIVE_CUSTOM");
  require(state.stateSize == predicate.stateSize, "frame.stateSize: is ", state.stateSize, ", must be ",
          predicate.stateSize, ", the plan's stateSize");
  require((state.state == nullptr) == (state.stateSize == 0),
          "frame.state: ", state.state == nullptr ? "is null" : "is set", ", and frame.stateSize is ", state.stateSize);
  PredicateState copy{};
  if (state.stateSize != 0) std::memcpy(copy.data(), state.state, state.stateSize);
  return copy;
}

}  // namespace slu
