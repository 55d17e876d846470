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
#include "radiation/light_view.hpp"
#include "radiation/local_substeps.hpp"

namespace rednova::radiation {

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
    std::vector<gas_of_opacity> seen;          ///< [layered cell]
    transport_scratch transport;
  };

  std::size_t own(int leaf) const { return static_cast<std::size_t>(leaf - halo_.partition().leaves()[0]); }
  std::size_t place_of_outflow(int leaf, int face) const {
    return (own(leaf) * mesh::faces + static_cast<std::size_t>(face)) * outflow_numbers;
  }
  light_view view(mesh::block_data& u, mesh::block_data& light, const gas_rules& gas);
  /// Brings the gas around own leaves here, and looks at it.
  void look_around(mesh::block_data& u, const light_view& v);
  void find_pace(light_view& v, double dt);
  void substep_of(const light_view& v, int length, double dt);
  /// Restricts fields of work_ and brings those around own leaves.
  void fetch(int first, int last);
  void refresh_velocities(const light_view& v, int leaf, int begun);
  void transport(const light_view& v, int leaf, double dt);
  void take_fluxes_beside(const light_view& v, int leaf, int length);
  void keep_fluxes(const light_view& v, int leaf, double dt, const transport_scratch& fluxes);
  void end_of_stage(const light_view& v, int leaf, int stage, double dt);
  template <class T>
  static void book_floors(const light_view& v, int leaf, int cell, const added_light<T>& added);

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

  mesh::block_data work_;                                  // of nodes
  mesh::block_data start_, gas_, couple_, rate_, torque_;  // of own leaves, as in light_view
  exec::zeroed_array<double> around_;
  std::vector<double> depths_;
  std::vector<unsigned> fixed_;
  std::vector<double> outflow_, floors_;
  std::vector<double> seconds_;  // [own leaf]
  std::vector<double> sums_;
  exec::per_thread<thread_memory> memory_;
};

}  // namespace rednova::radiation
