// Plans and buffers that belong to a tree, made anew when the mesh changes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exchange/face_plan.hpp"
#include "exchange/ghosts.hpp"
#include "exchange/images.hpp"
#include "exchange/wishes.hpp"
#include "exec/for_each.hpp"
#include "exec/scheduler.hpp"
#include "hydro/block_update.hpp"
#include "step/simulation.hpp"
#include "step/tally.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// Memory of one thread while it updates a block.
struct thread_scratch {
  exec::array<double> ghosted;            ///< [field][ghosted cell]
  exec::array<double> rate;               ///< [field][cell]
  exec::array<double> outer;              ///< [face][field][N²], fluxes through faces of the domain
  std::vector<std::uint8_t> first_order;  ///< [ghosted cell]
  hydro::block_scratch hydro;
};

/// A run of own leaves along the curve, which one thread works on without a pause but for what it waits for.
struct pack {
  int first, last;  ///< leaf, and last + 1
  bool outer;       ///< its ghosts need images: the other ranks wait for what it makes
  /// What its ghosts, its flux correction, gravity's leaves and gravity's work wait for.
  std::vector<exec::event*> around = {}, fluxes = {}, expansions = {}, potentials = {};
};

struct workspace {
  /// What the memory of own leaves is for: all that a step writes, or plans alone where a device holds the fields.
  enum class holds { fields, plans };
  explicit workspace(const simulation& s, holds what = holds::fields);

  std::size_t bytes() const;

  exchange::ghosts ghosts;
  exchange::face_plan faces;
  hydro::block_update update;
  exchange::flux_registers registers;

  mesh::block_data start;  ///< conserved fields at the start of the step, of own leaves
  mesh::block_data next;   ///< what the stage makes
  /// With gravity only: potential at the step's start and gravity's work since then [own leaves][1], and the mass that
  /// flowed through each face since then over dt, by the Runge-Kutta weights, before and after this stage [own
  /// leaves][3][face_values].
  mesh::block_data start_potential, gravity_work;
  std::array<exec::array<double>, 2> mass_flow;
  /// [leaves][weighed_fields], with images of the cells behind own faces; null without gravity.
  mesh::block_data weighed;
  mesh::slots weighed_places;

  /// The registers' last field, with gravity, is the mass that has flowed through the fine face.
  exchange::images fine_fluxes, behind_faces;

  exec::scheduler tasks;
  std::vector<pack> packs;  ///< of own leaves, outer ones first
  std::vector<char> bad;    ///< [own leaf]: the stage made bad cells

  std::vector<totals> leaf_outflow;                ///< [own leaf·6 + face], of this stage, per time
  std::vector<unbound_masses> leaf_unbound;        ///< of that, gas that is unbound
  std::vector<std::vector<double>> floor_density;  ///< [own leaf]: density added by floors in this step; mostly empty
  tally sums;                                      ///< what this step adds to the books
  std::vector<double> seconds;                     ///< [own leaf]: that its hydrodynamics has taken so far

  /// The calling thread's scratch, of full size whichever phase the thread joins first.
  thread_scratch& scratch() const;

  /// The stage's mass flow of a leaf through its faces in a direction.
  double* flow(int which, int leaf, int direction) {
    return mass_flow[static_cast<std::size_t>(which)].data() +
           (own(leaf) * 3 + static_cast<std::size_t>(direction)) * face_values;
  }
  /// Place of an own leaf in what is kept for own leaves.
  std::size_t own(int leaf) const { return static_cast<std::size_t>(leaf - first_leaf_); }

  /// Brings the fine faces' fluxes to the coarse leaves behind them.
  void exchange_fluxes();
  /// The same as tasks, which bring about filling().
  void add_flux_tasks(std::vector<exec::task>& to);
  /// Brings density and psi behind own faces, as tasks, which bring about weighing().
  void add_potential_tasks(std::vector<exec::task>& to);
  /// Happens when density and psi of a leaf, own or image, are this stage's.
  exec::event& weighing(int leaf) { return weighed_[static_cast<std::size_t>(weighed_places[leaf])]; }
  /// Happens when the fluxes of a fine leaf through a face are in its register.
  exec::event& filling(int fine, int face) { return filled_[static_cast<std::size_t>(faces.slot(fine, face))]; }

 private:
  void make_packs(const simulation& s);
  /// A fine face's number among all faces of leaves is the key under which its fluxes travel.
  double* fluxes_of(int key) { return registers.at(faces.slot(key / mesh::faces, key % mesh::faces)); }
  void open_fluxes(const simulation& s);
  void open_potentials(const simulation& s);
  void wish_potentials(const simulation& s, exchange::wishes& behind) const;

  std::vector<exec::event> filled_;   // [slot]
  std::vector<exec::event> weighed_;  // [place]
  int first_leaf_;
  int fields_;
  exec::per_thread<thread_scratch> scratch_;
};

}  // namespace rednova::step
