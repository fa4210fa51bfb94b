// The predicates of the tests, for host compilers, nvcc and NVRTC alike; NVRTC gets this file as text.
#pragma once

#ifdef __CUDACC__
#define SLU_TEST_PREDICATE __host__ __device__
#else
#define SLU_TEST_PREDICATE
#endif

// As much state as there may be. Products whose sum rounds differently when it is contracted decide.
struct Weighted {
  float weights[3];
  float bias;
  unsigned salt;
  unsigned words;     // of a record
  unsigned keyWord;   // of a record, which holds the key
  unsigned keyShift;  // of the key within it
  unsigned unused[7];
  unsigned shift;  // the last word matters too

  SLU_TEST_PREDICATE bool operator()(const void* record, unsigned index) const {
    const unsigned* from = static_cast<const unsigned*>(record);
    const unsigned mixed = (from[0] ^ from[words - 1] * 0x9e3779b9u ^ (index + salt) * 0x85ebca6bu) >> shift;
    const float x = static_cast<float>(mixed & 0xffffu) * weights[0];
    const float y = static_cast<float>(index & 0xfffu) * weights[1];
    return x * weights[2] - y * x > bias - x * x;
  }
};

// The same, and the key.
struct Keyed : Weighted {
  SLU_TEST_PREDICATE unsigned key(const void* record, unsigned) const {
    return static_cast<const unsigned*>(record)[keyWord] >> keyShift;
  }
};

// No state; not even the record matters.
struct Thirds {
  SLU_TEST_PREDICATE bool operator()(const void*, unsigned index) const { return index % 3 == 1; }
};

// The strictest alignment.
struct alignas(16) Aligned {
  double least;
  unsigned long long mask;

  SLU_TEST_PREDICATE bool operator()(const void* record, unsigned index) const {
    const unsigned word = *static_cast<const unsigned*>(record);
    return static_cast<double>((word ^ index) & mask) >= least;
  }
};
