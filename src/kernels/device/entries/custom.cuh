// The policy of a custom live test: a function object of the host replaces the plan's own test of a record.
#pragma once

#include "../steps/evaluate.cuh"

namespace slu::cuda {

// Whether a predicate computes keys: it has `unsigned key(const void* record, unsigned index) const`.
template <typename Predicate>
__device__ const Predicate& predicateOf();  // of no value, for types alone
template <typename Predicate, typename = void>
constexpr bool kComputesKey = false;
template <typename Predicate>
constexpr bool
    kComputesKey<Predicate, decltype(void(predicateOf<Predicate>().key(static_cast<const void*>(nullptr), 0u)))> = true;

template <typename Predicate>
struct CustomLive : AnyPlan {
  static_assert(sizeof(Predicate) <= kPredicateBytes, "the predicate's state has 64 bytes at most");
  static_assert(alignof(Predicate) <= 16, "the predicate's state is aligned to 16 at most");
  static_assert(__is_trivially_copyable(Predicate), "the predicate's state is copied as bytes");

  // Has the meaning of BuiltInLive::liveItems. It also tests items that are not in `flags`, and the last record in
  // place of items that do not exist, so that no branch separates the loads of the items.
  template <uint kItems>
  __device__ static __forceinline__ uint liveItems(const Arguments& arguments, const uint (&indices)[kItems],
                                                   uint inputs, uint flags) {
    if (inputs == 0) return 0;
    const Predicate& predicate = *reinterpret_cast<const Predicate*>(arguments.predicate);
    uint live = 0;
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      const uint index = min(indices[item], inputs - 1);
      const bool isLive = predicate(recordAt(arguments, index), index);
      if (isLive) live |= 1u << item;
    }
    return live & flags;
  }

  // Has the meaning of StoredKeys::loadKeys. The predicate computes the words if it has a member for that.
  template <uint kItems>
  __device__ static __forceinline__ void loadKeys(const Arguments& arguments, const uint (&indices)[kItems], uint flags,
                                                  uint (&keys)[kItems]) {
    if constexpr (kComputesKey<Predicate>) {
      const Predicate& predicate = *reinterpret_cast<const Predicate*>(arguments.predicate);
      SLU_UNROLL
      for (uint item = 0; item < kItems; ++item) {
        if ((flags >> item & 1) != 0) keys[item] = predicate.key(recordAt(arguments, indices[item]), indices[item]);
      }
    } else {
      StoredKeys::loadKeys(arguments, indices, flags, keys);
    }
  }

 private:
  __device__ static __forceinline__ const void* recordAt(const Arguments& arguments, uint index) {
    return at<const uint>(arguments.frame.records, static_cast<u64>(index) * arguments.plan.recordWords);
  }
};

}  // namespace slu::cuda
