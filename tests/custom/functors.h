// The predicates of the tests as nvcc compiles them for a host.
#pragma once

#include <sluice/sluice_cuda.h>

#include "predicates.h"

namespace slu::test {

// The struct points to the predicate.
SluCudaPredicateInfo functorOf(const Weighted& predicate);
SluCudaPredicateInfo functorOf(const Keyed& predicate);
SluCudaPredicateInfo functorOf(const Thirds& predicate);
SluCudaPredicateInfo functorOf(const Aligned& predicate);

}  // namespace slu::test
