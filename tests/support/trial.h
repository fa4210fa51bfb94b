// Runs a scene on a machine and on its reference and says where they differ.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "machine.h"
#include "oracle.h"

namespace slu::test {

// The reference is the CPU route in a context of its own; for the CPU route itself it is the oracle.
//
// All memories must agree byte for byte: outputs, inputs, and the canaries around them. Only where an unordered plan
// leaves the order (and, when a bucket overflows, the choice) open, kept records are compared as sets per view and
// bucket.
class Trial {
 public:
  Trial(Machine& machine, const Scene& scene);  // both must outlive the trial

  // Both start from memories, which receive the reference's result, and execute the frames `times` times.
  testing::AssertionResult run(std::vector<Bytes>& memories, std::uint32_t times = 1);

 private:
  Machine& machine_;
  const Scene& scene_;
  std::unique_ptr<Session> session_;
};

// One run of the scene from its own memories.
testing::AssertionResult agrees(Machine& machine, const Scene& scene);

// Whether the CPU route leaves the same behind, from the scene's own memories, as one run of it somewhere else. Settles
// legal differences of order in `actual`.
testing::AssertionResult agreesWithReference(const Scene& scene, std::vector<Bytes>& actual);

// Destroys the plans that references created so far.
void dropReferencePlans();

// What a frame found and kept on the reference; the input where an unordered plan copies records or streams.
struct Step {
  Demand demand;
  Bytes records;
  std::vector<Bytes> streams;
};

// Compares; steps are empty where the order is fixed. Settles legal differences of order in `actual`.
testing::AssertionResult compareMemories(const Scene& scene, const std::vector<Step>& steps,
                                         const std::vector<Bytes>& expected, std::vector<Bytes>& actual);

}  // namespace slu::test
