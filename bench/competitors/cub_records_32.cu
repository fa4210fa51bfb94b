#include "competitors/cub_records.cuh"

namespace bench {

template std::unique_ptr<PreparedCompetitor> prepareCubRecords<32>(const Workload&, const FrameBuffers&);

}  // namespace bench
