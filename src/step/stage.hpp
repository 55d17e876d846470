// The phases of a Runge-Kutta stage, one function each.
#pragma once

#include <functional>
#include <vector>

#include "step/simulation.hpp"
#include "step/stage_form.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

/// A stage under way.
struct stage_now {
  const stage_form& form;
  double dt;
  int number;
  bool last;
  double begins, ends;  ///< times of the states before and after it
};

/// Adds the tasks between two stages, one for each pack of leaves. First what follows the stage `before`, when it has
/// left no bad cells: books, floors, gravity and its work on `u`. Then the hydrodynamics of the stage `now`: u → next,
/// and whether that made bad cells. Null: none. A pack goes on as soon as its own inputs are there.
void add_packs(simulation& s, const stage_now* before, const stage_now* now, std::vector<exec::task>& to);

// What the tasks do to a leaf, in their order.

/// Books the fluxes of this stage through a leaf's faces at the domain's end; begins: time of its start.
void book_boundary(simulation& s, const stage_form& form, double dt, double begins, int leaf);

/// Raises densities of u to the floor and books what that adds; ends: time that the stage has reached.
void raise_density(simulation& s, const stage_form& form, int stage, double ends, int leaf);

/// Gives gravity the densities of a leaf.
void set_density(simulation& s, int leaf);

/// Puts the acceleration of a leaf where the update looks for it, among the fields.
void set_acceleration(simulation& s, int leaf);

/// psi of a leaf (step/view.hpp), of its potential at the step's start and now.
void set_mean_potential(simulation& s, int leaf);

/// Adds what add_work waits for: density and psi of the leaves behind a leaf's faces.
void add_work_inputs(simulation& s, int leaf, std::vector<exec::event*>& to);

/// Adds gravity's work since the step's start to the energy of u: the two-state form of numerics sec. 5.
void add_work(simulation& s, double dt, int stage, int leaf);

/// Raises internal energies of u to the floor and books what that adds.
void raise_energy(simulation& s, const stage_form& form, int leaf);

/// Books the potential energy that left with the mass flow of the whole step, and that of the mass which floors added.
void book_potential(simulation& s, double dt, int stage, int leaf);

/// Keeps a leaf's state for the stages of the step.
void start_step(simulation& s, int leaf);

/// Updates a leaf: u → next, by fluxes, gravity's force and the rotation. What finer faces let through is left for the
/// coarse leaf behind them (workspace::filling).
void update_leaf(simulation& s, const stage_form& form, double dt, int stage, int leaf);

/// Adds what correct_fluxes waits for: the fluxes of the finer leaves beside a leaf.
void add_flux_inputs(simulation& s, int leaf, std::vector<exec::event*>& to);

/// Gives the cells of a coarse leaf the fluxes of the finer faces beside them.
void correct_fluxes(simulation& s, const stage_form& form, double dt, int leaf);

/// Whether a leaf of next has cells without positive mass or energy, or too fast ones; of those that are not marked yet
/// where there are marks, which it then gets.
bool find_bad_cells(const simulation& s, int leaf, double dt, double* marks);

// What all leaves do together.

/// Whether any rank has marked an own leaf.
bool any_marked(const simulation& s, const std::vector<char>& own_leaves);

/// Repeats a stage until it leaves no bad cells. marked: own leaves that have some. find() marks their cells, for
/// leaves that have bad ones without a mark; again(leaves of the tree) updates all that marked cells touch anew.
void repeat_while_bad(const simulation& s, std::vector<char> marked, const std::function<std::vector<char>()>& find,
                      const std::function<void(const std::vector<char>& leaves)>& again);

/// Where leaves have bad cells (workspace::bad), repeats the stage around them with first-order fluxes.
void positivity_phase(simulation& s, const stage_form& form, double dt, int stage);

/// Updates the marked ones of all leaves anew and corrects their fluxes, with first-order fluxes around the cells that
/// `troubled` marks (values > 0).
void hydro_phase_again(simulation& s, const stage_form& form, double dt, int stage, const std::vector<char>& again,
                       const mesh::block_data& troubled);

/// After the last stage: sets the entropy tracer of u where the total energy is the better witness.
void dual_energy_phase(simulation& s);

/// Solves for the potential and the acceleration of the densities in u.
void gravity_phase(simulation& s);

}  // namespace rednova::step
