#include <algorithm>

#include "base/failure.h"
#include "scenes/particles.h"
#include "shaders/particle_step.h"

namespace demo {
namespace {

constexpr uint32_t kBlockSize = 256;
constexpr uint32_t kMaxBlocks = 4096;  // more particles than these cover are taken in turns

__global__ void __launch_bounds__(kBlockSize)
    writeParticles(Particle* particles, uint32_t* liveCount, uint32_t particleCount, float time) {
  const uint32_t live = particlesInUse(particleCount, time);
  const uint32_t first = blockIdx.x * kBlockSize + threadIdx.x;
  if (first == 0) *liveCount = live;
  for (uint32_t index = first; index < live; index += gridDim.x * kBlockSize)
    particles[index] = particleAt(index, particleCount, time);
}

void check(cudaError_t error, const char* call) {
  if (error != cudaSuccess) failRuntime(call, ": ", cudaGetErrorString(error));
}

}  // namespace

void enqueueParticles(void* particles, void* liveCount, uint32_t particleCount, float time) {
  cudaPointerAttributes attributes = {};
  check(cudaPointerGetAttributes(&attributes, particles), "cudaPointerGetAttributes");
  check(cudaSetDevice(attributes.device), "cudaSetDevice");
  const uint32_t blocks = std::min((particleCount + kBlockSize - 1) / kBlockSize, kMaxBlocks);
  writeParticles<<<blocks, kBlockSize>>>(static_cast<Particle*>(particles), static_cast<uint32_t*>(liveCount),
                                         particleCount, time);
  check(cudaGetLastError(), "the launch of the particles' kernel");
}

}  // namespace demo
