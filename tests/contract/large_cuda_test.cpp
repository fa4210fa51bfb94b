// More than 4 GiB of records, and of what lies beside them, on the CUDA route, in every kernel that plans for so many
// have there. Skipped where the GPU has too little memory.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "contract.h"
#include "cuda_memory.h"

namespace slu::test {
namespace {

constexpr std::uint64_t k4GiB = std::uint64_t{1} << 32;
constexpr std::uint64_t kRecordBytes = k4GiB + k4GiB / 8;
constexpr std::uint64_t kScratchBytes = k4GiB / 2;
constexpr std::uint32_t kBuckets = 3;

// What decides whether a record is kept; the last four lie in a stream beside the records.
enum class Decider { record, predicate, spheresInRecord, sphereStream, flagBits, flagBytes, flagWords };
constexpr const char* kDeciders[] = {"the record",  "a predicate",  "spheres in records", "a stream of spheres",
                                     "bits beside", "bytes beside", "words beside"};

struct LargeCase {
  std::uint32_t stride;
  SluOrder order;
  Decider decider = Decider::record;
  std::uint32_t bucketCount = 1;
  bool withIndices = false;
  bool withStatistics = false;
  bool afterMany = false;  // another frame keeps all before: kernels may learn from what the last one kept

  std::uint32_t recordCount() const { return static_cast<std::uint32_t>(kRecordBytes / stride); }
  bool hasSpheres() const { return decider == Decider::spheresInRecord || decider == Decider::sphereStream; }
  std::uint32_t flagWidth() const {  // in bits; 0: no flags
    return decider == Decider::flagBits    ? 1
           : decider == Decider::flagBytes ? 8
           : decider == Decider::flagWords ? 32
                                           : 0;
  }
  bool hasStream() const { return decider >= Decider::sphereStream; }
};

std::ostream& operator<<(std::ostream& out, const LargeCase& large) {
  return out << large.stride << " bytes, " << (large.order == SLU_ORDER_STABLE ? "stable" : "unordered") << ", by "
             << kDeciders[static_cast<int>(large.decider)] << ", " << large.bucketCount << " buckets"
             << (large.withIndices ? ", with indices" : "") << (large.withStatistics ? ", with statistics" : "")
             << (large.afterMany ? ", after a frame that keeps all" : "");
}

// Keeps spheres from this far on: all but those at the eye, which zeros are.
constexpr float kNear = 1.0f;
constexpr std::array<float, 4> kLiveSphere = {2.0f, 0.0f, 0.0f, 1.0f};
constexpr std::uint32_t kSphereOffset = 16;  // in a record that has one

SluView makeView() {
  SluView view{};
  view.minDistance = kNear;
  view.maxDistance = 100.0f;
  return view;
}

void setSphere(std::uint32_t* record) {
  std::memcpy(record + kSphereOffset / 4, kLiveSphere.data(), sizeof(kLiveSphere));
}

// Live records begin with their index, from 1 on.
const SluCudaSourceInfo& predicate() {
  static const SluCudaSourceInfo info = [] {
    auto source = SLU_INIT(CUDA_SOURCE_INFO, SluCudaSourceInfo);
    source.source =
        "struct SluPredicate {\n"
        "  __device__ bool operator()(const void* record, unsigned index) const {\n"
        "    return *static_cast<const unsigned*>(record) == index + 1;\n"
        "  }\n"
        "};\n";
    return source;
  }();
  return info;
}

// Writes records, and the counts of its buckets, which the caller gives it.
PlanSpec planOf(const LargeCase& large) {
  PlanSpec spec = simplePlan(large.order, large.stride, large.recordCount());
  spec.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  if (large.withIndices) spec.info.outputs |= SLU_OUTPUT_INDICES_BIT;
  if (large.withStatistics) spec.info.outputs |= SLU_OUTPUT_STATISTICS_BIT;
  if (large.decider == Decider::record) return spec;
  spec.info.live = {};
  switch (large.decider) {
    case Decider::predicate:
      spec.info.live.test = SLU_LIVE_CUSTOM;
      spec.info.pNext = &predicate();
      break;
    case Decider::spheresInRecord:
      addCulling(spec, SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, kSphereOffset);
      break;
    case Decider::sphereStream:
      addCulling(spec, SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_PER_RECORD, 0);
      break;
    default:
      spec.info.live.test = large.flagWidth() == 1   ? SLU_LIVE_FLAG_BITS
                            : large.flagWidth() == 8 ? SLU_LIVE_FLAG_BYTES
                                                     : SLU_LIVE_FLAG_WORDS;
  }
  return spec;
}

class LargeCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    machine = findMachine(MachineKind::cuda, reason);
    if (machine == nullptr) GTEST_SKIP() << reason;
    if (const std::string lack = lackOf(kRecordBytes); !lack.empty()) GTEST_SKIP() << lack;
    records = std::make_unique<CudaMemory>(machine->context(), kRecordBytes);
  }
  void TearDown() override {
    if (machine != nullptr) machine->dropPlans();
  }

