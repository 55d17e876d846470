#include "stellar/binary_figure.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "stellar/resolution.hpp"
#include "stellar/roche.hpp"
#include "stellar/root.hpp"
#include "stellar/star_forces.hpp"

namespace rednova::stellar {

namespace {

using mesh::N;

constexpr const char* names[] = {"star 1 (the accretor)", "star 2 (the donor)"};

}  // namespace

binary_figure::binary_figure(const binary_request& r)
    : r_(r),
      separation_(r.separation),
      lobe_share_{asynchronous_lobe(r.mass[0] / r.mass[1], r.spin[0]),
                  asynchronous_lobe(r.mass[1] / r.mass[0], r.spin[1])},
      stars_{star_fit(r.made_of[0], r.mass[0]), star_fit(r.made_of[1], r.mass[1])} {
  const double mass = r.mass[0] + r.mass[1];
  EXPECT(r.synchronous() || r.context == surface::separate);
  for (std::size_t s = 0; s < 2; ++s)
    if (!stars_[s].has_scale()) EXPECT(r.radius[s] > 0 && r.context == surface::separate);
  if (separation_ == 0 && r.period == 0) {
    EXPECT(!stars_[1].has_scale() && r.filling[1] > 0);
    const double tides = 1 + 0.05 * std::pow(r.filling[1], 3);  // by which they widen the star, about
    separation_ = tides * r.radius[1] / (r.filling[1] * lobe_share_[1]);
  } else if (separation_ == 0) {
    separation_ = std::cbrt(mass * std::pow(r.period / (2 * core::pi), 2));
  }
  EXPECT(r.mass[0] > 0 && r.mass[1] > 0 && separation_ > 0);
  if (r.context == surface::common_envelope) EXPECT(r.made_of[0].envelope_index == r.made_of[1].envelope_index);
  omega2_ = mass / (separation_ * separation_ * separation_);
  response_ = stiff_stars();
}

double binary_figure::target(int star) const {
  const double mass = r_.mass[0] + r_.mass[1];
  return star == 0 ? -separation_ * r_.mass[1] / mass : separation_ * r_.mass[0] / mass;
}

/// About the radius that the star will have.
double binary_figure::lobe(std::size_t star) const {
  if (!stars_[star].has_scale()) return r_.radius[star];
  const double filling = r_.context == surface::separate ? r_.filling[star] : 1;
  return filling * separation_ * lobe_share_[star];
}

bool binary_figure::touches(core::vec3d lower, double width) const {
  for (int s = 0; s < 2; ++s) {
    const core::vec3d centre{target(s), 0, 0};
    const double radius = lobe(static_cast<std::size_t>(s));
    bool all = true;
    for (int d = 0; d < 3; ++d) all = all && lower[d] < centre[d] + radius && lower[d] + width > centre[d] - radius;
    if (all) return true;
  }
  return false;
}

/// Spheres of density (1 - r²/R²)², about that of a polytrope of index 1.5, in the stars' sizes.
void binary_figure::guess(exec::context& context, model& m) const {
  std::array<double, 2> radius, central;
  for (std::size_t s = 0; s < 2; ++s) {
    radius[s] = lobe(s);
    central[s] = r_.mass[s] * 105 / (32 * core::pi * std::pow(radius[s], 3));
  }
  exec::for_each(context, "stellar guess", m.tree.leaves(), [&](int leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d r = m.tree.centre(leaf, c % N, c / N % N, c / (N * N));
      for (std::size_t s = 0; s < 2; ++s) {
        const core::vec3d d = r - core::vec3d{target(static_cast<int>(s)), 0, 0};
        const double f = std::max(1 - dot(d, d) / (radius[s] * radius[s]), 0.0);
        m.cells.at(leaf, envelope_of_0 + 2 * static_cast<int>(s))[c] = central[s] * f * f;
      }
    }
  });
}

bool binary_figure::find(exec::context& context, const mesh::block_data& gravity, model& m) {
  steered_ = false;
  omega2_ = forces_on_stars(context, m, gravity).omega2();
  // A handful of secant steps puts the mass centres in place to 1e-9; the bound only guards against a stall on
  // meshes that hardly resolve the stars.
  for (int i = 0; i < 10; ++i) {
    collect(context, gravity, m);
    set_surfaces(context, m);
    set_scales(context);
    if (steer()) break;
  }
  m.omega = std::sqrt(omega2_);
  m.trim = trim_ / omega2_;
  exec::for_each(context, "stellar density", m.tree.leaves(),
                 [&](int leaf) { std::fill(m.cells.at(leaf), m.cells.at(leaf, model_potential), 0.0); });
  for (std::size_t s = 0; s < 2; ++s) {
    stars_[s].write(context, static_cast<int>(s), m);
    m.star[s].entropy = stars_[s].entropy();
    m.star[s].spin = r_.spin[s];
  }
  return r_.separation == 0 && follow_request(m);
}

