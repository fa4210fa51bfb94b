#include <limits>

#include "cuda/draw_arguments.h"
#include "cuda/grid.cuh"
#include "cuda/output_check.h"
#include "judge/output_judge.h"
#include "workload/live_test.h"

namespace bench {
namespace {

// A fault with its position, ordered by position: position << 8 | fault.
using Finding = unsigned long long;
constexpr Finding kNothing = std::numeric_limits<Finding>::max();

__device__ void report(Finding* first, uint64_t position, Fault fault) {
  atomicMin(first, Finding{position << 8 | static_cast<uint32_t>(fault)});
}

// seen: a bit per record of a verdict.
__global__ void judgeAll(JudgedOutput judged, uint32_t* seen, Finding* first) {
  for (uint64_t i = gridFirst(); i < judged.elementCount(); i += gridStep()) {
    Verdict verdict = judged.judge(i);
    if (verdict.fault == Fault::None && verdict.record != kNoRecord) {
      const uint32_t bit = 1u << (verdict.record % 32);
      if ((atomicOr(&seen[verdict.record / 32], bit) & bit) != 0) verdict.fault = Fault::Repeated;
    }
    if (verdict.fault != Fault::None) report(first, i, verdict.fault);
  }
}

__global__ void expectPoison(const uint32_t* words, uint64_t begin, uint64_t end, Finding* first) {
  for (uint64_t i = begin + gridFirst(); i < end; i += gridStep()) {
    if (words[i] != kPoisonWord) report(first, i, Fault::Written);
  }
}

__global__ void expectEqual(const uint32_t* words, const uint32_t* expected, uint64_t count, Finding* first) {
  for (uint64_t i = gridFirst(); i < count; i += gridStep()) {
    if (words[i] != expected[i]) report(first, i, Fault::Payload);
  }
}

template <typename LiveTest>
__global__ void count(LiveTest isLive, const uint32_t* input, uint32_t recordCount, uint32_t recordWords,
                      uint32_t bucketCount, uint32_t* keptCounts) {
  uint32_t kept = 0;
  for (uint64_t i = gridFirst(); i < recordCount; i += gridStep()) {
    if (!isLive(i)) continue;
    if (bucketCount == 1)
      ++kept;
    else
      atomicAdd(&keptCounts[input[i * recordWords + 1]], 1u);
  }
  if (kept != 0) atomicAdd(keptCounts, kept);
}

// The position and kind of the lowest fault that kernels reported.
class FirstFinding {
 public:
  explicit FirstFinding(cudaStream_t stream) : stream_(stream), memory_(sizeof(Finding)) {
    check(cudaMemsetAsync(device(), 0xff, sizeof(Finding), stream), "cudaMemsetAsync");
  }
  Finding* device() const { return memory_.as<Finding>(); }
  Finding read() const {
    check(cudaGetLastError(), "launch of a check");
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    return download<Finding>(device(), 1).front();
  }

 private:
  cudaStream_t stream_;
  DeviceMemory memory_;
};

// Checks that everything behind the elements or the copy is still poison.
std::optional<std::string> tailDifference(cudaStream_t stream, const CheckedOutput& checked, uint64_t usedBytes) {
  FirstFinding first(stream);
  expectPoison<<<kGridBlocks, kGridThreads, 0, stream>>>(static_cast<const uint32_t*>(checked.set.output),
                                                         usedBytes / 4, checked.allocatedBytes / 4, first.device());
  const Finding finding = first.read();
  if (finding == kNothing) return std::nullopt;
  return sentence("byte ", (finding >> 8) * 4, " of the output ", describe(Fault::Written));
}

}  // namespace

std::vector<uint32_t> countKept(cudaStream_t stream, const Workload& workload, const uint32_t* input) {
  const DeviceMemory counts(workload.allBucketCount() * sizeof(uint32_t));
  check(cudaMemsetAsync(counts.get(), 0, counts.bytes(), stream), "cudaMemsetAsync");
  for (uint32_t view = 0; view < workload.viewCount; ++view) {
    withLiveTest(workload, view, input, [&](const auto& isLive) {
      count<<<kGridBlocks, kGridThreads, 0, stream>>>(isLive, input, workload.recordCount, workload.recordBytes / 4,
                                                      workload.bucketCount,
                                                      counts.as<uint32_t>() + view * workload.bucketCount);
    });
  }
  check(cudaGetLastError(), "count");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return download<uint32_t>(counts.get(), workload.allBucketCount());
}

std::optional<std::string> outputDifference(cudaStream_t stream, const CheckedOutput& checked) {
  const DeviceMemory keptCounts(checked.keptCounts->size() * sizeof(uint32_t));
  upload(keptCounts.get(), *checked.keptCounts);
  const DeviceMemory firsts((checked.keptCounts->size() + 1) * sizeof(uint32_t));
  upload(firsts.get(), packedFirsts(*checked.keptCounts));
  FirstFinding first(stream);
  JudgedOutput judged = judgedOutput(*checked.workload, *checked.recipe, checked.bucketCapacity);
  const DeviceMemory seen(judged.seenWords() * 4);
  check(cudaMemsetAsync(seen.get(), 0, seen.bytes(), stream), "cudaMemsetAsync");
  judged.input = static_cast<const uint32_t*>(checked.set.input);
  judged.output = static_cast<const uint32_t*>(checked.set.output);
  judged.keptCounts = keptCounts.as<uint32_t>();
  judged.firsts = firsts.as<uint32_t>();
  judgeAll<<<kGridBlocks, kGridThreads, 0, stream>>>(judged, seen.as<uint32_t>(), first.device());
  if (const Finding finding = first.read(); finding != kNothing) {
    const uint64_t position = finding >> 8;
    const uint32_t word = download<uint32_t>(judged.output + position * judged.elementWords, 1).front();
    return describeElement(judged, position, static_cast<Fault>(finding & 0xff), word);
  }
  return tailDifference(stream, checked, elementsBytesFor(*checked.workload, checked.bucketCapacity));
}

std::optional<std::string> copyDifference(cudaStream_t stream, const CheckedOutput& checked) {
  const uint64_t bytes = checked.workload->inputBytes();
  FirstFinding first(stream);
  expectEqual<<<kGridBlocks, kGridThreads, 0, stream>>>(static_cast<const uint32_t*>(checked.set.output),
                                                        static_cast<const uint32_t*>(checked.set.input), bytes / 4,
                                                        first.device());
  const Finding finding = first.read();
  if (finding != kNothing) return sentence("byte ", (finding >> 8) * 4, " of the copy differs from the input");
  // A kernel may copy the last 16 bytes whole.
  return tailDifference(stream, checked, (bytes + 15) / 16 * 16);
}

void poisonOutput(cudaStream_t stream, void* output, uint64_t bytes) {
  check(cudaMemsetAsync(output, kPoisonByte, bytes, stream), "cudaMemsetAsync");
}

}  // namespace bench
