// What the stages of a step leave for the ledger, in the memory of an execution space.
#pragma once

#include <cstddef>
#include <vector>

#include "core/compensated.hpp"
#include "exec/array.hpp"
#include "step/ledger_entries.hpp"
#include "step/point_cells.hpp"
#include "step/stage_tables.hpp"
#include "step/sum_cells.hpp"

namespace rednova::step {

/// The memory of the processor's cores.
struct host_memory {
  template <class T>
  using array = exec::array<T>;
};

/// Written by the functors of stage.hpp, which say what stands where.
template <class Space>
class ledger_buffers {
 public:
  /// two_stars: whether leaf_sums() keep the two stars' sums, too; points: point masses.
  ledger_buffers(const stage_tables& of, bool two_stars, int points)
      : stages_(of.stages),
        first_leaf_(of.first_leaf),
        pull_numbers_(numbers_of_pulls(points)),
        boundary_flux_(numbers(of.boundary(), of.fields.evolved() * mesh::N * mesh::N)),
        boundary_rows_(numbers(of.boundary() * rows_of_face, numbers_of_outflow(of.fields.species()))),
        boundary_sums_(numbers(of.stages * of.boundary(), numbers_of_outflow(of.fields.species()))),
        floor_masses_(numbers(of.stages * of.leaf_count(), of.fields.species())),
        floor_energy_(numbers(of.stages * of.leaf_count(), 1)),
        potential_of_flow_(numbers(of.leaf_count(), of.with_gravity ? mesh::faces : 0)),
        potential_of_floors_(numbers(of.leaf_count(), of.with_gravity ? 1 : 0)),
        pull_rows_(numbers(of.leaf_count(), pull_numbers_ * rows_of_leaf)),
        leaf_sums_(numbers(of.leaf_count(), numbers_of_sums(of.fields.species(), two_stars))),
        pulls_(numbers(of.leaf_count(), pull_numbers_)) {}

  double* boundary_flux() { return boundary_flux_.data(); }  ///< [boundary face][field][N²]
  double* boundary_rows() { return boundary_rows_.data(); }  ///< [boundary face][row][numbers_of_outflow]
  double* boundary_sums(int stage) { return of_stage(boundary_sums_, stage); }  ///< [boundary face][numbers_of_outflow]
  double* floor_masses(int stage) { return of_stage(floor_masses_, stage); }    ///< [own leaf][species]
  double* floor_energy(int stage) { return of_stage(floor_energy_, stage); }    ///< [own leaf]
  double* potential_of_flow() { return potential_of_flow_.data(); }             ///< [own leaf][face]
  double* potential_of_floors() { return potential_of_floors_.data(); }         ///< [own leaf]
  core::compensated* leaf_sums() { return leaf_sums_.data(); }                  ///< [own leaf][numbers_of_sums]
  core::compensated* pulls() { return pulls_.data(); }                          ///< [own leaf][numbers_of_pulls]
  step::pull_rows pull_rows() { return {pull_rows_.data(), first_leaf_, pull_numbers_}; }

  using sums_array = typename Space::template array<core::compensated>;
  const sums_array& all_leaf_sums() const { return leaf_sums_; }
  const sums_array& all_pulls() const { return pulls_; }

  /// Adds what these stages have left, all of a step. host(array): its values in the host's memory.
  template <class Host>
  void enter(const std::vector<stage_now>& stages, const ledger_entries& into, const Host& host) const {
    const auto& outflow = host(boundary_sums_);
    const auto& masses = host(floor_masses_);
    const auto& energy = host(floor_energy_);
    for (const stage_now& stage : stages) {
      into.outflow(stage, of_stage(outflow, stage.number));
      into.floors(stage, of_stage(masses, stage.number), of_stage(energy, stage.number));
    }
    if (potential_of_floors_.size() == 0) return;
    const auto& through_faces = host(potential_of_flow_);
    const auto& of_floors = host(potential_of_floors_);
    into.potential(through_faces.data(), of_floors.data());
  }

  std::size_t bytes() const {
    std::size_t doubles = 0;
    for (const auto* a : {&boundary_flux_, &boundary_rows_, &boundary_sums_, &floor_masses_, &floor_energy_,
                          &potential_of_flow_, &potential_of_floors_, &pull_rows_})
      doubles += a->size();
    return doubles * sizeof(double) + (leaf_sums_.size() + pulls_.size()) * sizeof(core::compensated);
  }

 private:
  using array = typename Space::template array<double>;

  static std::size_t numbers(int count, int each) {
    return static_cast<std::size_t>(count) * static_cast<std::size_t>(each);
  }
  template <class Array>
  auto* of_stage(Array& all, int stage) const {
    return all.data() + all.size() / static_cast<std::size_t>(stages_) * static_cast<std::size_t>(stage);
  }

  int stages_, first_leaf_, pull_numbers_;
  array boundary_flux_, boundary_rows_, boundary_sums_, floor_masses_, floor_energy_, potential_of_flow_,
      potential_of_floors_;
  array pull_rows_;
  sums_array leaf_sums_, pulls_;
};

}  // namespace rednova::step
