#include "step/radiation_phase.hpp"

#include <algorithm>
#include <cmath>

#include "radiation/face_flux.hpp"
#include "step/rotation.hpp"

namespace rednova::step {

namespace field = radiation::field;

radiation_phase::radiation_phase(simulation& s)
    : s_(s),
      by_(radiation::scheme_of(s.par())),
      solver_(s.context(), s.tree(), s.fields(), s.halo(), s.par().mesh.boundaries, by_),
      stiffness_(mesh::slots::of_leaves(s.halo().partition()), 1),
      left_(static_cast<std::size_t>(s.halo().partition().leaf_count())) {}

radiation::gas_rules radiation_phase::rules() const {
  return {s_.eos(), s_.par().hydro.dual_energy_pressure, s_.rotation(), s_.par().hydro.spin};
}

void radiation_phase::begin(double dt) {
  exchange::for_leaves(s_.context(), "radiation", s_.halo().partition(), [&](int leaf) { light_up(leaf, rules()); });
  solver_.begin(s_.u(), s_.light(), rules(), dt);
}

void radiation_phase::light_up(int leaf, const radiation::gas_rules& gas) {
  const double given = s_.par().radiation.temperature;
  for (int c = 0; c < mesh::cells; ++c) {
    const radiation::place_of_gas at(s_.u().at(leaf) + c, mesh::cells, s_.fields(), gas);
    const double t = given > 0 ? given : radiation::temperature_of(by_, gas.eos, at.density, at.energy, at.hydrogen);
    const double depth = radiation::opacities_of(by_, gas.eos, at).flux * s_.tree().cell_width(leaf);
    const double trapped = given > 0 ? 1 : 1 - radiation::transport_share(depth);
    const double energy = std::max(trapped * by_.k.density * (t * t) * (t * t), by_.energy_floor);
    s_.light().at(leaf, field::energy)[c] = energy;
    for (int d = 0; d < 3; ++d)
      s_.light().at(leaf, field::momentum(d))[c] = given > 0 ? 0 : 4.0 / 3 * energy * at.momentum[d] / at.density;
  }
}

void radiation_phase::advance(double dt, double uncut, double ends, step_ledger& to) {
  if (s_.rotation() != 0)
    exchange::for_leaves(s_.context(), "radiation", s_.halo().partition(), [&](int leaf) { turn(leaf, dt, ends, to); });
  solver_.advance(s_.u(), s_.light(), rules(), dt, uncut);
  exchange::for_leaves(s_.context(), "radiation", s_.halo().partition(), [&](int leaf) { book(leaf, ends, to); });
}

/// To the axes that the grid has at the end of the step, where the gas is already. What a turn of the momentum lacks of
/// that of the angular momentum about the axis goes to the spin of light, as the gas's own.
///
/// Of Q = X F/c² only F/c² is there in truth, and turns. If all did, beams would bend by Omega times the time that
/// reduced light takes to cross the grid. What the rest does not turn is booked with the floors.
void radiation_phase::turn(int leaf, double dt, double ends, step_ledger& to) {
  const frame_rotation turn = frame_rotation::of_frame(s_.rotation(), dt);
  const double volume = std::pow(s_.tree().cell_width(leaf), 3);
  core::vec3d lost, lost_moment;
  for (int c = 0; c < mesh::cells; ++c) {
    const double share = s_.light().at(leaf, field::speed)[c] / by_.k.speed;
    const core::vec3d x = mesh::view(s_.tree()).centre(leaf, c);
    core::vec3d all, spin;
    for (int d = 0; d < 3; ++d) {
      all[d] = s_.light().at(leaf, field::momentum(d))[c];
      spin[d] = s_.light().at(leaf, field::spin(d))[c];
    }
    core::vec3d real = share * all;
    const core::vec3d rest = all - real, moment = cross(x, rest);
    rotate_cell(turn, x, real, spin);
    lost += volume * (rest - turn(rest));
    lost_moment += volume * (moment - turn(moment));
    for (int d = 0; d < 3; ++d) {
      s_.light().at(leaf, field::momentum(d))[c] = rest[d] + real[d];
      if (s_.par().hydro.spin) s_.light().at(leaf, field::spin(d))[c] = spin[d];
    }
  }
  totals t(s_.fields().species());
  t.momentum = lost;
  t.angular_momentum = lost_moment;
  t = t.rotated(s_.grid_angle(ends));
  to.add(leaf, step_ledger::floors, 1, t);
}

void radiation_phase::book(int leaf, double ends, step_ledger& to) {
  auto& sum = left_[static_cast<std::size_t>(leaf - s_.own_leaves()[0])];
  sum.fill(0);
  const double angle = s_.grid_angle(ends);
  const auto totals_of = [&](std::span<const double, radiation::outflow_numbers> numbers) {
    totals t(s_.fields().species());
    t.energy = numbers[0];
    t.momentum = {numbers[1], numbers[2], numbers[3]};
    t.angular_momentum = {numbers[4], numbers[5], numbers[6]};
    t.rotate(std::cos(angle), std::sin(angle));
    return t;
  };
  const auto any = [](const auto& numbers) { return std::ranges::any_of(numbers, [](double x) { return x != 0; }); };
  for (int face = 0; face < mesh::faces; ++face) {
    const auto out = solver_.outflow(leaf, face);
    if (!any(out)) continue;
    const totals t = totals_of(out);
    to.add(leaf, face, 1, t);
    sum[0] += t.energy;
    for (int d = 0; d < 3; ++d) {
      sum[static_cast<std::size_t>(1 + d)] += t.momentum[d];
      sum[static_cast<std::size_t>(4 + d)] += t.angular_momentum[d];
    }
  }
  const auto floors = solver_.floors(leaf);
  if (any(floors)) to.add(leaf, step_ledger::floors, 1, totals_of(floors));
}

void radiation_phase::find_stiffness() {
  exchange::for_leaves(s_.context(), "radiation", s_.halo().partition(), [&](int leaf) {
    const radiation::gas_rules gas = rules();
    const double h = s_.tree().cell_width(leaf);
    for (int c = 0; c < mesh::cells; ++c) {
      const radiation::place_of_gas at(s_.u().at(leaf) + c, mesh::cells, s_.fields(), gas);
      const double depth = radiation::opacities_of(by_, gas.eos, at).flux * h;
      const double energy = s_.light().at(leaf, field::energy)[c] * s_.light().at(leaf, field::speed)[c] / by_.k.speed;
      stiffness_.at(leaf)[c] = 4.0 / 9 * (1 - radiation::transport_share(depth)) * energy;
    }
  });
}

}  // namespace rednova::step
