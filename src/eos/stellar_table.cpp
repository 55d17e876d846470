#include "eos/stellar_table.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>

#include "core/check.hpp"
#include "eos/stellar_nodes.hpp"

namespace rednova::eos {
namespace {

using std::numbers::ln10;

/// One rectangle of nodes with its size in memory.
struct rectangle {
  std::size_t rows, columns;
  double log_rho, row_step, y, column_step;
  std::size_t quantities;

  std::size_t spline_numbers() const { return spline_coefficients(rows) * spline_coefficients(columns); }
  /// Of one fraction of hydrogen: splines, cold curve.
  std::size_t numbers() const { return quantities * spline_numbers() + 2 * spline_coefficients(rows); }
};

/// Rows overlap at the split by four nodes, so that the splines' ends are outside of what is used.
rectangle thin_part(const stellar_parameters& p) {
  constexpr int overlap = 4;
  const auto rows =
      static_cast<std::size_t>(std::ceil((p.density_split - p.density_min) * p.thin_rows - 1e-9)) + 1 + overlap;
  const auto columns = static_cast<std::size_t>(std::ceil((p.energy_max - p.energy_min) * p.thin_columns - 1e-9)) + 1;
  return {rows,
          columns,
          p.density_min * ln10,
          ln10 / p.thin_rows,
          p.energy_min * ln10,
          ln10 / p.thin_columns,
          static_cast<std::size_t>(p.quantities())};
}
rectangle dense_part(const stellar_parameters& p) {
  constexpr int overlap = 4;
  const auto rows =
      static_cast<std::size_t>(std::ceil((p.density_max - p.density_split) * p.dense_rows - 1e-9)) + 1 + overlap;
  const auto columns = static_cast<std::size_t>(std::ceil((p.energy_max - p.energy_min) * p.dense_columns - 1e-9)) + 1;
  const double step = ln10 / p.dense_rows;
  return {rows,
          columns,
          p.density_split * ln10 - overlap * step,
          step,
          p.energy_min * ln10,
          ln10 / p.dense_columns,
          static_cast<std::size_t>(p.quantities())};
}

/// Node values of a rectangle for one fraction of hydrogen become coefficients, at their places.
class spline_writer {
 public:
  spline_writer(const rectangle& of, double* splines, double* cold) : of_(of), splines_(splines), cold_(cold) {}

  void write(const std::vector<table_row>& rows) const {
    std::vector<double> column(of_.rows);
    for (std::size_t part = 0; part < 2; ++part) {
      for (std::size_t i = 0; i < of_.rows; ++i) {
        const double rho = std::exp(of_.log_rho + double(i) * of_.row_step),
                     scale = 1e13 * std::cbrt(rho) * std::cbrt(rho);
        column[i] = part == 0 ? rows[i].cold_energy / scale : rows[i].cold_pressure / (rho * scale);
      }
      std::ranges::copy(spline_through(column), cold_ + part * spline_coefficients(of_.rows));
    }
    for (std::size_t q = 0; q < of_.quantities; ++q) write_quantity(rows, q);
  }

 private:
  void write_quantity(const std::vector<table_row>& rows, std::size_t q) const {
    const std::size_t width = spline_coefficients(of_.columns);
    std::vector<std::vector<double>> along;
    for (const table_row& row : rows) along.push_back(spline_through(row.values[q]));
    double* const to = splines_ + q * of_.spline_numbers();
    std::vector<double> column(of_.rows);
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t i = 0; i < of_.rows; ++i) column[i] = along[i][j];
      const std::vector<double> c = spline_through(column);
      for (std::size_t i = 0; i < c.size(); ++i) to[i * width + j] = c[i];
    }
  }

  const rectangle& of_;
  double* splines_;
  double* cold_;
};

/// Counts rows and tells.
class teller {
 public:
  teller(const progress& tell, std::size_t all) : tell_(tell), all_(all) {}
  void one() {
    if (!tell_) return;
    const std::scoped_lock lock(guard_);
    tell_(double(++done_) / double(all_));
  }

