// What holds of every frame, whatever was handed over.
#pragma once

#include "frame_maker.h"

namespace slu::fuzz {

// That the outputs of a frame that succeeded fit together. inOrder: kept records are in input order.
void expectConsistent(const FrameInput& frame, const PlanFacts& plan, const Guard& guard, bool inOrder);

// That the outputs are those that the CPU route left in `reference`: byte for byte, or but for what order leaves open.
void expectAgreement(FrameInput& frame, const PlanFacts& plan, const std::vector<std::vector<std::uint8_t>>& reference);

}  // namespace slu::fuzz