/// The other remedy where a star is small, or its lobe, since it rotates fast.
std::string binary_figure::slower(std::size_t star) const {
  if (std::fabs(r_.spin[star]) <= 1) return "";
  return fmt::format(", or bring problem.{} nearer to 0 than {:g}, which makes its Roche lobe larger",
                     star == 0 ? "accretor_spin" : "donor_spin", r_.spin[star]);
}

/// Of stars that rotate at rates of their own: lobes in two potentials may reach into each other.
void binary_figure::expect_apart(const model& m) const {
  for (int leaf = 0; leaf < m.tree.leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      const auto density = [&](int star) {
        return m.cells.at(leaf, core_of_0 + 2 * star)[c] + m.cells.at(leaf, envelope_of_0 + 2 * star)[c];
      };
      if (!(density(0) > 0) || !(density(1) > 0)) continue;
      core::fail(
          "the stars overlap: the Roche lobes of slow stars (problem.accretor_spin = {:g}, problem.donor_spin = {:g}) "
          "reach into each other: lower problem.accretor_filling or problem.donor_filling, or widen the orbit",
          r_.spin[0], r_.spin[1]);
    }
  }
}

void binary_figure::weigh(exec::context& context, const mesh::block_data& gravity, model& m) {
  expect_apart(m);
  for (std::size_t s = 0; s < 2; ++s) {
    if (!sized_by_mass(s) || !stars_[s].overfull()) continue;
    const char* remedy = r_.separation != 0 ? "set a larger problem.separation"
                         : r_.period != 0   ? "set a longer period"
                                            : "lower problem.donor_filling, which widens the orbit";
    core::fail(
        "{} of mass {:.4g} is larger than its Roche lobe at a separation of {:.4g}, which would hold {:.4g}: {}{}",
        names[s], r_.mass[s], separation_, r_.mass[s] / stars_[s].scale(), remedy, slower(s));
  }
  const star_forces forces = forces_on_stars(context, m, gravity);
  for (std::size_t s = 0; s < 2; ++s) m.star[s].omega2 = forces.omega2(s);
}

bool binary_figure::sized_by_mass(std::size_t star) const {
  const bool by_filling = r_.separation == 0 && r_.period == 0;
  return !stars_[star].has_scale() && !(by_filling && star == 1);
}

/// By what the separation must grow for the period, or the filling, that was asked for. Models scale: omega²
/// separation³ hardly depends on the separation. And star 2, which has the filling that was asked for, has its mass
/// only if its density is scaled: rho ~ H^n with H ~ mass / radius makes the scale fall as radius^(n - 3), with n near
/// 3/2 unless it is relativistic; what it was from the correction before to this one says it better.
double binary_figure::separation_correction(const model& m) const {
  if (r_.period != 0) return std::pow(m.omega * r_.period / (2 * core::pi), 2.0 / 3);
  const double excess = std::log(stars_[1].scale());
  double slope = -1.5;
  if (last_excess_ != 0 && last_step_ != 0) slope = std::clamp((excess - last_excess_) / last_step_, -3.0, -0.2);
  constexpr double most = 0.01;  // a star moved further in a given potential is not held together by it
  return std::exp(std::clamp(-excess / slope, -most, most));
}

bool binary_figure::meets_request(const model& m) const {
  // 1e-5 of the period; a filling is met where the star's density is off by about as much as its forces balance
  const double close = r_.period != 0 ? 2e-5 / 3 : 1e-4;
  return r_.separation != 0 || std::fabs(separation_correction(m) - 1) < close;
}

/// One correction sets the period. But stars moved within a given potential are held by it, and neither omega nor a
/// scale says anything until the potential has followed, and then they are off by several times the density's change: a
/// correction that is not much larger corrects nothing. Returns whether there was one.
bool binary_figure::follow_request(const model& m) {
  constexpr int pause = 5;  // iterations in which the potential follows
  if (m.change > 2e-3 || m.iterations < next_correction_) return false;
  if (m.tree.leaves() != leaves_at_correction_) last_step_ = 0;  // of another mesh
  const double factor = separation_correction(m);
  if (meets_request(m) || m.change > 0.1 * std::fabs(std::log(factor))) return false;
  leaves_at_correction_ = m.tree.leaves();
  last_excess_ = std::log(stars_[1].scale());
  last_step_ = std::log(factor);
  separation_ *= factor;
  next_correction_ = m.iterations + pause;
  return true;
}

