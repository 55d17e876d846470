// Light in the steps of a simulation on cores: after the hydrodynamics, as a Lie split.
#pragma once

#include <array>
#include <vector>

#include "radiation/solver.hpp"
#include "step/simulation.hpp"
#include "step/step_ledger.hpp"

namespace rednova::step {

class radiation_phase {
 public:
  /// For a simulation's tree and own leaves, whose light is simulation::light(). It outlives this object.
  explicit radiation_phase(simulation& s);

  /// Light at the start of a run: where cells are opaque in equilibrium with the gas and carried by it, dark where they
  /// are transparent; or of radiation.temperature and at rest. dt: of the first step.
  void begin(double dt);
  /// Advances light and gas by dt, to the time `ends`, and books what leaves and what the floor adds. uncut: as for
  /// radiation::solver.
  void advance(double dt, double uncut, double ends, step_ledger& to);
  /// Finds what trapped light adds to rho c_s² as gas and light are now: 4/9 (1 - w) E, w the share of transport.
  void find_stiffness();
  /// It, of own leaves: [1].
  const mesh::block_data& stiffness() const { return stiffness_; }
  /// What left an own leaf in the last step: energy, momentum and angular momentum, in the inertial frame.
  const std::array<double, radiation::outflow_numbers>& left(int leaf) const {
    return left_[static_cast<std::size_t>(leaf - s_.own_leaves()[0])];
  }
  /// That substeps of an own leaf have taken so far.
  double seconds(int leaf) const { return solver_.seconds(leaf); }

 private:
  radiation::gas_rules rules() const;
  void light_up(int leaf, const radiation::gas_rules& gas);
  void turn(int leaf, double dt, double ends, step_ledger& to);
  void book(int leaf, double ends, step_ledger& to);

  simulation& s_;
  radiation::scheme by_;
  radiation::solver solver_;
  mesh::block_data stiffness_;
  std::vector<std::array<double, radiation::outflow_numbers>> left_;  // [own leaf]
};

}  // namespace rednova::step
