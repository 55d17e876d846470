// REDNOVA_FN marks a function that host and device compile alike.
#pragma once

#ifdef __CUDACC__
#define REDNOVA_FN __host__ __device__ __forceinline__
#else
#define REDNOVA_FN inline __attribute__((always_inline))
#endif
