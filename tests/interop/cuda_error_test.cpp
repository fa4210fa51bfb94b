#include "base/cuda_error.h"

#include <gtest/gtest.h>

#include "base/cuda_scope.h"
#include "interop/device_match.h"
#include "sentence.h"

namespace slu::test {
namespace {

bool hasDriver() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess && version != 0;
}

TEST(CudaError, NamesTheCallAndWhatFailed) {
  const std::string sentence =
      sentenceOf(SLU_ERROR_DRIVER, [] { check(cudaErrorInvalidValue, "cudaImportExternalMemory"); });
  EXPECT_EQ(sentence, "cudaImportExternalMemory: invalid argument (cudaErrorInvalidValue)");
}

TEST(CudaError, SuccessIsSilent) {
  check(cudaSuccess, "cudaFree");
  check(CUDA_SUCCESS, "cuCtxPushCurrent");
}

TEST(CudaError, MapsToResults) {
  sentenceOf(SLU_ERROR_OUT_OF_DEVICE_MEMORY, [] { check(cudaErrorMemoryAllocation, "call"); });
  sentenceOf(SLU_ERROR_DEVICE_LOST, [] { check(cudaErrorIllegalAddress, "call"); });
  sentenceOf(SLU_ERROR_MISSING_FEATURE, [] { check(cudaErrorNotSupported, "call"); });
  sentenceOf(SLU_ERROR_MISSING_FEATURE, [] { check(cudaErrorNoKernelImageForDevice, "call"); });
  sentenceOf(SLU_ERROR_MISSING_FEATURE, [] { check(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "call"); });
  sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [] { check(CUDA_ERROR_NO_DEVICE, "call"); });
  sentenceOf(SLU_ERROR_DRIVER, [] { check(CUDA_ERROR_INVALID_CONTEXT, "call"); });
}

TEST(CudaError, AMachineWithoutADriverGetsASentence) {
  if (hasDriver()) GTEST_SKIP() << "this machine has a CUDA driver";
  constexpr char kSentence[] = "there is no CUDA driver on this machine";
  EXPECT_EQ(sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [] { requireCudaDriver(); }), kSentence);
  EXPECT_EQ(sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [] { cudaIdentities(); }), kSentence);
  EXPECT_EQ(sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [] { findDriverFunctions(); }), kSentence);
  EXPECT_EQ(sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [] { const CudaContext context(0); }), kSentence);
}

}  // namespace
}  // namespace slu::test
