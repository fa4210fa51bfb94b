// Right and wrong outputs before the checks: the one on the host, and the one on the GPU where there is a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "judge/host_check.h"
#include "judge/reference.h"
#include "random.h"
#include "synthetic_input.h"
#ifdef SLUICE_CUDA
#include "cuda/input.h"
#include "cuda/output_check.h"
#include "gpu_fixture.h"
#include "judge/output_judge.h"
#endif

namespace bench {
namespace {

constexpr uint32_t kPoison = 0xa5a5a5a5u;
constexpr size_t kCanaryWords = 64;

// A right output of a random workload, to be changed and checked.
struct Case {
  Case(slu::test::Random& random, uint32_t leastKept) {
    do {
      workload = test::randomWorkload(random, 20000);
      seed = random.word();
      recipe = makeRecipe(workload, seed);
      input = test::makeInput(workload, recipe);
      counts.clear();
      for (const auto& indices : referenceIndices(workload, input))
        counts.push_back(static_cast<uint32_t>(indices.size()));
      bucket = static_cast<size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    } while (counts[bucket] < leastKept);
    capacity = workload.placement == Placement::Reserved ? std::max(counts[bucket] + random.below(3), 1u)
                                                         : workload.recordCount;
    output = test::rightOutput(workload, input, capacity, kPoison);
    output.insert(output.end(), kCanaryWords, kPoison);
  }

  uint32_t view() const { return static_cast<uint32_t>(bucket) / workload.bucketCount; }
  size_t elementWords() const { return workload.elementBytes() / 4; }
  std::vector<uint32_t>::iterator element(size_t rank) {
    return output.begin() + static_cast<ptrdiff_t>((range().first + rank) * elementWords());
  }
  test::KeptRange range() const { return test::keptRange(workload, counts, bucket, capacity); }

  // On the host; the GPU, where there is one, must find the same.
  std::optional<std::string> difference() const {
    HostInput hostInput(workload, seed);
    auto found = hostOutputDifference(hostInput, output, capacity);
#ifdef SLUICE_CUDA
    if (hasGpu()) {
      EXPECT_EQ(withoutChance(gpuDifference()), withoutChance(found)) << describe(workload);
    }
#endif
    return found;
  }

#ifdef SLUICE_CUDA
  static bool hasGpu() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count != 0;
  }

  // On the GPU either of two equal elements may be found to be the second.
  static std::optional<std::string> withoutChance(std::optional<std::string> found) {
    if (!found || found->find(describe(Fault::Repeated)) == std::string::npos) return found;
    const size_t place = found->find("element");
    return found->erase(place, found->find(" (", place) - place);
  }

  std::optional<std::string> gpuDifference() const {
    const Stream stream;
    const DeviceMemory deviceInput(input.size() * 4);
    const DeviceMemory deviceOutput(output.size() * 4);
    upload(deviceInput.get(), input);
    upload(deviceOutput.get(), output);
    return outputDifference(
        stream, {&workload, &recipe, &counts, {deviceInput.get(), deviceOutput.get()}, capacity, output.size() * 4});
  }
#endif

  Workload workload;
  uint32_t seed = 0;
  InputRecipe recipe;
  std::vector<uint32_t> input;
  std::vector<uint32_t> counts;
  size_t bucket;  // the fullest one of all views
  uint32_t capacity;
  std::vector<uint32_t> output;
};

class OutputCheck : public testing::Test {
 protected:
  // Changes right outputs and expects that the check says so, naming the fault.
  void expectFound(const char* fault, uint32_t leastKept, const std::function<bool(Case&)>& change) {
    for (int found = 0; found < 20;) {
      Case subject(random_, leastKept);
      if (!change(subject)) continue;
      ++found;
      const auto difference = subject.difference();
      ASSERT_TRUE(difference) << describe(subject.workload);
      EXPECT_NE(difference->find(fault), std::string::npos) << describe(subject.workload) << ": " << *difference;
    }
  }

  slu::test::Random random_;

