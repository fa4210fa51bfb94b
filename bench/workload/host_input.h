// A workload's input in the memory of the process, for the arenas that are checked there.
#pragma once

#include <vector>

#include "workload/input_recipe.h"

namespace bench {

class HostInput {
 public:
  HostInput(const Workload& workload, uint32_t seed) : workload_(workload), recipe_(makeRecipe(workload, seed)) {}

  const Workload& workload() const { return workload_; }
  const InputRecipe& recipe() const { return recipe_; }

  // Made when they are first asked for.
  const std::vector<uint32_t>& words();
  const std::vector<uint32_t>& keptCounts();  // per view and bucket

 private:
  const Workload workload_;
  const InputRecipe recipe_;
  std::vector<uint32_t> words_;
  std::vector<uint32_t> keptCounts_;
};

}  // namespace bench
