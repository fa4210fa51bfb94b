#include "judge/host_check.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "base/failure.h"
#include "base/threads.h"
#include "judge/output_judge.h"
#include "judge/reference.h"

namespace bench {
namespace {

// The reference sorts, which takes long on large inputs. The judge is a proof without it.
constexpr uint64_t kReferenceBytes = 1u << 20;

// The fault at the lowest position that the threads report.
class FirstFinding {
 public:
  void report(uint64_t position, Fault fault) {
    const uint64_t finding = position << 8 | static_cast<uint32_t>(fault);
    uint64_t known = finding_;
    while (finding < known && !finding_.compare_exchange_weak(known, finding)) {
    }
  }
  Fault fault() const { return finding_ == kNothing ? Fault::None : static_cast<Fault>(finding_ & 0xff); }
  uint64_t position() const { return finding_ >> 8; }

 private:
  static constexpr uint64_t kNothing = std::numeric_limits<uint64_t>::max();
  std::atomic<uint64_t> finding_ = kNothing;
};

Fault faultOf(const JudgedOutput& judged, uint64_t position, std::vector<uint32_t>& seen) {
  const Verdict verdict = judged.judge(position);
  if (verdict.fault != Fault::None || verdict.record == kNoRecord) return verdict.fault;
  const uint32_t bit = 1u << (verdict.record % 32);
  const uint32_t before = std::atomic_ref(seen[verdict.record / 32]).fetch_or(bit, std::memory_order_relaxed);
  return (before & bit) != 0 ? Fault::Repeated : Fault::None;
}

std::optional<std::string> elementsDifference(const JudgedOutput& judged) {
  std::vector<uint32_t> seen(judged.seenWords());
  FirstFinding first;
  forRanges(judged.elementCount(), [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      const Fault fault = faultOf(judged, i, seen);
      if (fault == Fault::None) continue;
      first.report(i, fault);
      return;
    }
  });
  if (first.fault() == Fault::None) return std::nullopt;
  return describeElement(judged, first.position(), first.fault(),
                         judged.output[first.position() * judged.elementWords]);
}

std::optional<std::string> tailDifference(std::span<const uint32_t> output, uint64_t usedBytes) {
  const auto tail = output.subspan(usedBytes / 4);
  const uint64_t written = firstOf(tail.size(), [&](uint64_t i) { return tail[i] != kPoisonWord; });
  if (written == tail.size()) return std::nullopt;
  return sentence("byte ", usedBytes + written * 4, " of the output ", describe(Fault::Written));
}

}  // namespace

std::optional<std::string> hostBucketsDifference(HostInput& input, uint32_t recordCount,
                                                 const std::vector<uint32_t>& keptCounts,
                                                 std::span<const uint32_t> output, uint32_t bucketCapacity) {
  JudgedOutput judged = judgedOutput(input.workload(), input.recipe(), bucketCapacity);
  judged.recordCount = recordCount;
  judged.input = input.words().data();
  judged.output = output.data();
  judged.keptCounts = keptCounts.data();
  const std::vector<uint32_t> firsts = packedFirsts(keptCounts);
  judged.firsts = firsts.data();
  return elementsDifference(judged);
}

std::optional<std::string> hostOutputDifference(HostInput& input, std::span<const uint32_t> output,
                                                uint32_t bucketCapacity) {
  const Workload& workload = input.workload();
  if (auto difference = hostBucketsDifference(input, workload.recordCount, input.keptCounts(), output, bucketCapacity))
    return difference;
  if (auto difference = tailDifference(output, elementsBytesFor(workload, bucketCapacity))) return difference;
  if (workload.inputBytes() > kReferenceBytes) return std::nullopt;
  return differenceFromReference(workload, input.words(), {output.begin(), output.end()}, bucketCapacity);
}

std::optional<std::string> hostCopyDifference(HostInput& input, std::span<const uint32_t> output) {
  const std::vector<uint32_t>& words = input.words();
  const uint64_t wrong = firstOf(words.size(), [&](uint64_t i) { return words[i] != output[i]; });
  if (wrong != words.size()) return sentence("byte ", wrong * 4, " of the copy differs from the input");
  return tailDifference(output, input.workload().inputBytes());
}

}  // namespace bench
