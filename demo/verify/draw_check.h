// Checks the draw commands of a plan with a table of meshes or of clusters, or with workgroups, without the library.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "frame/compaction.h"

namespace demo {

// Returns a sentence for the first command of each view, or group of a view, that differs from what the table or the counts say of its bucket. copies are
// of the frame's buffers.
std::vector<std::string> checkDraws(const CompactionRequest& request, const PerChannel<std::span<std::byte>>& copies);

}  // namespace demo
