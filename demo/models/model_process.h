// Runs the importer of models in a process of its own: a file that makes assimp crash, hang or use up memory costs a
// sentence.
#pragma once

#include <filesystem>
#include <optional>

#include "models/model_import.h"

namespace demo {

// As importModel. Takes 10 s and 1 GiB of memory at most. The counts of what it returns are bounded, and nothing else
// of it has been checked.
ModelImport importContained(const std::filesystem::path& file);

// Every program that calls importContained starts itself as the importer's process, and calls this first in main. The
// exit code, when the arguments are those of that process.
std::optional<int> runAsImporter(int argumentCount, char** arguments);

}  // namespace demo
