// The part of the overlay that tells the buckets apart: their counts, and what each level of detail draws.
#pragma once

#include <span>

#include "viewer/overlay/run_facts.h"

namespace demo {

// counts: one per bucket. Draw nothing when that is not so.
void showBuckets(const RunFacts& facts, std::span<const SluBucketCount> counts);
void showLods(const RunFacts& facts, std::span<const SluBucketCount> counts);

}  // namespace demo
