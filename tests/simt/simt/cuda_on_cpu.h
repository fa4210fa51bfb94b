// Include before a CUDA kernel's source to compile it for the CPU, and run it with simt::launch. Raw __shared__ is left
// undefined on purpose: shared memory is declared by the SLU_SHARED macros, so that every access is checked.
#pragma once

#ifndef __CUDACC__

#define __global__ static inline  // internal: the library has kernels of the same names, from nvcc
#define __device__
#define __host__
#define __constant__ inline
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) alignas(bytes)

#include "atomics.h"
#include "intrinsics.h"
#include "launch.h"
#include "pipe.h"
#include "shared.h"
#include "vector_types.h"
#include "warp.h"

#endif
