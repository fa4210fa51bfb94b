#include "arena/input_limit.h"

#include "base/failure.h"

namespace bench {

std::string inputRefusal(const TrialSettings& settings, const Workload& workload, uint64_t memoryBytes,
                         uint64_t suiteBytes) {
  constexpr uint64_t kMebibyte = 1u << 20;
  const uint64_t inputBytes = workload.inputBytes();
  if (settings.isSuite && inputBytes > suiteBytes)
    return sentence("without a GPU a suite's inputs over ", suiteBytes / kMebibyte, " MiB are left out");
  if (inputBytes > memoryBytes / kInputsPerMemory)
    return sentence("an input of ", inputBytes / kMebibyte, " MiB is more than a ", kInputsPerMemory,
                    "th of the memory, ", memoryBytes / kMebibyte, " MiB");
  return {};
}

}  // namespace bench
