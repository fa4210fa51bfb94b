#include "base/cuda_error.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/cuda_scope.h"
#include "sentence.h"

namespace slu::test {
namespace {

bool hasDriver() { return findInCudaDriver("cuInit") != nullptr; }

TEST(CudaError, NamesTheCallAndWhatFailed) {
  const std::string sentence =
      sentenceOf(SLU_ERROR_DRIVER, [] { check(CUDA_ERROR_INVALID_VALUE, "cuImportExternalMemory"); });
  EXPECT_EQ(sentence, hasDriver() ? "cuImportExternalMemory: invalid argument (CUDA_ERROR_INVALID_VALUE)"
                                  : "cuImportExternalMemory: failed with CUresult 1");
}

TEST(CudaError, SuccessIsSilent) { check(CUDA_SUCCESS, "cuCtxPushCurrent"); }

TEST(CudaError, MapsToResults) {
  const auto expect = [](SluResult result, CUresult error) { sentenceOf(result, [&] { check(error, "call"); }); };
  expect(SLU_ERROR_OUT_OF_DEVICE_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
  expect(SLU_ERROR_DEVICE_LOST, CUDA_ERROR_ILLEGAL_ADDRESS);
  expect(SLU_ERROR_MISSING_FEATURE, CUDA_ERROR_NOT_SUPPORTED);
  expect(SLU_ERROR_MISSING_FEATURE, CUDA_ERROR_NO_BINARY_FOR_GPU);
  expect(SLU_ERROR_MISSING_FEATURE, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  expect(SLU_ERROR_ROUTE_UNAVAILABLE, CUDA_ERROR_NO_DEVICE);
  expect(SLU_ERROR_DRIVER, CUDA_ERROR_INVALID_CONTEXT);
}

// What functions of the host's runtime return, which launch its predicates.
TEST(CudaError, IsNumberedLikeTheRuntimes) {
  const auto expect = [](SluResult result, cudaError_t error) {
    sentenceOf(result, [&] { check(static_cast<CUresult>(error), "call"); });
  };
  expect(SLU_ERROR_OUT_OF_DEVICE_MEMORY, cudaErrorMemoryAllocation);
  expect(SLU_ERROR_DEVICE_LOST, cudaErrorIllegalAddress);
  expect(SLU_ERROR_DEVICE_LOST, cudaErrorLaunchFailure);
  expect(SLU_ERROR_MISSING_FEATURE, cudaErrorNoKernelImageForDevice);
  expect(SLU_ERROR_MISSING_FEATURE, cudaErrorInvalidDeviceFunction);
  expect(SLU_ERROR_ROUTE_UNAVAILABLE, cudaErrorNoDevice);
  expect(SLU_ERROR_DRIVER, cudaErrorInvalidValue);
  expect(SLU_ERROR_DRIVER, cudaErrorUnknown);
}

// ctest runs this with tests/interop/played_driver.c in place of the driver's library.
TEST(PlayedDriver, ThatDoesNotDoGetsASentence) {
  if (std::getenv("SLUICE_PLAYED_VERSION") == nullptr) GTEST_SKIP() << "no driver is played";
  const auto sentence = [](const char* version, const char* devices) {
    setenv("SLUICE_PLAYED_VERSION", version, 1);
    setenv("SLUICE_PLAYED_DEVICES", devices, 1);
    return sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [] { findCudaFunctions(); });
  };
  const std::string needed = std::to_string(CUDA_VERSION / 1000);
  EXPECT_EQ(sentence("11080", "1"), "the CUDA driver is of version 11.8; the library needs " + needed + ".0 or later");
  EXPECT_SENTENCE(sentence((needed + "000").c_str(), "0"), "cuInit: ");
  EXPECT_EQ(sentence((needed + "000").c_str(), "1"), "the CUDA driver has no cuCtxPopCurrent");
}

TEST(CudaError, AMachineWithoutADriverGetsASentence) {
  if (hasDriver()) GTEST_SKIP() << "this machine has a CUDA driver";
  constexpr char kSentence[] = "there is no CUDA driver on this machine";
  EXPECT_EQ(sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [] { findCudaFunctions(); }), kSentence);
  EXPECT_EQ(sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [] { const CudaContext context(0); }), kSentence);
}

}  // namespace
}  // namespace slu::test
