// More than 4 GiB of records on the CUDA route, in every kernel that reads records and decides by them. Skipped where
// the GPU has too little memory.
#include <algorithm>
#include <array>

#include "contract.h"
#include "cuda_memory.h"

namespace slu::test {
namespace {

constexpr std::uint64_t k4GiB = std::uint64_t{1} << 32;
constexpr std::uint64_t kRecordBytes = k4GiB + k4GiB / 8;
constexpr std::uint64_t kScratchBytes = k4GiB / 2;
constexpr std::uint32_t kBuckets = 3;

struct LargeCase {
  std::uint32_t stride;
  SluOrder order;
  bool withIndices;
  std::uint32_t bucketCount;
  bool afterMany = false;  // another frame keeps all before: kernels may learn from what the last one kept
};

std::ostream& operator<<(std::ostream& out, const LargeCase& large) {
  return out << large.stride << " bytes, " << (large.order == SLU_ORDER_STABLE ? "stable" : "unordered") << ", "
             << large.bucketCount << " buckets" << (large.withIndices ? ", with indices" : "")
             << (large.afterMany ? ", after a frame that keeps all" : "");
}

class LargeCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    machine = findMachine(MachineKind::cuda, reason);
    if (machine == nullptr) GTEST_SKIP() << reason;
    if (!fits(kRecordBytes)) GTEST_SKIP() << "needs " << ((kRecordBytes + kScratchBytes) >> 20) << " MiB of GPU memory";
    records = std::make_unique<CudaMemory>(machine->context(), kRecordBytes);
  }
  void TearDown() override {
    if (machine != nullptr) machine->dropPlans();
  }

  // Whether the GPU has so much memory left, beside scratch.
  static bool fits(std::uint64_t bytes) {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free >= bytes + kScratchBytes;
  }

  void fillAllLive() { check(cudaMemset(records->pointer, 0xab, kRecordBytes), "cudaMemset"); }

  // Rejected records are 0 in the first word and anything but 0 elsewhere.
  void fillRejected(std::uint32_t stride, std::uint32_t count) {
    fillAllLive();
    check(cudaMemset2D(records->pointer, stride, 0, 4, count), "cudaMemset2D");
  }

  // Live records over and over, each different from the others; returns them. Their number is prime, so that what is
  // off by a power of two differs.
  static constexpr std::uint32_t kPatternRecords = 9973;
  std::vector<std::uint32_t> fillWithPattern(std::uint32_t stride) {
    std::vector<std::uint32_t> pattern(kPatternRecords * stride / 4);
    for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = random.word() | 1;
    for (std::uint32_t i = 0; i < kPatternRecords; ++i) pattern[i * stride / 4] = 2 * i + 1;
    std::uint64_t filled = pattern.size() * 4;
    auto* bytes = static_cast<std::uint8_t*>(records->pointer);
    check(cudaMemcpy(bytes, pattern.data(), filled, cudaMemcpyHostToDevice), "cudaMemcpy");
    for (; filled < kRecordBytes; filled *= 2) {
      const std::uint64_t more = std::min(filled, kRecordBytes - filled);
      check(cudaMemcpy(bytes + filled, bytes, more, cudaMemcpyDeviceToDevice), "cudaMemcpy");
    }
    return pattern;
  }

  // Those around 4 GiB, the last one, and random others; ascending.
  std::vector<std::uint32_t> chooseLive(std::uint32_t stride, std::uint32_t count) {
    const auto at4GiB = static_cast<std::uint32_t>(k4GiB / stride);
    std::vector<std::uint32_t> live = {0, at4GiB - 1, at4GiB, at4GiB + 1, count - 1};
    for (int i = 0; i < 1000; ++i) live.push_back(random.below(count));
    std::sort(live.begin(), live.end());
    live.erase(std::unique(live.begin(), live.end()), live.end());
    return live;
  }

  // A live record: its index from 1, its bucket, and random words.
  std::vector<std::uint32_t> makeRecord(std::uint32_t stride, std::uint32_t index) {
    std::vector<std::uint32_t> words(stride / 4);
    for (std::uint32_t& word : words) word = random.word();
    words[0] = index + 1;
    if (words.size() > 1) words[1] = random.below(kBuckets);
    return words;
  }

