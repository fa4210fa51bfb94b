// Who unloads what was loaded, with a driver that is played.
#include "kernels/kernel_library.h"

#include <sluice/detail/kernels_hash.h>

#include "fake_cuda.h"
#include "functors.h"
#include "kernels/plan_kernels.h"
#include "sentence.h"

namespace slu::test {
namespace {

class KernelLibraries : public testing::Test {
 protected:
  KernelLibraries() { cuda.libraryError = CUDA_ERROR_INVALID_IMAGE; }

  FakeCuda cuda;
  const CudaContext context{0, cuda.functions()};
  const std::vector<char> image = {'i', 'm', 'a', 'g', 'e', '\0'};
};

TEST_F(KernelLibraries, AreUnloadedInTheContext) {
  {
    const CudaScope scope(context);
    const KernelLibrary library(context, image);
    EXPECT_EQ(cuda.image, image.data());
    EXPECT_NE(library.kernel("kernel"), nullptr);
    EXPECT_EQ(cuda.kernelNames, std::vector<std::string>{"kernel"});
  }
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"load", "get kernel", "load kernel", "unload"}));
  EXPECT_TRUE(cuda.stack.empty());
}

TEST_F(KernelLibraries, AreNotUnloadedWhenTheyWereNotLoaded) {
  cuda.failing = "load";
  const CudaScope scope(context);
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, [&] { const KernelLibrary library(context, image); }),
                  "cuLibraryLoadData: ");
  EXPECT_EQ(cuda.calls, std::vector<std::string>{"load"});
}

TEST_F(KernelLibraries, AreUnloadedWhenAKernelIsMissing) {
  const CudaScope scope(context);
  const auto use = [&] {
    const KernelLibrary library(context, image);
    library.kernel("kernel");
  };
  cuda.failing = "get kernel";
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, use), "cuLibraryGetKernel: ");
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"load", "get kernel", "unload"}));
  cuda.calls.clear();
  cuda.failing = "load kernel";
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, use), "cuKernelGetFunction: ");
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"load", "get kernel", "load kernel", "unload"}));
}

TEST_F(KernelLibraries, OfSharedSourcesAreUnloadedByTheLastPlan) {
  SourceCache<const SourceLibrary, CudaKernel> sources;
  CustomPredicate predicate;
  predicate.source = "source";
  const std::vector<CudaKernel> kernels = {CudaKernel::compactGeneral};
  const auto get = [&] {
    const CudaScope scope(context);
    return sources.get(predicate, kernels, [&] {
      return std::make_shared<const SourceLibrary>(context, CompiledKernels{image, {"kernel"}});
    });
  };
  cuda.failing = "get kernel";
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, get), "cuLibraryGetKernel: ");
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"load", "get kernel", "unload"}));
  cuda.failing.clear();
  cuda.calls.clear();
  std::shared_ptr<const SourceLibrary> first = get(), second = get();
  ASSERT_EQ(first->functions.size(), 1u);
  EXPECT_NE(first->functions[0], nullptr);
  EXPECT_EQ(first, second);
  first.reset();
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"load", "get kernel", "load kernel"}));
  second.reset();
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"load", "get kernel", "load kernel", "unload"}));
  EXPECT_TRUE(cuda.stack.empty());
}

// Of predicates that nvcc compiled.
TEST(KernelsHash, IsToldByPredicates) { EXPECT_EQ(functorOf(Weighted{}).kernelsHash, cuda::kKernelsHash); }

}  // namespace
}  // namespace slu::test
