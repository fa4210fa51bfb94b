#include <limits>

#include "draw_arguments.h"
#include "grid.cuh"
#include "output_check.h"

namespace bench {
namespace {

constexpr uint32_t kPoisonWord = 0xa5a5a5a5u;
static_assert(kPoisonWord == static_cast<uint32_t>(kPoisonByte) * 0x01010101u, "the byte four times");

enum class Fault : uint32_t { None, Unknown, Dead, Payload, Bucket, Repeated, Order, Written };

// A fault with its position, ordered by position: position << 8 | fault.
using Finding = unsigned long long;
constexpr Finding kNothing = std::numeric_limits<Finding>::max();

struct CheckArguments {
  InputRecipe recipe;
  const uint32_t* input;
  const uint32_t* output;
  const uint32_t* keptCounts;
  uint32_t* seen;  // a bit per record
  Finding* first;
  uint32_t recordCount;
  uint32_t recordWords;
  uint32_t elementWords;
  uint32_t bucketCapacity;
  uint32_t bucketCount;
  bool indices;
  bool stable;
};

__device__ void report(Finding* first, uint64_t position, Fault fault) {
  atomicMin(first, Finding{position << 8 | static_cast<uint32_t>(fault)});
}

__device__ uint32_t sourceOf(const CheckArguments& arguments, const uint32_t* element) {
  return arguments.indices ? element[0] : arguments.recipe.recordOf(element[0]);
}

__device__ bool equal(const uint32_t* a, const uint32_t* b, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

__device__ bool isPoison(const uint32_t* words, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (words[i] != kPoisonWord) return false;
  }
  return true;
}

__device__ Fault judge(const CheckArguments& arguments, uint64_t position) {
  const auto bucket = static_cast<uint32_t>(position / arguments.bucketCapacity);
  const auto rank = static_cast<uint32_t>(position % arguments.bucketCapacity);
  const uint32_t* element = arguments.output + position * arguments.elementWords;
  if (rank >= arguments.keptCounts[bucket])
    return isPoison(element, arguments.elementWords) ? Fault::None : Fault::Written;

  const uint32_t source = sourceOf(arguments, element);
  if (source >= arguments.recordCount) return Fault::Unknown;
  const uint32_t* record = arguments.input + uint64_t{source} * arguments.recordWords;
  if (record[0] == 0) return Fault::Dead;
  if (!arguments.indices && !equal(element, record, arguments.recordWords)) return Fault::Payload;
  if (arguments.bucketCount > 1 && record[1] != bucket) return Fault::Bucket;
  const uint32_t bit = 1u << (source % 32);
  if ((atomicOr(&arguments.seen[source / 32], bit) & bit) != 0) return Fault::Repeated;
  if (arguments.stable && rank > 0 && sourceOf(arguments, element - arguments.elementWords) >= source)
    return Fault::Order;
  return Fault::None;
}

__global__ void judgeAll(CheckArguments arguments) {
  const uint64_t elementCount = uint64_t{arguments.bucketCapacity} * arguments.bucketCount;
  for (uint64_t i = gridFirst(); i < elementCount; i += gridStep()) {
    const Fault fault = judge(arguments, i);
    if (fault != Fault::None) report(arguments.first, i, fault);
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

__global__ void count(const uint32_t* input, uint32_t recordCount, uint32_t recordWords, uint32_t bucketCount,
                      uint32_t* keptCounts) {
  uint32_t kept = 0;
  for (uint64_t i = gridFirst(); i < recordCount; i += gridStep()) {
    const uint32_t* record = input + i * recordWords;
    if (record[0] == 0) continue;
    if (bucketCount == 1)
      ++kept;
    else
      atomicAdd(&keptCounts[record[1]], 1u);
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

const char* describe(Fault fault) {
  switch (fault) {
    case Fault::None:
      break;
    case Fault::Unknown:
      return "names no record of the input";
    case Fault::Dead:
      return "is a record that is not live";
    case Fault::Payload:
      return "differs from the record of the input";
    case Fault::Bucket:
      return "belongs to another bucket";
    case Fault::Repeated:
      return "appears a second time";
    case Fault::Order:
      return "comes after a later record";
    case Fault::Written:
      return "was written, although nothing belongs there";
  }
  return "is right";
}

std::string describeElement(const CheckArguments& arguments, Finding finding) {
  const uint64_t position = finding >> 8;
  const uint32_t* element = arguments.output + position * arguments.elementWords;
  const uint32_t word = download<uint32_t>(element, 1).front();
  return sentence("bucket ", position / arguments.bucketCapacity, ", element ", position % arguments.bucketCapacity,
                  " (first word ", word, ", record ", arguments.indices ? word : arguments.recipe.recordOf(word), ") ",
                  describe(static_cast<Fault>(finding & 0xff)));
}

// Of everything behind the elements or the copy.
std::optional<std::string> tailDifference(cudaStream_t stream, const CheckedOutput& checked, uint64_t usedBytes) {
  FirstFinding first(stream);
  expectPoison<<<kGridBlocks, kGridThreads, 0, stream>>>(static_cast<const uint32_t*>(checked.set.output),
                                                         usedBytes / 4, checked.allocatedBytes / 4, first.device());
  const Finding finding = first.read();
  if (finding == kNothing) return std::nullopt;
  return sentence("byte ", (finding >> 8) * 4, " of the output ", describe(Fault::Written));
}

CheckArguments makeArguments(const CheckedOutput& checked) {
  const Workload& workload = *checked.workload;
  CheckArguments arguments{};
  arguments.recipe = *checked.recipe;
  arguments.input = static_cast<const uint32_t*>(checked.set.input);
  arguments.output = static_cast<const uint32_t*>(checked.set.output);
  arguments.recordCount = workload.recordCount;
  arguments.recordWords = workload.recordBytes / 4;
  arguments.elementWords = workload.elementBytes() / 4;
  arguments.bucketCapacity = checked.bucketCapacity;
  arguments.bucketCount = workload.bucketCount;
  arguments.indices = workload.outputs == Outputs::Indices;
  arguments.stable = workload.order == Order::Stable;
  return arguments;
}

}  // namespace

std::vector<uint32_t> countKept(cudaStream_t stream, const Workload& workload, const uint32_t* input) {
  const DeviceMemory counts(workload.bucketCount * sizeof(uint32_t));
  check(cudaMemsetAsync(counts.get(), 0, counts.bytes(), stream), "cudaMemsetAsync");
  count<<<kGridBlocks, kGridThreads, 0, stream>>>(input, workload.recordCount, workload.recordBytes / 4,
                                                  workload.bucketCount, counts.as<uint32_t>());
  check(cudaGetLastError(), "count");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return download<uint32_t>(counts.get(), workload.bucketCount);
}

std::optional<std::string> outputDifference(cudaStream_t stream, const CheckedOutput& checked) {
  const DeviceMemory keptCounts(checked.keptCounts->size() * sizeof(uint32_t));
  upload(keptCounts.get(), *checked.keptCounts);
  const DeviceMemory seen((uint64_t{checked.workload->recordCount} + 31) / 32 * 4);
  check(cudaMemsetAsync(seen.get(), 0, seen.bytes(), stream), "cudaMemsetAsync");
  FirstFinding first(stream);
  CheckArguments arguments = makeArguments(checked);
  arguments.keptCounts = keptCounts.as<uint32_t>();
  arguments.seen = seen.as<uint32_t>();
  arguments.first = first.device();
  judgeAll<<<kGridBlocks, kGridThreads, 0, stream>>>(arguments);
  const Finding finding = first.read();
  if (finding != kNothing) return describeElement(arguments, finding);
  return tailDifference(
      stream, checked,
      uint64_t{checked.bucketCapacity} * checked.workload->bucketCount * checked.workload->elementBytes());
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
