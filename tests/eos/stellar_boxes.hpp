// Small tables of the gas of stars, and random states in them, for the tests of what the whole one does.
#pragma once

#include <cmath>
#include <random>

#include "eos/stellar_table.hpp"

namespace rednova::test {

using eos::stellar_parameters, eos::stellar_table;

inline exec::context& threads() {
  static exec::context two(2);
  return two;
}

/// One fraction of hydrogen, where hydrogen and helium are ionized, with the nodes a decade of the whole table.
inline const stellar_table& box() {
  static const stellar_table table = [] {
    stellar_parameters p;
    p.hydrogen_tables = 1;
    p.hydrogen_min = p.hydrogen_max = 0.7;
    p.density_min = -10.5;
    p.density_split = -6.0;
    p.density_max = -5.5;
    p.energy_min = 10.8;
    p.energy_max = 14.8;
    return stellar_table(p, threads());
  }();
  return table;
}

/// Three fractions of hydrogen in a part of it, as far apart as in whole tables.
inline const stellar_table& mixed() {
  static const stellar_table table = [] {
    stellar_parameters p;
    p.hydrogen_tables = 3;
    p.hydrogen_min = 0.485;
    p.density_min = -8.5;
    p.density_split = -7.5;
    p.density_max = -7.0;
    p.energy_min = 11.2;
    p.energy_max = 14.4;
    p.dense_columns = p.thin_columns;  // for ionization at these densities
    return stellar_table(p, threads());
  }();
  return table;
}

/// Random densities and energies in a table's inner part; cgs.
struct random_states {
  std::mt19937 random{7};
  std::uniform_real_distribution<double> log_rho, y, x;
  struct state {
    double rho, e, x;
  };
  explicit random_states(const stellar_parameters& p)
      : log_rho(p.density_min + 0.3, p.density_max - 0.05),
        y(p.energy_min + 0.2, p.energy_max - 0.2),
        x(p.hydrogen_min, p.hydrogen_max) {}
  state next() {
    const double rho = std::pow(10.0, log_rho(random));
    return {rho, rho * std::pow(10.0, y(random)), x(random)};
  }
};

}  // namespace rednova::test
