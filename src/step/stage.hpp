// The phases of a Runge-Kutta stage, one function each.
#pragma once

#include <vector>

#include "step/simulation.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

/// One stage of a strong-stability-preserving Runge-Kutta scheme in Shu-Osher form, with the rotation of the
/// frame as integrating factor: next = a G(from_start) start + b G(from_here) (u + dt L(u)).
struct stage_form {
  double a, b;
  double from_start, from_here;  ///< times over which the parts turn, in units of dt
  double flux_weight;            ///< of this stage's fluxes in the whole step
  double floor_weight;           ///< of what floors add after this stage
  double begins;                 ///< time of u after the step's start, in units of dt
};

/// The stages of a scheme (Shu & Osher 1988; Gottlieb, Shu & Tadmor 2001, SIAM Rev. 43, 89).
std::vector<stage_form> stages(config::integrator scheme);

/// Updates all leaves: u → next, by fluxes, gravity's force and the rotation. Coarse cells get the fluxes of the finer
/// faces beside them. Looks for bad cells (workspace::bad). A pack of leaves goes on as soon as its own inputs are
/// there.
void hydro_phase(simulation& s, const stage_form& form, double dt, int stage);
/// Updates the marked ones of all leaves anew, with first-order fluxes around the cells that `troubled` marks
/// (values > 0). Does not look for bad cells.
void hydro_phase_again(simulation& s, const stage_form& form, double dt, int stage, const std::vector<char>& again,
                       const mesh::block_data& troubled);

/// Whether a leaf of next has cells without positive mass or energy, or too fast ones; of those that are not marked yet
/// where there are marks, which it then gets.
bool find_bad_cells(const simulation& s, int leaf, double dt, double* marks);

/// Where a cell of next has no positive mass or energy, repeats the stage around it with first-order fluxes.
void positivity_phase(simulation& s, const stage_form& form, double dt, int stage);

/// Books the fluxes through the domain's faces of this stage; begins: time of its start.
void boundary_phase(simulation& s, const stage_form& form, double dt, double begins);

/// Raises densities of next to the floor and books what that adds; ends: time that the stage reaches.
void density_floor_phase(simulation& s, const stage_form& form, int stage, double ends);

/// Solves for the potential of the densities in `u`.
void gravity_phase(simulation& s, const mesh::block_data& u);

/// Adds gravity's work since the step's start to the energy of next: the two-state form of numerics sec. 5.
void work_phase(simulation& s, double dt, int stage);

/// Raises internal energies of next to the floor, books what that adds, and after the last stage sets the entropy
/// tracer where the total energy is the better witness.
void energy_phase(simulation& s, const stage_form& form, bool last);

/// Books the potential energy that left with the mass flow of the whole step, and that of the mass which floors added.
void book_potential(simulation& s, double dt, int stage);

}  // namespace rednova::step
