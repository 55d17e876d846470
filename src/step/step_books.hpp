// What the stages of a step leave for the ledger.
#pragma once

#include <vector>

#include "step/stage_tables.hpp"
#include "step/tally.hpp"

namespace rednova::step {

/// Adds to the tally of a step, stage by stage in their order and the potential energy last. What is zero is left out,
/// for most of it is.
class step_books {
 public:
  /// rotation: of the grid about z. All outlive this object.
  step_books(const stage_tables& of, double rotation, tally& to) : tables_(&of), rotation_(rotation), to_(&to) {}

  /// sums: [boundary face][numbers_of_outflow], of boundary_sums.
  void outflow(const stage_now& of, const double* sums) const;
  /// masses: [own leaf][species], energy: [own leaf], of floors.
  void floors(const stage_now& of, const double* masses, const double* energy) const;
  /// through_faces: [own leaf][face], of_floors: [own leaf], of potential_sums.
  void potential(const double* through_faces, const double* of_floors) const;

 private:
  const stage_tables* tables_;
  double rotation_;
  tally* to_;
};

}  // namespace rednova::step
