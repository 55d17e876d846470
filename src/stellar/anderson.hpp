// Anderson's mixing (1965, J. ACM 12, 547) for a density that is to reproduce itself.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "exec/for_each.hpp"
#include "mesh/block_data.hpp"
#include "mesh/tree.hpp"

namespace rednova::stellar {

/// Makes the next density of a fixed-point iteration out of this one, what the map makes of it, and some before: the
/// combination whose residual would be the least if the map were linear.
class anderson_mixing {
 public:
  /// How many densities before this one count. Each takes two numbers a cell.
  static constexpr std::size_t depth = 3;

  /// relaxation: share of the residual that goes into the next density. The tree must outlive this object.
  anderson_mixing(exec::context& context, const mesh::tree& t, double relaxation)
      : context_(context), tree_(t), relaxation_(relaxation) {}

  /// Sets the density, a field on all leaves, to the next one, which is nowhere negative. residual: what the map makes
  /// of the density, less the density.
  void mix(mesh::block_data& density, const mesh::block_data& residual) {
    if (before_) {
      steps_.push_back({difference(density, before_->density), difference(residual, before_->residual)});
      if (steps_.size() > depth) steps_.erase(steps_.begin());
    }
    before_ = state{density, residual};
    const std::array<double, depth> share = shares(residual);
    exec::for_each(context_, "stellar density", tree_.leaves(), [&](int leaf) {
      for (int c = 0; c < mesh::cells; ++c) {
        double& rho = density.at(leaf)[c];
        double next = rho + relaxation_ * residual.at(leaf)[c];
        for (std::size_t s = 0; s < steps_.size(); ++s)
          next -= share[s] * (steps_[s].density.at(leaf)[c] + relaxation_ * steps_[s].residual.at(leaf)[c]);
        rho = std::max(next, 0.0);
      }
    });
  }

  /// The next density is made without those before.
  void forget() {
    steps_.clear();
    before_.reset();
  }

 private:
  /// A density and its residual, or their changes from one to the next.
  struct state {
    mesh::block_data density, residual;
  };

  mesh::block_data difference(const mesh::block_data& a, const mesh::block_data& b) const {
    mesh::block_data d(tree_.leaves(), 1);
    exec::for_each(context_, "stellar density", tree_.leaves(), [&](int leaf) {
      for (int c = 0; c < mesh::cells; ++c) d.at(leaf)[c] = a.at(leaf)[c] - b.at(leaf)[c];
    });
    return d;
  }

  /// Of the steps, such that what their residuals leave of this one has the least square.
  std::array<double, depth> shares(const mesh::block_data& residual) const {
    // Products of the steps' residuals, and in the last column those with the residual.
    using products = std::array<std::array<double, depth + 1>, depth>;
    const std::size_t n = steps_.size();
    products a = exec::reduce(
        context_, "stellar density", tree_.leaves(), products{},
        [&](int leaf) {
          const double h = tree_.cell_width(leaf), v = h * h * h;
          products sum{};
          for (std::size_t i = 0; i < n; ++i) {
            const double* const x = steps_[i].residual.at(leaf);
            for (std::size_t j = 0; j <= n; ++j) {
              const double* const y = j < n ? steps_[j].residual.at(leaf) : residual.at(leaf);
              double& s = sum[i][j < n ? j : depth];
              for (int c = 0; c < mesh::cells; ++c) s += v * x[c] * y[c];
            }
          }
          return sum;
        },
        [](products p, const products& q) {
          for (std::size_t i = 0; i < depth; ++i)
            for (std::size_t j = 0; j <= depth; ++j) p[i][j] += q[i][j];
          return p;
        });
    // By Gauss, on a diagonal that steps along each other cannot empty.
    for (std::size_t i = 0; i < n; ++i) a[i][i] *= 1 + 1e-10;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(a[i][i] > 0)) return {};
      for (std::size_t k = i + 1; k < n; ++k) {
        const double factor = a[k][i] / a[i][i];
        for (std::size_t j = i; j <= depth; ++j) a[k][j] -= factor * a[i][j];
      }
    }
    std::array<double, depth> x{};
    for (std::size_t i = n; i-- > 0;) {
      double s = a[i][depth];
      for (std::size_t j = i + 1; j < n; ++j) s -= a[i][j] * x[j];
      x[i] = s / a[i][i];
    }
    return x;
  }

  exec::context& context_;
  const mesh::tree& tree_;
  double relaxation_;
  std::optional<state> before_;
  std::vector<state> steps_;
};

}  // namespace rednova::stellar
