// What the launches of a step leave for the books, on the host.
#pragma once

#include <vector>

#include "step/resident_tables.hpp"
#include "step/stage.hpp"
#include "step/tally.hpp"

namespace rednova::step {

/// Adds to the tally of a step, stage by stage in their order and the potential energy last: the processor's order for
/// each of a leaf's numbers. What is zero is left out, for most of it is.
class step_books {
 public:
  /// rotation: of the grid about z. All outlive this object.
  step_books(const resident_tables& of, double rotation, tally& to) : tables_(&of), rotation_(rotation), to_(&to) {}

  /// sums: [boundary face][numbers_of_outflow], of boundary_sums.
  void outflow(const stage_now& of, const double* sums) const;
  /// masses: [leaf][species], energy: [leaf], of floors.
  void floors(const stage_now& of, const double* masses, const double* energy) const;
  /// through_faces: [leaf][face], of_floors: [leaf], of potential_books.
  void potential(const std::vector<double>& through_faces, const std::vector<double>& of_floors) const;

 private:
  const resident_tables* tables_;
  double rotation_;
  tally* to_;
};

}  // namespace rednova::step
