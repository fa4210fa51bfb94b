#include "competitors/live_flags.h"
#include "cuda/cuda_objects.h"

namespace bench {
namespace {

constexpr uint32_t kThreads = 256;
constexpr uint32_t kFlagsPerThread = 4;  // one store, and as many loads in flight

__global__ void __launch_bounds__(kThreads)
    flagLive(const uint32_t* input, uint32_t recordCount, uint32_t recordWords, uchar4* flags) {
  const uint64_t quad = uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const uint64_t first = quad * kFlagsPerThread;
  if (first >= recordCount) return;
  uint32_t words[kFlagsPerThread] = {};
#pragma unroll
  for (uint32_t i = 0; i < kFlagsPerThread; ++i) {
    if (first + i < recordCount) words[i] = input[(first + i) * recordWords];
  }
  flags[quad] = make_uchar4(words[0] != 0, words[1] != 0, words[2] != 0, words[3] != 0);
}

}  // namespace

void writeLiveFlags(cudaStream_t stream, const Workload& workload, const void* input, uint8_t* flags) {
  constexpr uint64_t kBlockFlags = kThreads * kFlagsPerThread;
  const auto blocks = static_cast<uint32_t>((workload.recordCount + kBlockFlags - 1) / kBlockFlags);
  flagLive<<<blocks, kThreads, 0, stream>>>(static_cast<const uint32_t*>(input), workload.recordCount,
                                            workload.recordBytes / 4, reinterpret_cast<uchar4*>(flags));
  check(cudaGetLastError(), "flagLive");
}

}  // namespace bench