effective_potential binary_figure::potential_of(std::size_t star, const mesh::block_data& gravity,
                                                const model& m) const {
  const double spin = r_.spin[star];
  return {.tree = m.tree,
          .gravity = gravity,
          .omega2 = omega2_,
          .trim = trim_,
          .pull = pull_,
          .excess = (spin * spin - 1) * omega2_,
          .centre = target(static_cast<int>(star))};
}

void binary_figure::find_saddles(std::size_t star, const effective_potential& phi) {
  const axis_profile axis = along_axis(phi, 0);
  const double margin = 0.02 * separation_;
  saddles& at = saddles_[star];
  at.l1 = axis.maximum(target(0) + margin, target(1) - margin);
  at.potential_l1 = axis.at(at.l1);
  const bool outer_is_1 = r_.mass[1] <= r_.mass[0];
  at.potential_l2 = axis.at(outer_is_1 ? axis.maximum(target(1) + margin, axis.upper())
                                       : axis.maximum(axis.lower(), target(0) - margin));
  at.top = r_.context == surface::separate ? at.potential_l1
                                           : at.potential_l1 + r_.fillout * (at.potential_l2 - at.potential_l1);
}

/// Finds L1 and L2 and the cells of each star's basin up to the highest potential that its surface can have.
void binary_figure::collect(exec::context& context, const mesh::block_data& gravity, const model& m) {
  const double reach = 1.6 * separation_;
  for (std::size_t s = 0; s < 2; ++s) {
    const effective_potential phi = potential_of(s, gravity, m);
    find_saddles(s, phi);
    const saddles& at = saddles_[s];
    const core::vec3d centre{target(static_cast<int>(s)), 0, 0};
    const double farthest2 = (at.l1 - centre.x) * (at.l1 - centre.x);
    std::vector<std::vector<site>> parts(static_cast<std::size_t>(m.tree.leaves()));
    exec::for_each(context, "stellar sites", m.tree.leaves(), [&](int leaf) {
      const double h = m.tree.cell_width(leaf);
      const core::vec3d lower = m.tree.corner(leaf);
      for (int d = 0; d < 3; ++d) {
        if (lower[d] > reach || lower[d] + N * h < -reach) return;
      }
      for (int c = 0; c < mesh::cells; ++c) {
        const core::vec3d r = m.tree.centre(leaf, c % N, c / N % N, c / (N * N)), from = r - centre;
        if ((r.x < at.l1) != (s == 0)) continue;
        const double value = phi.value(leaf, c, r);
        const core::vec3d slope = phi.gradient(leaf, c, r);
        const site here(value, slope, h, r.x, leaf, c);
        if (value - here.spread > at.top || dot(r, r) > reach * reach) continue;
        // Beyond the ridge around the lobes the potential falls outwards; that is no part of a star. Far out, that of a
        // fast star falls below what it is within the star.
        const bool far = value > at.potential_l1 - 0.5 * std::fabs(at.potential_l1) || dot(from, from) > farthest2;
        if (far && dot(from, slope) <= 0) continue;
        parts[static_cast<std::size_t>(leaf)].push_back(here);
      }
    });
    stars_[s].sites.clear();
    for (const auto& p : parts) stars_[s].sites.insert(stars_[s].sites.end(), p.begin(), p.end());
    if (stars_[s].sites.empty()) fail_unresolved(s);
  }
}

void binary_figure::set_surfaces(exec::context& context, model& m) {
  std::array<double, 2> fillout;
  for (std::size_t s = 0; s < 2; ++s) {
    star_fit& star = stars_[s];
    const saddles& at = saddles_[s];
    const double lobe = star.volume_below(context, at.potential_l1);
    if (sized_by_mass(s)) {
      star.fit_surface(context, at.potential_l1);
    } else if (r_.context != surface::separate || r_.filling[s] >= 1) {
      star.constant = at.top;
    } else {
      const double asked = lobe * std::pow(r_.filling[s], 3);
      const std::optional<double> found =
          find_root_if_any([&](double c) { return star.volume_below(context, c) - asked; }, 2 * star.lowest_potential(),
                           at.potential_l1, 1e-13 * std::fabs(at.potential_l1), 1e-12 * lobe);
      if (!found) fail_unresolved(s);
      star.constant = *found;
    }
    const double volume = star.volume_below(context, star.constant);
    m.star[s].radius = std::cbrt(volume * 3 / (4 * core::pi));
    m.star[s].filling = std::cbrt(volume / lobe);
    fillout[s] = (at.potential_l1 - star.constant) / (at.potential_l1 - at.potential_l2);
  }
  m.fillout = std::max(fillout[0], fillout[1]);
}

