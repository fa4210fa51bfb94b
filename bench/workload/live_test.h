// Says by its content whether a record is kept. All competitors evaluate it except Sluice, which has its own tests.
#pragma once

#include <cstdint>
#include <cstring>

#include "workload/views.h"

namespace bench {

// Both are called with the index of a record.

struct FirstWordTest {
  const uint32_t* records;
  uint32_t recordWords;

  BENCH_HOST_DEVICE bool operator()(uint64_t record) const { return records[record * recordWords] != 0; }
};

static_assert(sizeof(Sphere) == kSphereBytes && sizeof(MovedBox) == kBoxBytes);

template <typename Bounds>
BENCH_HOST_DEVICE Bounds loadBounds(const Bounds* at) {
#ifdef __CUDA_ARCH__
  return *at;  // loads of 16 bytes, where memcpy loads each byte
#else
  Bounds bounds;
  memcpy(&bounds, at, sizeof(bounds));  // inputs are words
  return bounds;
#endif
}

struct SphereTest {
  const Sphere* spheres;
  Frustum frustum;

  BENCH_HOST_DEVICE bool operator()(uint64_t record) const { return frustum.touches(loadBounds(spheres + record)); }
};

// Spheres in wider records.
struct SphereInRecordTest {
  const char* first;
  uint32_t recordBytes;
  Frustum frustum;

  BENCH_HOST_DEVICE bool operator()(uint64_t record) const {
    return frustum.touches(loadBounds(reinterpret_cast<const Sphere*>(first + record * recordBytes)));
  }
};

struct BoxTest {
  const MovedBox* boxes;
  Frustum frustum;

  BENCH_HOST_DEVICE bool operator()(uint64_t record) const { return frustum.touches(loadBounds(boxes + record)); }
};

inline const void* boundsOf(const Workload& workload, const void* input) {
  return static_cast<const char*>(input) + workload.boundsOffset();
}

// For one view, and spheres without gaps.
inline SphereTest sphereTest(const Workload& workload, const void* input) {
  return {static_cast<const Sphere*>(boundsOf(workload, input)), kFrustum};
}

// Calls run(test) with the test of the workload's view.
template <typename Run>
auto withLiveTest(const Workload& workload, uint32_t view, const void* input, const Run& run) {
  if (workload.predicate == Predicate::Word)
    return run(FirstWordTest{static_cast<const uint32_t*>(input), workload.recordBytes / 4});
  const void* bounds = boundsOf(workload, input);
  const Frustum frustum = viewFrustum(workload, view);
  if (workload.predicate == Predicate::BoxBeside) return run(BoxTest{static_cast<const MovedBox*>(bounds), frustum});
  if (workload.boundsStride() != kSphereBytes)
    return run(SphereInRecordTest{static_cast<const char*>(bounds), workload.recordBytes, frustum});
  return run(SphereTest{static_cast<const Sphere*>(bounds), frustum});
}

}  // namespace bench
