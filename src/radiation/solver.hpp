// Light on a tree: the substeps of a step, for the leaves of a rank on the processor's cores.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "config/parameters.hpp"
#include "exchange/block_exchange.hpp"
#include "exchange/face_plan.hpp"
#include "exchange/ghosts.hpp"
#include "exchange/halo_exchange.hpp"
#include "exec/for_each.hpp"
#include "mesh/block_data.hpp"
#include "mesh/fields.hpp"
#include "mesh/tree.hpp"
#include "radiation/block_transport.hpp"
#include "radiation/gas_place.hpp"
#include "radiation/local_substeps.hpp"
#include "radiation/scheme.hpp"
#include "radiation/substep_cells.hpp"

namespace rednova::radiation {

/// What left through a face of a leaf at the end of the domain, or what floors added: energy, momentum (3), angular
/// momentum (3), along the axes of the grid.
inline constexpr int outflow_numbers = 7;

/// Made anew when the mesh or its owners change. All ranks call each function in the same order. Light of own leaves
/// alone is kept: [field::count] of scheme.hpp.
///
/// Results are the same bits on any number of ranks and threads: loops write to their own leaf alone.
class solver {
 public:
  /// All references outlive this object. halo: of the gas's fields.
  solver(exec::context& context, const mesh::tree& t, const mesh::fields& fields, exchange::halo_exchange& halo,
         const std::array<config::boundary, 6>& boundaries, const scheme& by);

  /// Light that comes from outside: called for a leaf's face at the end of the domain after its boundary has been
  /// filled, to change E and F beyond it, [moment::count][ghosted cell].
  using light_outside = std::function<void(int leaf, int face, double* light)>;
  void shine_in(light_outside from) { outside_ = std::move(from); }

  /// Turns E and F, which stand in the places of U and Q, into these, with the speeds of light of steps dt.
  void begin(mesh::block_data& u, mesh::block_data& light, const gas_rules& gas, double dt);
  /// Advances light and gas by dt: transport of light and its exchange with the gas. u: the gas's fields of own leaves
  /// (those of other nodes are derived here), of which momentum, energy, tracer and spin change; no mass does.
  ///
  /// uncut: the step that the gas would have borne, dt or more, which sets the speed of light: or it, and with it the
  /// energy E of transparent cells, would jump when a step is cut short, as for a snapshot.
  void advance(mesh::block_data& u, mesh::block_data& light, const gas_rules& gas, double dt, double uncut);

  /// Of the last advance(): what left an own leaf through a face, [outflow_numbers]; zero within the domain.
  std::span<const double, outflow_numbers> outflow(int leaf, int face) const {
    return std::span<const double, outflow_numbers>(outflow_.data() + place_of_outflow(leaf, face), outflow_numbers);
  }
  /// Of the last advance(): what was added to a leaf's light, energy by its floor, and momentum, a negative one, where
  /// F above cE was cut (substep_cells).
  std::span<const double, outflow_numbers> floors(int leaf) const {
    return std::span<const double, outflow_numbers>(floors_.data() + own(leaf) * outflow_numbers, outflow_numbers);
  }
  /// That substeps of an own leaf have taken so far.
  double seconds(int leaf) const { return seconds_[own(leaf)]; }
  /// Who takes which substeps in the last advance().
  const local_substeps& pace() const { return pace_; }

 private:
  struct thread_memory {
    std::vector<double> gas, light, velocity;  ///< ghosted fields
    transport_scratch transport;
  };

  std::size_t own(int leaf) const { return static_cast<std::size_t>(leaf - halo_.partition().leaves()[0]); }
  std::size_t place_of_outflow(int leaf, int face) const {
    return (own(leaf) * mesh::faces + static_cast<std::size_t>(face)) * outflow_numbers;
  }
  /// Numbers of a sum of fluxes: [rates][N²] of the cells before a face.
  static constexpr int numbers_of_sum = rates * mesh::N * mesh::N;
  double* sum_of(int leaf, int face) {
    return sums_.data() + static_cast<std::size_t>(pace_.sum(leaf, face)) * numbers_of_sum;
  }
  double* around(int leaf) { return around_.data() + own(leaf) * gas_numbers * layered_cells; }
  void look_at_gas(mesh::block_data& u, const gas_rules& gas);
  void look_at_leaf(const mesh::block_data& u, const gas_rules& gas, int leaf);
  double fastest_face(int leaf, int cell) const;
  double substeps_needed(int leaf, const mesh::block_data& light, const gas_rules& gas, double dt) const;
  void find_pace(const mesh::block_data& light, const gas_rules& gas, double dt);
  void find_light_speed(int leaf, double dt, const double* before, double* speed) const;
  void substep_of(int length, const gas_rules& gas, double dt);
  /// Restricts fields of work_ and brings those around own leaves.
  void fetch(int first, int last);
  void refresh_velocity(int leaf, int begun);
  transport_input input_of(int leaf, const gas_rules& gas);
  void transport(int leaf, const gas_rules& gas, double dt);
  void take_fluxes_beside(int leaf, int length, const gas_rules& gas);
  void take_finer_fluxes(int leaf, int length);
  void add_sums(int leaf, int stage, double dt);
  void add_rate(int leaf, int rate, int cell, double value, double dt);
  void keep_fluxes(int leaf, double dt, const transport_scratch& fluxes);
  template <class Takes, class Add>
  void reflux_face(const exchange::coarse_face& q, const Takes& takes, const Add& add);
  void reflux(int leaf, double dt);
  void fill_boundary(int face, double* light) const;
  template <class T>
  void book_floors(int leaf, int cell, const added_light<T>& added);
  void end_of_stage(int leaf, const gas_rules& gas, int stage, double dt);
  /// What flows into the cells before fixed boundaries has left: these are put back to what they were, and what
  /// they were given is booked. take_fixed: E and F at the start of a step, whatever the speed of light is now.
  void take_fixed(const mesh::block_data& light, int leaf);
  void keep_fixed(int leaf, const gas_rules& gas, int stage);
  void book_fixed(int leaf, int cell, int face, double energy, core::vec3d momentum, core::vec3d spin);
  void hand_back(mesh::block_data& u, mesh::block_data& light, const gas_rules& gas, double dt, int leaf) const;

  exec::context& context_;
  const mesh::tree& tree_;
  const mesh::fields& fields_;
  exchange::halo_exchange& halo_;
  std::array<config::boundary, 6> boundaries_;
  scheme by_;
  light_outside outside_;
  exchange::ghosts ghosts_;
  exchange::face_plan faces_;
  exchange::flux_registers registers_;  // [slot][moment::count][N²]
  exchange::block_exchange fluxes_;
  local_substeps pace_;
  block_transport transport_;

  mesh::block_data work_;    // [exchanged::count] of nodes
  mesh::block_data start_;   // of own leaves: E, F, momentum and heat of gas at the start of the substep
  mesh::block_data gas_;     // density, momentum (3), heat, and heat at the start of the step
  mesh::block_data couple_;  // rho kappa_P, rho kappa_F, the speed of light, the mass fraction of hydrogen
  mesh::block_data rate_;    // of U and Q
  mesh::block_data torque_;  // spin by volume that faces gave
  exec::zeroed_array<double> around_;
  std::vector<unsigned> fixed_;  // [own leaf]: exchange::fixed_faces
  std::vector<double> outflow_, floors_;
  std::vector<double> seconds_;  // [own leaf]
  std::vector<double> sums_;     // [local_substeps::sum][rates][N²]: of fluxes of faster leaves
  exec::per_thread<thread_memory> memory_;
};

}  // namespace rednova::radiation