  SluFrameInfo makeFrame(std::uint32_t recordCount, const CudaMemory& kept, const CudaMemory& counts) const {
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = recordCount;
    frame.viewCount = 1;
    frame.records = {records->registered, 0};
    frame.keptRecords = {kept.registered, 0};
    frame.bucketCounts = {counts.registered, 0};
    return frame;
  }
  void compact(const PlanSpec& spec, const SluFrameInfo& frame) const {
    require(machine->context(), sluEnqueueCompact(machine->plan(spec), nullptr, &frame), "sluEnqueueCompact");
  }
  template <typename Value>
  static void download(std::vector<Value>& to, const CudaMemory& from, std::uint64_t offset = 0) {
    const auto* first = static_cast<const std::uint8_t*>(from.pointer) + offset;
    check(cudaMemcpy(to.data(), first, to.size() * sizeof(Value), cudaMemcpyDeviceToHost), "cudaMemcpy");
  }

  void expectKept(const LargeCase& large);
  void expectAllKept(std::uint32_t stride, SluOrder order, const CudaMemory& kept);

  Random random;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  Machine* machine = nullptr;
  std::unique_ptr<CudaMemory> records;
};

void LargeCuda::expectKept(const LargeCase& large) {
  SCOPED_TRACE(testing::Message() << large);
  const auto count = static_cast<std::uint32_t>(kRecordBytes / large.stride);
  const std::vector<std::uint32_t> live = chooseLive(large.stride, count);
  const auto capacity = static_cast<std::uint32_t>(live.size());
  PlanSpec spec = simplePlan(large.order, large.stride, count);
  spec.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  if (large.withIndices) spec.info.outputs |= SLU_OUTPUT_INDICES_BIT;
  addBuckets(spec, large.bucketCount, 1, capacity, 4);
  const SluContext context = machine->context();
  const std::uint32_t slots = capacity * large.bucketCount;
  const CudaMemory kept(context, std::uint64_t{slots} * large.stride);
  const CudaMemory indices(context, std::uint64_t{slots} * 4);
  const CudaMemory counts(context, sizeof(SluBucketCount) * large.bucketCount);
  SluFrameInfo frame = makeFrame(count, kept, counts);
  if (large.withIndices) frame.indices = {indices.registered, 0};
  std::vector<SluBucketCount> foundCounts(large.bucketCount);
  if (large.afterMany) {
    fillAllLive();
    for (int times = 0; times < 2; ++times) {
      compact(spec, frame);
      download(foundCounts, counts);
      ASSERT_EQ(foundCounts[0].demandedCount, count);
      ASSERT_EQ(foundCounts[0].keptCount, capacity);
    }
  }

  fillRejected(large.stride, count);
  std::vector<std::vector<std::vector<std::uint32_t>>> expected(large.bucketCount);
  for (const std::uint32_t index : live) {
    const std::vector<std::uint32_t> words = makeRecord(large.stride, index);
    auto* place = static_cast<std::uint8_t*>(records->pointer) + std::uint64_t{index} * large.stride;
    check(cudaMemcpy(place, words.data(), large.stride, cudaMemcpyHostToDevice), "cudaMemcpy");
    expected[large.bucketCount == 1 ? 0 : words[1]].push_back(words);
  }
  compact(spec, frame);

  std::vector<std::uint32_t> foundWords(std::size_t{slots} * large.stride / 4), foundIndices(slots);
  download(foundCounts, counts);
  download(foundWords, kept);
  download(foundIndices, indices);
  for (std::uint32_t bucket = 0; bucket < large.bucketCount; ++bucket) {
    ASSERT_EQ(foundCounts[bucket].keptCount, expected[bucket].size()) << bucket;
    std::vector<std::vector<std::uint32_t>> found;
    for (std::uint32_t i = 0; i < foundCounts[bucket].keptCount; ++i) {
      const std::size_t slot = std::size_t{bucket} * capacity + i;
      const auto first = foundWords.begin() + static_cast<std::ptrdiff_t>(slot * large.stride / 4);
      found.emplace_back(first, first + large.stride / 4);
      if (large.withIndices) {
        ASSERT_EQ(foundIndices[slot] + 1, found.back()[0]);
      }
    }
    if (large.order == SLU_ORDER_UNORDERED) std::sort(found.begin(), found.end());
    ASSERT_EQ(found, expected[bucket]) << bucket;  // ascending by their first words, the indices
  }
  machine->dropPlans();
}

