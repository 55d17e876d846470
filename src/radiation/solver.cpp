#include "radiation/solver.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/check.hpp"
#include "exchange/fixed_cells.hpp"
#include "exchange/flux_exchange.hpp"
#include "exec/transport.hpp"
#include "hydro/grid_motion.hpp"
#include "hydro/primitives.hpp"
#include "radiation/face_flux.hpp"
#include "radiation/gas_place.hpp"
#include "radiation/heat_of_table.hpp"
#include "radiation/substep_cells.hpp"

namespace rednova::radiation {

namespace {

using mesh::N;

/// What stands beyond the end of the domain, as a share of what is before it.
constexpr double vacuum_share = 1e-6;

/// The layered cell beyond a face that lies before a cell of it.
int layered_beyond(int face, int cell) {
  return layered(cell % N, cell / N % N, cell / (N * N)) + (face % 2 == 1 ? 1 : -1) * layered_step(face / 2);
}

}  // namespace

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
  outflow_.resize(count * mesh::faces * outflow_numbers);
  floors_.resize(count * outflow_numbers);
  seconds_.resize(count);
  for (int leaf = halo.partition().leaves()[0]; leaf < halo.partition().leaves()[1]; ++leaf)
    fixed_.push_back(exchange::fixed_faces(t[leaf], boundaries));
  if (context.ranks() != nullptr)
    fluxes_ = exchange::flux_exchange(context, "fluxes of light", faces_, halo.partition(), moment::count * N * N);
}

/// Brings the gas around own leaves here, and from it velocity and depth; of own cells the opacities.
void solver::look_at_gas(mesh::block_data& u, const gas_rules& gas) {
  halo_.restrict_all(u);
  halo_.start_ghosts(u);
  halo_.finish_ghosts(u);
  exchange::for_leaves(context_, "radiation opacities", halo_.partition(),
                       [&](int leaf) { look_at_leaf(u, gas, leaf); });
}

void solver::look_at_leaf(const mesh::block_data& u, const gas_rules& gas, int leaf) {
  std::vector<double>& ghosted = memory_.local().gas;
  ghosted.resize(static_cast<std::size_t>(fields_.size()) * mesh::ghosted_cells);
  ghosts_.gather(u, leaf, gas.rotation, ghosted.data());
  const double h = tree_.cell_width(leaf);
  double* const near = around(leaf);
  for (int k = -1; k <= N; ++k)
    for (int j = -1; j <= N; ++j)
      for (int i = -1; i <= N; ++i) {
        if (!hydro::in_cross(i, j, k, 1, 0)) continue;
        const place_of_gas at(ghosted.data() + mesh::ghosted(i, j, k), mesh::ghosted_cells, fields_, gas);
        const mean_opacities kappa = opacities_of(by_, gas.eos, at);
        const int n = layered(i, j, k);
        for (int d = 0; d < 3; ++d) near[d * layered_cells + n] = at.momentum[d] / at.density;
        near[gas_depth * layered_cells + n] = kappa.flux * h;
        if (!hydro::in_cross(i, j, k, 0, 0)) continue;
        const int c = mesh::cell(i, j, k);
        gas_.at(leaf, gas_density)[c] = at.density;
        for (int d = 0; d < 3; ++d) gas_.at(leaf, gas_momentum + d)[c] = at.momentum[d];
        gas_.at(leaf, gas_heat)[c] = gas_.at(leaf, gas_first_heat)[c] = at.heat;
        couple_.at(leaf, couple_planck)[c] = kappa.planck;
        couple_.at(leaf, couple_flux)[c] = kappa.flux;
        couple_.at(leaf, couple_hydrogen)[c] = at.hydrogen;
      }
}

/// The largest face_speed of a cell's faces.
double solver::fastest_face(int leaf, int cell) const {
  const double* const depth = around_.data() + (own(leaf) * gas_numbers + gas_depth) * layered_cells;
  const int n = layered(cell % N, cell / N % N, cell / (N * N));
  double fastest = 0;
  for (int d = 0; d < 3; ++d) {
    for (const int step : {-layered_step(d), layered_step(d)})
      fastest = std::max(fastest, face_speed(0.5 * (depth[n] + depth[n + step])));
  }
  return fastest;
}

