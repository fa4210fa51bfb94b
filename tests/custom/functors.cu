#include <sluice/predicate.cuh>

#include "functors.h"

namespace slu::test {

SluCudaPredicateInfo functorOf(const Weighted& predicate) { return cudaPredicate(predicate); }
SluCudaPredicateInfo functorOf(const Keyed& predicate) { return cudaPredicate(predicate); }
SluCudaPredicateInfo functorOf(const Thirds& predicate) { return cudaPredicate(predicate); }
SluCudaPredicateInfo functorOf(const Aligned& predicate) { return cudaPredicate(predicate); }

}  // namespace slu::test
