#include "workload/workload.h"

#include <sluice/sluice.h>

#include <algorithm>
#include <sstream>

#include "base/count_text.h"
#include "base/failure.h"

namespace bench {
namespace {

constexpr uint32_t kBoundsAlignment = 16;
static_assert(kSphereBytes % kBoundsAlignment == 0 && kSphereOffset % kBoundsAlignment == 0 &&
              kBoxBytes % kBoundsAlignment == 0);

std::string viewsImpossibility(const Workload& workload) {
  if (workload.viewCount < 1 || workload.viewCount > SLU_MAX_VIEWS)
    return sentence(workload.viewCount, " views: 1 to ", SLU_MAX_VIEWS, " are possible");
  if (workload.viewCount > 1 && workload.predicate == Predicate::Word)
    return sentence(workload.viewCount, " views of records that a word keeps: views cull bounds");
  // The capacities of all views are below 2^32 together, and those of uneven buckets may be twice what is kept.
  if (uint64_t{workload.viewCount} * workload.recordCount > SLU_MAX_RECORDS)
    return sentence(workload.viewCount, " views of ", formatCount(workload.recordCount),
                    " records: ", formatCount(SLU_MAX_RECORDS), " are possible for all views together");
  return {};
}

std::string placementImpossibility(const Workload& workload) {
  const bool isReserved = workload.placement == Placement::Reserved;
  if (isReserved && workload.groupCount == 0) return {};
  const char* what = isReserved ? "groups" : name(workload.placement);
  if (workload.bucketCount == 1) return sentence(what, ": several buckets are needed");
  if (workload.viewCount > 1) return sentence(what, ": one view is possible");
  if (workload.isMerged() && workload.outputs != Outputs::Indices) return "merged: indices are needed, to be drawn by";
  if (workload.isMerged() && workload.groupCount != 0) return "merged: no groups are possible";
  if (workload.groupCount > std::min(workload.bucketCount, SLU_MAX_GROUPS))
    return sentence(workload.groupCount, " groups: as many as buckets, and ", SLU_MAX_GROUPS, " are possible");
  return {};
}

}  // namespace

const char* name(Pattern pattern) {
  switch (pattern) {
    case Pattern::Random:
      return "random";
    case Pattern::Clustered:
      return "clustered";
    case Pattern::Alternating:
      return "alternating";
  }
  return "unknown";
}

const char* name(Order order) { return order == Order::Stable ? "stable" : "unordered"; }

const char* name(Outputs outputs) { return outputs == Outputs::Indices ? "indices" : "records"; }

const char* name(Predicate predicate) {
  switch (predicate) {
    case Predicate::Word:
      return "word";
    case Predicate::Sphere:
      return "sphere";
    case Predicate::SphereBeside:
      return "sphere-beside";
    case Predicate::BoxBeside:
      return "box-beside";
  }
  return "unknown";
}

const char* name(Placement placement) {
  switch (placement) {
    case Placement::Reserved:
      return "reserved";
    case Placement::Packed:
      return "packed";
    case Placement::Merged:
      return "merged";
  }
  return "unknown";
}

std::string describe(const Workload& workload) {
  std::ostringstream text;
  text << workload.recordBytes << " B x " << formatCount(workload.recordCount) << ", " << workload.survivalPercent
       << " %, " << name(workload.order);
  if (workload.bucketCount != 1) text << ", " << workload.bucketCount << " buckets";
  if (workload.pattern != Pattern::Random) text << ", " << name(workload.pattern);
  if (workload.outputs != Outputs::Records) text << ", " << name(workload.outputs);
  if (workload.predicate != Predicate::Word) text << ", " << name(workload.predicate);
  if (workload.viewCount != 1) text << ", " << workload.viewCount << " views";
  if (workload.placement != Placement::Reserved) text << ", " << name(workload.placement);
  if (workload.groupCount != 0) text << ", " << workload.groupCount << " groups";
  return text.str();
}

std::string impossibility(const Workload& workload) {
  if (workload.recordBytes % 4 != 0 || workload.recordBytes < SLU_MIN_RECORD_STRIDE ||
      workload.recordBytes > SLU_MAX_RECORD_STRIDE)
    return sentence("records of ", workload.recordBytes, " bytes: a multiple of 4 from ", SLU_MIN_RECORD_STRIDE, " to ",
                    SLU_MAX_RECORD_STRIDE, " is needed");
  if (workload.recordCount < 1 || workload.recordCount > SLU_MAX_RECORDS)
    return sentence(workload.recordCount, " records: 1 to ", formatCount(SLU_MAX_RECORDS), " are possible");
  if (!(workload.survivalPercent >= 0.0 && workload.survivalPercent <= 100.0))
    return sentence("a survival of ", workload.survivalPercent, " %: 0 to 100 is possible");
  const uint32_t mostBuckets = workload.isMerged() ? SLU_MAX_MERGED_BUCKETS : SLU_MAX_BUCKETS;
  if (workload.bucketCount < 1 || workload.bucketCount > mostBuckets)
    return sentence(workload.bucketCount, " buckets: 1 to ", mostBuckets, " are possible");
  if (workload.bucketCount > 1 && workload.recordBytes < 8)
    return sentence(workload.bucketCount, " buckets with records of 4 bytes: the bucket is the record's second word");
  if (workload.predicate != Predicate::Word && workload.recordBytes % kBoundsAlignment != 0)
    return sentence("records of ", workload.recordBytes, " bytes with bounds in or behind them: a multiple of ",
                    kBoundsAlignment, " is needed");
  if (workload.predicate == Predicate::Sphere && workload.recordBytes == kSphereBytes &&
      (workload.bucketCount > 1 || workload.outputs == Outputs::Records))
    return "records that are spheres: one bucket and indices are possible";
  if (const std::string why = placementImpossibility(workload); !why.empty()) return why;
  return viewsImpossibility(workload);
}

std::string boundsRefusal(const Workload& workload) {
  if (workload.predicate == Predicate::BoxBeside) return "it tests words and spheres, and boxes decide here";
  if (workload.predicate == Predicate::Sphere && workload.recordBytes != kSphereBytes)
    return "it tests words and spheres without gaps, and spheres in records decide here";
  return {};
}

std::string placementRefusal(const Workload& workload) {
  if (workload.isMerged()) return "it draws buckets, and a command draws each record here";
  if (workload.placement == Placement::Packed) return "its buckets have places of their own, and are packed here";
  return workload.groupCount != 0 ? "it writes no draw counts, and groups have some here" : "";
}

std::string viewRefusal(const Workload& workload) { return workload.viewCount > 1 ? "it culls for one view" : ""; }

}  // namespace bench
