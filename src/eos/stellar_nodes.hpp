// States of gas at the nodes of one row of a table: one density, rising energies.
#pragma once

#include <array>
#include <vector>

#include "eos/free_energy.hpp"
#include "eos/stellar.hpp"

namespace rednova::eos {

/// The node values of a row.
struct table_row {
  double cold_energy, cold_pressure;  ///< the cold curve at this density, cgs
  std::array<std::vector<double>, static_cast<std::size_t>(stellar_quantity::count)> values;
};

/// The states at rho [g/cm^3] where y = ln(eps - eps_c) takes the given rising values: gas at and above
/// coldest_temperature(rho), and below it the linear continuation of its energy and pressure in T, plus radiation.
table_row make_row(const free_energy& gas, double rho, const std::vector<double>& y);

}  // namespace rednova::eos
