// Runs the importer of models in a process of its own, so that a file that makes assimp crash, hang or use up memory
// ends in a sentence.
#pragma once

#include <filesystem>
#include <optional>

#include "models/model_import.h"

namespace demo {

// Does what importModel does, within 10 s and 1 GiB of memory. The counts of what it returns are bounded; nothing else
// has been checked.
ModelImport importContained(const std::filesystem::path& file);

// A program that calls importContained starts itself as the importer's process, so main must call this first. Returns
// the exit code when the arguments are those of that process.
std::optional<int> runAsImporter(int argumentCount, char** arguments);

}  // namespace demo
