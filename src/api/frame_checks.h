// Turns what the host gives for a frame into what the routes run, and parts of buffers into what a route sees of them.
// Nothing here allocates unless it fails.
#pragma once

#include <sluice/sluice.h>

#include "plan/layout.h"
#include "routes/route.h"

namespace slu {

struct ContextState;

// What a part of a buffer must fulfil.
struct Part {
  const char* field;  // begins the sentence of a failure
  Use use;
  std::uint64_t bytes;
  std::uint32_t alignment = 4;
};

// Returns a part of a buffer as the route sees it. owner: what the buffer is bound for, a plan or a pyramid.
Binding bindPart(const Part& part, const SluBinding& given, const ContextState& state, SluRoute route,
                 const char* owner);

// Whether two parts have a byte in common. Parts that cannot be compared have none.
bool shareBytes(const Binding& a, const Binding& b);

// Checks every field but sType and structSize. The sentence of a failure begins with the field. target is where the
// frame goes, as in RoutePlan::run.
void checkFrame(const SluFrameInfo& info, const SluPlan_T& plan, void* target, Frame& frame);

}  // namespace slu
