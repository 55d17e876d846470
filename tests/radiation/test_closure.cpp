// Closure and signal speeds in the limits that are known, and fluxes through faces against the model in NumPy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "radiation/face_flux.hpp"

namespace {

using namespace rednova;
using core::vec3d;
using radiation::face_side;

constexpr double rounding = 2.2e-16;

TEST(closure, is_isotropic_without_flux_and_streams_with_all) {
  EXPECT_NEAR(radiation::eddington_factor(0.0), 1.0 / 3, rounding);
  EXPECT_NEAR(radiation::eddington_factor(1.0), 1.0, rounding);
  const face_side<double> still = radiation::side_of(2.5, vec3d{}, 1);
  EXPECT_NEAR(still.pressure.y, 2.5 / 3, 4 * rounding);
  EXPECT_EQ(still.pressure.x, 0);
  EXPECT_NEAR(still.fastest, 1 / std::sqrt(3.0), 4 * rounding);
  EXPECT_NEAR(still.slowest, -1 / std::sqrt(3.0), 4 * rounding);
  // Streaming along x: all pressure along it, all signals with the light.
  const face_side<double> beam = radiation::side_of(2.5, vec3d{1, 0, 0}, 0);
  EXPECT_NEAR(beam.pressure.x, 2.5, 8 * rounding);
  EXPECT_NEAR(beam.fastest, 1, 4 * rounding);
  EXPECT_NEAR(beam.slowest, 1, 4 * rounding);
  const face_side<double> beside = radiation::side_of(2.5, vec3d{1, 0, 0}, 1);
  EXPECT_NEAR(beside.pressure.y, 0, 4 * rounding);
  EXPECT_NEAR(beside.fastest, 0, 4 * rounding);
}

TEST(closure, has_the_trace_of_the_pressure_and_speeds_below_light) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> share(0, 1);
  for (int n = 0; n < 1000; ++n) {
    vec3d f{normal(random), normal(random), normal(random)};
    f = (share(random) / radiation::length_of(f)) * f;
    double trace = 0;
    for (int d = 0; d < 3; ++d) {
      const face_side<double> side = radiation::side_of(1.0, f, d);
      trace += side.pressure[d];
      EXPECT_LE(side.fastest, 1 + 1e-14);
      EXPECT_GE(side.slowest, -1 - 1e-14);
      EXPECT_LE(side.slowest, side.fastest);
    }
    EXPECT_NEAR(trace, 1, 10 * rounding);
  }
}

TEST(closure, shortens_fluxes_beyond_light_speed) {
  const face_side<double> side = radiation::side_of(1.0, vec3d{3, 0, 4}, 2);
  EXPECT_NEAR(side.reduced_flux.x, 0.6, rounding);
  EXPECT_NEAR(side.reduced_flux.z, 0.8, rounding);
  EXPECT_NEAR(side.pressure.z, 0.64, 4 * rounding);
}

