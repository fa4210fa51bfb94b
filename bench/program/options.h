// Reads the command line into options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arena/arena_id.h"
#include "arena/trial_settings.h"
#include "workload/workload.h"

namespace bench {

struct Options {
  std::vector<Workload> workloads;       // what --suite or the lists and --filter leave, at least one
  std::vector<ArenaId> arenas;           // empty: all that there are
  std::vector<std::string> competitors;  // names; empty: all
  TrialSettings trial;
  bool reduction = false;
  bool handoffs = false;
  bool occlusion = false;
  bool bound = false;
  bool severalDispatches = false;
  bool masks = false;
  bool customs = false;
  bool meshes = false;
  bool list = false;
  int device = 0;            // CUDA's
  std::string vulkanDevice;  // an index or a part of the name; empty: a GPU if there is one
  std::string json;          // empty: no file
  std::string csv;           // empty: no file
};

// Reads the command line. An empty result means that --help or --version was asked for and answered. Throws Failure
// (Cause::BadInput) with a sentence that names the option.
std::optional<Options> parseOptions(int argumentCount, const char* const* arguments);

}  // namespace bench