/// The substeps that a block has to take of a step dt: those that its light bears without being slowed down or carried
/// by gas too far, and where light is as stiff as gas all, since what it does to gas is explicit in time but for a cell
/// alone: waves of both grow by that, in proportion to the substep and to the share of light.
double solver::substeps_needed(int leaf, const mesh::block_data& light, const gas_rules& gas, double dt) const {
  const double h = tree_.cell_width(leaf), crossed = dt / (by_.cfl * h);
  double needed = 1;
  for (int c = 0; c < mesh::cells; ++c) {
    const double rho = gas_.at(leaf, gas_density)[c], heat = gas_.at(leaf, gas_heat)[c];
    const double energy = light.at(leaf, field::energy)[c] * light.at(leaf, field::speed)[c] / by_.k.speed;
    const core::vec3d x = mesh::view(tree_).centre(leaf, c);
    double fastest = by_.k.speed * fastest_face(leaf, c);
    for (int d = 0; d < 3; ++d) {
      const double v = gas_.at(leaf, gas_momentum + d)[c] / rho;
      const double grid = d == 2 ? 0 : hydro::grid_velocity(d, gas.rotation, d == 0 ? x.y : x.x);
      fastest = std::max(fastest, 4.0 / 3 * std::abs(v - grid));
    }
    needed = std::max({needed, crossed * fastest, by_.substeps * energy / (energy + heat)});
  }
  return needed;
}

/// before: the speeds of the last step, of which those of this are twice at most; null: none.
void solver::find_light_speed(int leaf, double dt, const double* before, double* speed) const {
  const double h = tree_.cell_width(leaf);
  for (int c = 0; c < mesh::cells; ++c) {
    speed[c] = reduced_light_speed(by_.k.speed, by_.cfl, h, dt, fastest_face(leaf, c));
    if (before != nullptr) speed[c] = std::min(speed[c], 2 * before[c]);
  }
}

void solver::begin(mesh::block_data& u, mesh::block_data& light, const gas_rules& gas, double dt) {
  look_at_gas(u, gas);
  exchange::for_leaves(context_, "radiation", halo_.partition(), [&](int leaf) {
    double* speed = light.at(leaf, field::speed);
    find_light_speed(leaf, dt / by_.substeps, nullptr, speed);
    for (int c = 0; c < mesh::cells; ++c) {
      light.at(leaf, field::energy)[c] *= by_.k.speed / speed[c];
      for (int d = 0; d < 3; ++d) light.at(leaf, field::momentum(d))[c] /= by_.k.speed * speed[c];
    }
  });
}

void solver::advance(mesh::block_data& u, mesh::block_data& light, const gas_rules& gas, double dt, double uncut) {
  EXPECT(dt <= uncut);
  const double c = by_.k.speed, substep = dt / by_.substeps;
  look_at_gas(u, gas);
  find_pace(light, gas, uncut);
  std::ranges::fill(outflow_, 0.0);
  std::ranges::fill(floors_, 0.0);
  exchange::for_leaves(context_, "radiation", halo_.partition(), [&](int leaf) {
    double* const speed = couple_.at(leaf, couple_speed);
    find_light_speed(leaf, pace_.length(leaf) * uncut / by_.substeps, light.at(leaf, field::speed), speed);
    for (int n = 0; n < mesh::cells; ++n) {
      work_.at(leaf, moment::energy)[n] = light.at(leaf, field::energy)[n] * (speed[n] / c);
      for (int d = 0; d < 3; ++d) {
        work_.at(leaf, moment::flux(d))[n] = light.at(leaf, field::momentum(d))[n] * (speed[n] * c);
        work_.at(leaf, exchanged::velocity(d))[n] = gas_.at(leaf, gas_momentum + d)[n] / gas_.at(leaf, gas_density)[n];
      }
    }
    std::fill_n(torque_.at(leaf), 3 * mesh::cells, 0.0);
    if (fixed_[own(leaf)] != 0) take_fixed(light, leaf);
  });
  const int shortest = pace_.lengths().front();
  for (int begun = 0; begun < by_.substeps; begun += shortest) {
    if (begun > 0) {
      fetch(exchanged::velocity(0), exchanged::count);
      exchange::for_leaves(context_, "radiation", halo_.partition(), [&](int leaf) { refresh_velocity(leaf, begun); });
    }
    const int passed = begun + shortest;
    for (const int length : pace_.lengths())
      if (passed % length == 0) substep_of(length, gas, length * substep);
  }
  exchange::for_leaves(context_, "radiation", halo_.partition(), [&](int leaf) { hand_back(u, light, gas, dt, leaf); });
}

void solver::find_pace(const mesh::block_data& light, const gas_rules& gas, double dt) {
  std::vector<int> longest(fixed_.size());
  exchange::for_leaves(context_, "radiation", halo_.partition(), [&](int leaf) {
    longest[own(leaf)] = longest_substep(by_.substeps, substeps_needed(leaf, light, gas, dt));
  });
  pace_.set(context_, longest);
  sums_.assign(static_cast<std::size_t>(pace_.sums()) * numbers_of_sum, 0.0);
}

