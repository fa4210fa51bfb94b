// Says by its content whether a record is kept. All competitors evaluate it except Sluice, which has its own tests.
#pragma once

#include <cstdint>
#include <cstring>

#include "workload/frustum.h"
#include "workload/workload.h"

namespace bench {

// Both are called with the index of a record.

struct FirstWordTest {
  const uint32_t* records;
  uint32_t recordWords;

  BENCH_HOST_DEVICE bool operator()(uint64_t record) const { return records[record * recordWords] != 0; }
};

struct SphereTest {
  const Sphere* spheres;
  Frustum frustum;

  BENCH_HOST_DEVICE bool operator()(uint64_t record) const {
#ifdef __CUDA_ARCH__
    const Sphere sphere = spheres[record];  // one load, where memcpy is 16
#else
    Sphere sphere;
    memcpy(&sphere, spheres + record, sizeof(sphere));  // inputs are words
#endif
    return frustum.touches(sphere);
  }
};

inline SphereTest sphereTest(const Workload& workload, const void* input) {
  return {reinterpret_cast<const Sphere*>(static_cast<const char*>(input) + workload.spheresOffset()), kFrustum};
}

// Calls run(test) with the workload's test.
template <typename Run>
auto withLiveTest(const Workload& workload, const void* input, const Run& run) {
  if (workload.predicate == Predicate::Word)
    return run(FirstWordTest{static_cast<const uint32_t*>(input), workload.recordBytes / 4});
  return run(sphereTest(workload, input));
}

}  // namespace bench
