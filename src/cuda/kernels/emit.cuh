// Step 4, emit: indices, and the kept records, copied by the whole block in the widest units their addresses allow.
// Records that are not kept are not read.
#pragma once

#include "platform.cuh"

namespace slu::cuda {

// Divides numbers up to 2^16 by one of up to 2^6.
class SmallDivisor {
 public:
  __device__ explicit SmallDivisor(uint divisor)
      : divisor_(divisor), reciprocal_(divisor == 1 ? 0u : 0xffffffffu / divisor + 1u) {}
  // reciprocal * divisor exceeds 2^32 by less than the divisor, so that the error stays below 2^22 / 2^32.
  __device__ __forceinline__ uint quotient(uint a) const {
    return divisor_ == 1 ? a : static_cast<uint>(static_cast<u64>(a) * reciprocal_ >> 32);
  }

 private:
  uint divisor_;
  uint reciprocal_;
};

// Copies the kept records in units of one type, kFlight of them in flight per thread. List: entry k -> record within
// the tile; slots: entry k -> output slot within the view, or SLU_DROPPED.
template <typename Unit, typename List, typename Slots>
__device__ __forceinline__ void copyRecords(const Arguments& arguments, u64 viewFirst, uint tileBase, uint kept,
                                            const List& list, const Slots& slots) {
  constexpr uint kFlight = 4;
  const uint unitsPerRecord = arguments.plan.recordWords / (sizeof(Unit) / 4);
  const SmallDivisor divisor(unitsPerRecord);
  const uint unitCount = kept * unitsPerRecord;
  const Unit* from = at<const Unit>(arguments.frame.records, static_cast<u64>(tileBase) * unitsPerRecord);
  Unit* to = at<Unit>(arguments.frame.keptRecords, viewFirst * unitsPerRecord);
  for (uint first = threadIdx.x; first < unitCount; first += kFlight * kThreads) {
    Unit units[kFlight] = {};
    uint places[kFlight];  // in the output, as slots: below 2^31 records
    uint parts[kFlight];
    SLU_UNROLL
    for (uint i = 0; i < kFlight; ++i) {
      const uint unit = first + i * kThreads;
      places[i] = SLU_DROPPED;
      if (unit >= unitCount) continue;
      const uint k = divisor.quotient(unit);
      parts[i] = unit - k * unitsPerRecord;
      places[i] = slots(k);
      if (places[i] != SLU_DROPPED) units[i] = __ldcg(from + list(k) * unitsPerRecord + parts[i]);
    }
    SLU_UNROLL
    for (uint i = 0; i < kFlight; ++i) {
      if (places[i] != SLU_DROPPED) to[static_cast<u64>(places[i]) * unitsPerRecord + parts[i]] = units[i];
    }
  }
}

// Whether each thread should emit its own items: what it moves of each is short, and lists cost barriers.
__device__ __forceinline__ bool emitsDirectly(const Arguments& arguments) {
  const bool emitsRecords = (arguments.plan.outputs & SLU_WRITES_RECORDS) != 0;
  return !emitsRecords || (arguments.frame.copyWords == 4 && arguments.plan.recordWords <= 8);
}

// For emitsDirectly: the thread's items of a tile, at the slots it knows.
template <typename T>
__device__ __forceinline__ void emitItems(const Arguments& arguments, uint view, uint tileBase,
                                          const uint (&slots)[T::kItems]) {
  const FrameBlock& frame = arguments.frame;
  const u64 viewFirst = static_cast<u64>(view) * frame.outputsPerView;
  if ((arguments.plan.outputs & SLU_WRITES_INDICES) != 0) {
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      if (slots[item] != SLU_DROPPED) at<uint>(frame.indices, viewFirst)[slots[item]] = tileBase + T::localOf(item);
    }
  }
  if ((arguments.plan.outputs & SLU_WRITES_RECORDS) == 0) return;
  const uint quads = arguments.plan.recordWords / 4;
  const uint4* from = at<const uint4>(frame.records, static_cast<u64>(tileBase) * quads);
  uint4* to = at<uint4>(frame.keptRecords, viewFirst * quads);
  for (uint part = 0; part < quads; ++part) {
    uint4 units[T::kItems] = {};
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      if (slots[item] != SLU_DROPPED) units[item] = __ldcg(from + T::localOf(item) * quads + part);
    }
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      if (slots[item] != SLU_DROPPED) to[static_cast<u64>(slots[item]) * quads + part] = units[item];
    }
  }
}

template <typename List, typename Slots>
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
      copyRecords<uint4>(arguments, viewFirst, tileBase, kept, list, slots);
    } else if (frame.copyWords == 2) {
      copyRecords<uint2>(arguments, viewFirst, tileBase, kept, list, slots);
    } else {
      copyRecords<uint>(arguments, viewFirst, tileBase, kept, list, slots);
    }
  }
}

}  // namespace slu::cuda
