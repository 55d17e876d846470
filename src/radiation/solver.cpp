#include "radiation/solver.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "exchange/flux_exchange.hpp"
#include "exec/transport.hpp"
#include "hydro/primitives.hpp"
#include "radiation/light_cells.hpp"

namespace rednova::radiation {

using mesh::N;

solver::solver(exec::context& context, const mesh::tree& t, const mesh::fields& fields, exchange::halo_exchange& halo,
               const std::array<config::boundary, 6>& boundaries, const scheme& by)
    : context_(context),
      tree_(t),
      fields_(fields),
      halo_(halo),
      boundaries_(boundaries),
      by_(by),
      ghosts_(t, fields, boundaries),
      faces_(t, halo.partition()),
      registers_(faces_.slots(), moment::count),
      pace_(t, halo.partition()),
      transport_(by),
      work_(halo.nodes(), exchanged::count) {
  const mesh::slots leaves = mesh::slots::of_leaves(halo.partition());
  start_ = mesh::block_data(leaves, start_fields);
  gas_ = mesh::block_data(leaves, gas_fields);
  couple_ = mesh::block_data(leaves, couple_fields);
  rate_ = mesh::block_data(leaves, moment::count);
  torque_ = mesh::block_data(leaves, 3);
  const auto count = static_cast<std::size_t>(halo.partition().leaf_count());
  around_ = exec::zeroed_array<double>(count * gas_numbers * layered_cells);
  depths_.resize(count * 3 * values_of_faces);
  outflow_.resize(count * mesh::faces * outflow_numbers);
  floors_.resize(count * outflow_numbers);
  seconds_.resize(count);
  for (int leaf = halo.partition().leaves()[0]; leaf < halo.partition().leaves()[1]; ++leaf)
    fixed_.push_back(exchange::fixed_faces(t[leaf], boundaries));
  if (context.ranks() != nullptr)
    fluxes_ = exchange::flux_exchange(context, "fluxes of light", faces_, halo.partition(), moment::count * N * N);
}

light_view solver::view(mesh::block_data& u, mesh::block_data& light, const gas_rules& gas) {
  return {.by = by_,
          .gas = gas,
          .tree = mesh::view(tree_),
          .fields = fields_,
          .boundaries = boundaries_,
          .first_leaf = halo_.partition().leaves()[0],
          .u = mesh::view(u),
          .light = mesh::view(light),
          .work = mesh::view(work_),
          .start = mesh::view(start_),
          .matter = mesh::view(gas_),
          .couple = mesh::view(couple_),
          .rate = mesh::view(rate_),
          .torque = mesh::view(torque_),
          .around = around_.data(),
          .depths = depths_.data(),
          .faces = faces_.view(registers_),
          .outflow = outflow_.data(),
          .floors = floors_.data(),
          .fixed = fixed_.data(),
          .length = pace_.all_lengths().data(),
          .sum = pace_.all_sums().data(),
          .sums = sums_.data()};
}

void solver::look_around(mesh::block_data& u, const light_view& v) {
  halo_.restrict_all(u);
  halo_.start_ghosts(u);
  halo_.finish_ghosts(u);
  exchange::for_leaves(context_, "radiation opacities", halo_.partition(), [&](int leaf) {
    std::vector<double>& ghosted = memory_.local().gas;
    std::vector<gas_of_opacity>& seen = memory_.local().seen;
    ghosted.resize(static_cast<std::size_t>(fields_.size()) * mesh::ghosted_cells);
    seen.resize(layered_cells);
    ghosts_.gather(u, leaf, v.gas.rotation, ghosted.data());
    for (int k = -1; k <= N; ++k)
      for (int j = -1; j <= N; ++j)
        for (int i = -1; i <= N; ++i)
          if (hydro::in_cross(i, j, k, 1, 0))
            seen[static_cast<std::size_t>(layered(i, j, k))] = look_at_gas(v, leaf, i, j, k, ghosted.data());
    for (int n = 0; n < 3 * values_of_faces; ++n) {
      const face_of_cells face(n);
      if (mean_depth(v, leaf, face))
        depth_at_one_temperature(v, leaf, face, seen[static_cast<std::size_t>(face.below())],
                                 seen[static_cast<std::size_t>(face.above())]);
    }
  });
}

void solver::begin(mesh::block_data& u, mesh::block_data& light, const gas_rules& gas, double dt) {
  const light_view v = view(u, light, gas);
  look_around(u, v);
  exchange::for_leaves(context_, "radiation", halo_.partition(), [&](int leaf) {
    for (int cell = 0; cell < mesh::cells; ++cell) begin_light(v, leaf, cell, dt / by_.substeps);
  });
}

void solver::advance(mesh::block_data& u, mesh::block_data& light, const gas_rules& gas, double dt, double uncut) {
  EXPECT(dt <= uncut);
  const double substep = dt / by_.substeps;
  light_view v = view(u, light, gas);
  look_around(u, v);
  fetch(exchanged::extinction, exchanged::count);
  find_pace(v, uncut);
  std::ranges::fill(outflow_, 0.0);
  std::ranges::fill(floors_, 0.0);
  const auto for_cells = [&](const auto& body) {
    exchange::for_leaves(context_, "radiation", halo_.partition(), [&](int leaf) {
      for (int cell = 0; cell < mesh::cells; ++cell) body(leaf, cell);
    });
  };
  for_cells([&](int leaf, int cell) {
    take_light(v, leaf, cell, pace_.length(leaf) * uncut / by_.substeps);
    take_fixed(v, leaf, cell);
  });
  const auto look_again = [&](int begun) {
    fetch(exchanged::velocities, exchanged::extinction);
    exchange::for_leaves(context_, "radiation", halo_.partition(),
                         [&](int leaf) { refresh_velocities(v, leaf, begun); });
  };
  pace_.for_all(by_.substeps, look_again, [&](int length) { substep_of(v, length, length * substep); });
  for_cells([&](int leaf, int cell) { hand_back(v, leaf, cell, dt); });
}

void solver::find_pace(light_view& v, double dt) {
  std::vector<int> longest(fixed_.size());
  exchange::for_leaves(context_, "radiation", halo_.partition(), [&](int leaf) {
    double needed = 1;
    for (int cell = 0; cell < mesh::cells; ++cell) needed = std::max(needed, substeps_needed(v, leaf, cell, dt));
    longest[own(leaf)] = longest_substep(by_.substeps, needed);
  });
  pace_.set(context_, longest);
  sums_.assign(static_cast<std::size_t>(pace_.sums()) * numbers_of_sum, 0.0);
  v.length = pace_.all_lengths().data();
  v.sum = pace_.all_sums().data();
  v.sums = sums_.data();
}

/// Advances the blocks that take substeps of this length by one, to where faster ones stand already.
void solver::substep_of(const light_view& v, int length, double dt) {
  const std::vector<int>& moved = pace_.moved(length);
  for (int stage = 0; stage < 2; ++stage) {
    fetch(0, moment::count);
    exchange::for_list(context_, "radiation transport", moved, [&](int leaf) {
      const exec::stopwatch timed(seconds_[own(leaf)]);
      if (pace_.length(leaf) == length) {
        transport(v, leaf, dt);
      } else {
        take_fluxes_beside(v, leaf, length);
      }
    });
    if (context_.ranks() != nullptr) {
      const auto at = [&](int key) { return exchange::register_of(registers_, faces_, key); };
      fluxes_.start(at);
      fluxes_.finish(at);
    }
    exchange::for_list(context_, "radiation exchange", moved, [&](int leaf) {
      const exec::stopwatch timed(seconds_[own(leaf)]);
      if (pace_.length(leaf) == length) return end_of_stage(v, leaf, stage, dt);
      for (const exchange::coarse_face& q : faces_.coarse_faces(leaf))
        for (int b = 0; b < N; ++b)
          for (int a = 0; a < N; ++a) add_finer_fluxes(v, q, a, b, length);
    });
  }
}

void solver::fetch(int first, int last) {
  for (int f = first; f < last; ++f) {
    halo_.restrict_scalar(work_, f);
    halo_.fetch_scalar(work_, f);
  }
}

void solver::refresh_velocities(const light_view& v, int leaf, int begun) {
  std::vector<double>& prolonged = memory_.local().velocity;
  bool is_prolonged = false;
  for (int face = 0; face < mesh::faces; ++face) {
    if (!refreshes_beyond(v, leaf, face, begun)) continue;
    if (v.behind(leaf, face) == mesh::no_block && !is_prolonged) {
      prolonged.resize(3 * mesh::ghosted_cells);
      ghosts_.gather_across_faces(work_, leaf, exchanged::velocities, exchanged::extinction, prolonged.data());
      is_prolonged = true;
    }
    for (int b = 0; b < N; ++b)
      for (int a = 0; a < N; ++a) refresh_velocity_beyond(v, leaf, face, a, b, prolonged.data());
  }
  for (int cell = 0; cell < mesh::cells; ++cell) refresh_velocity(v, leaf, cell, begun);
}

void solver::transport(const light_view& v, int leaf, double dt) {
  thread_memory& mine = memory_.local();
  mine.light.resize(static_cast<std::size_t>(moment::count) * mesh::ghosted_cells);
  ghosts_.gather_across_faces(work_, leaf, moment::energy, moment::count, mine.light.data(), exchanged::extinction);
  for (int face = 0; face < mesh::faces; ++face) {
    if (!v.ends(leaf, face)) continue;
    for (int b = 0; b < N; ++b)
      for (int a = 0; a < N; ++a)
        fill_boundary(boundaries_[static_cast<std::size_t>(face)], face, a, b, mine.light.data());
    if (outside_) outside_(leaf, face, mine.light.data());
  }
  transport_input in = v.input_of(leaf, mine.light.data());
  in.from_others = v.from_others(leaf);
  in.weight = 0.5 * dt;
  transport_(in, rate_.at(leaf), torque_.at(leaf), mine.transport);
  keep_fluxes(v, leaf, dt, mine.transport);
}

/// For coarser leaves behind the faces, and for the ledger.
void solver::keep_fluxes(const light_view& v, int leaf, double dt, const transport_scratch& fluxes) {
  for (int face = 0; face < mesh::faces; ++face) {
    const double* const through = fluxes.through[face / 2].data();
    if (v.ends(leaf, face)) {
      double rows[N][outflow_numbers];
      for (int b = 0; b < N; ++b) outflow_of_row(v, leaf, face, b, through, rows[b]);
      for (int n = 0; n < outflow_numbers; ++n) book_outflow(v, leaf, face, n, dt, rows[0]);
    }
    if (!v.faces.registered(leaf, face)) continue;
    double* const to = v.faces.at(leaf, face);
    for (int m = 0; m < moment::count; ++m)
      for (int b = 0; b < N; ++b)
        for (int a = 0; a < N; ++a) {
          const int at = block_transport::value_of_face(face, exchange::face_cell(face, a, b));
          to[m * N * N + a + N * b] = through[m * values_of_faces + at];
        }
  }
}

void solver::end_of_stage(const light_view& v, int leaf, int stage, double dt) {
  const unsigned others = v.from_others(leaf);
  for (int cell = 0; others != 0 && cell < mesh::cells; ++cell) add_rates_of_others(v, leaf, cell, others, dt);
  for (int face = 0; face < mesh::faces; ++face)
    if (stage == 1 && v.adds_up(leaf, face)) std::fill_n(v.sum_of(leaf, face), numbers_of_sum, 0.0);
  using T = exec::pack;
  const substep_cells cells = radiation::end_of_stage(v, leaf, stage, dt);
  with_heat<T>(v, [&](const auto& heat_of) {
    for (int cell = 0; cell < mesh::cells; cell += exec::lanes<T>) {
      const added_light<T> added = cells.cells<T>(cell, heat_of);
      if (added.any()) book_floors(v, leaf, cell, added);
    }
  });
  if (fixed_[own(leaf)] == 0) return;
  for (int cell = 0; cell < mesh::cells; ++cell) keep_fixed(v, leaf, cell, stage);
}

/// Of lanes<T> cells from this one on.
template <class T>
void solver::book_floors(const light_view& v, int leaf, int cell, const added_light<T>& added) {
  double energy[exec::lanes<T>], momenta[3][exec::lanes<T>];
  exec::store(energy, added.energy);
  for (int d = 0; d < 3; ++d) exec::store(momenta[d], added.momentum[d]);
  for (int n = 0; n < exec::lanes<T>; ++n) {
    const core::vec3d momentum{momenta[0][n], momenta[1][n], momenta[2][n]};
    for (int number = 0; number < outflow_numbers; ++number)
      v.floors_of(leaf)[number] += booked_floor(v, leaf, cell + n, number, energy[n], momentum);
  }
}

}  // namespace rednova::radiation