  // Why there is no so much memory left on the GPU, beside scratch; empty where there is.
  static std::string lackOf(std::uint64_t bytes) {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    if (free >= bytes + kScratchBytes) return {};
    return "needs " + std::to_string((bytes + kScratchBytes) >> 20) + " MiB more of GPU memory, of which " +
           std::to_string(free >> 20) + " are free";
  }

  static void fill(const CudaMemory& memory, int byte) {
    check(cudaMemset(memory.pointer, byte, kRecordBytes), "cudaMemset");
  }
  void fillAllLive() { fill(*records, 0xab); }

  // Rejected records are 0 in the first word and, where that decides, anything but 0 elsewhere; else their keys would be
  // unknown.
  void fillRejected(const LargeCase& large) {
    const bool decides = large.decider <= Decider::predicate;
    fill(*records, decides ? 0xab : 0);
    if (decides) check(cudaMemset2D(records->pointer, large.stride, 0, 4, large.recordCount()), "cudaMemset2D");
    if (large.hasStream()) fill(*stream, 0);
  }

  static void upload(const CudaMemory& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    check(cudaMemcpy(static_cast<std::uint8_t*>(to.pointer) + offset, from, bytes, cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }

  // What the stream has for these records; of the others it has zeros.
  void setLive(const LargeCase& large, const std::vector<std::uint32_t>& live) {
    std::map<std::uint64_t, std::uint32_t> words;
    for (const std::uint32_t index : live) {
      if (large.decider == Decider::sphereStream) {
        upload(*stream, std::uint64_t{index} * sizeof(kLiveSphere), kLiveSphere.data(), sizeof(kLiveSphere));
      } else if (large.flagWidth() != 0) {
        const std::uint64_t bit = std::uint64_t{index} * large.flagWidth();
        words[bit / 32] |= 1u << bit % 32;
      }
    }
    for (const auto& [word, value] : words) upload(*stream, word * 4, &value, 4);
  }

  // Live records over and over, each different from the others; returns them. Their number is prime, so that what is
  // off by a power of two differs.
  static constexpr std::uint32_t kPatternRecords = 9973;
  std::vector<std::uint32_t> fillWithPattern(const LargeCase& large) {
    const std::uint32_t stride = large.stride;
    std::vector<std::uint32_t> pattern(kPatternRecords * stride / 4);
    for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = random.word() | 1;
    for (std::uint32_t i = 0; i < kPatternRecords; ++i) {
      pattern[i * stride / 4] = 2 * i + 1;
      if (large.decider == Decider::spheresInRecord) setSphere(&pattern[i * stride / 4]);
    }
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

  // A live record: its index from 1, its bucket, and random words, with a sphere where it has one.
  std::vector<std::uint32_t> makeRecord(const LargeCase& large, std::uint32_t index) {
    std::vector<std::uint32_t> words(large.stride / 4);
    for (std::uint32_t& word : words) word = random.word();
    words[0] = index + 1;
    if (words.size() > 1) words[1] = random.below(kBuckets);
    if (large.decider == Decider::spheresInRecord) setSphere(words.data());
    return words;
  }

  SluFrameInfo makeFrame(const LargeCase& large, const CudaMemory& kept, const CudaMemory& counts) const {
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = large.recordCount();
    frame.viewCount = 1;
    if (large.hasSpheres()) frame.views = &view;
    if (large.hasStream()) (large.hasSpheres() ? frame.bounds : frame.flags) = {stream->registered, 0};
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
  void expectAllKept(const LargeCase& large, const CudaMemory& kept);

  const SluView view = makeView();

  Random random;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  Machine* machine = nullptr;
  std::unique_ptr<CudaMemory> records;
  std::unique_ptr<CudaMemory> stream;  // of tests that have one; as large as the records
};

void LargeCuda::expectKept(const LargeCase& large) {
  SCOPED_TRACE(testing::Message() << large);
  const std::uint32_t count = large.recordCount();
  const std::vector<std::uint32_t> live = chooseLive(large.stride, count);
  const auto capacity = static_cast<std::uint32_t>(live.size());
  PlanSpec spec = planOf(large);
  addBuckets(spec, large.bucketCount, 1, capacity, 4);
  const SluContext context = machine->context();
  const std::uint32_t slots = capacity * large.bucketCount;
  const CudaMemory kept(context, std::uint64_t{slots} * large.stride);
  const CudaMemory indices(context, std::uint64_t{slots} * 4);
  const CudaMemory counts(context, sizeof(SluBucketCount) * large.bucketCount);
  const CudaMemory statistics(context, sizeof(SluStatistics));
  SluFrameInfo frame = makeFrame(large, kept, counts);
  if (large.withIndices) frame.indices = {indices.registered, 0};
  if (large.withStatistics) frame.statistics = {statistics.registered, 0};
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

  fillRejected(large);
  setLive(large, live);
  std::vector<std::vector<std::vector<std::uint32_t>>> expected(large.bucketCount);
  for (const std::uint32_t index : live) {
    const std::vector<std::uint32_t> words = makeRecord(large, index);
    upload(*records, std::uint64_t{index} * large.stride, words.data(), large.stride);
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
  if (large.withStatistics) {
    std::vector<SluStatistics> found(1);
    download(found, statistics);
    ASSERT_EQ(found[0].inputCount, count);
    ASSERT_EQ(found[0].keptCount, capacity);
    ASSERT_EQ(found[0].rejectedCount[large.hasSpheres() ? SLU_REJECT_DISTANCE : SLU_REJECT_NOT_LIVE], count - capacity);
  }
  machine->dropPlans();
}

// Compares samples of what is written: in stable order that is the input, bucket by bucket. The bucket is what is left
// of a pattern record's number when their count, 1 or 2, divides it.
void LargeCuda::expectAllKept(const LargeCase& large, const CudaMemory& kept) {
  SCOPED_TRACE(testing::Message() << large);
  constexpr std::uint32_t kSampleRecords = 1000;
  const std::uint32_t count = large.recordCount(), buckets = large.bucketCount;
  const std::vector<std::uint32_t> pattern = fillWithPattern(large);
  if (large.hasStream()) fill(*stream, 0x40);  // floats of a little more than 3, and no flag is 0
  PlanSpec spec = planOf(large);
  addBuckets(spec, buckets, 1, 0, 0);
  if (buckets > 1) spec.info.key.shift = spec.info.key.bits = 1;
  const auto ofBucket = [&](std::uint32_t all, std::uint32_t bucket) { return (all + buckets - 1 - bucket) / buckets; };
  for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) {
    spec.buckets[bucket].capacity =
        count / kPatternRecords * ofBucket(kPatternRecords, bucket) + ofBucket(count % kPatternRecords, bucket);
  }
  const CudaMemory counts(machine->context(), sizeof(SluBucketCount) * buckets);
  const SluFrameInfo frame = makeFrame(large, kept, counts);
  const std::uint32_t words = large.stride / 4;
  std::vector<std::uint32_t> found(std::size_t{kSampleRecords} * words);
  std::vector<SluBucketCount> foundCounts(buckets);
  for (int times = 0; times < 2; ++times) {  // kernels may learn from what the last frame kept
    fill(kept, 0);
    compact(spec, frame);
    download(foundCounts, counts);
    for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) {
      ASSERT_EQ(foundCounts[bucket].demandedCount, spec.buckets[bucket].capacity) << bucket;
      ASSERT_EQ(foundCounts[bucket].keptCount, spec.buckets[bucket].capacity) << bucket;
    }
    const auto at4GiB = static_cast<std::uint32_t>(k4GiB / large.stride);
    std::vector<std::uint32_t> samples = {0, at4GiB - kSampleRecords / 2, count - kSampleRecords};
    for (int i = 0; i < 200; ++i) samples.push_back(random.below(count - kSampleRecords));
    for (const std::uint32_t first : samples) {
      download(found, kept, std::uint64_t{first} * large.stride);
      for (std::uint32_t i = 0; i < kSampleRecords; ++i) {
        const std::uint32_t* record = &found[std::size_t{i} * words];
        const std::uint32_t place = first + i;
        const std::uint32_t bucket = place < spec.buckets[0].capacity ? 0 : 1;
        const std::uint32_t placeInBucket = bucket == 0 ? place : place - spec.buckets[0].capacity;
        const std::uint32_t index = large.order == SLU_ORDER_STABLE
                                        ? placeInBucket % ofBucket(kPatternRecords, bucket) * buckets + bucket
                                        : record[0] / 2;
        ASSERT_LT(index, kPatternRecords) << "record " << place;
        ASSERT_EQ(index % buckets, bucket) << "record " << place;
        ASSERT_TRUE(std::equal(record, record + words, &pattern[std::size_t{index} * words])) << "record " << place;
      }
    }
  }
  machine->dropPlans();
}

constexpr std::uint32_t kStrides[] = {4, 8, 12, 16, 20, 28, 32, 36, 48, 64, 96, 128};  // a kernel each, or two
constexpr std::uint32_t kSortedStrides[] = {16, 32, 48, 64};  // of records that are sorted by bucket

TEST_F(LargeCuda, EveryKernelReachesBeyond4GiB) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : kStrides) ASSERT_NO_FATAL_FAILURE(expectKept({stride, order}));
    for (const std::uint32_t stride : kSortedStrides) {
      ASSERT_NO_FATAL_FAILURE(expectKept({.stride = stride, .order = order, .bucketCount = kBuckets}));
    }
    ASSERT_NO_FATAL_FAILURE(expectKept({.stride = 4, .order = order, .withIndices = true}));
    ASSERT_NO_FATAL_FAILURE(expectKept({.stride = 64, .order = order, .bucketCount = kBuckets, .withIndices = true}));
  }
}

