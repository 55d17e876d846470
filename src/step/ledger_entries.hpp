// What the stages of a step leave for the ledger.
#pragma once

#include <vector>

#include "step/rotation.hpp"
#include "step/stage_tables.hpp"
#include "step/step_ledger.hpp"

namespace rednova::step {

/// Adds to the step_ledger of a step, stage by stage in their order and the potential energy last. What is zero is left
/// out, for most of it is.
class ledger_entries {
 public:
  /// turn: of the grid. All outlive this object.
  ledger_entries(const stage_tables& of, const grid_turn& turn, step_ledger& to)
      : tables_(&of), turn_(turn), to_(&to) {}

  /// sums: [boundary face][numbers_of_outflow], of sum_boundary_fluxes.
  void outflow(const stage_now& of, const double* sums) const;
  /// masses: [own leaf][species], energy: [own leaf], of floors.
  void floors(const stage_now& of, const double* masses, const double* energy) const;
  /// through_faces: [own leaf][face], of_floors: [own leaf], of potential_energy_sums.
  void potential(const double* through_faces, const double* of_floors) const;

 private:
  const stage_tables* tables_;
  grid_turn turn_;
  step_ledger* to_;
};

}  // namespace rednova::step
