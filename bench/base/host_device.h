#pragma once

// Of functions that kernels call, too.
#ifdef __CUDACC__
#define BENCH_HOST_DEVICE __host__ __device__
#else
#define BENCH_HOST_DEVICE
#endif
