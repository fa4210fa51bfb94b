// Step 4, emit: indices, and the kept records, copied by the whole block in the widest units their addresses allow.
// Records that are not kept are not read.
#pragma once

#include "arguments.h"
#include "platform.cuh"

namespace slu::cuda {

// Copies the kept records in units of one type, kFlight of them in flight per thread. List: entry k -> record within
// the tile; slots: entry k -> output slot within the view, or SLU_DROPPED.
template <typename Unit, uint kThreads, typename List, typename Slots>
__device__ __forceinline__ void copyRecords(const Arguments& arguments, u64 viewFirst, uint tileBase, uint kept,
                                            const List& list, const Slots& slots) {
  constexpr uint kFlight = 4;
  const uint unitsPerRecord = arguments.plan.recordWords / (sizeof(Unit) / 4);
  const uint unitCount = kept * unitsPerRecord;
  const Unit* from = at<const Unit>(arguments.frame.records);
  Unit* to = at<Unit>(arguments.frame.keptRecords);
  for (uint first = threadIdx.x; first < unitCount; first += kFlight * kThreads) {
    Unit units[kFlight] = {};
    u64 targets[kFlight];
    SLU_UNROLL
    for (uint i = 0; i < kFlight; ++i) {
      const uint unit = first + i * kThreads;
      targets[i] = ~0ull;
      if (unit >= unitCount) continue;
      const uint k = unit / unitsPerRecord;
      const uint part = unit - k * unitsPerRecord;
      const uint slot = slots(k);
      if (slot == SLU_DROPPED) continue;
      units[i] = __ldcs(from + static_cast<u64>(tileBase + list(k)) * unitsPerRecord + part);
      targets[i] = (viewFirst + slot) * unitsPerRecord + part;
    }
    SLU_UNROLL
    for (uint i = 0; i < kFlight; ++i) {
      if (targets[i] != ~0ull) __stcs(to + targets[i], units[i]);
    }
  }
}

template <uint kThreads, typename List, typename Slots>
__device__ __forceinline__ void emitTile(const Arguments& arguments, uint view, uint tileBase, uint kept,
                                         const List& list, const Slots& slots) {
  const FrameBlock& frame = arguments.frame;
  const u64 viewFirst = static_cast<u64>(view) * frame.outputsPerView;
  if ((arguments.plan.outputs & SLU_WRITES_INDICES) != 0) {
    for (uint k = threadIdx.x; k < kept; k += kThreads) {
      const uint slot = slots(k);
      if (slot != SLU_DROPPED) at<uint>(frame.indices)[viewFirst + slot] = tileBase + list(k);
    }
  }
  if ((arguments.plan.outputs & SLU_WRITES_RECORDS) != 0) {
    if (frame.copyWords == 4) {
      copyRecords<uint4, kThreads>(arguments, viewFirst, tileBase, kept, list, slots);
    } else if (frame.copyWords == 2) {
      copyRecords<uint2, kThreads>(arguments, viewFirst, tileBase, kept, list, slots);
    } else {
      copyRecords<uint, kThreads>(arguments, viewFirst, tileBase, kept, list, slots);
    }
  }
}

}  // namespace slu::cuda
