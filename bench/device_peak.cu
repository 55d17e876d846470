#include "device_peak.hpp"

#include "exec/cuda/for_each.hpp"

namespace rednova::bench {

namespace {

// Chains beside each other in a thread, and their length.
constexpr int chains = 8, rounds = 512;

struct multiply_adds {
  double a, b;
  double* out;
  REDNOVA_FN void operator()(int i) const {
    double sum[chains];
    for (int c = 0; c < chains; ++c) sum[c] = 1e-3 * (i + c);
    for (int n = 0; n < rounds; ++n) {
      for (int c = 0; c < chains; ++c) sum[c] = sum[c] * a + b;
    }
    double all = 0;
    for (int c = 0; c < chains; ++c) all += sum[c];
    out[i] = all;
  }
};

struct copy {
  const double* from;
  double* to;
  REDNOVA_FN void operator()(int i) const { to[i] = from[i]; }
};

}  // namespace

double peak_flops() { return 2.0 * chains * rounds * peak_threads; }

void launch_peak(const exec::cuda::context& context, double* out) {
  exec::cuda::for_each(context, peak_threads, multiply_adds{0.999999, 1e-9, out});
}

void launch_copy(const exec::cuda::context& context, int n, const double* from, double* to) {
  exec::cuda::for_each(context, n, copy{from, to});
}

}  // namespace rednova::bench
