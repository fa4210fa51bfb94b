// Barriers, votes, shuffles, matches and reductions. The last parameter is the call's place in the source.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>

#include "engine.h"
#include "vector_types.h"

namespace simt {

template <typename T>
concept Shuffled = std::is_arithmetic_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

template <typename T>
std::uint64_t toDeposit(T value) {
  std::uint64_t deposit = 0;
  std::memcpy(&deposit, &value, sizeof(T));
  return deposit;
}

template <typename T>
T fromDeposit(std::uint64_t deposit) {
  T value;
  std::memcpy(&value, &deposit, sizeof(T));
  return value;
}

// The lanes of mask whose deposit makes condition hold.
template <typename Condition>
unsigned lanesWhere(unsigned mask, const std::uint64_t* deposits, Condition condition) {
  unsigned lanes = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((mask >> lane & 1) != 0 && condition(deposits[lane])) lanes |= 1u << lane;
  }
  return lanes;
}

// source: from the own lane and its segment's first and last to the lane that is read.
template <typename T, typename Source>
T shuffle(const char* name, unsigned mask, T value, int width, Site site, Source source) {
  const auto size = static_cast<unsigned>(width);
  if (!std::has_single_bit(size) || size > kWarpLanes)
    fault(std::string(name) + ": width is not a power of 2 up to 32");
  const unsigned first = laneIndex() & ~(size - 1);
  const std::uint64_t* deposits = warpCall(name, mask, toDeposit(value), site);
  return fromDeposit<T>(deposits[source(laneIndex(), first, first + size - 1)]);
}

template <typename T, typename Operation>
T reduce(const char* name, unsigned mask, T value, Site site, Operation operation) {
  const std::uint64_t* deposits = warpCall(name, mask, toDeposit(value), site);
  T result = value;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (lane != laneIndex() && (mask >> lane & 1) != 0) result = operation(result, fromDeposit<T>(deposits[lane]));
  }
  return result;
}

}  // namespace simt

inline void __syncthreads(simt::Site site = simt::Site::here()) { simt::blockCall("__syncthreads", false, site); }
inline int __syncthreads_count(int predicate, simt::Site site = simt::Site::here()) {
  return static_cast<int>(simt::blockCall("__syncthreads_count", predicate != 0, site));
}
inline int __syncthreads_or(int predicate, simt::Site site = simt::Site::here()) {
  return simt::blockCall("__syncthreads_or", predicate != 0, site) > 0;
}
inline int __syncthreads_and(int predicate, simt::Site site = simt::Site::here()) {
  return simt::blockCall("__syncthreads_and", predicate == 0, site) == 0;
}
inline void __syncwarp(unsigned mask = 0xffffffffu, simt::Site site = simt::Site::here()) {
  simt::warpCall("__syncwarp", mask, 0, site, true);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, simt::Site site = simt::Site::here()) {
  const std::uint64_t* deposits = simt::warpCall("__ballot_sync", mask, predicate != 0, site);
  return simt::lanesWhere(mask, deposits, [](std::uint64_t deposit) { return deposit != 0; });
}
inline int __any_sync(unsigned mask, int predicate, simt::Site site = simt::Site::here()) {
  const std::uint64_t* deposits = simt::warpCall("__any_sync", mask, predicate != 0, site);
  return simt::lanesWhere(mask, deposits, [](std::uint64_t deposit) { return deposit != 0; }) != 0;
}
inline int __all_sync(unsigned mask, int predicate, simt::Site site = simt::Site::here()) {
  const std::uint64_t* deposits = simt::warpCall("__all_sync", mask, predicate != 0, site);
  return simt::lanesWhere(mask, deposits, [](std::uint64_t deposit) { return deposit == 0; }) == 0;
}
inline unsigned __activemask(simt::Site site = simt::Site::here()) {
  return simt::convergedLanes("__activemask", site);
}

template <simt::Shuffled T>
T __shfl_sync(unsigned mask, T value, int source, int width = warpSize, simt::Site site = simt::Site::here()) {
  return simt::shuffle("__shfl_sync", mask, value, width, site, [source](unsigned, unsigned first, unsigned last) {
    return first + (static_cast<unsigned>(source) & (last - first));
  });
}
template <simt::Shuffled T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize, simt::Site site = simt::Site::here()) {
  return simt::shuffle("__shfl_up_sync", mask, value, width, site, [delta](unsigned lane, unsigned first, unsigned) {
    return lane - first >= delta % 32 ? lane - delta % 32 : lane;
  });
}
template <simt::Shuffled T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize, simt::Site site = simt::Site::here()) {
  return simt::shuffle("__shfl_down_sync", mask, value, width, site, [delta](unsigned lane, unsigned, unsigned last) {
    return last - lane >= delta % 32 ? lane + delta % 32 : lane;
  });
}
template <simt::Shuffled T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = warpSize, simt::Site site = simt::Site::here()) {
  return simt::shuffle("__shfl_xor_sync", mask, value, width, site, [bits](unsigned lane, unsigned, unsigned last) {
    const unsigned source = lane ^ (static_cast<unsigned>(bits) % 32);
    return source <= last ? source : lane;
  });
}

template <simt::Shuffled T>
unsigned __match_any_sync(unsigned mask, T value, simt::Site site = simt::Site::here()) {
  const std::uint64_t own = simt::toDeposit(value);
  const std::uint64_t* deposits = simt::warpCall("__match_any_sync", mask, own, site);
  return simt::lanesWhere(mask, deposits, [own](std::uint64_t deposit) { return deposit == own; });
}
template <simt::Shuffled T>
unsigned __match_all_sync(unsigned mask, T value, int* predicate, simt::Site site = simt::Site::here()) {
  const std::uint64_t own = simt::toDeposit(value);
  const std::uint64_t* deposits = simt::warpCall("__match_all_sync", mask, own, site);
  *predicate = simt::lanesWhere(mask, deposits, [own](std::uint64_t deposit) { return deposit != own; }) == 0;
  return *predicate != 0 ? mask : 0;
}

namespace simt {
template <typename T>
concept Word = std::same_as<T, int> || std::same_as<T, unsigned>;
}
template <simt::Word T>
T __reduce_add_sync(unsigned mask, T value, simt::Site site = simt::Site::here()) {
  return static_cast<T>(simt::reduce("__reduce_add_sync", mask, static_cast<unsigned>(value), site, std::plus<>()));
}
template <simt::Word T>
T __reduce_min_sync(unsigned mask, T value, simt::Site site = simt::Site::here()) {
  return simt::reduce("__reduce_min_sync", mask, value, site, [](T a, T b) { return std::min(a, b); });
}
template <simt::Word T>
T __reduce_max_sync(unsigned mask, T value, simt::Site site = simt::Site::here()) {
  return simt::reduce("__reduce_max_sync", mask, value, site, [](T a, T b) { return std::max(a, b); });
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value, simt::Site site = simt::Site::here()) {
  return simt::reduce("__reduce_and_sync", mask, value, site, std::bit_and<>());
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value, simt::Site site = simt::Site::here()) {
  return simt::reduce("__reduce_or_sync", mask, value, site, std::bit_or<>());
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned value, simt::Site site = simt::Site::here()) {
  return simt::reduce("__reduce_xor_sync", mask, value, site, std::bit_xor<>());
}