/// Advances the blocks that take substeps of this length by one, to where faster ones stand already.
void solver::substep_of(int length, const gas_rules& gas, double dt) {
  const std::vector<int>& moved = pace_.moved(length);
  for (int stage = 0; stage < 2; ++stage) {
    fetch(0, moment::count);
    exchange::for_list(context_, "radiation transport", moved, [&](int leaf) {
      const exec::stopwatch timed(seconds_[own(leaf)]);
      if (pace_.length(leaf) == length) {
        transport(leaf, gas, dt);
      } else {
        take_fluxes_beside(leaf, length, gas);
      }
    });
    if (context_.ranks() != nullptr) {
      const auto at = [&](int key) { return exchange::register_of(registers_, faces_, key); };
      fluxes_.start(at);
      fluxes_.finish(at);
    }
    exchange::for_list(context_, "radiation exchange", moved, [&](int leaf) {
      const exec::stopwatch timed(seconds_[own(leaf)]);
      if (pace_.length(leaf) != length) return take_finer_fluxes(leaf, length);
      reflux(leaf, dt);
      add_sums(leaf, stage, dt);
      end_of_stage(leaf, gas, stage, dt);
      if (fixed_[own(leaf)] != 0) keep_fixed(leaf, gas, stage);
    });
  }
}

void solver::fetch(int first, int last) {
  for (int f = first; f < last; ++f) {
    halo_.restrict_scalar(work_, f);
    halo_.fetch_scalar(work_, f);
  }
}

/// The gas's velocity as light has left it, around a leaf. With that of the step's start waves of gas and trapped light
/// grow, as by Euler's explicit method. Beyond the domain it changes as it does before the boundary. A leaf in the
/// middle of its substep needs that of faster ones, with whose fluxes its own must agree.
///
/// begun: the substeps of length 1 that have passed.
void solver::refresh_velocity(int leaf, int begun) {
  const bool starts = begun % pace_.length(leaf) == 0;
  double* const near = around(leaf);
  std::vector<double>& prolonged = memory_.local().velocity;
  bool is_prolonged = false;
  for (int face = 0; face < mesh::faces; ++face) {
    const int node = tree_[leaf].neighbour[static_cast<std::size_t>(exchange::side_of_face(face))];
    const int faster = pace_.faster_beside(leaf, face);
    if (!starts && (faster == mesh::no_block || begun % pace_.length(faster) != 0)) continue;
    if (node == mesh::no_block && !is_prolonged) {
      prolonged.resize(3 * mesh::ghosted_cells);
      ghosts_.gather_across_faces(work_, leaf, exchanged::velocity(0), exchanged::count, prolonged.data());
      is_prolonged = true;
    }
    const bool mirror = boundaries_[static_cast<std::size_t>(face)] == config::boundary::reflecting;
    for (int d = 0; d < 3; ++d) {
      const double* const mine = work_.at(leaf, exchanged::velocity(d));
      const double* const theirs = node >= 0 ? work_.at(node, exchanged::velocity(d)) : nullptr;
      double* const to = near + d * layered_cells;
      for (int b = 0; b < N; ++b)
        for (int a = 0; a < N; ++a) {
          const int cell = exchange::face_cell(face, a, b), beyond = layered_beyond(face, cell);
          if (node >= 0) {
            to[beyond] = theirs[exchange::face_cell(face ^ 1, a, b)];
          } else if (node == mesh::no_block) {
            const int ghost = mesh::ghosted(cell % N, cell / N % N, cell / (N * N)) +
                              (face % 2 == 1 ? 1 : -1) * ghosted_step(face / 2);
            to[beyond] = prolonged[static_cast<std::size_t>(d * mesh::ghosted_cells + ghost)];
          } else {
            const double change = mine[cell] - to[layered(cell % N, cell / N % N, cell / (N * N))];
            to[beyond] += mirror && face / 2 == d ? -change : change;
          }
        }
    }
  }
  if (!starts) return;
  for (int d = 0; d < 3; ++d)
    for (int c = 0; c < mesh::cells; ++c)
      near[d * layered_cells + layered(c % N, c / N % N, c / (N * N))] = work_.at(leaf, exchanged::velocity(d))[c];
}

