#include "eos/cubic_spline.hpp"

#include "core/check.hpp"

namespace rednova::eos {

std::vector<double> spline_through(std::span<const double> f) {
  const std::size_t n = f.size();
  EXPECT(n >= 5);
  // c[i + 1] belongs to node i. Without a knot at node 1 the fourth difference of c about it is zero, and with the
  // equations of nodes 0, 1 and 2, c[i - 1] + 4 c[i] + c[i + 1] = 6 f[i], that gives the coefficient of node 1 alone.
  std::vector<double> c(spline_coefficients(n));
  c[2] = (8.0 * f[1] - f[0] - f[2]) / 6.0;
  c[n - 1] = (8.0 * f[n - 2] - f[n - 1] - f[n - 3]) / 6.0;
  std::vector<double> factor(n);  // Thomas' algorithm for nodes 2 to n - 3
  double last = c[2], last_factor = 0.0;
  for (std::size_t i = 2; i + 2 < n; ++i) {
    const double over = 1.0 / (4.0 - last_factor);
    last = c[i + 1] = (6.0 * f[i] - last) * over;
    last_factor = factor[i] = over;
  }
  for (std::size_t i = n - 3; i >= 2; --i) c[i + 1] -= factor[i] * c[i + 2];
  c[1] = 6.0 * f[1] - 4.0 * c[2] - c[3];
  c[0] = 6.0 * f[0] - 4.0 * c[1] - c[2];
  c[n] = 6.0 * f[n - 2] - 4.0 * c[n - 1] - c[n - 2];
  c[n + 1] = 6.0 * f[n - 1] - 4.0 * c[n] - c[n - 1];
  return c;
}

}  // namespace rednova::eos
