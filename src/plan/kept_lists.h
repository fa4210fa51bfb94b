// Where a plan with further streams finds what it keeps: indices and bucket counts. They are the frame's outputs, or lie in
// memory of the plan's if the host does not bind them.
#pragma once

#include "plan/layout.h"

namespace slu {

// Returns the bytes of that memory; 0 if the plan has no further streams, or the host binds both.
std::uint64_t keptListBytes(const PlanLayout& layout);

struct KeptLists {
  Binding indices, bucketCounts;
};
// Returns the frame's lists. memory: the plan's, at a multiple of 16.
KeptLists keptLists(const Frame& frame, const PlanLayout& layout, const Binding& memory);

// Returns the most chunks of SLU_GATHER_PLACES into which the kept places of a view's buckets are divided, at least one.
std::uint32_t mostGatheredChunks(const PlanLayout& layout, std::uint32_t recordCount);

// Returns the widest unit, in words, in which elements of the stream can be copied.
std::uint32_t unitWords(const SluStream& stream, const StreamBinding& binding);

}  // namespace slu