 private:
  const progress& tell_;
  std::size_t all_, done_ = 0;
  std::mutex guard_;
};

}  // namespace

std::vector<double> stellar_parameters::numbers() const {
  return {carbon,
          oxygen,
          hydrogen_min,
          hydrogen_max,
          double(hydrogen_tables),
          double(with_radiation == radiation::included),
          double(with_molecules == molecules::hydrogen),
          density_min,
          density_split,
          density_max,
          energy_min,
          energy_max,
          double(thin_rows),
          double(thin_columns),
          double(dense_rows),
          double(dense_columns)};
}

double stellar_parameters::hydrogen_of(int table) const {
  if (table == 0) return hydrogen_min;
  if (table == hydrogen_tables - 1) return hydrogen_max;
  const double first = std::sqrt(hydrogen_min), step = (std::sqrt(hydrogen_max) - first) / (hydrogen_tables - 1);
  return (first + table * step) * (first + table * step);
}

int stellar_parameters::quantities() const {
  return static_cast<int>(with_molecules == molecules::hydrogen ? stellar_quantity::count
                                                                : stellar_quantity::molecules);
}

void stellar_parameters::check() const {
  const auto rule = [](bool kept, std::string_view text) {
    if (!kept) core::fail("table of the equation of state: {}", text);
  };
  rule(carbon >= 0 && oxygen >= 0 && hydrogen_min >= 0, "mass fractions must not be negative");
  rule(hydrogen_max >= hydrogen_min && hydrogen_max + carbon + oxygen <= 1.0 + 1e-12,
       "mass fractions must not exceed 1");
  rule(hydrogen_tables == 1 || (hydrogen_tables >= 3 && hydrogen_tables % 2 == 1),
       "the number of fractions of hydrogen must be 1 or an odd number from 3 on");
  rule(hydrogen_tables == 1 || hydrogen_max > hydrogen_min, "several fractions of hydrogen need a range");
  rule(density_min >= -15 && density_min < density_split && density_split < density_max && density_max <= 8,
       "densities must rise from the least over the split to the largest, within 1e-15 and 1e8 g/cm^3");
  rule(energy_min >= 5 && energy_max > energy_min && energy_max <= 20, "energies must rise, within 1e5 and 1e20 erg/g");
  rule(std::min({thin_rows, thin_columns, dense_rows, dense_columns}) >= 4, "four nodes a decade is the least");
}

std::size_t stellar_table::numbers_needed(const stellar_parameters& of) {
  return static_cast<std::size_t>(of.hydrogen_tables) * (thin_part(of).numbers() + dense_part(of).numbers());
}

stellar_table::stellar_table(const stellar_parameters& of, std::vector<double> coefficients)
    : parameters_(of), coefficients_(std::move(coefficients)) {
  of.check();
  EXPECT(coefficients_.size() == numbers_needed(of));
}

stellar_table::stellar_table(const stellar_parameters& of, exec::context& context, const progress& tell)
    : parameters_(of) {
  of.check();
  coefficients_.resize(numbers_needed(of));
  const std::array parts{thin_part(of), dense_part(of)};
  const auto tables = static_cast<std::size_t>(of.hydrogen_tables);
  const std::size_t rows = parts[0].rows + parts[1].rows;
  std::vector<free_energy> gases;
  for (int n = 0; n < of.hydrogen_tables; ++n) {
    gases.emplace_back(of.at(of.hydrogen_of(n)), of.with_radiation, of.with_molecules);
  }
  teller done(tell, tables * rows);
  std::vector<std::vector<table_row>> made(2 * tables);
  for (std::size_t n = 0; n < made.size(); ++n) made[n].resize(parts[n % 2].rows);
  exec::for_each(context, "equation of state", static_cast<int>(tables * rows), [&](int i) {
    const auto index = static_cast<std::size_t>(i);
    const std::size_t table = index / rows, row = index % rows, part = row < parts[0].rows ? 0 : 1;
    const rectangle& r = parts[part];
    const std::size_t at = part == 0 ? row : row - parts[0].rows;
    std::vector<double> y(r.columns);
    for (std::size_t j = 0; j < y.size(); ++j) y[j] = r.y + double(j) * r.column_step;
    made[2 * table + part][at] = make_row(gases[table], std::exp(r.log_rho + double(at) * r.row_step), y);
    done.one();
  });
  exec::for_each(context, "equation of state", static_cast<int>(made.size()), [&](int i) {
    const auto n = static_cast<std::size_t>(i);
    const rectangle& r = parts[n % 2];
    double* const begin = coefficients_.data() + (n % 2 == 0 ? 0 : tables * parts[0].numbers());
    const std::size_t splines = r.quantities * r.spline_numbers();
    spline_writer(r, begin + n / 2 * splines, begin + tables * splines + n / 2 * 2 * spline_coefficients(r.rows))
        .write(made[n]);
  });
}