// Spheres alone, spheres whose rejects are counted, and flags; some of the streams are as large as the records.
TEST_F(LargeCuda, WhatLiesBesideRecordsReachesBeyond4GiB) {
  if (const std::string lack = lackOf(kRecordBytes); !lack.empty()) GTEST_SKIP() << lack;
  stream = std::make_unique<CudaMemory>(machine->context(), kRecordBytes);
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t buckets : {1u, kBuckets}) {
      const std::uint32_t shortest = buckets == 1 ? 4 : 8;  // with a key
      for (const LargeCase& large :
           {LargeCase{32, order, Decider::spheresInRecord},
            {16, order, Decider::sphereStream},
            {.stride = 16, .order = order, .decider = Decider::sphereStream, .withStatistics = true},
            {shortest, order, Decider::flagBits},
            {shortest, order, Decider::flagBytes},
            {shortest, order, Decider::flagWords}}) {
        LargeCase into = large;
        into.bucketCount = buckets;
        ASSERT_NO_FATAL_FAILURE(expectKept(into));
      }
    }
  }
}

TEST_F(LargeCuda, PredicatesReachBeyond4GiB) {
  const PlanArguments arguments(planOf({4, SLU_ORDER_STABLE, Decider::predicate}), SLU_ROUTE_CUDA);
  Plan plan;
  const SluResult result = sluCreatePlan(machine->context(), arguments.get(), plan.put());
  if (result == SLU_ERROR_ROUTE_UNAVAILABLE) GTEST_SKIP() << sluGetErrorMessage(machine->context());
  require(machine->context(), result, "sluCreatePlan");
  for (const SluOrder order : kOrders) {
    ASSERT_NO_FATAL_FAILURE(expectKept({4, order, Decider::predicate}));
    ASSERT_NO_FATAL_FAILURE(expectKept({20, order, Decider::predicate, kBuckets}));
  }
}

