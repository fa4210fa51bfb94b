// The word test of workloads as a predicate of a host's, in the language of each route.
#pragma once

#include <sluice/sluice_cuda.h>
#include <sluice/sluice_glsl.h>

namespace bench {

// Chains the predicates to a plan; it must live until the plan is created.
class NonzeroPredicate {
 public:
  NonzeroPredicate();
  NonzeroPredicate(const NonzeroPredicate&) = delete;
  NonzeroPredicate& operator=(const NonzeroPredicate&) = delete;

  const void* chain() const { return &host_; }

 private:
  SluHostPredicateInfo host_ = SLU_INIT(HOST_PREDICATE_INFO, SluHostPredicateInfo);
  SluCudaSourceInfo cuda_ = SLU_INIT(CUDA_SOURCE_INFO, SluCudaSourceInfo);
  SluSpirvPredicateInfo spirv_ = SLU_INIT(SPIRV_PREDICATE_INFO, SluSpirvPredicateInfo);
};

}  // namespace bench
