// Does in CUDA what the shader particles.comp does. Builds without the CUDA route do not have it.
#pragma once

#include <cstdint>

namespace demo {

// Enqueues the kernel in the default stream of the buffers' device, which becomes the thread's current one. particles
// has room for particleCount, liveCount is a uint32, and sluGetCudaPointer returned both. time is in seconds. Throws
// Failure.
void enqueueParticles(void* particles, void* liveCount, uint32_t particleCount, float time);

}  // namespace demo
