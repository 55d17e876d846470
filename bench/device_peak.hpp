// The measures of all device kernels: multiply-adds on registers, and copies within the device's memory.
#pragma once

#include "exec/cuda/array.hpp"

namespace rednova::bench {

/// Threads of the peak's launch: several warps for each scheduler of any device.
inline constexpr int peak_threads = 1 << 19;
/// Operations of a launch, a multiply-add counted as two.
double peak_flops();
/// Launches multiply-adds on registers; out: peak_threads numbers.
void launch_peak(const exec::cuda::context& context, double* out);
/// Launches to[i] = from[i] for i < n.
void launch_copy(const exec::cuda::context& context, int n, const double* from, double* to);

}  // namespace rednova::bench
