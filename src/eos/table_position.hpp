// A position in the table of the gas of stars: which coefficients, with which weights.
#pragma once

#include "eos/cubic_spline.hpp"
#include "exec/elementary.hpp"

namespace rednova::eos {

/// What a table holds, each a spline in (ln rho, y), y = ln(eps - eps_c(rho)), for each hydrogen fraction. eps is the
/// energy per mass; eps_c and p_c are the cold curve, what energy and pressure of the gas below the coldest tabulated
/// temperature tend to at zero temperature.
enum class stellar_quantity {
  pressure,     ///< (p - p_c) / (rho (eps - eps_c))
  gamma1,       ///< dln p/dln rho at constant entropy
  temperature,  ///< ln(T / K)
  entropy,      ///< asinh(s / 10), s in k / m_u
  gruneisen,    ///< (dp/de) at constant rho
  electrons,    ///< free ones, less positrons, for each atomic mass unit
  molecules,    ///< of hydrogen, for each atomic mass unit: only in tables with molecules
  count
};

/// One rectangle of nodes, uniform in ln rho [g/cm^3] and y [erg/g]; for each hydrogen fraction the splines'
/// coefficients [quantity][row][column], and after those of all fractions the cold curve's [fraction][energy,
/// pressure][row], as eps_c / (1e13 rho^(2/3)) and p_c / (1e13 rho^(5/3)) in cgs.
struct stellar_patch {
  double log_rho, rows_per_log;  ///< first node, nodes for each unit
  double y, columns_per_y;
  double rows, columns;  ///< nodes
  double splines, cold;  ///< where coefficients begin
};

/// A density and composition in the table of `Table` (eos::stellar), and from go_to on also an energy. Each of the
/// neighbouring fractions of hydrogen has its own cold curve and its own y; all have the same temperature.
template <class T>
struct table_position {
  T lowest_y;

  template <class Table>
  REDNOVA_FN table_position(const Table& t, const T& rho, const T& x)
      : table_position(t, rho, x, log_density(t, rho)) {}

  REDNOVA_FN T highest_y() const { return lowest_y + intervals_ / columns_per_y_; }
  REDNOVA_FN T cold_energy() const { return mixed(cold_energy_); }
  REDNOVA_FN T cold_pressure() const { return mixed(cold_pressure_); }

  /// The position where the energy per mass is eps.
  template <class Table>
  REDNOVA_FN void go_to(const Table& t, const T& eps) {
    using exec::natural_log, exec::max;
    const T heat = max(eps - cold_energy(), T(1e-300)), y = natural_log(max(heat * t.energy_unit, T(1e-300)));
    for (int k = 0; k < fractions_; ++k) {
      heat_[k] = heat;
      y_[k] = y;
    }
    if (fractions_ > 1) to_one_temperature(t, eps);
    for (int k = 0; k < fractions_; ++k) columns_[k] = spline_weights<T>(column(y_[k]), intervals_);
  }
  template <class Table>
  REDNOVA_FN T value(const Table& t, stellar_quantity q) const {
    T sum(0.0);
    for (int k = 0; k < fractions_; ++k) sum += weight_[k] * value(t, q, k);
    return sum;
  }
  template <class Table>
  REDNOVA_FN T pressure(const Table& t, const T& rho) const {
    T sum(0.0);
    for (int k = 0; k < fractions_; ++k) {
      sum += weight_[k] * (cold_pressure_[k] + rho * heat_[k] * value(t, stellar_quantity::pressure, k));
    }
    return sum;
  }
  template <class Table>
  REDNOVA_FN T entropy(const Table& t) const {
    T sum(0.0);
    for (int k = 0; k < fractions_; ++k) {
      sum += weight_[k] * 10.0 * exec::hyperbolic_sine(value(t, stellar_quantity::entropy, k));
    }
    return sum;
  }
  template <class Table>
  REDNOVA_FN T kelvin(const Table& t) const {
    using exec::exp, exec::min;
    T sum(0.0);
    for (int k = 0; k < fractions_; ++k) {
      sum += weight_[k] * (value(t, stellar_quantity::temperature, k) + min(y_[k] - lowest_y, T(0.0)));
    }
    return exp(sum);
  }
  struct temperature {
    T kelvin;
    T slope;  ///< dln T/dln(eps - eps_c) at constant density, positive
  };
  template <class Table>
  REDNOVA_FN temperature kelvin_and_slope(const Table& t) const {
    using exec::exp, exec::max;
    T sum(0.0), heat(0.0), over(0.0);
    for (int k = 0; k < fractions_; ++k) {
      const value_and_slope at = log_kelvin(t, k);
      sum += weight_[k] * at.value;
      heat += weight_[k] * heat_[k];
      over += weight_[k] * heat_[k] / at.slope;
    }
    return {exp(sum), max(T(heat / over), T(least_slope))};
  }

