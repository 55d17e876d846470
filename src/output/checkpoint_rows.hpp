// Ledger, point masses and tracer particles as the tables of a checkpoint.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "step/simulation.hpp"

namespace rednova::output {

/// Columns of the ledger that are kept only where there is something in them.
struct kept_columns {
  bool points = false;  ///< whether there are point masses
  bool driven = false;  ///< whether the orbit is driven, or was

  static kept_columns of(const step::simulation& s);
};

/// The ledger's columns as rows of a table.
template <class Ledger>
auto ledger_rows(Ledger& ledger, const kept_columns& kept) {
  std::vector<decltype(&ledger.initial)> rows{&ledger.initial, &ledger.grid, &ledger.magnitude, &ledger.floors,
                                              &ledger.regrid};
  for (auto& side : ledger.outflow) rows.push_back(&side);
  if (kept.points) rows.push_back(&ledger.points);
  if (kept.driven) rows.push_back(&ledger.driven);
  return rows;
}

/// Row by row: species | momentum | angular momentum | energy | spin.
std::vector<double> pack(const step::ledger& ledger, int species, const kept_columns& kept);
void unpack(const std::vector<double>& table, int species, const kept_columns& kept, step::ledger& ledger);
/// Which columns a table has. points: whether there are point masses. The other that may be there is told by the count.
kept_columns kept_in(const std::vector<double>& table, int species, bool points);

/// What light took along: energy, momentum, angular momentum.
template <class Ledger>
auto radiated_numbers(Ledger& ledger) {
  std::vector<decltype(&ledger.radiated.energy)> numbers{&ledger.radiated.energy};
  for (int d = 0; d < 3; ++d) numbers.push_back(&ledger.radiated.momentum[d]);
  for (int d = 0; d < 3; ++d) numbers.push_back(&ledger.radiated.angular_momentum[d]);
  return numbers;
}

/// Of a tracer particle: position, when it left.
inline constexpr std::size_t particle_numbers = 4;

/// [tracer particle][particle_numbers]
std::vector<double> pack(const std::vector<step::tracer_particle>& particles);
/// What is no whole row at the end is left out.
std::vector<step::tracer_particle> particles_of(const std::vector<double>& table);

/// Of a point mass: mass, softening, position, momentum.
inline constexpr std::size_t point_numbers = 8;

/// [point mass][point_numbers]
std::vector<double> pack(const step::point_masses& points);
/// Contract: no more than there may be.
step::point_masses points_of(const std::vector<double>& table);

}  // namespace rednova::output
