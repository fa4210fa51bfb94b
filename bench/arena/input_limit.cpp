#include "arena/input_limit.h"

#include "base/failure.h"

namespace bench {

std::string inputRefusal(const TrialSettings& settings, const Workload& workload, uint64_t memoryBytes,
                         uint64_t suiteBytes) {
  constexpr uint64_t kMebibyte = 1u << 20;
  const uint64_t frameBytes = workload.mostOutputBytes() / 2;
  if (settings.isSuite && workload.inputBytes() > suiteBytes)
    return sentence("without a GPU a suite's inputs over ", suiteBytes / kMebibyte, " MiB are left out");
  if (frameBytes > memoryBytes / kInputsPerMemory)
    return sentence(frameBytes > workload.inputBytes() ? "outputs" : "an input", " of ", frameBytes / kMebibyte,
                    " MiB: more than a ", kInputsPerMemory, "th of the memory, ", memoryBytes / kMebibyte, " MiB");
  return {};
}

}  // namespace bench