TEST_F(LargeCuda, EveryKernelWritesBeyond4GiB) {
  if (const std::string lack = lackOf(2 * kRecordBytes); !lack.empty()) GTEST_SKIP() << lack;
  const CudaMemory kept(machine->context(), kRecordBytes);
  stream = std::make_unique<CudaMemory>(machine->context(), kRecordBytes);
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : kStrides) ASSERT_NO_FATAL_FAILURE(expectAllKept({stride, order}, kept));
    for (const std::uint32_t stride : kSortedStrides) {
      ASSERT_NO_FATAL_FAILURE(expectAllKept({stride, order, Decider::record, 2}, kept));
    }
    for (const std::uint32_t buckets : {1u, 2u}) {
      ASSERT_NO_FATAL_FAILURE(expectAllKept({32, order, Decider::spheresInRecord, buckets}, kept));
      ASSERT_NO_FATAL_FAILURE(expectAllKept({16, order, Decider::sphereStream, buckets}, kept));
      ASSERT_NO_FATAL_FAILURE(expectAllKept({20, order, Decider::flagWords, buckets}, kept));
    }
  }
}

TEST_F(LargeCuda, KernelsThatAdaptReachBeyond4GiBBothWays) {
  for (const std::uint32_t stride : {96u, 128u}) {
    ASSERT_NO_FATAL_FAILURE(expectKept({.stride = stride, .order = SLU_ORDER_UNORDERED, .afterMany = true}));
  }
}

}  // namespace
}  // namespace slu::test
