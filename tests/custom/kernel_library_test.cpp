// Who unloads what was loaded, with a driver that is played.
#include "kernels/kernel_library.h"

#include "fake_cuda.h"
#include "kernels/plan_kernels.h"
#include "sentence.h"

namespace slu::test {
namespace {

FakeCuda* played = nullptr;

CUresult load(CUlibrary* library, const void* code, CUjit_option*, void**, unsigned, CUlibraryOption*, void**,
              unsigned) {
  EXPECT_STREQ(static_cast<const char*>(code), "image");
  if (!played->enter("load")) return CUDA_ERROR_INVALID_IMAGE;
  *library = reinterpret_cast<CUlibrary>(played);
  return CUDA_SUCCESS;
}
CUresult unload(CUlibrary library) {
  EXPECT_EQ(library, reinterpret_cast<CUlibrary>(played));
  played->enter("unload");
  return CUDA_SUCCESS;
}
CUresult getKernel(CUkernel* kernel, CUlibrary, const char* name) {
  if (!played->enter(name)) return CUDA_ERROR_NOT_FOUND;
  *kernel = reinterpret_cast<CUkernel>(&played);
  return CUDA_SUCCESS;
}

class KernelLibraries : public testing::Test {
 protected:
  KernelLibraries() { played = &cuda; }
  CudaDriverFunctions driver() const {
    CudaDriverFunctions functions = cuda.driver();
    functions.libraryLoadData = load;
    functions.libraryUnload = unload;
    functions.libraryGetKernel = getKernel;
    return functions;
  }
  FakeCuda cuda;
  const CudaContext context{0, driver(), cuda.runtime()};
  const std::vector<char> image = {'i', 'm', 'a', 'g', 'e', '\0'};
};

TEST_F(KernelLibraries, AreUnloadedInTheContext) {
  {
    const CudaScope scope(context);
    const KernelLibrary library(context, image);
    EXPECT_EQ(library.kernel("kernel"), reinterpret_cast<CUfunction>(&played));
  }
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"load", "kernel", "unload"}));
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
  cuda.failing = "kernel";
  const CudaScope scope(context);
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER,
                             [&] {
                               const KernelLibrary library(context, image);
                               library.kernel("kernel");
                             }),
                  "cuLibraryGetKernel: ");
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"load", "kernel", "unload"}));
}

TEST_F(KernelLibraries, OfSharedSourcesAreUnloadedByTheLastPlan) {
  SourceCache<SourceLibrary> sources;
  CustomPredicate predicate;
  predicate.source = "source";
  const std::vector<CudaKernel> kernels = {CudaKernel::compactGeneral};
  const auto get = [&] {
    const CudaScope scope(context);
    return sources.get(predicate, kernels, [&] {
      return std::make_shared<const SourceLibrary>(context, CompiledKernels{image, {"kernel"}});
    });
  };
  cuda.failing = "kernel";
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, get), "cuLibraryGetKernel: ");
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"load", "kernel", "unload"}));
  cuda.failing.clear();
  cuda.calls.clear();
  std::shared_ptr<const SourceLibrary> first = get(), second = get();
  EXPECT_EQ(first->functions, std::vector<CUfunction>{reinterpret_cast<CUfunction>(&played)});
  EXPECT_EQ(first, second);
  first.reset();
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"load", "kernel"}));
  second.reset();
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"load", "kernel", "unload"}));
  EXPECT_TRUE(cuda.stack.empty());
}

}  // namespace
}  // namespace slu::test
