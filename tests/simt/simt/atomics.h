// Atomics on global and shared memory, for the types that CUDA has them for. Relaxed, as CUDA's are.
#pragma once

#include <atomic>
#include <bit>
#include <concepts>
#include <type_traits>

#include "engine.h"
#include "shared.h"

namespace simt {

template <typename Pointer>
struct PointeeOf;
template <typename T>
struct PointeeOf<T*> {
  using Type = T;
};
template <typename T>
struct PointeeOf<SharedPointer<T>> {
  using Type = T;
};
template <typename Pointer>
using Pointee = typename PointeeOf<Pointer>::Type;

template <typename Pointer, typename... Types>
concept PointsTo = (std::same_as<Pointee<Pointer>, Types> || ...);
using Long = long long;
using Ulong = unsigned long long;

template <typename T>
T* forAtomic(T* address) {
  return address;
}
template <typename T>
T* forAtomic(SharedPointer<T> address) {
  return address.forAtomic();
}

// Replaces the value by change(value); returns the value it replaced.
template <typename Pointer, typename Change>
Pointee<Pointer> update(Pointer address, Change change) {
  const std::atomic_ref word(*forAtomic(address));
  noteAtomic();
  auto old = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(old, change(old), std::memory_order_relaxed)) {
  }
  return old;
}

// Integers wrap.
template <typename T>
T wrappingAdd(T a, T b) {
  if constexpr (std::integral<T>) {
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  } else {
    return a + b;
  }
}

}  // namespace simt

// Defines name and name_block for pointers to the listed types.
#define SIMT_ATOMIC(name, change, ...)                                                     \
  template <simt::PointsTo<__VA_ARGS__> Pointer, typename T = simt::Pointee<Pointer>>      \
  T name(Pointer address, std::type_identity_t<T> value) {                                 \
    return simt::update(address, [value]([[maybe_unused]] T old) -> T { return change; }); \
  }                                                                                        \
  template <simt::PointsTo<__VA_ARGS__> Pointer, typename T = simt::Pointee<Pointer>>      \
  T name##_block(Pointer address, std::type_identity_t<T> value) {                         \
    return name(address, value);                                                           \
  }

SIMT_ATOMIC(atomicAdd, simt::wrappingAdd(old, value), int, unsigned, simt::Ulong, float, double)
SIMT_ATOMIC(atomicSub, static_cast<T>(static_cast<unsigned>(old) - static_cast<unsigned>(value)), int, unsigned)
SIMT_ATOMIC(atomicMin, old < value ? old : value, int, unsigned, simt::Long, simt::Ulong)
SIMT_ATOMIC(atomicMax, old > value ? old : value, int, unsigned, simt::Long, simt::Ulong)
SIMT_ATOMIC(atomicAnd, old& value, int, unsigned, simt::Ulong)
SIMT_ATOMIC(atomicOr, old | value, int, unsigned, simt::Ulong)
SIMT_ATOMIC(atomicXor, old ^ value, int, unsigned, simt::Ulong)
SIMT_ATOMIC(atomicExch, value, int, unsigned, simt::Ulong, float)
SIMT_ATOMIC(atomicInc, old >= value ? 0 : old + 1, unsigned)
SIMT_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1, unsigned)
#undef SIMT_ATOMIC

template <simt::PointsTo<int, unsigned, simt::Ulong> Pointer, typename T = simt::Pointee<Pointer>>
T atomicCAS(Pointer address, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  return simt::update(address, [=](T old) { return old == expected ? value : old; });
}
template <simt::PointsTo<int, unsigned, simt::Ulong> Pointer, typename T = simt::Pointee<Pointer>>
T atomicCAS_block(Pointer address, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  return atomicCAS(address, expected, value);
}

inline void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void __threadfence_block() { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void __threadfence_system() { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void __nanosleep(unsigned) { simt::sleep(); }
[[noreturn]] inline void __trap() { simt::fault("__trap"); }
