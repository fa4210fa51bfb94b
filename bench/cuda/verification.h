// Checks the frames that are timed.
#pragma once

#include "cuda/timed_frames.h"
#include "cuda/workload_buffers.h"

namespace bench {

// The first set of inputs up to this size is also compared with the reference on the host.
constexpr uint64_t kHostReferenceBytes = 16u << 20;

// Poisons every output and launches frames until each set had one. Checks every set, and the draws of the last one.
// Returns the first difference as a sentence, or nothing.
std::optional<std::string> verify(cudaStream_t stream, const Workload& workload, Role role,
                                  const WorkloadBuffers& buffers, PreparedCompetitor& competitor, TimedFrames& frames);

}  // namespace bench