stellar stellar_table::view(const core::units& u, const double* data) const {
  const stellar_parameters& p = parameters_;
  const auto tables = static_cast<std::size_t>(p.hydrogen_tables);
  std::size_t begin = 0;
  const auto patch = [&](const rectangle& r) {
    const std::size_t splines = begin, cold = begin + tables * r.quantities * r.spline_numbers();
    begin += tables * r.numbers();
    return stellar_patch{r.log_rho,         1.0 / r.row_step, r.y,         1.0 / r.column_step, double(r.rows),
                         double(r.columns), double(splines),  double(cold)};
  };
  const rectangle thin = thin_part(p), dense = dense_part(p);
  const double energy_unit = u.velocity() * u.velocity();
  const auto steepest = [&](const rectangle& r, std::size_t from) {
    double most = 0;  // coefficients bound what the spline takes between them
    for (std::size_t n = 0; n < tables; ++n) {
      const double* const c =
          coefficients_.data() + from +
          (n * r.quantities + static_cast<std::size_t>(stellar_quantity::gruneisen)) * r.spline_numbers();
      most = std::max(most, *std::max_element(c, c + r.spline_numbers()));
    }
    return most;
  };
  stellar s{};
  s.data = data != nullptr ? data : coefficients_.data();
  s.thin = patch(thin);
  s.dense = patch(dense);
  s.split = p.density_split * ln10;
  s.hydrogen_min = p.hydrogen_min;
  s.hydrogen_max = p.hydrogen_tables > 1 ? p.hydrogen_max : p.hydrogen_min;
  s.hydrogen_tables = p.hydrogen_tables;
  s.first_root = std::sqrt(p.hydrogen_min);
  s.root_step = p.hydrogen_tables > 1 ? (std::sqrt(p.hydrogen_max) - s.first_root) / (p.hydrogen_tables - 1) : 1.0;
  s.quantities = p.quantities();
  s.helium_nuclei = nuclei(p.at(0));
  s.hydrogen_nuclei = nuclei(p.at(1)) - s.helium_nuclei;
  s.lowest_density = std::pow(10.0, p.density_min) / u.density();
  s.highest_density = std::pow(10.0, p.density_max) / u.density();
  s.highest_energy = std::pow(10.0, p.energy_max) / energy_unit;
  s.density_unit = u.density();
  s.energy_unit = energy_unit;
  s.largest_gruneisen = std::max(steepest(thin, 0), steepest(dense, tables * thin.numbers()));
  return s;
}

void require_in_table(const stellar& gas, const core::units& u, double rho, double e, std::string_view place) {
  if (gas.holds(rho, e)) return;
  core::fail(
      "{}: the gas leaves the table of its equation of state: density {:.4g} g/cm^3 (table: {:.4g} to {:.4g}), energy "
      "{:.4g} erg/g (table: up to {:.4g})",
      place, rho * u.density(), gas.lowest_density * u.density(), gas.highest_density * u.density(),
      e / rho * gas.energy_unit, gas.highest_energy * gas.energy_unit);
}

}  // namespace rednova::eos
