// Opacity tables as cores and devices read them.
#pragma once

#include <cmath>

#include "exec/macros.hpp"
#include "exec/simd.hpp"

namespace rednova::radiation {

/// Tables as a row of numbers, wherever these stand (opacity_tables::numbers()): how many layers there are and where
/// each begins; of each how many tables and where each begins; of each its hydrogen, rows, columns, log T, log R, and
/// log kappa by [row][column]. Rising are the layers' log T, their tables' hydrogen, and a table's log T and log R.
class opacity_view {
 public:
  opacity_view() = default;
  explicit opacity_view(const double* numbers) : numbers_(numbers) {}

  REDNOVA_FN bool empty() const { return numbers_ == nullptr; }

  /// cm²/g at rho [g/cm³], T [K] and a mass fraction of hydrogen: log kappa is linear in log T, log R and X, and beyond
  /// the ends of each that at the end. Where two layers overlap it goes from one to the other linearly. Contract: there
  /// are tables.
  REDNOVA_FN double operator()(double rho, double t, double hydrogen) const {
    const double log_t = std::log10(exec::max(t, 1e-30)), log_r = std::log10(exec::max(rho, 1e-300)) - 3 * log_t + 18;
    const int layers = whole(numbers_);
    int n = 0;  // the last that begins below
    while (n + 1 < layers && layer_at(n + 1).lowest() <= log_t) ++n;
    const layer now = layer_at(n);
    const double here = now.at(log_t, log_r, hydrogen);
    if (n == 0) return std::pow(10.0, here);
    const layer before = layer_at(n - 1);
    if (log_t >= before.highest()) return std::pow(10.0, here);
    const double below = before.at(log_t, log_r, hydrogen);
    const double share = (log_t - now.lowest()) / (before.highest() - now.lowest());
    return std::pow(10.0, below + share * (here - below));
  }

 private:
  /// Where a value lies among rising ones: the one before, and the share of the next.
  struct place {
    REDNOVA_FN place(const double* all, int count, double value) {
      const double inside = exec::min(exec::max(value, all[0]), all[count - 1]);
      int below = 0, above = count - 1;  // all[below] <= inside; all[above] > inside, or it is the last
      while (above - below > 1) {
        const int middle = (below + above) / 2;
        if (all[middle] <= inside) {
          below = middle;
        } else {
          above = middle;
        }
      }
      before = below;
      share = (inside - all[below]) / (all[below + 1] - all[below]);
    }
    int before;
    double share;
  };
  /// Of one composition.
  struct table {
    double hydrogen;
    int rows, columns;
    const double *log_t, *log_r, *log_kappa;

    REDNOVA_FN double at(double t, double r) const {
      const place row(log_t, rows, t), column(log_r, columns, r);
      const double* const low = log_kappa + row.before * columns + column.before;
      const double* const high = low + columns;
      const double below = low[0] + column.share * (low[1] - low[0]);
      return below + row.share * (high[0] + column.share * (high[1] - high[0]) - below);
    }
  };
  /// Tables with one range of log T.
  struct layer {
    const double *all, *own;

    REDNOVA_FN int tables() const { return whole(own); }
    REDNOVA_FN table operator[](int n) const {
      const double* const p = all + whole(own + 1 + n);
      const int rows = whole(p + 1), columns = whole(p + 2);
      return {p[0], rows, columns, p + 3, p + 3 + rows, p + 3 + rows + columns};
    }
    REDNOVA_FN double lowest() const { return (*this)[0].log_t[0]; }
    REDNOVA_FN double highest() const {
      const table first = (*this)[0];
      return first.log_t[first.rows - 1];
    }
    REDNOVA_FN double at(double log_t, double log_r, double hydrogen) const {
      int after = 0;  // the first that has more
      while (after < tables() && (*this)[after].hydrogen <= hydrogen) ++after;
      if (after == 0 || after == tables()) return (*this)[after == 0 ? 0 : after - 1].at(log_t, log_r);
      const table less = (*this)[after - 1], more = (*this)[after];
      const double below = less.at(log_t, log_r);
      const double share = (hydrogen - less.hydrogen) / (more.hydrogen - less.hydrogen);
      return below + share * (more.at(log_t, log_r) - below);
    }
  };

  REDNOVA_FN static int whole(const double* number) { return static_cast<int>(*number); }
  REDNOVA_FN layer layer_at(int n) const { return {numbers_, numbers_ + whole(numbers_ + 1 + n)}; }

  const double* numbers_ = nullptr;
};

}  // namespace rednova::radiation
