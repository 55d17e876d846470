// Whether plane waves grow, for all schemes that can be asked for, at the largest Courant number of each.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "config/checks.hpp"
#include "core/compensated.hpp"
#include "hydro/primitives.hpp"
#include "simulated.hpp"

namespace rednova::problem::test {
namespace {

using config::integrator;
using config::reconstruction;
using config::riemann_solver;

template <class Enum>
std::string name(Enum value) {
  return config::enum_names<Enum>::value[static_cast<std::size_t>(value)];
}

/// A wave in a periodic box, and how fast its crests run.
struct wave {
  const char* what;
  core::vec3d normal;
  const char* family;
  double velocity, speed, wavelength;
  overrides mesh;
};

constexpr double amplitude = 1e-6, periods = 200, sound = 1;

/// One wave along x, of 16 cells.
wave along_x(const char* family, double velocity, double speed) {
  return {"x",
          {1, 0, 0},
          family,
          velocity,
          speed,
          1,
          {"mesh.base_blocks=[2,1,1]", "mesh.base_width=0.5", "problem.normal=[1,0,0]"}};
}

/// One wave along each axis of a single block: the sum of the Courant numbers is largest.
wave along_diagonal(const char* family, double velocity, double speed) {
  const double third = 1 / std::sqrt(3.0);
  return {"the diagonal",
          {third, third, third},
          family,
          velocity,
          speed,
          third,
          {"mesh.base_blocks=[1,1,1]", "mesh.base_width=1", "problem.normal=[1,1,1]"}};
}

/// The sound wave and its background at rest, and what gas that is a hundred times faster than sound brings along.
std::vector<wave> waves() {
  return {along_x("sound", 0, sound), along_diagonal("sound", 0, sound), along_diagonal("shear", 1, 1),
          along_diagonal("entropy", 100, 100)};
}

/// Root of the mean square over the cells of the deviations from the background: of density, of the velocity over the
/// sound speed, of the pressure over gamma times its own. It does not depend on where in a cell the crest lies.
double deviation(const simulated& run, const wave& w) {
  const step::simulation& s = *run.state;
  const core::vec3d v0 = w.velocity * w.normal;
  const double p0 = sound * sound / s.par().hydro.gamma;
  core::compensated squares;
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf)
    for (int c = 0; c < mesh::cells; ++c) {
      const auto g = hydro::gas_from_conserved<double>(s.u().at(leaf) + c, mesh::cells, s.fields(),
                                                       s.par().hydro.dual_energy_pressure, s.eos().ideal);
      const core::vec3d v{g.v[0] - v0[0], g.v[1] - v0[1], g.v[2] - v0[2]};
      const double rho = density(s, leaf, c) - 1, p = (g.p - p0) / (s.par().hydro.gamma * p0);
      squares += rho * rho + dot(v, v) / (sound * sound) + p * p;
    }
  return std::sqrt(squares.value() / (512.0 * s.tree().leaves()));
}

/// Amplitude after 200 periods over the one before. cfl: what the steps are made with, whatever the input may ask for.
double growth(exec::context& context, const wave& w, const overrides& scheme, double cfl) {
  overrides all = w.mesh;
  all.insert(all.end(), scheme.begin(), scheme.end());
  for (const auto& [key, value] : {std::pair("problem.wavelength", w.wavelength),
                                   {"problem.velocity", w.velocity},
                                   {"problem.amplitude", amplitude},
                                   {"run.end_time", periods * w.wavelength / w.speed}})
    all.push_back(fmt::format("{}={}", key, value));
  all.push_back(fmt::format("problem.family=\"{}\"", w.family));
  all.push_back("run.max_steps=60000");  // a scheme that blows up may ask for more
  simulated run(context, "linear_wave", all);
  config::parameters unchecked = run.state->par();
  unchecked.hydro.cfl = cfl;
  run.state->set_parameters(unchecked);
  const double before = deviation(run, w);
  run.run();
  return deviation(run, w) / before;
}

using scheme = std::tuple<integrator, reconstruction, riemann_solver, bool>;

std::string name_of(const scheme& s) {
  const auto& [rk, edges, riemann, spin] = s;
  return name(rk) + "_" + name(edges) + "_" + name(riemann) + (spin ? "" : "_without_spin");
}

class stability : public testing::TestWithParam<scheme> {};

TEST_P(stability, no_linear_wave_grows_in_200_periods) {
  const auto& [rk, edges, riemann, spin] = GetParam();
  exec::context context(1);  // one block or two
  const double cfl = config::largest_stable_cfl(rk, edges);
  const overrides chosen{fmt::format("hydro.integrator=\"{}\"", name(rk)),
                         fmt::format("hydro.reconstruction=\"{}\"", name(edges)),
                         fmt::format("hydro.riemann=\"{}\"", name(riemann)), fmt::format("hydro.spin={}", spin),
                         fmt::format("hydro.cfl={}", cfl)};
  for (const wave& w : waves()) {
    const double grown = growth(context, w, chosen, cfl);
    std::printf("    %s wave along %s, velocity %g: amplitude times %.3g\n", w.family, w.what, w.velocity, grown);
    // What the bounds are made for; most waves are damped.
    EXPECT_LT(grown, 1.01) << w.family << " along " << w.what;
  }
}

INSTANTIATE_TEST_SUITE_P(schemes, stability,
                         testing::Combine(testing::Values(integrator::rk2, integrator::rk3),
                                          testing::Values(reconstruction::constant, reconstruction::plm,
                                                          reconstruction::ppm),
                                          testing::Values(riemann_solver::hllc, riemann_solver::kt), testing::Bool()),
                         [](const auto& i) { return name_of(i.param); });

/// That the bounds are needed: what they refuse does grow, and not by a little.
TEST(stability_bounds, what_is_refused_grows) {
  exec::context context(1);  // one block or two
  struct row {
    const char *integrator, *reconstruction;
    double cfl;
  };
  for (const row& r : {row{"rk2", "ppm", 0.4}, row{"rk2", "plm", 0.4}, row{"rk2", "constant", 0.4},
                       row{"rk3", "constant", 0.44}, row{"rk3", "plm", 0.44}}) {
    const overrides chosen{fmt::format("hydro.integrator=\"{}\"", r.integrator),
                           fmt::format("hydro.reconstruction=\"{}\"", r.reconstruction), "hydro.cfl=0.05"};
    const double grown = growth(context, along_diagonal("sound", 0, sound), chosen, r.cfl);
    std::printf("    %s, %s, cfl %g: amplitude times %.3g\n", r.integrator, r.reconstruction, r.cfl, grown);
    EXPECT_GT(grown, 10) << r.integrator << " " << r.reconstruction;
  }
}

}  // namespace
}  // namespace rednova::problem::test
