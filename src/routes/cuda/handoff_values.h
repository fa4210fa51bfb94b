// Which values of a hand-off may be enqueued, whatever API the timelines are of.
#pragma once

#include <sluice/sluice_cuda.h>

#include "interop/external_semaphore.h"
#include "plan/layout.h"

namespace slu {

// Returns the values that handoff holds. Throws unless they follow what was enqueued, and the stream is not being
// captured. Enqueues nothing.
HandoffValues checkValues(const SluHandoffInfo& handoff, const TimelineEnds& timelines, const CudaContext& context,
                          CUstream stream);

// Enqueues the wait, then the signal.
void enqueueValues(const HandoffValues& values, TimelineEnds& timelines, CUstream stream);

}  // namespace slu
