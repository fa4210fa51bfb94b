// CUDA's vector types and a thread's place in its grid.
#pragma once

#define SIMT_VECTOR2(Name, Type, alignment) \
  struct alignas(alignment) Name {          \
    Type x, y;                              \
  };                                        \
  constexpr Name make_##Name(Type x, Type y) { return {x, y}; }
#define SIMT_VECTOR3(Name, Type) \
  struct Name {                  \
    Type x, y, z;                \
  };                             \
  constexpr Name make_##Name(Type x, Type y, Type z) { return {x, y, z}; }
#define SIMT_VECTOR4(Name, Type, alignment) \
  struct alignas(alignment) Name {          \
    Type x, y, z, w;                        \
  };                                        \
  constexpr Name make_##Name(Type x, Type y, Type z, Type w) { return {x, y, z, w}; }

SIMT_VECTOR2(int2, int, 8)
SIMT_VECTOR2(uint2, unsigned, 8)
SIMT_VECTOR2(float2, float, 8)
SIMT_VECTOR2(longlong2, long long, 16)
SIMT_VECTOR2(ulonglong2, unsigned long long, 16)
SIMT_VECTOR2(double2, double, 16)
SIMT_VECTOR3(int3, int)
SIMT_VECTOR3(uint3, unsigned)
SIMT_VECTOR3(float3, float)
SIMT_VECTOR4(int4, int, 16)
SIMT_VECTOR4(uint4, unsigned, 16)
SIMT_VECTOR4(float4, float, 16)
#undef SIMT_VECTOR2
#undef SIMT_VECTOR3
#undef SIMT_VECTOR4

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned xCount = 1, unsigned yCount = 1, unsigned zCount = 1) : x(xCount), y(yCount), z(zCount) {}
};

// Of the thread that runs on this OS thread.
inline constinit thread_local uint3 threadIdx{}, blockIdx{};
inline constinit thread_local dim3 blockDim{}, gridDim{};
inline constexpr int warpSize = 32;
