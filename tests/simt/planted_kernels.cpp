#include "planted_kernels.h"

#include <mutex>
#include <string_view>

#include "simt/cuda_on_cpu.h"

namespace {

const slu::test::Planted* current = nullptr;
std::mutex mutex;

// Notes the call, or tells whether it is the one that is missing.
bool isMissing(const char* name, const char* function, simt::Site site) {
  if (current->calls == nullptr && current->missing->line != site.line) return false;
  const std::string_view path(site.file);
  const std::string_view instance(function);  // some compilers name the template's arguments
  slu::test::Call call{name, std::string(instance.substr(0, instance.find('<'))),
                       std::string(path.substr(path.rfind('/') + 1)), site.line};
  if (current->calls == nullptr) return *current->missing == call;
  const std::lock_guard lock(mutex);
  current->calls->insert(std::move(call));
  return false;
}

void barrier(const char* function = __builtin_FUNCTION(), simt::Site site = simt::Site::here()) {
  if (!isMissing("__syncthreads", function, site)) __syncthreads(site);
}

unsigned ballot(unsigned mask, int predicate, const char* function = __builtin_FUNCTION(),
                simt::Site site = simt::Site::here()) {
  constexpr unsigned kLane = 5;
  if (threadIdx.x % 32 == kLane && isMissing("__ballot_sync", function, site)) return 0;
  return __ballot_sync(mask, predicate, site);
}

void barrierOfWarp(const char* function = __builtin_FUNCTION(), simt::Site site = simt::Site::here()) {
  if (!isMissing("__syncwarp", function, site)) __syncwarp(0xffffffffu, site);
}

void phase(simt::BarrierWord barrier, unsigned number, const char* function = __builtin_FUNCTION(),
           simt::Site site = simt::Site::here()) {
  if (!isMissing("awaitPhase", function, site)) awaitPhase(barrier, number, site);
}

void arrival(simt::BarrierWord barrier, const char* function = __builtin_FUNCTION(),
             simt::Site site = simt::Site::here()) {
  if (!isMissing("arriveAt", function, site)) arriveAt(barrier);
}

void expectation(simt::BarrierWord barrier, unsigned bytes, const char* function = __builtin_FUNCTION(),
                 simt::Site site = simt::Site::here()) {
  if (!isMissing("arriveExpecting", function, site)) arriveExpecting(barrier, bytes);
}

template <typename T>
void copy(simt::SharedPointer<T> to, const T* from, unsigned bytes, simt::BarrierWord barrier,
          const char* function = __builtin_FUNCTION(), simt::Site site = simt::Site::here()) {
  if (!isMissing("copyBulk", function, site)) copyBulk(to, from, bytes, barrier);
}

}  // namespace

// In namespaces of their own; what arguments.h has is common to both forms.
namespace slu::cuda_planted {
using namespace cuda;
}
#define cuda cuda_planted
#define device device_planted
#define __syncthreads barrier
#define __syncwarp barrierOfWarp
#define __ballot_sync ballot
#define awaitPhase phase
#define arriveAt arrival
#define arriveExpecting expectation
#define copyBulk copy
#include "kernel_functions.h"
#undef cuda

namespace slu::test {

testing::AssertionResult launchPlanted(const CudaLaunch& launch, const cuda::Arguments& arguments,
                                       const Planted& planted) {
  current = &planted;
  return simt::launch({.grid = {launch.x, launch.y},
                       .block = launch.block.threads,
                       .sharedBytes = launch.block.sharedBytes,
                       .workers = 2},
                      functionOf(launch.kernel), arguments);
}

}  // namespace slu::test
