// What a thread computes by itself: bits, floats, min and max, loads and stores with cache hints.
#pragma once

#include <math.h>  // fminf, as CUDA has it

#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "vector_types.h"

inline int __popc(unsigned a) { return std::popcount(a); }
inline int __popcll(unsigned long long a) { return std::popcount(a); }
inline int __clz(int a) { return std::countl_zero(static_cast<unsigned>(a)); }
inline int __clzll(long long a) { return std::countl_zero(static_cast<unsigned long long>(a)); }
inline int __ffs(int a) { return a == 0 ? 0 : std::countr_zero(static_cast<unsigned>(a)) + 1; }
inline int __ffsll(long long a) { return a == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(a)) + 1; }
inline unsigned __brev(unsigned a) {
  unsigned reversed = 0;
  for (unsigned i = 0; i < 32; ++i) reversed |= (a >> i & 1) << (31 - i);
  return reversed;
}
inline unsigned long long __brevll(unsigned long long a) {
  const auto low = static_cast<unsigned>(a), high = static_cast<unsigned>(a >> 32);
  return static_cast<unsigned long long>(__brev(low)) << 32 | __brev(high);
}
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(std::uint64_t{a} * b >> 32); }

// Byte i of the result is byte (selector >> 4 i & 7) of the eight bytes of b:a.
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    result |= static_cast<unsigned>(bytes >> (8 * (selector >> (4 * i) & 7)) & 0xff) << (8 * i);
  }
  return result;
}

inline unsigned __float_as_uint(float a) { return std::bit_cast<unsigned>(a); }
inline int __float_as_int(float a) { return std::bit_cast<int>(a); }
inline float __uint_as_float(unsigned a) { return std::bit_cast<float>(a); }
inline float __int_as_float(int a) { return std::bit_cast<float>(a); }
inline long long __double_as_longlong(double a) { return std::bit_cast<long long>(a); }
inline double __longlong_as_double(long long a) { return std::bit_cast<double>(a); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }

#define SIMT_MIN_MAX(Type)                                     \
  constexpr Type min(Type a, Type b) { return b < a ? b : a; } \
  constexpr Type max(Type a, Type b) { return a < b ? b : a; }
SIMT_MIN_MAX(int)
SIMT_MIN_MAX(unsigned)
SIMT_MIN_MAX(long)
SIMT_MIN_MAX(unsigned long)
SIMT_MIN_MAX(long long)
SIMT_MIN_MAX(unsigned long long)
SIMT_MIN_MAX(float)
SIMT_MIN_MAX(double)
#undef SIMT_MIN_MAX

// Scalars are read and written whole, vectors in parts: other blocks may see half of one.
namespace simt {
template <typename T>
T load(const T* address) {
  if constexpr (std::is_arithmetic_v<T>) {
    return std::atomic_ref(*const_cast<T*>(address)).load(std::memory_order_relaxed);
  } else {
    return *address;
  }
}
template <typename T>
void store(T* address, T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    std::atomic_ref(*address).store(value, std::memory_order_relaxed);
  } else {
    *address = value;
  }
}
}  // namespace simt

#define SIMT_LOAD(name)         \
  template <typename T>         \
  T name(const T* address) {    \
    return simt::load(address); \
  }
#define SIMT_STORE(name)                                 \
  template <typename T>                                  \
  void name(T* address, std::type_identity_t<T> value) { \
    simt::store(address, value);                         \
  }
SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldcv)
SIMT_LOAD(__ldlu)
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwb)
SIMT_STORE(__stwt)
#undef SIMT_LOAD
#undef SIMT_STORE