 private:
  testing::ScopedTrace trace_{__FILE__, __LINE__, slu::test::describeSeed()};
};

TEST_F(OutputCheck, AcceptsRightOutputs) {
  for (int i = 0; i < 50; ++i) {
    const Case subject(random_, 0);
    EXPECT_EQ(subject.difference(), std::nullopt) << describe(subject.workload);
  }
}

TEST_F(OutputCheck, FindsAWrongPayload) {
  expectFound("differs from the record", 1, [&](Case& subject) {
    if (subject.workload.outputs == Outputs::Indices || subject.workload.recordBytes == 4) return false;
    const uint32_t word = random_.between(1, static_cast<uint32_t>(subject.elementWords()) - 1);
    subject.element(random_.below(subject.counts[subject.bucket]))[word] ^= 1u << random_.below(32);
    return true;
  });
}

TEST_F(OutputCheck, FindsWrongCommands) {
  expectFound("has another draw command", 1, [&](Case& subject) {
    if (!subject.workload.isMerged()) return false;
    const size_t rank = random_.below(static_cast<uint32_t>(subject.range().count));
    subject.element(rank)[random_.between(1, 4)] ^= 1u << random_.below(32);
    return true;
  });
}

TEST_F(OutputCheck, FindsRepeatedElements) {
  expectFound("appears a second time", 2, [](Case& subject) {
    if (subject.workload.order == Order::Stable) return false;  // the order is wrong, too
    std::copy(subject.element(0), subject.element(1), subject.element(1));
    return true;
  });
}

TEST_F(OutputCheck, FindsWrongOrder) {
  expectFound("comes after a later record", 2, [](Case& subject) {
    if (subject.workload.order != Order::Stable) return false;
    std::swap_ranges(subject.element(0), subject.element(1), subject.element(1));
    return true;
  });
}

TEST_F(OutputCheck, FindsMissingElements) {
  expectFound("names no record", 1, [](Case& subject) {
    std::fill_n(subject.element(subject.range().count - 1), subject.elementWords(), kPoison);
    const uint32_t record = subject.workload.outputs == Outputs::Indices ? kPoison : subject.recipe.recordOf(kPoison);
    return record >= subject.workload.recordCount;
  });
}

TEST_F(OutputCheck, FindsDeadRecords) {
  expectFound("not live", 1, [](Case& subject) {
    if (subject.workload.outputs != Outputs::Indices) return false;
    for (uint32_t i = 0; i < subject.workload.recordCount; ++i) {
      if (subject.recipe.isLive(i, subject.view())) continue;
      *subject.element(0) = i;
      return true;
    }
    return false;
  });
}

TEST_F(OutputCheck, FindsRecordsOfOtherBuckets) {
  expectFound("belongs to another bucket", 1, [](Case& subject) {
    if (subject.workload.bucketCount == 1 || subject.workload.isMerged()) return false;
    const size_t first = size_t{subject.view()} * subject.workload.bucketCount;
    Case copy = subject;
    copy.bucket = subject.bucket == first ? first + 1 : first;
    if (subject.counts[copy.bucket] == 0) return false;
    std::copy_n(copy.element(0), subject.elementWords(), subject.element(0));
    return true;
  });
}

// A record that another view keeps in this bucket is wrong. The error names the view.
TEST_F(OutputCheck, FindsRecordsOfOtherViews) {
  for (int found = 0; found < 20;) {
    Case subject(random_, 1);
    if (subject.workload.viewCount == 1) continue;
    Case copy = subject;
    copy.bucket = (subject.bucket + subject.workload.bucketCount) % subject.counts.size();
    if (subject.counts[copy.bucket] == 0) continue;
    const auto* stranger = &*copy.element(0);
    const uint32_t record =
        subject.workload.outputs == Outputs::Indices ? *stranger : subject.recipe.recordOf(*stranger);
    if (subject.recipe.isLive(record, subject.view())) continue;
    ++found;
    std::copy_n(copy.element(0), subject.elementWords(), subject.element(0));
    const auto difference = subject.difference();
    ASSERT_TRUE(difference) << describe(subject.workload);
    EXPECT_EQ(difference->find("view " + std::to_string(subject.view()) + ", bucket "), 0u) << *difference;
    EXPECT_NE(difference->find("not live in the view"), std::string::npos) << *difference;
  }
}

// A record that two views keep is right in both, so a bit per record would not do.
TEST_F(OutputCheck, AcceptsRecordsOfTwoViews) {
  int shared = 0;
  while (shared < 10) {
    const Case subject(random_, 1);
    if (subject.workload.viewCount * subject.workload.survivalPercent <= 100) continue;
    ++shared;
    EXPECT_EQ(subject.difference(), std::nullopt) << describe(subject.workload);
  }
}

TEST_F(OutputCheck, FindsWritesBehindTheKept) {
  expectFound("nothing belongs there", 0, [&](Case& subject) {
    if (subject.range().count == subject.range().room) return false;
    subject.element(subject.range().count)[static_cast<ptrdiff_t>(subject.elementWords()) - 1] ^= 1u
                                                                                                  << random_.below(32);
    return true;
  });
}

TEST_F(OutputCheck, FindsWritesBehindTheOutput) {
  expectFound("nothing belongs there", 0, [&](Case& subject) {
    subject.output[subject.output.size() - 1 - random_.below(kCanaryWords)] ^= 1u << random_.below(32);
    return true;
  });
}

TEST_F(OutputCheck, FindsWrongCopies) {
  for (int i = 0; i < 20; ++i) {
    Case subject(random_, 0);
    HostInput input(subject.workload, subject.seed);
    ASSERT_EQ(input.words(), subject.input) << describe(subject.workload);
    ASSERT_EQ(input.keptCounts(), subject.counts) << describe(subject.workload);
    std::vector<uint32_t> output = subject.input;
    output.resize(output.size() + kCanaryWords, kPoison);
    EXPECT_EQ(hostCopyDifference(input, output), std::nullopt) << describe(subject.workload);
    output[random_.below(static_cast<uint32_t>(output.size()))] ^= 1u << random_.below(32);
    EXPECT_TRUE(hostCopyDifference(input, output)) << describe(subject.workload);
  }
}

#ifdef SLUICE_CUDA

using OutputCheckOnGpu = test::GpuTest;

TEST_F(OutputCheckOnGpu, GpuMakesTheInputOfTheHost) {
  for (int i = 0; i < 20; ++i) {
    const Case subject(random_, 0);
    const DeviceMemory memory(subject.input.size() * 4);
    fillInput(stream(), subject.workload, subject.recipe, memory.as<uint32_t>());
    EXPECT_EQ(countKept(stream(), subject.workload, memory.as<uint32_t>()), subject.counts)
        << describe(subject.workload);
    EXPECT_EQ(download<uint32_t>(memory.get(), subject.input.size()), subject.input) << describe(subject.workload);
  }
}

TEST_F(OutputCheckOnGpu, FindsWrongCopies) {
  for (int i = 0; i < 20; ++i) {
    Case subject(random_, 0);
    subject.output = subject.input;
    subject.output.resize((subject.input.size() + 3) / 4 * 4 + kCanaryWords, kPoison);
    const DeviceMemory input(subject.input.size() * 4);
    const DeviceMemory output(subject.output.size() * 4);
    upload(input.get(), subject.input);
    const CheckedOutput checked = {&subject.workload,           &subject.recipe,  &subject.counts,
                                   {input.get(), output.get()}, subject.capacity, output.bytes()};
    upload(output.get(), subject.output);
    EXPECT_EQ(copyDifference(stream(), checked), std::nullopt) << describe(subject.workload);

    std::vector<uint32_t> wrong = subject.output;
    wrong[random_.below(static_cast<uint32_t>(subject.input.size()))] ^= 1u << random_.below(32);
    upload(output.get(), wrong);
    EXPECT_TRUE(copyDifference(stream(), checked)) << describe(subject.workload);

    wrong = subject.output;
    wrong[wrong.size() - 1 - random_.below(kCanaryWords)] ^= 1u << random_.below(32);
    upload(output.get(), wrong);
    EXPECT_TRUE(copyDifference(stream(), checked)) << describe(subject.workload);
  }
}

#endif

}  // namespace
}  // namespace bench
