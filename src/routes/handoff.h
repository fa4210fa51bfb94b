// What a route that takes turns with a graphics API of the host's offers it: the hand-off of sluice_cuda.h from inside.
#pragma once

#include <sluice/sluice_cuda.h>

#include "plan/layout.h"

namespace slu {

class Handoff {
 public:
  virtual ~Handoff() = default;

  // The values that handoff holds. Throws unless they can be enqueued into the stream. Enqueues nothing.
  virtual HandoffValues check(const SluHandoffInfo& handoff, CUstream_st* stream) const = 0;

  // Enqueues the wait, then the signal. The values were checked.
  virtual void enqueue(const HandoffValues& values, CUstream_st* stream) = 0;
};

}  // namespace slu