void solver::transport(int leaf, const gas_rules& gas, double dt) {
  thread_memory& mine = memory_.local();
  mine.light.resize(static_cast<std::size_t>(moment::count) * mesh::ghosted_cells);
  ghosts_.gather_across_faces(work_, leaf, 0, moment::count, mine.light.data());
  for (int face = 0; face < mesh::faces; ++face) {
    const auto side = static_cast<std::size_t>(exchange::side_of_face(face));
    if (tree_[leaf].neighbour[side] != mesh::outside) continue;
    fill_boundary(face, mine.light.data());
    if (outside_) outside_(leaf, face, mine.light.data());
  }
  unsigned from_others = faces_.finer(leaf);
  for (int face = 0; face < mesh::faces; ++face)
    if (pace_.sum(leaf, face) >= 0) from_others |= 1u << face;
  transport_input in = input_of(leaf, gas);
  in.from_others = from_others;
  in.weight = 0.5 * dt;
  transport_(in, rate_.at(leaf), torque_.at(leaf), mine.transport);
  keep_fluxes(leaf, dt, mine.transport);
}

transport_input solver::input_of(int leaf, const gas_rules& gas) {
  return {.light = memory_.local().light.data(),
          .gas = around(leaf),
          .corner = tree_.corner(leaf),
          .h = tree_.cell_width(leaf),
          .rotation = gas.rotation};
}

/// Where the domain ends light leaves and none comes in, but where gas is mirrored, too, or keeps its gradient or
/// state.
void solver::fill_boundary(int face, double* light) const {
  const int direction = face / 2, outward = face % 2 == 1 ? 1 : -1;
  const config::boundary kind = boundaries_[static_cast<std::size_t>(face)];
  // What gather_across_faces does.
  if (kind == config::boundary::zero_gradient || kind == config::boundary::fixed) return;
  for (int b = 0; b < N; ++b)
    for (int a = 0; a < N; ++a)
      for (int layer = 0; layer < mesh::ghosts; ++layer) {
        const auto at = [&](int i) {
          return direction == 0   ? mesh::ghosted(i, a, b)
                 : direction == 1 ? mesh::ghosted(a, i, b)
                                  : mesh::ghosted(a, b, i);
        };
        const int ghost = at(outward > 0 ? N + layer : -1 - layer), nearest = at(outward > 0 ? N - 1 : 0),
                  mirrored = at(outward > 0 ? N - 1 - layer : layer);
        const bool mirror = kind == config::boundary::reflecting;
        for (int m = 0; m < moment::count; ++m) {
          double* values = light + m * mesh::ghosted_cells;
          values[ghost] = mirror ? values[mirrored] : vacuum_share * values[nearest];
        }
        double& normal = light[moment::flux(direction) * mesh::ghosted_cells + ghost];
        normal = mirror ? -normal : outward * std::max(outward * normal, 0.0);
      }
}

/// For coarser leaves behind the faces, and for the ledger.
void solver::keep_fluxes(int leaf, double dt, const transport_scratch& fluxes) {
  const double h = tree_.cell_width(leaf);
  const core::vec3d corner = tree_.corner(leaf);
  for (int face = 0; face < mesh::faces; ++face) {
    const int direction = face / 2, slot = faces_.slot(leaf, face);
    const bool ends = tree_[leaf].neighbour[static_cast<std::size_t>(exchange::side_of_face(face))] == mesh::outside;
    if (slot < 0 && !ends) continue;
    const double* const through = fluxes.through[direction].data();
    const double sign = face % 2 == 1 ? 1 : -1;
    double out[outflow_numbers] = {};
    for (int b = 0; b < N; ++b)
      for (int a = 0; a < N; ++a) {
        const int cell = exchange::face_cell(face, a, b), i = cell % N, j = cell / N % N, k = cell / (N * N);
        const int at = block_transport::value_of_face(face, cell);
        double value[moment::count];
        for (int m = 0; m < moment::count; ++m) {
          value[m] = through[m * values_of_faces + at];
          if (slot >= 0) registers_.at(slot)[m * N * N + a + N * b] = value[m];
        }
        if (!ends) continue;
        core::vec3d x{corner.x + (i + 0.5) * h, corner.y + (j + 0.5) * h, corner.z + (k + 0.5) * h};
        x[direction] = corner[direction] + (face % 2 == 1 ? N * h : 0.0);
        const core::vec3d momentum{value[moment::flux(0)], value[moment::flux(1)], value[moment::flux(2)]},
            turn = cross(x, momentum);
        for (int m = 0; m < moment::count; ++m) out[m] += value[m];
        for (int d = 0; d < 3; ++d) out[moment::count + d] += turn[d];
      }
    if (!ends) continue;
    // Each of a substep's two stages counts by a half.
    for (int n = 0; n < outflow_numbers; ++n)
      outflow_[place_of_outflow(leaf, face) + static_cast<std::size_t>(n)] += 0.5 * dt * sign * h * h * out[n];
  }
}