 private:
  static constexpr double least_slope = 1e-3;  // of ln T, for Newton's method

  template <class Table>
  REDNOVA_FN static T log_density(const Table& t, const T& rho) {
    using exec::natural_log;
    return natural_log(T(rho * t.density_unit));
  }
  template <class Table>
  REDNOVA_FN static T pick(const Table& t, const T& log_rho, double stellar_patch::*member) {
    return exec::select(log_rho < t.split, T(t.thin.*member), T(t.dense.*member));
  }

  template <class Table>
  REDNOVA_FN table_position(const Table& t, const T& rho, const T& x, const T& log_rho)
      : lowest_y(pick(t, log_rho, &stellar_patch::y)),
        columns_per_y_(pick(t, log_rho, &stellar_patch::columns_per_y)),
        intervals_(pick(t, log_rho, &stellar_patch::columns) - 1.0),
        density_(
            T((log_rho - pick(t, log_rho, &stellar_patch::log_rho)) * pick(t, log_rho, &stellar_patch::rows_per_log)),
            T(pick(t, log_rho, &stellar_patch::rows) - 1.0)) {
    using exec::cube_root;
    const T rows = pick(t, log_rho, &stellar_patch::rows) + 2.0;
    next_row_ = pick(t, log_rho, &stellar_patch::columns) + 2.0;
    next_quantity_ = rows * next_row_;
    const T next_fraction = next_quantity_ * t.quantities;
    const T table = choose_fractions(t, x);
    const T root = cube_root(T(rho * t.density_unit)), scale = (1e13 / t.energy_unit) * root * root;
    for (int k = 0; k < fractions_; ++k) {
      first_[k] = pick(t, log_rho, &stellar_patch::splines) + (table + double(k)) * next_fraction +
                  density_.interval * next_row_;
      const T cold = pick(t, log_rho, &stellar_patch::cold) + 2.0 * (table + double(k)) * rows + density_.interval;
      cold_energy_[k] = scale * along_rho(t.data, cold);
      cold_pressure_[k] = scale * rho * along_rho(t.data, T(cold + rows));
    }
  }

  /// Sets the weights of one or three fractions, and gives the first. One where x is that of a table, in all lanes.
  template <class Table>
  REDNOVA_FN T choose_fractions(const Table& t, const T& x) {
    using exec::abs, exec::any, exec::floor, exec::max, exec::min, exec::select, exec::sqrt;
    fractions_ = 1;
    weight_[0] = T(1.0);
    if (!(t.hydrogen_tables > 1.0)) return T(0.0);
    const T inside = t.within(x);
    const T exact = (sqrt(inside) - t.first_root) * (1.0 / t.root_step);
    const T nearest = floor(exact + 0.5), root = t.first_root + nearest * t.root_step;
    const auto between = abs(inside - root * root) > 1e-10;
    if (!any(between)) return nearest;
    fractions_ = 3;
    const T panel = 2.0 * min(T(floor(0.5 * exact)), T(0.5 * (t.hydrogen_tables - 3.0)));
    const T u = select(between, exact, nearest) - panel;
    weight_[0] = 0.5 * (u - 1.0) * (u - 2.0);
    weight_[1] = u * (2.0 - u);
    weight_[2] = 0.5 * u * (u - 1.0);
    return panel;
  }

