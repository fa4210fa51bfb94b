// More than 4 GiB of records on the CUDA route, in every kernel that reads them. Skipped where the GPU has too little
// memory.
#include <algorithm>
#include <array>

#include "contract.h"
#include "cuda_memory.h"

namespace slu::test {
namespace {

constexpr std::uint64_t k4GiB = std::uint64_t{1} << 32;
constexpr std::uint64_t kRecordBytes = k4GiB + k4GiB / 8;
constexpr std::uint64_t kNeededBytes = kRecordBytes + k4GiB / 2;  // and scratch
constexpr std::uint32_t kBuckets = 3;

struct LargeCase {
  std::uint32_t stride;
  SluOrder order;
  bool withIndices;
  std::uint32_t bucketCount;
};

std::ostream& operator<<(std::ostream& out, const LargeCase& large) {
  return out << large.stride << " bytes, " << (large.order == SLU_ORDER_STABLE ? "stable" : "unordered") << ", "
             << large.bucketCount << " buckets" << (large.withIndices ? ", with indices" : "");
}

class LargeCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    machine = findMachine(MachineKind::cuda, reason);
    if (machine == nullptr) GTEST_SKIP() << reason;
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    if (free < kNeededBytes) GTEST_SKIP() << "needs " << (kNeededBytes >> 20) << " MiB of GPU memory";
    records = std::make_unique<CudaMemory>(machine->context(), kRecordBytes);
  }
  void TearDown() override {
    if (machine != nullptr) machine->dropPlans();
  }

  // Rejected records are 0 in the first word and anything but 0 elsewhere.
  void fill(std::uint32_t stride, std::uint32_t count) {
    check(cudaMemset(records->pointer, 0xab, kRecordBytes), "cudaMemset");
    check(cudaMemset2D(records->pointer, stride, 0, 4, count), "cudaMemset2D");
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

  void expectKept(const LargeCase& large);

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
  fill(large.stride, count);
  std::vector<std::vector<std::vector<std::uint32_t>>> expected(large.bucketCount);
  for (const std::uint32_t index : live) {
    const std::vector<std::uint32_t> words = makeRecord(large.stride, index);
    auto* place = static_cast<std::uint8_t*>(records->pointer) + std::uint64_t{index} * large.stride;
    check(cudaMemcpy(place, words.data(), large.stride, cudaMemcpyHostToDevice), "cudaMemcpy");
    expected[large.bucketCount == 1 ? 0 : words[1]].push_back(words);
  }

  PlanSpec spec = simplePlan(large.order, large.stride, count);
  spec.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  if (large.withIndices) spec.info.outputs |= SLU_OUTPUT_INDICES_BIT;
  addBuckets(spec, large.bucketCount, 1, capacity, 4);
  const SluContext context = machine->context();
  const std::uint32_t slots = capacity * large.bucketCount;
  const CudaMemory kept(context, std::uint64_t{slots} * large.stride);
  const CudaMemory indices(context, std::uint64_t{slots} * 4);
  const CudaMemory counts(context, sizeof(SluBucketCount) * large.bucketCount);
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = count;
  frame.viewCount = 1;
  frame.records = {records->registered, 0};
  frame.keptRecords = {kept.registered, 0};
  frame.bucketCounts = {counts.registered, 0};
  if (large.withIndices) frame.indices = {indices.registered, 0};
  require(context, sluEnqueueCompact(machine->plan(spec), nullptr, &frame), "sluEnqueueCompact");

  std::vector<SluBucketCount> foundCounts(large.bucketCount);
  std::vector<std::uint32_t> foundWords(std::size_t{slots} * large.stride / 4), foundIndices(slots);
  const auto download = [](auto& to, const CudaMemory& from) {
    check(cudaMemcpy(to.data(), from.pointer, to.size() * sizeof(to[0]), cudaMemcpyDeviceToHost), "cudaMemcpy");
  };
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

TEST_F(LargeCuda, EveryKernelReachesBeyond4GiB) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 16u, 32u, 64u, 128u, 12u}) {
      ASSERT_NO_FATAL_FAILURE(expectKept({stride, order, false, 1}));
    }
    ASSERT_NO_FATAL_FAILURE(expectKept({4, order, true, 1}));
    ASSERT_NO_FATAL_FAILURE(expectKept({16, order, false, kBuckets}));
    ASSERT_NO_FATAL_FAILURE(expectKept({64, order, true, kBuckets}));
  }
}

}  // namespace
}  // namespace slu::test
