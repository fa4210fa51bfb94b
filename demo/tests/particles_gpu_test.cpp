// The particles that CUDA simulates are those of the shared source, and nothing is written behind those in use.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "scenes/particle_check.h"
#include "scenes/particles.h"
#include "support/random.h"

namespace demo {
namespace {

struct CudaDeleter {
  void operator()(void* pointer) const { cudaFree(pointer); }
};
using CudaMemory = std::unique_ptr<void, CudaDeleter>;

constexpr int kPoison = 0xcd;

// Full of the poison.
CudaMemory allocate(size_t bytes) {
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, bytes), cudaSuccess);
  EXPECT_EQ(cudaMemset(pointer, kPoison, bytes), cudaSuccess);
  return CudaMemory(pointer);
}

TEST(ParticlesInCuda, AreThoseOfTheSharedSource) {
  int devices = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess || devices == 0)
    GTEST_SKIP() << "no CUDA device: " << cudaGetErrorString(error);
  const testing::ScopedTrace seed(__FILE__, __LINE__, slu::test::describeSeed());
  slu::test::Random random;
  // One, less than a block, and more than the blocks take at once.
  for (const uint32_t count :
       {1u, random.between(2, 255), random.between(256, 100'000), random.between(2u << 20, 3u << 20)}) {
    const float time = random.uniform(0.0f, 100.0f);
    const CudaMemory onDevice = allocate(count * sizeof(Particle)), liveCount = allocate(sizeof(uint32_t));
    enqueueParticles(onDevice.get(), liveCount.get(), count, time);
    std::vector<Particle> particles(count);
    uint32_t inUse = 0;
    ASSERT_EQ(cudaMemcpy(particles.data(), onDevice.get(), count * sizeof(Particle), cudaMemcpyDeviceToHost),
              cudaSuccess);
    ASSERT_EQ(cudaMemcpy(&inUse, liveCount.get(), sizeof(inUse), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(checkParticles(particles, inUse, time), std::vector<std::string>()) << count << " at " << time;

    Particle poison;
    std::memset(static_cast<void*>(&poison), kPoison, sizeof(poison));
    for (uint32_t index = inUse; index < count; ++index)
      ASSERT_EQ(std::memcmp(&particles[index], &poison, sizeof(poison)), 0) << "written behind " << inUse;
  }
}

}  // namespace
}  // namespace demo