// Compares samples of what is written: in stable order that is the input.
void LargeCuda::expectAllKept(std::uint32_t stride, SluOrder order, const CudaMemory& kept) {
  constexpr std::uint32_t kSampleRecords = 1000;
  const auto count = static_cast<std::uint32_t>(kRecordBytes / stride);
  const std::vector<std::uint32_t> pattern = fillWithPattern(stride);
  PlanSpec spec = simplePlan(order, stride, count);
  spec.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  SCOPED_TRACE(describe(spec));
  const CudaMemory counts(machine->context(), sizeof(SluBucketCount));
  const SluFrameInfo frame = makeFrame(count, kept, counts);
  const std::uint32_t words = stride / 4;
  std::vector<std::uint32_t> found(std::size_t{kSampleRecords} * words);
  std::vector<SluBucketCount> foundCounts(1);
  for (int times = 0; times < 2; ++times) {  // kernels may learn from what the last frame kept
    check(cudaMemset(kept.pointer, 0, kRecordBytes), "cudaMemset");
    compact(spec, frame);
    download(foundCounts, counts);
    ASSERT_EQ(foundCounts[0].keptCount, count);
    const auto at4GiB = static_cast<std::uint32_t>(k4GiB / stride);
    std::vector<std::uint32_t> samples = {0, at4GiB - kSampleRecords / 2, count - kSampleRecords};
    for (int i = 0; i < 200; ++i) samples.push_back(random.below(count - kSampleRecords));
    for (const std::uint32_t first : samples) {
      download(found, kept, std::uint64_t{first} * stride);
      for (std::uint32_t i = 0; i < kSampleRecords; ++i) {
        const std::uint32_t* record = &found[std::size_t{i} * words];
        const std::uint32_t index = order == SLU_ORDER_STABLE ? (first + i) % kPatternRecords : record[0] / 2;
        ASSERT_LT(index, kPatternRecords) << "record " << first + i;
        ASSERT_TRUE(std::equal(record, record + words, &pattern[std::size_t{index} * words])) << "record " << first + i;
      }
    }
  }
  machine->dropPlans();
}

TEST_F(LargeCuda, EveryKernelReachesBeyond4GiB) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 8u, 12u, 16u, 20u, 32u, 48u, 64u, 96u, 128u}) {
      ASSERT_NO_FATAL_FAILURE(expectKept({stride, order, false, 1}));
    }
    ASSERT_NO_FATAL_FAILURE(expectKept({4, order, true, 1}));
    ASSERT_NO_FATAL_FAILURE(expectKept({16, order, false, kBuckets}));
    ASSERT_NO_FATAL_FAILURE(expectKept({64, order, true, kBuckets}));
  }
}

TEST_F(LargeCuda, EveryKernelWritesBeyond4GiB) {
  if (!fits(kRecordBytes))
    GTEST_SKIP() << "needs " << ((2 * kRecordBytes + kScratchBytes) >> 20) << " MiB of GPU memory";
  const CudaMemory kept(machine->context(), kRecordBytes);
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 8u, 12u, 16u, 20u, 32u, 48u, 64u, 96u, 128u}) {
      ASSERT_NO_FATAL_FAILURE(expectAllKept(stride, order, kept));
    }
  }
}

TEST_F(LargeCuda, KernelsThatAdaptReachBeyond4GiBBothWays) {
  for (const std::uint32_t stride : {96u, 128u}) {
    ASSERT_NO_FATAL_FAILURE(expectKept({stride, SLU_ORDER_UNORDERED, false, 1, true}));
  }
}

}  // namespace
}  // namespace slu::test