/// E and F of both cells, their depths, the gas's velocity, and what the model gives, along x; c = 1.
struct face_case {
  double lower;
  vec3d lower_flux;
  double upper;
  vec3d upper_flux;
  double lower_depth, upper_depth, velocity, energy;
  vec3d momentum;
};
const face_case face_cases[] = {
    {1.7790613846114531,
     {-0.7606144891892958, -1.2615156216048404, 0.16687259593247522},
     6.229132974474139,
     {-1.5570191079488391, -1.7336927729044047, 2.343094395525315},
     0.0,
     0.0,
     0.0004898420501851982,
     -2.3994868288674502,
     {1.6246396473952274, 0.5110209967013291, -0.8728031538517993}},
    {0.36045514113482297,
     {-0.2712909115916736, 0.2027253257432886, -0.1334242456550465},
     0.32339937429435023,
     {-0.0012109726749829667, -0.05564805707817324, -0.07870719131588172},
     0.3,
     0.1,
     -0.00023509113107468126,
     -0.0982443157166798,
     {0.05727408544165419, 0.020176977414753584, 0.02256554407725568}},
    {1.6791102337389623,
     {0.05814046543907174, -0.9334900582615437, -0.017989460874445598},
     0.12242891930028221,
     {-0.012900881922006335, -0.03717743712951573, 0.007819924368459531},
     1.0,
     3.0,
     0.0001467869307070395,
     0.3029870862472168,
     {0.28585944493096044, -0.06768819481983901, -0.0020560493379852152}},
    {0.24255168051306167,
     {0.19330220038834667, -0.005925653015068471, -0.10633555865763217},
     2.4213871969917733,
     {-0.9250153732117319, 1.013051511262835, -0.12795242574642696},
     40.0,
     10.0,
     -0.0012250558264176935,
     -0.03485463837527327,
     {0.7018394634313037, -0.23454420319756886, 0.009743025913963275}},
    {1.902980481714995,
     {-0.1796849520133913, 0.013861743302402573, 0.232327820544319},
     3.044681684626236,
     {0.9080885849981389, -0.6778260146757639, 0.8054611211003335},
     10000.0,
     1000.0,
     0.0005766895836701853,
     0.0013940431209299037,
     {1.0179211262824042, -0.1420863153557125, 0.16704084491616852}},
    {0.19970983742935663,
     {-0.002180585244902355, 0.04715796022416368, 0.006659334072547444},
     4.292163011672485,
     {1.369058781110967, -1.3863240453780639, -0.9506146492645613},
     1000000.0,
     1e-09,
     -0.0005793015965026733,
     -0.0033180041516728044,
     {1.487336376472623, -0.34923471402687, -0.2394733293950959}},
};

/// The flux of a case, with its axes moved on by `turn`; c: the speed of light that units give.
radiation::face_flux<double> flux_of(const face_case& f, int turn, double c, double grid = 0) {
  const auto turned = [&](const vec3d& a, double by) {
    vec3d r;
    for (int d = 0; d < 3; ++d) r[(d + turn) % 3] = by * a[d];
    return r;
  };
  const radiation::face_surroundings<double> at{
      f.lower, f.upper, f.lower_depth, f.upper_depth, 0.5 * (f.lower_depth + f.upper_depth), c * f.velocity, grid};
  const auto flux =
      radiation::flux_through(c, turn, radiation::side_of(f.lower, turned(f.lower_flux, 1 / f.lower), turn),
                              radiation::side_of(f.upper, turned(f.upper_flux, 1 / f.upper), turn), at);
  radiation::face_flux<double> back{flux.energy / c, {}};
  for (int d = 0; d < 3; ++d) back.momentum[d] = flux.momentum[(d + turn) % 3];
  return back;
}

TEST(face_flux, is_the_models_in_all_directions_and_units) {
  for (const face_case& f : face_cases) {
    for (int turn = 0; turn < 3; ++turn) {
      const auto flux = flux_of(f, turn, 137.0);
      // Some thirty operations; in thick cells the difference of energies over tau is small against them.
      const double scale = 1e-14 * std::max(f.lower, f.upper);
      EXPECT_NEAR(flux.energy, f.energy, scale);
      for (int d = 0; d < 3; ++d) EXPECT_NEAR(flux.momentum[d], f.momentum[d], scale);
    }
  }
}

TEST(face_flux, of_equal_cells_is_their_own) {
  for (double depth : {0.0, 1e-3}) {
    const vec3d f{0.3, -0.2, 0.4};
    const face_side<double> side = radiation::side_of(2.0, f, 0);
    const auto flux = radiation::flux_through(1.0, 0, side, side, {2.0, 2.0, depth, depth, depth, 0.0, 0.0});
    // Where w is not one, diffusion of equal energies is nothing.
    EXPECT_NEAR(flux.energy, radiation::transport_share(depth) * 0.6, 4 * rounding);
    for (int d = 0; d < 3; ++d) EXPECT_NEAR(flux.momentum[d], side.pressure[d], 8 * rounding);
  }
}

TEST(face_flux, diffuses_and_drifts_in_thick_cells) {
  const double tau = 1e9, v = 1e-3, lower = 3, upper = 2.5;
  const auto flux =
      radiation::flux_through(1.0, 1, radiation::side_of(lower, vec3d{}, 1), radiation::side_of(upper, vec3d{}, 1),
                              {lower, upper, tau, tau, tau, v, 0.0});
  EXPECT_NEAR(flux.energy, 4.0 / 3 * v * lower + (lower - upper) / (3 * tau), 1e-15);
  EXPECT_NEAR(flux.momentum.y, (lower + upper) / 6, 1e-15);
}

