// REDNOVA_FN marks a small function that host and device compile alike; REDNOVA_LARGE_FN one that the processor's
// compiler need not inline. REDNOVA_FLAT_FN is that with all that it calls inlined on the processor: in long functions
// gcc otherwise calls a function for each pack that it makes of a constant.
#pragma once

#ifdef __CUDACC__
#define REDNOVA_FN __host__ __device__ __forceinline__
#define REDNOVA_LARGE_FN __host__ __device__ __forceinline__
#define REDNOVA_FLAT_FN __host__ __device__ __forceinline__
#else
#define REDNOVA_FN inline __attribute__((always_inline))
#define REDNOVA_LARGE_FN
#define REDNOVA_FLAT_FN __attribute__((flatten))
#endif
