// Checks a pick against the frame's own buffers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "frame/compaction.h"
#include "frame/pick.h"
#include "shaders/shared.h"

namespace demo {

// Returns a sentence for each of these that does not hold: the index stands at its place among the kept ones, and the
// ray through the pixel meets the record's bounds, if the plan has any. copies are of the frame's buffers; render is
// the camera that drew them.
std::vector<std::string> checkPick(const Pick& pick, const CompactionRequest& request,
                                   const PerChannel<std::span<std::byte>>& copies, const FrameConstants& render);

}  // namespace demo