TEST(face_flux, through_a_moving_face_takes_off_what_it_sweeps_over) {
  const double w = 2e-3;
  // In equal cells: F - w E, P - w F/c², in thin ones and for gas that moves with the grid in thick ones.
  const vec3d f{0.3, -0.2, 0.4};
  const face_side<double> side = radiation::side_of(2.0, f, 0);
  const auto thin = radiation::flux_through(1.0, 0, side, side, {2.0, 2.0, 0.0, 0.0, 0.0, 0.0, w});
  EXPECT_NEAR(thin.energy, 0.6 - w * 2.0, 4 * rounding);
  for (int d = 0; d < 3; ++d) EXPECT_NEAR(thin.momentum[d], side.pressure[d] - w * 2.0 * f[d], 8 * rounding);
  const face_side<double> still = radiation::side_of(2.0, vec3d{}, 0);
  const auto thick = radiation::flux_through(1.0, 0, still, still, {2.0, 2.0, 1e9, 1e9, 1e9, w, w});
  EXPECT_NEAR(thick.energy, 4.0 / 3 * w * 2.0 - w * 2.0, 1e-17 + 4 * rounding * w);
}

TEST(face_flux, of_thin_gas_has_no_diffusion) {
  // tau² c dE/(3 tau) is all that there may be of it: no difference of rounded shares, which 1/(3 tau) makes large.
  const auto through = [](double tau) {
    return radiation::flux_through(1.0, 0, radiation::side_of(1.0, vec3d{}, 0), radiation::side_of(3.0, vec3d{}, 0),
                                   {1.0, 3.0, tau, tau, tau, 0.0, 0.0})
        .energy;
  };
  for (double tau = 1e-8; tau > 1e-40; tau /= 1.7) EXPECT_NEAR(through(tau), through(0), 2 * tau + 1e-15) << tau;
}

TEST(light_speed, is_reduced_where_cells_are_transparent) {
  // c dt = 12.5 cells, cfl 0.4.
  const auto reduced = [](double tau) {
    return radiation::reduced_light_speed(1.0, 0.4, 1.0, 12.5, radiation::face_speed(tau));
  };
  EXPECT_NEAR(reduced(0), 0.032, 1e-15);
  EXPECT_LT(reduced(10), 1);
  EXPECT_EQ(reduced(40), 1);
  EXPECT_EQ(reduced(1e9), 1);
}

TEST(face_flux, of_packs_has_the_bits_of_doubles) {
  using T = exec::pack;
  constexpr int lanes = exec::lanes<T>;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  double e[2][lanes], f[2][3][lanes], tau[2][lanes], v[lanes], w[lanes];
  for (int i = 0; i < lanes; ++i) {
    for (int s = 0; s < 2; ++s) {
      e[s][i] = std::exp(3 * normal(random));
      for (auto& component : f[s]) component[i] = 0.5 * normal(random);
      tau[s][i] = std::exp(5 * normal(random));
    }
    v[i] = 1e-3 * normal(random);
    w[i] = 1e-3 * normal(random);
  }
  const auto flux = [&]<class N>(int i, const N&) {
    const auto read = [&](const double* p) { return exec::load<N>(p + i); };
    face_side<N> side[2];
    for (int s = 0; s < 2; ++s)
      side[s] = radiation::side_of(read(e[s]), core::vec3<N>{read(f[s][0]), read(f[s][1]), read(f[s][2])}, 2);
    return radiation::flux_through(
        7.0, 2, side[0], side[1],
        radiation::face_surroundings<N>{read(e[0]), read(e[1]), read(tau[0]), read(tau[1]),
                                        N(0.5 * (read(tau[0]) + read(tau[1]))), read(v), read(w)});
  };
  const auto all = flux(0, T(0.0));
  for (int i = 0; i < lanes; ++i) {
    const auto one = flux(i, 0.0);
    EXPECT_EQ(all.energy[static_cast<std::size_t>(i)], one.energy);
    for (int d = 0; d < 3; ++d) EXPECT_EQ(all.momentum[d][static_cast<std::size_t>(i)], one.momentum[d]);
  }
}

}  // namespace
