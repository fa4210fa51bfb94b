// A competitor of any arena tells its name and role, and which workloads it can run.
#pragma once

#include <string>

#include "arena/role.h"
#include "workload/workload.h"

namespace bench {

class Contestant {
 public:
  virtual ~Contestant() = default;

  virtual std::string name() const = 0;  // unlike any other of any arena
  virtual Role role() const = 0;

  // Returns whether it is Sluice. The time that the host spends in Sluice's calls is also measured.
  virtual bool isSluice() const { return false; }

  // Says why it cannot run the workload; empty when it can.
  virtual std::string refusal(const Workload& workload) const = 0;
};

}  // namespace bench
