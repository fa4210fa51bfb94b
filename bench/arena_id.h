#pragma once

#include <vector>

namespace bench {

enum class ArenaId {
  Host,    // the process's memory and the host's processors
  Vulkan,  // a queue of a Vulkan device
  Cuda,    // a stream of a CUDA device
};
const char* name(ArenaId arena);
std::vector<ArenaId> allArenas();

}  // namespace bench
