// An operation for reductions that is associative and not commutative, in host and device code.
#pragma once

#ifdef __CUDACC__
#define SLU_BOTH __host__ __device__
#else
#define SLU_BOTH
#endif

namespace slu::test {

// Values stand for x -> x * factor + offset modulo 2^32, the factor in the upper half. The result applies a, then b.
struct Compose {
  SLU_BOTH unsigned long long operator()(unsigned long long a, unsigned long long b) const {
    const auto aFactor = static_cast<unsigned>(a >> 32), bFactor = static_cast<unsigned>(b >> 32);
    const unsigned offset = static_cast<unsigned>(a) * bFactor + static_cast<unsigned>(b);
    return static_cast<unsigned long long>(aFactor * bFactor) << 32 | offset;
  }
};

}  // namespace slu::test

#undef SLU_BOTH
