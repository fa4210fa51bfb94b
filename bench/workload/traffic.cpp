#include "workload/traffic.h"

#include <algorithm>

namespace bench {

Traffic trafficOf(const Workload& workload, uint64_t keptCount) {
  const bool beside = workload.hasBoundsBeside();
  const uint32_t firstBytes = std::min(workload.recordBytes, kSectorBytes);
  const uint32_t testedBytes = beside ? workload.boundsBytes() : firstBytes;
  const uint32_t keyBytes = beside && workload.readsRecords() ? firstBytes : 0;
  const uint32_t restBytes = workload.outputs == Outputs::Records ? workload.recordBytes - firstBytes : 0;
  const uint64_t writtenBytes = keptCount * workload.elementBytes();
  // Views that overlap keep every record, see views.h.
  const uint64_t keptOnce = std::min(keptCount, uint64_t{workload.recordCount});
  return {uint64_t{workload.recordCount} * testedBytes + keptOnce * (keyBytes + restBytes) + writtenBytes,
          workload.inputBytes() + writtenBytes};
}

}  // namespace bench