void binary_figure::set_scales(exec::context& context) {
  const std::size_t heavy = r_.mass[1] > r_.mass[0] ? 1 : 0, light = 1 - heavy;
  if (!stars_[heavy].fit_mass(context)) fail_unresolved(heavy);
  if (r_.context != surface::common_envelope) {
    if (!stars_[light].fit_mass(context)) fail_unresolved(light);
    return;
  }
  double excess = 0;
  if (stars_[light].fit_core(context, stars_[heavy].scale(), excess)) return;
  core::fail(
      "the stars cannot share an envelope: with the envelope of star {}, star {} would have {} {:.3g} times the mass "
      "asked for. Change the core_fraction of star {} or the core_index of star {}, or ask for surface = \"contact\"",
      heavy + 1, light + 1, excess > 0 ? "at least" : "at most", 1 + excess, heavy + 1, light + 1);
}

void binary_figure::fail_unresolved(std::size_t star) const {
  const std::vector<site>& sites = stars_[star].sites;
  if (sites.empty())
    core::fail(
        "{} lies between the mesh's cells: raise mesh.max_level or, where the mesh ends before, lower "
        "refine.density",
        names[star]);
  const double h = std::cbrt(std::ranges::min(sites, {}, &site::volume).volume);
  core::fail(
      "{} has about {:.2g} cells to a radius, too few to find its surface and its mass: raise mesh.max_level or, where "
      "the mesh ends before, lower refine.density",
      names[star], lobe(star) / h);
}

void binary_figure::expect_resolved(const mesh::domain& box, int max_level) const {
  for (std::size_t s = 0; s < 2; ++s) {
    const double cells = lobe(s) / box.cell_width(max_level);
    if (cells >= fewest_cells) continue;
    const std::string also = stars_[s].has_scale() ? slower(s) : "";  // else its radius is given
    core::fail("{} would have about {:.2g} cells to a radius on the finest level: {}{}", names[s], cells,
               finer_mesh(cells, max_level), also);
  }
}

/// How the mass centres answer to forces per mass on the stars, as long as nothing is learnt: each within its own
/// potential, whose curvature is 4 pi rho / 3 at about four times the mean density.
binary_figure::matrix binary_figure::stiff_stars() const {
  return {{{std::pow(lobe(0), 3) / (4 * r_.mass[0]), 0}, {0, std::pow(lobe(1), 3) / (4 * r_.mass[1])}}};
}

/// Broyden's update of the response, which also learns that in contact one star's force moves the other star. What
/// makes no sense is forgotten.
void binary_figure::learn(const std::array<double, 2>& force, const std::array<double, 2>& centre) {
  const double f0 = force[0] - last_force_[0], f1 = force[1] - last_force_[1], norm = f0 * f0 + f1 * f1;
  if (!(norm > 0)) return;
  const matrix fresh = stiff_stars();
  matrix next = response_;
  for (std::size_t s = 0; s < 2; ++s) {
    const double unexplained = centre[s] - last_centre_[s] - response_[s][0] * f0 - response_[s][1] * f1;
    next[s][0] += unexplained * f0 / norm;
    next[s][1] += unexplained * f1 / norm;
  }
  constexpr double most = 10;  // times what is taken at first
  bool sane = next[0][0] * next[1][1] > 2 * std::fabs(next[0][1] * next[1][0]);
  for (std::size_t s = 0; s < 2; ++s) {
    const double ratio = next[s][s] / fresh[s][s];
    sane = sane && ratio > 1 / most && ratio < most;
  }
  response_ = sane ? next : fresh;
}

/// Corrects trim and pull where the mass centres are not yet in place; true if they are.
///
/// With the rotation they exert the force per mass f = (omega² + trim) x - pull on a star at x, which moves its centre
/// by about f / stiffness against its own potential.
bool binary_figure::steer() {
  std::array<double, 2> force, centre, miss;
  for (std::size_t s = 0; s < 2; ++s) {
    const double x = target(static_cast<int>(s));
    force[s] = (omega2_ + trim_) * x - pull_;
    centre[s] = stars_[s].centre();
    miss[s] = x - centre[s];
  }
  if (steered_) learn(force, centre);
  last_force_ = force;
  last_centre_ = centre;
  if (std::max(std::fabs(miss[0]), std::fabs(miss[1])) < 1e-9 * separation_) return true;
  const matrix& a = response_;
  const double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
  force[0] += (a[1][1] * miss[0] - a[0][1] * miss[1]) / det;
  force[1] += (a[0][0] * miss[1] - a[1][0] * miss[0]) / det;
  const double slope = (force[1] - force[0]) / separation_;
  trim_ = slope - omega2_;
  pull_ = slope * target(0) - force[0];
  steered_ = true;
  return false;
}

}  // namespace rednova::stellar