void solver::end_of_stage(int leaf, const gas_rules& rules, int stage, double dt) {
  const eos::gas& gas = rules.eos;
  const substep_cells cells{.by = by_,
                            .stage = stage,
                            .dt = dt,
                            .moments_now = work_.at(leaf),
                            .start = start_.at(leaf),
                            .gas = gas_.at(leaf),
                            .couple = couple_.at(leaf),
                            .rate = rate_.at(leaf)};
  using T = exec::pack;
  const auto for_gas = [&](const auto& heat_of) {
    for (int c = 0; c < mesh::cells; c += exec::lanes<T>) {
      const added_light<T> added = cells.cells<T>(c, heat_of);
      if (added.any()) book_floors(leaf, c, added);
    }
  };
  if (gas.model == config::gas_model::stellar) {
    for_gas([&](const T& rho, const T& hydrogen) { return heat_of_table<T>(gas.star.table, rho, hydrogen); });
  } else if (by_.heat_power == 4) {
    for_gas([&](const T& rho, const T&) { return heat_of_power<T, 4>{T(by_.heat_capacity * rho)}; });
  } else {
    for_gas([&](const T& rho, const T&) { return heat_of_power<T>{T(by_.heat_capacity * rho)}; });
  }
}

/// Of lanes<T> cells from this one on.
template <class T>
void solver::book_floors(int leaf, int cell, const added_light<T>& added) {
  double energy[exec::lanes<T>], momenta[3][exec::lanes<T>];
  exec::store(energy, added.energy);
  for (int d = 0; d < 3; ++d) exec::store(momenta[d], added.momentum[d]);
  const double h = tree_.cell_width(leaf), volume = h * h * h;
  double* const sum = floors_.data() + own(leaf) * outflow_numbers;
  for (int n = 0; n < exec::lanes<T>; ++n) {
    const core::vec3d momentum{momenta[0][n], momenta[1][n], momenta[2][n]};
    const core::vec3d moment = cross(mesh::view(tree_).centre(leaf, cell + n), momentum);
    sum[0] += volume * energy[n];
    for (int d = 0; d < 3; ++d) {
      sum[1 + d] += volume * momentum[d];
      sum[4 + d] += volume * moment[d];
    }
  }
}

/// U and Q of E and F; momentum, energy, tracer and spin of the gas. The torques of faces are on light, whose spin goes
/// to the gas as its momentum does, by backward Euler at the rate rho kappa_F ĉ: at once in opaque cells, not at all in
/// transparent ones.
void solver::hand_back(mesh::block_data& u, mesh::block_data& light, const gas_rules& gas, double dt, int leaf) const {
  const double c = by_.k.speed;
  const auto of_gas = [&](int f) { return u.at(leaf, f); };
  for (int n = 0; n < mesh::cells; ++n) {
    const double speed = couple_.at(leaf, couple_speed)[n];
    light.at(leaf, field::speed)[n] = speed;
    light.at(leaf, field::energy)[n] = work_.at(leaf, moment::energy)[n] * (c / speed);
    for (int d = 0; d < 3; ++d)
      light.at(leaf, field::momentum(d))[n] = work_.at(leaf, moment::flux(d))[n] / (c * speed);

    const double absorbed = couple_.at(leaf, couple_flux)[n] * speed * dt;
    const double rho = gas_.at(leaf, gas_density)[n], heat = gas_.at(leaf, gas_heat)[n];
    core::vec3d before, after;
    for (int d = 0; d < 3; ++d) {
      before[d] = of_gas(fields_.momentum(d))[n];
      after[d] = of_gas(fields_.momentum(d))[n] = gas_.at(leaf, gas_momentum + d)[n];
      if (!gas.spin) continue;
      double& turning = light.at(leaf, field::spin(d))[n];
      turning += torque_.at(leaf, d)[n];
      const double taken = absorbed / (1 + absorbed) * turning;
      turning -= taken;
      of_gas(fields_.spin(d))[n] += taken;
    }
    of_gas(fields_.energy())[n] += (hydro::kinetic_energy(rho, after) - hydro::kinetic_energy(rho, before)) +
                                   (heat - gas_.at(leaf, gas_first_heat)[n]);
    const double hydrogen = couple_.at(leaf, couple_hydrogen)[n];
    of_gas(fields_.entropy())[n] = gas.eos.entropy_tracer(rho, gas.eos.energy_of_heat(rho, heat, hydrogen), hydrogen);
  }
}

}  // namespace rednova::radiation
