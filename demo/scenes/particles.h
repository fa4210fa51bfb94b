// What the shader particles.comp does, by CUDA. Part of builds with the CUDA route.
#pragma once

#include <cstdint>

namespace demo {

// Enqueues it in the default stream of the buffers' device, which becomes the thread's current one. particles: room for
// particleCount; liveCount: a uint32; both as sluGetCudaPointer tells. time: in seconds. Throws Failure.
void enqueueParticles(void* particles, void* liveCount, uint32_t particleCount, float time);

}  // namespace demo
