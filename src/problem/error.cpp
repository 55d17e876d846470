#include "problem/error.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/check.hpp"
#include "exchange/gather.hpp"
#include "problem/sample.hpp"

namespace rednova::problem {

namespace {

/// Volume integrals of |u - u_exact| of a leaf: the fields, then mass density and exact mass density.
std::vector<double> leaf_errors(const step::simulation& s, const problem& p, int leaf, std::atomic<bool>& unknown) {
  const std::size_t fields = static_cast<std::size_t>(s.fields().evolved());
  std::vector<double> exact(fields * mesh::cells), sum(fields + 2, 0.0);
  const gas_at f = [&](core::vec3d x) {
    const std::optional<gas> g = p.exact(x, s.time());
    if (!g) unknown = true;
    return g.value_or(gas{});
  };
  sample_leaf(p, f, s, leaf, exact.data());
  const double h = s.tree().cell_width(leaf);
  for (std::size_t c = 0; c < mesh::cells; ++c) {
    double rho = 0, rho_exact = 0;
    for (std::size_t n = 0; n < fields; ++n) {
      const double u = s.u().at(leaf)[n * mesh::cells + c], e = exact[n * mesh::cells + c];
      sum[n] += h * h * h * std::fabs(u - e);
      if (n >= static_cast<std::size_t>(s.fields().species())) continue;
      rho += u;
      rho_exact += e;
    }
    sum[fields] += h * h * h * std::fabs(rho - rho_exact);
    sum[fields + 1] += h * h * h * rho_exact;
  }
  return sum;
}

}  // namespace

double error_norms::all() const { return std::hypot(density, momentum, energy); }

error_norms l1_error(const step::simulation& s, const problem& p) {
  std::atomic<bool> unknown = false;
  const std::size_t fields = static_cast<std::size_t>(s.fields().evolved());
  std::vector<double> sum = exchange::fold_leaves<double>(
      s.context(), "error", s.tree(), s.halo().partition(), static_cast<int>(fields) + 2,
      [&](int leaf, double* row) { std::ranges::copy(leaf_errors(s, p, leaf, unknown), row); },
      [fields](double* a, const double* b) {
        for (std::size_t n = 0; n < fields + 2; ++n) a[n] += b[n];
      });
  if (unknown) core::fail("the exact solution of this problem is not known at time {}", s.time());
  const core::vec3d edge = s.tree().box().upper() - s.tree().box().lower;
  for (double& x : sum) x /= edge.x * edge.y * edge.z;
  error_norms e;
  e.fields.assign(sum.begin(), sum.begin() + static_cast<std::ptrdiff_t>(fields));
  e.density = sum[fields];
  e.exact_density = sum[fields + 1];
  const auto field = [&](int n) { return e.fields[static_cast<std::size_t>(n)]; };
  e.momentum = std::hypot(field(s.fields().momentum(0)), field(s.fields().momentum(1)), field(s.fields().momentum(2)));
  e.energy = field(s.fields().energy());
  return e;
}

}  // namespace rednova::problem
