// Step 4, emit: writes indices, and copies the kept records. The whole block copies, in the widest units that the
// addresses allow. Records that are not kept are not read.
#pragma once

#include "../platform/platform.cuh"

namespace slu::cuda {

// Copies the kept records in units of one type. A thread copies the same part of every step-th record, and has kUnits
// of them in flight. Loads go through the first-level cache, so that sectors with keys are not loaded twice. list(k):
// the record of entry k within the tile. slots(k): its output slot within the view, or SLU_DROPPED. ready(): all
// threads of the block call it after the first loads are issued, and before any slot is read.
template <uint kUnits, typename Unit, typename List, typename Slots, typename Ready>
__device__ __forceinline__ void copyRecords(const Arguments& arguments, u64 viewFirst, uint tileBase, uint kept,
                                            const List& list, const Slots& slots, const Ready& ready) {
  const uint unitsPerRecord = arguments.plan.recordWords / (sizeof(Unit) / 4);
  const uint step = kThreads / unitsPerRecord;  // records that the block copies at a time
  const uint first = threadIdx.x / unitsPerRecord;
  const uint part = threadIdx.x - first * unitsPerRecord;
  const uint recordBytes = 4 * arguments.plan.recordWords;
  const u64 from = reinterpret_cast<u64>(at<const Unit>(arguments.frame.records, part)) + u64{tileBase} * recordBytes;
  const u64 to = reinterpret_cast<u64>(at<Unit>(arguments.frame.keptRecords, part)) + viewFirst * recordBytes;
  uint next = first < step ? first : kept;  // the last threads may have no part
  // Entries beyond the last are replaced by the last, so that no branch separates the loads in flight.
  const auto entry = [&](uint i) { return min(next + i * step, kept - 1); };
  const auto exists = [&](uint i) { return next + i * step < kept; };
  Unit units[kUnits] = {};
  const auto load = [&] {
    if (next >= kept) return;
    uint records[kUnits];
    SLU_UNROLL
    for (uint i = 0; i < kUnits; ++i) records[i] = list(entry(i));
    SLU_UNROLL
    for (uint i = 0; i < kUnits; ++i) {
      const u64 address = from + static_cast<u64>(records[i]) * recordBytes;
      if (exists(i)) units[i] = __ldg(reinterpret_cast<const Unit*>(address));
    }
  };
  load();
  ready();
  while (next < kept) {
    uint targets[kUnits];
    SLU_UNROLL
    for (uint i = 0; i < kUnits; ++i) targets[i] = slots(entry(i));
    SLU_UNROLL
    for (uint i = 0; i < kUnits; ++i) {
      const u64 address = to + static_cast<u64>(targets[i]) * recordBytes;
      if (exists(i) && targets[i] != SLU_DROPPED) *reinterpret_cast<Unit*>(address) = units[i];
    }
    next += kUnits * step;
    load();
  }
}

// All threads of the block call this. kUnits, ready: as for copyRecords.
template <uint kUnits = kCopyUnits, typename List, typename Slots, typename Ready>
__device__ __forceinline__ void emitTile(const Arguments& arguments, uint view, uint tileBase, uint kept,
                                         const List& list, const Slots& slots, const Ready& ready) {
  const FrameBlock& frame = arguments.frame;
  const u64 viewFirst = static_cast<u64>(view) * frame.outputsPerView;
  if ((arguments.plan.outputs & SLU_OUTPUT_RECORDS_BIT) == 0) {
    ready();
  } else if (frame.copyWords == 4) {
    copyRecords<kUnits, uint4>(arguments, viewFirst, tileBase, kept, list, slots, ready);
  } else if (frame.copyWords == 2) {
    copyRecords<kUnits, uint2>(arguments, viewFirst, tileBase, kept, list, slots, ready);
  } else {
    copyRecords<kUnits, uint>(arguments, viewFirst, tileBase, kept, list, slots, ready);
  }
  if ((arguments.plan.outputs & SLU_OUTPUT_INDICES_BIT) == 0) return;
  for (uint k = threadIdx.x; k < kept; k += kThreads) {
    const uint slot = slots(k);
    if (slot != SLU_DROPPED) at<uint>(frame.indices)[viewFirst + slot] = tileBase + list(k);
  }
}

}  // namespace slu::cuda
