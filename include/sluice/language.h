// What lets one header serve C++, CUDA and GLSL, as sluice/culling.h and the library's kernels do. Float arithmetic
// goes through sluAdd, sluSub and sluMul. Each rounds once, and none is contracted: GLSL says `precise`, CUDA uses the
// _rn intrinsics, and C++ needs the options that the #error below names.
#ifndef SLUICE_LANGUAGE_H
#define SLUICE_LANGUAGE_H

#ifdef __cplusplus

#ifdef __CUDACC_RTC__  // NVRTC has no headers of the host's
#define SLU_ADDRESS unsigned long long
namespace slu {
using uint = unsigned int;
}
#else
#include <cfloat>
#include <cstdint>
#include <cstring>
#define SLU_ADDRESS std::uint64_t
namespace slu {
using uint = std::uint32_t;
}
#endif

// Fast-math and floats of more bits keep other records than the routes do. nvcc compiles predicates of the host's
// with the host's options, and may: what runs on the CPU decides nothing there. FLT_EVAL_METHOD is 16 where floats are
// floats and only shorter types are longer.
#ifndef __CUDACC__
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(_M_FP_FAST) || defined(_M_FP_CONTRACT)
#error Sluice needs exact floats: compile it with -fno-fast-math -ffp-contract=off (MSVC: /fp:precise) behind the rest.
#elif FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error Sluice needs floats that are rounded to 32 bits: compile it with -msse2 -mfpmath=sse behind the other options.
#endif
#endif

#ifdef __CUDACC__
#define SLU_FUNCTION __host__ __device__ __forceinline__
#else
#define SLU_FUNCTION inline
#endif
#define SLU_IN(Type) const Type&
#define SLU_OUT(Type) Type&

namespace slu {
#ifdef __CUDA_ARCH__
SLU_FUNCTION float sluAdd(float a, float b) { return __fadd_rn(a, b); }
SLU_FUNCTION float sluSub(float a, float b) { return __fsub_rn(a, b); }
SLU_FUNCTION float sluMul(float a, float b) { return __fmul_rn(a, b); }
SLU_FUNCTION uint sluFloatBits(float a) { return __float_as_uint(a); }
SLU_FUNCTION float sluFloatOf(uint bits) { return __uint_as_float(bits); }
#else
SLU_FUNCTION float sluAdd(float a, float b) { return a + b; }
SLU_FUNCTION float sluSub(float a, float b) { return a - b; }
SLU_FUNCTION float sluMul(float a, float b) { return a * b; }
SLU_FUNCTION uint sluFloatBits(float a) {
  uint bits;
  std::memcpy(&bits, &a, sizeof(bits));
  return bits;
}
SLU_FUNCTION float sluFloatOf(uint bits) {
  float a;
  std::memcpy(&a, &bits, sizeof(a));
  return a;
}
#endif

// The magnitude of a number, and the lesser and the greater of two, of which none is NaN. Of zeros any may be taken.
#ifdef __CUDA_ARCH__
SLU_FUNCTION float sluAbs(float a) { return fabsf(a); }
SLU_FUNCTION float sluMin(float a, float b) { return fminf(a, b); }
SLU_FUNCTION float sluMax(float a, float b) { return fmaxf(a, b); }
#else
SLU_FUNCTION float sluAbs(float a) { return a < 0.0f ? -a : a; }
SLU_FUNCTION float sluMin(float a, float b) { return b < a ? b : a; }
SLU_FUNCTION float sluMax(float a, float b) { return a < b ? b : a; }
#endif
}  // namespace slu

#define SLU_NAMESPACE_BEGIN namespace slu {
#define SLU_NAMESPACE_END }

#else

#define SLU_FUNCTION
#define SLU_IN(Type) in Type
#define SLU_OUT(Type) out Type
#ifndef SLU_ADDRESS  // the library's shaders may do without 64-bit integers
#define SLU_ADDRESS uint64_t
#endif
#define SLU_NAMESPACE_BEGIN
#define SLU_NAMESPACE_END

float sluAdd(float a, float b) {
  precise float r = a + b;
  return r;
}
float sluSub(float a, float b) {
  precise float r = a - b;
  return r;
}
float sluMul(float a, float b) {
  precise float r = a * b;
  return r;
}
uint sluFloatBits(float a) { return floatBitsToUint(a); }
float sluFloatOf(uint bits) { return uintBitsToFloat(bits); }
float sluAbs(float a) { return abs(a); }
float sluMin(float a, float b) { return min(a, b); }
float sluMax(float a, float b) { return max(a, b); }

#endif

#endif
