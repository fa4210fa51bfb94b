// What a competitor says about itself, in whatever arena it runs.
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

  // Whether it is the library, whose calls' cost to the host is measured, too.
  virtual bool isSluice() const { return false; }

  // Why it cannot run the workload; empty when it can.
  virtual std::string refusal(const Workload& workload) const = 0;
};

}  // namespace bench
