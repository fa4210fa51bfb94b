// A second opinion on what a frame must produce, written from the public header alone and sharing no code with the
// library: plain loops, one record at a time.
#pragma once

#include "scene.h"

namespace slu::test {

// What a frame finds in its input.
struct Demand {
  std::uint32_t inputCount = 0;
  std::uint32_t overflow = 0;                      // SLU_OVERFLOW_INPUT_BIT or 0
  std::vector<std::uint32_t> rejected;             // [view][SluReject]
  std::vector<std::vector<std::uint32_t>> passed;  // [view][bucket]: the records that passed, in input order

  const std::vector<std::uint32_t>& of(const PlanSpec& plan, std::uint32_t view, std::uint32_t bucket) const {
    return passed[view * plan.bucketCount() + bucket];
  }
};

Demand findDemand(const PlanSpec& plan, const FrameSpec& frame, const std::vector<Bytes>& memories);

// Writes every output of the frame, kept records in input order.
void publish(const PlanSpec& plan, const FrameSpec& frame, const Demand& demand, std::vector<Bytes>& memories);

// How floats are added and multiplied: the oracle's own way rounds each operation once.
struct Arithmetic {
  enum Kind { exact, contracted, reordered } kind = exact;
  float dot(const float a[3], const float b[3]) const;
  void rotate(const float quaternion[4], float vector[3]) const;
};

struct Ball {
  float center[3];
  float radius;
};

// The world-space bounds of record i.
Ball boundsOf(const PlanSpec& plan, const std::uint8_t* record, const std::uint8_t* sphere,
              const Arithmetic& arithmetic = {});

// An SluReject, or SLU_REJECT_COUNT for a record that passes.
std::uint32_t cull(const PlanSpec& plan, const SluView& view, const Ball& ball, const Arithmetic& arithmetic = {});

std::uint32_t lodOf(const PlanSpec& plan, const SluView& view, const Ball& ball, const Arithmetic& arithmetic = {});

}  // namespace slu::test
