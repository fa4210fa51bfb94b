#include "plan/rejects.h"

namespace slu {

PlanLayout keptLayout(const PlanLayout& layout) {
  PlanLayout kept = layout;
  kept.outputs &= ~kRejectOutputs;
  kept.rejects = {};
  if (hasRejects(layout)) kept.findsVisible = false;  // the list's part has
  return kept;
}

// The tests must be those of the part that keeps records, to the last bit of their arithmetic. So whatever hasVolumes
// depends on stays as it is.
PlanLayout rejectsLayout(const PlanLayout& layout) {
  PlanLayout list = layout;
  list.order = layout.rejectOrder;
  list.placement = SLU_PLACEMENT_RESERVED;
  list.outputs &= SLU_OUTPUT_STATISTICS_BIT;  // for the overflow flag alone
  if ((layout.outputs & SLU_OUTPUT_REJECTS_BIT) != 0) list.outputs |= SLU_OUTPUT_INDICES_BIT;
  if ((layout.outputs & SLU_OUTPUT_REJECT_COUNTS_BIT) != 0) list.outputs |= SLU_OUTPUT_BUCKET_COUNTS_BIT;
  list.streams.clear();
  BucketBlock bucket{};
  bucket.capacity = layout.rejects.capacity;
  list.buckets = {bucket};
  list.outputsPerView = bucket.capacity;
  list.draw = kNoDraws;
  list.groups = {};
  list.zeroCommandCount = 0;
  list.drawNeeds = 0;
  list.rejects = {};
  list.rejectReasons = layout.rejects.reasons;
  return list;
}

Frame rejectsFrame(const Frame& frame) {
  Frame list = frame;
  list.indices = frame.rejects;
  list.bucketCounts = frame.rejectCounts;
  for (Binding Frame::*unused : {&Frame::keptRecords, &Frame::draws, &Frame::drawCounts, &Frame::lastLodStates,
                                 &Frame::lodStates, &Frame::rejects, &Frame::rejectCounts}) {
    list.*unused = {};
  }
  list.streams = {};
  list.whole = &frame;
  return list;
}

}  // namespace slu
