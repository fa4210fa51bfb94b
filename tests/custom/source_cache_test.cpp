// Which plans share what was made of a source.
#include "plan/source_cache.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "kernels/list.h"

namespace slu::test {
namespace {

using Made = std::shared_ptr<const int>;

class SourceCaches : public testing::Test {
 protected:
  SourceCaches() {
    predicate.source = "source";
    predicate.options = {"-DA=1", "-DB=2"};
    predicate.stateSize = 4;
  }
  Made get(const CustomPredicate& of) {
    return cache.get(of, kernels, [&] { return std::make_shared<const int>(++madeCount); });
  }

  SourceCache<const int, CudaKernel> cache;
  CustomPredicate predicate;
  std::vector<CudaKernel> kernels = {CudaKernel::countBuckets, CudaKernel::scatterBuckets};
  int madeCount = 0;
};

TEST_F(SourceCaches, GiveTheSameForTheSame) {
  const Made first = get(predicate);
  predicate.state[0] = 1;  // no part of what is compiled
  EXPECT_EQ(get(predicate), first);
  EXPECT_EQ(madeCount, 1);
}

TEST_F(SourceCaches, TellAllThatIsCompiledApart) {
  std::vector<Made> all = {get(predicate)};
  const auto expectAnother = [&](const CustomPredicate& other) {
    all.push_back(get(other));
    EXPECT_EQ(*all.back(), static_cast<int>(all.size()));
  };
  CustomPredicate other = predicate;
  other.source += " ";
  expectAnother(other);
  other = predicate;
  other.options = {"-DB=2", "-DA=1"};
  expectAnother(other);
  other.options.pop_back();
  expectAnother(other);
  other = predicate;
  other.stateSize = 8;
  expectAnother(other);
  other = predicate;
  other.computesKey = true;
  expectAnother(other);
  other = predicate;
  other.modules = SpirvModules({{"compact_native", {1, 2}, 3}});
  expectAnother(other);
  EXPECT_EQ(get(other), all.back());
  other.modules = SpirvModules({{"compact_native", {1, 2}, 3}});
  EXPECT_EQ(get(other), all.back()) << "a copy of the same modules";
  other.modules = SpirvModules({{"compact_native", {1, 3}, 3}});
  expectAnother(other);
  kernels = {CudaKernel::countBuckets};
  expectAnother(predicate);
  kernels = {CudaKernel::countBuckets, CudaKernel::scatterBuckets};
  EXPECT_EQ(get(predicate), all[0]);
}

TEST_F(SourceCaches, KeepNothingAlive) {
  Made first = get(predicate);
  Made second = get(predicate);
  const std::weak_ptr<const int> seen = first;
  first.reset();
  EXPECT_FALSE(seen.expired());
  second.reset();
  EXPECT_TRUE(seen.expired());
  EXPECT_EQ(*get(predicate), 2);
}

TEST_F(SourceCaches, KeepNoFailure) {
  const auto fails = [&]() -> Made { throw std::runtime_error("refused"); };
  EXPECT_THROW(cache.get(predicate, kernels, fails), std::runtime_error);
  const Made made = get(predicate);
  EXPECT_EQ(madeCount, 1);
  EXPECT_EQ(cache.get(predicate, kernels, fails), made);
}

// The files may have changed.
TEST_F(SourceCaches, ShareNothingThatIncludesFiles) {
  CustomPredicate other = predicate;
  other.source = "#include \"file.h\"\n";
  EXPECT_NE(get(other), get(other));
  other = predicate;
  other.options.push_back("-include=file.h");
  EXPECT_NE(get(other), get(other));
}

}  // namespace
}  // namespace slu::test
