// What the header says a frame does, written down a second time: in double and by the words of the header, where the
// library compares squares of floats. The two agree exactly on numbers that are short enough, such as small integers.
#pragma once

#include <sluice/sluice.h>

#include <cstdint>
#include <vector>

namespace slu::test {

// A plan and the frame's numbers; views are read from frame.views.
struct Described {
  const SluPlanCreateInfo& plan;
  const std::vector<SluBucket>& buckets;  // one at least
  const SluFrameInfo& frame;

  std::uint32_t keyCount() const { return plan.key.keyCount < 1 ? 1 : plan.key.keyCount; }
  std::uint32_t lodCount() const { return plan.key.lodCount < 1 ? 1 : plan.key.lodCount; }
  std::uint32_t bucketCount() const { return keyCount() * lodCount(); }
  bool usesBounds() const { return plan.cullFlags != 0 || lodCount() > 1; }
  std::uint64_t outputsPerView() const;
};

// Where a frame's inputs lie; null where there are none.
struct Inputs {
  const std::uint8_t* records = nullptr;
  const std::uint8_t* spheres = nullptr;
  const std::uint8_t* flags = nullptr;
  const std::uint8_t* liveCount = nullptr;
};

// The records that pass, per bucket in input order, and the others' numbers by SluReject.
struct Passed {
  std::vector<std::vector<std::uint32_t>> buckets;
  std::uint32_t rejected[SLU_REJECT_COUNT] = {};
};
Passed findPassed(const Described& described, const Inputs& inputs, std::uint32_t view);

// The memory that the frame's bindings lie in, after the frame; all buffers begin at memory's first byte.
std::vector<std::uint8_t> runDefinition(const Described& described, const std::vector<std::uint8_t>& memory);

std::uint32_t commandBytes(SluDrawType type);

}  // namespace slu::test
