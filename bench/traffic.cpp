#include "traffic.h"

#include <algorithm>

namespace bench {

Traffic trafficOf(const Workload& workload, uint64_t keptCount) {
  const uint32_t testedBytes = std::min(workload.recordBytes, kSectorBytes);
  const uint32_t restBytes = workload.outputs == Outputs::Records ? workload.recordBytes - testedBytes : 0;
  const uint64_t writtenBytes = keptCount * workload.elementBytes();
  return {uint64_t{workload.recordCount} * testedBytes + keptCount * restBytes + writtenBytes,
          workload.inputBytes() + writtenBytes};
}

}  // namespace bench
