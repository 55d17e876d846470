// What is cut off light in runs of stars that shine: flux above cE, and what a turn of the grid does not turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "diagnose/gas_state.hpp"
#include "problem/simulated.hpp"
#include "radiation/scheme.hpp"
#include "step/radiation_phase.hpp"

namespace rednova::problem {
namespace {

using test::overrides;
using test::simulated;

/// Energy, momentum and angular momentum.
struct books {
  double energy = 0, momentum = 0, turn = 0;
};

/// Of all cells, by size, without regard to directions.
books light_of(const step::simulation& s) {
  books sum;
  for (int leaf = s.own_leaves()[0]; leaf < s.own_leaves()[1]; ++leaf)
    for (int c = 0; c < mesh::cells; ++c) {
      const double volume = std::pow(s.tree().cell_width(leaf), 3);
      core::vec3d q;
      for (int d = 0; d < 3; ++d) q[d] = volume * s.light().at(leaf, radiation::field::momentum(d))[c];
      const core::vec3d l = cross(mesh::view(s.tree()).centre(leaf, c), q);
      sum.energy += volume * s.light().at(leaf, radiation::field::energy)[c];
      sum.momentum += std::sqrt(dot(q, q));
      sum.turn += std::sqrt(dot(l, l));
    }
  return sum;
}

/// What floors take of light in a step dt from this state, by size of each leaf's sum. The state is put back.
books lost_in_step(step::simulation& s, double dt) {
  const mesh::block_data gas = s.u(), light = s.light();
  step::step_ledger ledger(s.halo().partition(), s.fields().species());
  step::radiation_phase phase(s);
  phase.advance(dt, dt, s.time() + dt, ledger);
  s.u() = gas;
  s.light() = light;
  const int species = s.fields().species(),
            first = step::step_ledger::floors * (species + step::vector_and_energy) + species;
  books sum;
  for (int leaf = s.own_leaves()[0]; leaf < s.own_leaves()[1]; ++leaf) {
    const core::compensated* const row = ledger.row(leaf) + first;
    const auto size = [&](int from) {
      return std::sqrt(std::pow(row[from].value(), 2) + std::pow(row[from + 1].value(), 2) +
                       std::pow(row[from + 2].value(), 2));
    };
    sum.momentum += size(0);
    sum.turn += size(3);
    sum.energy += std::abs(row[6].value());
  }
  return sum;
}

/// What floors take of light over some steps on the first mesh, as shares of the light's sums and of the run's.
struct shares {
  books of_light, of_all;
};

shares cuts(const std::string& name, const overrides& set, int steps) {
  exec::context context(2);
  simulated run(context, name, set);
  step::simulation& s = *run.state;
  step::prepare(s);
  books cut, light;
  for (int n = 0; n < steps; ++n) {
    const double before = s.time();
    step::advance(s, 1e9);
    const books lost = lost_in_step(s, s.time() - before), has = light_of(s);
    cut = {cut.energy + lost.energy, cut.momentum + lost.momentum, cut.turn + lost.turn};
    light = {std::max(light.energy, has.energy), std::max(light.momentum, has.momentum),
             std::max(light.turn, has.turn)};
  }
  const step::totals& m = s.ledger().magnitude;
  const auto over = [&](double energy, double momentum, double turn) {
    return books{cut.energy / energy, cut.momentum / momentum, cut.turn / turn};
  };
  const shares r{over(light.energy, light.momentum, light.turn),
                 over(m.energy, std::sqrt(dot(m.momentum, m.momentum)), m.angular_momentum.z)};
  std::printf(
      "%s, %d steps: floors took %.1e of light's energy, %.1e of its momentum, %.1e of its angular momentum; of the "
      "run's %.1e, %.1e, %.1e\n",
      name.c_str(), steps, r.of_light.energy, r.of_light.momentum, r.of_light.turn, r.of_all.energy, r.of_all.momentum,
      r.of_all.turn);
  return r;
}

/// A polytrope of index 1 whose light bears a third of its pressure: gas and light together have the polytrope's.
TEST(light_of_a_star, shares_the_pressure_of_its_model) {
  exec::context context(2);
  const overrides coarse{"mesh.min_level=2", "mesh.max_level=2"};
  overrides bright = coarse;
  bright.emplace_back("radiation.radiation_constant=12");
  overrides dark = coarse;
  dark.emplace_back("radiation.enabled=false");
  const simulated with(context, "shining_star", bright), without(context, "shining_star", dark);
  double most = 0, share = 0;
  for (int leaf = 0; leaf < with.state->tree().leaves(); ++leaf)
    for (int c = 0; c < mesh::cells; ++c) {
      const auto pressure = [&](const step::simulation& s) {
        const double e = diagnose::internal_energy(s, leaf, c);
        return s.eos().pressure(s.density(leaf, c), e, 0);
      };
      const double model = pressure(*without.state), gas = pressure(*with.state);
      const double light = with.state->light().at(leaf, radiation::field::energy)[c] *
                           with.state->light().at(leaf, radiation::field::speed)[c] /
                           radiation::scheme_of(with.state->par()).k.speed / 3;
      if (light < 1e-3 * model) continue;  // transparent
      most = std::max(most, std::abs((gas + light) / model - 1));
      share = std::max(share, light / model);
    }
  std::printf("light bears at most %.3f of the pressure; both together are off by %.1e\n", share, most);
  EXPECT_GT(share, 0.2);
  EXPECT_LT(most, 1e-12);
}

// Light of transparent cells has X times its momentum, which is most of what all light has.
TEST(cuts_of_light, of_a_star_that_shines) {
  const shares turning = cuts("shining_star", {}, 9);
  EXPECT_EQ(turning.of_light.energy, 0);
  EXPECT_LT(turning.of_light.momentum, 0.18);  // 0.16
  EXPECT_LT(turning.of_light.turn, 0.08);
  EXPECT_LT(turning.of_all.momentum, 1.6e-6);
  EXPECT_LT(turning.of_all.turn, 1e-7);
}

TEST(cuts_of_light, of_flux_above_that_of_a_beam_where_the_grid_does_not_turn) {
  const shares resting = cuts("shining_star", {"mesh.rotation=0"}, 9);
  EXPECT_LT(resting.of_light.momentum, 0.16);
  EXPECT_LT(resting.of_light.turn, 0.08);
}

TEST(cuts_of_light, of_stars_in_contact_that_shine) {
  const shares r = cuts("shining_contact", {"mesh.max_level=3", "refine.photosphere_level=3"}, 9);
  // Measured 1.1e-12, 2.3e-3, 4.6e-3; 9.0e-16, 2.4e-12, 2.6e-12.
  EXPECT_LT(r.of_light.energy, 1e-11);
  EXPECT_LT(r.of_light.momentum, 4e-3);
  EXPECT_LT(r.of_light.turn, 8e-3);
  EXPECT_LT(r.of_all.energy, 1e-14);
  EXPECT_LT(r.of_all.momentum, 5e-12);
  EXPECT_LT(r.of_all.turn, 5e-12);
}

}  // namespace
}  // namespace rednova::problem
