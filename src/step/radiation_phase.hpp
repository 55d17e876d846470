// Light in the steps of a simulation on cores: after the hydrodynamics, as a Lie split.
#pragma once

#include <array>

#include "radiation/solver.hpp"
#include "step/light_books.hpp"
#include "step/radiation_cells.hpp"
#include "step/simulation.hpp"
#include "step/step_ledger.hpp"

namespace rednova::step {

class radiation_phase {
 public:
  /// For a simulation's tree and own leaves, whose light is simulation::light(). It outlives this object.
  explicit radiation_phase(simulation& s);

  /// Light at the start of a run (light_up_cells). dt: of the first step.
  void begin(double dt);
  /// Advances light and gas by dt, to the time `ends`, and books what leaves and what the floor adds. uncut: as for
  /// radiation::solver.
  void advance(double dt, double uncut, double ends, step_ledger& to);
  /// Finds what trapped light adds to rho c_s² as gas and light are now (stiffness_cells).
  void find_stiffness();
  /// It, of own leaves: [1].
  const mesh::block_data& stiffness() const { return stiffness_; }
  /// As light_books::left.
  const std::array<double, radiation::outflow_numbers>& left(int leaf) const { return books_.left(leaf); }
  /// Who took which substeps in the last step.
  const radiation::local_substeps& pace() const { return solver_.pace(); }
  /// That substeps of an own leaf have taken so far.
  double seconds(int leaf) const { return solver_.seconds(leaf); }

 private:
  radiation::gas_rules rules() const;
  lit_gas gas_and_light();
  template <class Body>
  void for_leaves(const Body& body);

  simulation& s_;
  radiation::scheme by_;
  radiation::solver solver_;
  mesh::block_data stiffness_;
  light_books books_;
};

}  // namespace rednova::step
