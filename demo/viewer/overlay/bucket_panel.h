// Draws the part of the overlay about buckets: their counts, and what each level of detail draws.
#pragma once

#include <span>

#include "viewer/overlay/run_facts.h"

namespace demo {

// counts has one element per bucket. Both draw nothing otherwise.
void showBuckets(const RunFacts& facts, std::span<const SluBucketCount> counts);
void showLods(const RunFacts& facts, std::span<const SluBucketCount> counts);

}  // namespace demo
