#include "base/cuda_functions.h"

#include <string>

#include "base/cuda_error.h"
#include "base/error.h"
#include "base/library.h"

namespace slu {
namespace {

#ifdef _WIN32
constexpr const char* kDriver = "nvcuda.dll";
#else
constexpr const char* kDriver = "libcuda.so.1";
#endif

template <typename Function>
Function findExport(const char* name) {
  return reinterpret_cast<Function>(findInCudaDriver(name));
}

// "13.0" of 13000.
std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void requireDriver() {
  const auto getVersion = findExport<PFN_cuDriverGetVersion_v2020>("cuDriverGetVersion");
  if (getVersion == nullptr) fail(SLU_ERROR_ROUTE_UNAVAILABLE, "there is no CUDA driver on this machine");
  int driver = 0;
  check(getVersion(&driver), "cuDriverGetVersion");
  constexpr int kMajor = CUDA_VERSION / 1000;  // code of a major version runs on every driver of that version
  if (driver / 1000 < kMajor) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, "the CUDA driver is of version ", versionText(driver), "; the library needs ",
         kMajor, ".0 or later");
  }
}

template <typename Function>
void lookUp(PFN_cuGetProcAddress_v12000 getProcAddress, Function& function, const char* name) {
  constexpr int kVersion = 12000;  // of the types in the table, whatever newer ones the driver has
  void* found = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  check(getProcAddress(name, &found, kVersion, CU_GET_PROC_ADDRESS_DEFAULT, &status), "cuGetProcAddress");
  if (found == nullptr || status != CU_GET_PROC_ADDRESS_SUCCESS) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, "the CUDA driver has no ", name);
  }
  function = reinterpret_cast<Function>(found);
}

}  // namespace

void* findInCudaDriver(const char* name) noexcept { return findInLibrary(kDriver, name); }

CudaFunctions findCudaFunctions() {
  requireDriver();
  const auto initialize = findExport<PFN_cuInit_v2000>("cuInit");
  const auto getProcAddress = findExport<PFN_cuGetProcAddress_v12000>("cuGetProcAddress_v2");
  if (initialize == nullptr || getProcAddress == nullptr) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, "the CUDA driver has no cuInit or no cuGetProcAddress");
  }
  check(initialize(0), "cuInit");
  CudaFunctions functions;
#define SLU_LOOK_UP(name, version) lookUp(getProcAddress, functions.name, #name);
  SLU_CUDA_FUNCTIONS(SLU_LOOK_UP)
#undef SLU_LOOK_UP
  return functions;
}

}  // namespace slu