  /// Moves y of each fraction until T_k(y_k) agree and sum_k w_k eps_k = eps: Newton's method, linear in all but T_k.
  /// A fraction of weight one stays.
  template <class Table>
  REDNOVA_FN void to_one_temperature(const Table& t, const T& eps) {
    using exec::abs, exec::any, exec::max, exec::min, exec::select;
    auto finished = weight_[0] == 1.0 || weight_[1] == 1.0 || weight_[2] == 1.0;
    constexpr int most_steps = 30;
    constexpr double converged = 1e-5;  // the step after would be of the square of this
    cubic held[3];                      // late steps stay in their interval: what depends on it is looked up once
    T held_interval[3] = {T(-1.0), T(-1.0), T(-1.0)}, last[3] = {T(0.0), T(0.0), T(0.0)};
    for (int n = 0; n < most_steps && any(!finished); ++n) {
      T rest = eps, over(0.0), log_t[3], slope[3];
      for (int k = 0; k < fractions_; ++k) {
        columns_[k] = spline_weights<T>(column(y_[k]), intervals_);
        if (any(columns_[k].interval != held_interval[k])) {
          held[k] = along_y(t, stellar_quantity::temperature, k);
          held_interval[k] = columns_[k].interval;
        }
        const value_and_slope here = log_kelvin(held[k], k);
        log_t[k] = here.value;
        slope[k] = here.slope;
        const T by_log_t = weight_[k] * heat_[k] / slope[k];
        rest += by_log_t * log_t[k] - weight_[k] * (cold_energy_[k] + heat_[k]);
        over += by_log_t;
      }
      const T target = rest / over;
      T largest(0.0);
      for (int k = 0; k < fractions_; ++k) {
        // Half as far where it turns around: about a bend of T_k(y_k) steps of full length go to and fro for ever.
        const T whole = (target - log_t[k]) / slope[k],
                most = select(last[k] * whole < -1e-6, 0.5 * abs(last[k]), T(0.3));
        const T step = min(max(whole, T(-most)), most);
        last[k] = step;
        y_[k] = select(finished, y_[k], y_[k] + step);
        heat_[k] = select(finished, heat_[k], heat_[k] * exp_of_step(step));
        largest = max(largest, abs(whole));
      }
      finished = finished || largest < converged;
    }
  }

  REDNOVA_FN T column(const T& y) const { return (y - lowest_y) * columns_per_y_; }
  REDNOVA_FN T mixed(const T* of) const {
    T sum(0.0);
    for (int k = 0; k < fractions_; ++k) sum += weight_[k] * of[k];
    return sum;
  }
  REDNOVA_FN T along_rho(const double* data, const T& index) const {
    T sum(0.0);
    T four[4];
    exec::gather_four(data, index, four);
    for (int i = 0; i < 4; ++i) sum += density_.w[i] * four[i];
    return sum;
  }
  template <class Table>
  REDNOVA_FN T value(const Table& t, stellar_quantity q, int k) const {
    const cubic c = along_y(t, q, k);
    const T* w = columns_[k].w;
    return (w[0] * c.of[0] + w[1] * c.of[1]) + (w[2] * c.of[2] + w[3] * c.of[3]);
  }
  struct value_and_slope {
    T value, slope;
  };
  /// The four coefficients along y of a quantity at this density, in the interval of columns_[k].
  struct cubic {
    T of[4];
  };
  template <class Table>
  REDNOVA_FN cubic along_y(const Table& t, stellar_quantity q, int k) const {
    const T corner = first_[k] + double(static_cast<int>(q)) * next_quantity_ + columns_[k].interval;
    cubic c;
    exec::gather_rows(t.data, corner, next_row_, density_.w, c.of);
    return c;
  }
  /// ln T of a fraction from its coefficients, and its slope by y; below the table T is as y's energy.
  REDNOVA_FN value_and_slope log_kelvin(const cubic& c, int k) const {
    using exec::max, exec::min, exec::select;
    T slopes[4], value(0.0), rising(0.0);
    columns_[k].slopes(slopes);
    for (int j = 0; j < 4; ++j) {
      value += columns_[k].w[j] * c.of[j];
      rising += slopes[j] * c.of[j];
    }
    return {value + min(y_[k] - lowest_y, T(0.0)),
            select(y_[k] < lowest_y, T(1.0), max(columns_per_y_ * rising, T(least_slope)))};
  }
  template <class Table>
  REDNOVA_FN value_and_slope log_kelvin(const Table& t, int k) const {
    return log_kelvin(along_y(t, stellar_quantity::temperature, k), k);
  }
  /// exp of a step of Newton's method, to rounding for |x| up to 0.3: a polynomial, which unlike exec::exp packs have.
  REDNOVA_FN static T exp_of_step(const T& x) {
    T sum(1.0);
    for (int n = 12; n > 0; --n) sum = 1.0 + sum * x * (1.0 / n);
    return sum;
  }
  T columns_per_y_, intervals_;
  spline_weights<T> density_;
  T next_row_, next_quantity_;
  int fractions_;
  T weight_[3], first_[3], cold_energy_[3], cold_pressure_[3];
  T y_[3], heat_[3];  // heat: eps - eps_c, code units
  spline_weights<T> columns_[3];
};

}  // namespace rednova::eos
