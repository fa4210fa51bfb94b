#include "cuda/verification.h"

#include "judge/reference.h"

namespace bench {
namespace {

std::optional<std::string> hostDifference(const Workload& workload, const CheckedOutput& checked) {
  const auto input = download<uint32_t>(checked.set.input, workload.inputBytes() / 4);
  const auto output = download<uint32_t>(checked.set.output, checked.allocatedBytes / 4);
  return differenceFromReference(workload, input, output, checked.bucketCapacity);
}

std::optional<std::string> setDifference(cudaStream_t stream, Role role, const CheckedOutput& checked) {
  if (isCopy(role)) return copyDifference(stream, checked);
  return outputDifference(stream, checked);
}

}  // namespace

std::optional<std::string> verify(cudaStream_t stream, const Workload& workload, Role role,
                                  const WorkloadBuffers& buffers, PreparedCompetitor& competitor, TimedFrames& frames) {
  buffers.poison(stream);
  competitor.poison(stream);
  for (uint32_t done = 0; done < buffers.setCount(); done += frames.frameCount()) frames.launch();
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  if (!isCopy(role)) {
    const auto& keptCounts = buffers.keptCounts(frames.latestSet());
    if (auto difference = outcomeDifference(workload, competitor, keptCounts, buffers.frames().bucketCapacity))
      return difference;
  }
  for (uint32_t set = 0; set < buffers.setCount(); ++set) {
    if (auto difference = setDifference(stream, role, buffers.checked(set)))
      return buffers.setCount() == 1 ? *difference : sentence("set ", set, ": ", *difference);
  }
  if (isCopy(role) || workload.inputBytes() > kHostReferenceBytes) return std::nullopt;
  return hostDifference(workload, buffers.checked(0));
}

}  // namespace bench
