#pragma once

#include <vector>

namespace bench {

enum class ArenaId {
  Host,            // the process's memory and the host's processors
  Vulkan,          // a queue of a Vulkan device that computes and does not draw, where the device has one
  VulkanGraphics,  // a queue of a device with such queues that draws, too
  Cuda,            // a stream of a CUDA device
};
const char* name(ArenaId arena);
std::vector<ArenaId> allArenas();

}  // namespace bench
