// What holds of every frame, whatever was handed over.
#pragma once

#include "frame_maker.h"

namespace slu::fuzz {

// What the memory of a frame held before it; only what the frame may touch can be touched meanwhile.
class Guard {
 public:
  Guard(FrameInput& frame, const PlanFacts& plan);

  // Ends the watch. Call it before anything looks at the memory.
  void lift();
  // That nothing changed, but for the outputs of a frame that succeeded.
  void expectUntouched(bool succeeded) const;
  // The byte's value before.
  const std::uint8_t* before(const std::uint8_t* byte) const;
  void restore() const;

 private:
  FrameInput& frame_;
  std::vector<std::vector<std::uint8_t>> before_;
};

// That the outputs of a frame that succeeded fit together. inOrder: kept records are in input order.
void expectConsistent(const FrameInput& frame, const PlanFacts& plan, const Guard& guard, bool inOrder);

// That the outputs are those that the CPU route left in `reference`: byte for byte, or but for what order leaves open.
void expectAgreement(FrameInput& frame, const PlanFacts& plan, const std::vector<std::vector<std::uint8_t>>& reference);

std::vector<std::vector<std::uint8_t>> copyOf(FrameInput& frame);

}  // namespace slu::fuzz
