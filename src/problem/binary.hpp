// A binary star from its self-consistent field to the conserved fields of a simulation.
#pragma once

#include "problem/layers.hpp"
#include "problem/problem.hpp"
#include "problem/star_structure.hpp"
#include "stellar/binary_figure.hpp"
#include "stellar/model.hpp"

template <>
struct rednova::config::enum_names<rednova::stellar::surface> {
  static constexpr std::array value{"separate", "contact", "common_envelope"};
};

namespace rednova::problem {

/// The keys of [problem] for name = "binary"; code units unless said otherwise.
struct binary_parameters {
  static constexpr const char* section = "problem";
  double accretor_mass = 1, donor_mass = 0.5;
  double separation = 1, period = 0, period_days = 0;
  star_structure accretor_structure = star_structure::polytrope, donor_structure = star_structure::polytrope;
  double accretor_radius = 0, donor_radius = 0;
  std::string accretor_profile{}, donor_profile{};
  stellar::surface surface = stellar::surface::separate;
  double accretor_filling = 0.8, donor_filling = 0.8;
  double fillout = 0.3;
  double accretor_spin = 1, donor_spin = 1;
  stellar::composition accretor, donor;
  double slowdown = 0;
  double atmosphere_density = 1e-7;
  double atmosphere_index = 3;
  double tolerance = 1e-5;
  int max_iterations = 200;
  double relaxation = 1;
  /// Of stars of a profile: what was read. No key.
  std::array<std::shared_ptr<const stellar::profile_star>, 2> read{};

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("accretor_mass", accretor_mass, positive(), "mass of the star at negative x");
    v("donor_mass", donor_mass, positive(), "mass of the star at positive x");
    v("separation", separation, positive(),
      "distance of the stars' mass centres, unless a period is given, or no separation but donor_filling of a donor "
      "that is no polytrope");
    v("period", period, not_negative(), "orbital period in code units; 0: the separation is given");
    v("period_days", period_days, not_negative(), "the same in days, with units.system = \"solar\"");
    v("accretor_structure", accretor_structure, any_number(),
      "polytrope, which may have a core; white_dwarf: degenerate gas of no temperature, whose radius follows from the "
      "mass; adiabat: gas of stars of one entropy, with a radius of its own (eos.model); profile: what a code for the "
      "evolution of stars has found, whose mass and radius it has");
    v("donor_structure", donor_structure, any_number(), "the same of the donor");
    v("accretor_radius", accretor_radius, not_negative(),
      "of an adiabat: the radius that it would have alone, at rest");
    v("donor_radius", donor_radius, not_negative(), "the same of the donor");
    v("accretor_profile", accretor_profile, any_number(),
      "of a profile: the file, as MESA writes it, seen from where the input file is");
    v("donor_profile", donor_profile, any_number(), "the same of the donor");
    v("surface", surface, any_number(),
      "separate: each star fills a share of its Roche lobe; contact: one surface beyond L1, each star with its own "
      "entropy; common_envelope: one surface and one envelope entropy, the lighter star's core fraction follows");
    v("accretor_filling", accretor_filling, bounds{0, 1, true},
      "separate: radius over that of the Roche lobe, of spheres of the same volume; the lobe is that of the star's own "
      "rotation");
    v("donor_filling", donor_filling, bounds{0, 1, true},
      "the same for the donor; 1: semi-detached. Of a donor that is no polytrope it sets the separation");
    v("fillout", fillout, between(0, 1), "contact: 0 for a surface through L1, 1 for one through L2");
    v("accretor_spin", accretor_spin, between(-100, 100),
      "separate: rate of rotation about its own axis in the inertial frame, over the orbit's: 1: synchronous, 0: none, "
      "negative: against the orbit");
    v("donor_spin", donor_spin, between(-100, 100), "the same of the donor");
    visit_composition(v, accretor, "accretor");
    visit_composition(v, donor, "donor");
    v("slowdown", slowdown, between(-0.5, 0.5),
      "share of the orbit's velocity that the gas is short of at time 0: the orbit becomes eccentric, e = 1 - (1 - "
      "slowdown)^2, and starts at the apastron; negative: at the periastron, e = (1 - slowdown)^2 - 1");
    v("atmosphere_density", atmosphere_density, bounds{0, 1e-2, true},
      "density of the atmosphere at a depth of mass/separation in the potential, as a share of the largest density");
    v("atmosphere_index", atmosphere_index, between(1, 10),
      "polytropic index of the atmosphere: density falls as this power of the distance");
    v("tolerance", tolerance, bounds{1e-12, 0.1},
      "the initial model is ready when an iteration moves less than this share of the mass");
    v("max_iterations", max_iterations, between(1, 1e6), "iterations after which this is given up");
    v("relaxation", relaxation, bounds{0, 1, true}, "share of the new density in the next iteration");
  }

 private:
  template <class V>
  static void visit_composition(V& v, stellar::composition& c, const std::string& star) {
    using namespace config;
    v((star + "_index").c_str(), c.envelope_index, between(0.5, 4.5),
      "polytropic index of its envelope, or of all of it");
    v((star + "_core_index").c_str(), c.core_index, between(0.5, 5), "polytropic index of its core");
    v((star + "_core_fraction").c_str(), c.core_fraction, between(0, 0.95),
      "share of its mass in the core; 0: no core");
    v((star + "_mu_ratio").c_str(), c.mu_ratio, between(1, 10),
      "mean molecular weight of its core over that of its envelope; the density jumps by it");
  }
};

/// A star (0: the accretor) that is no polytrope, at rest and alone. A user_error where there is none.
star_of_gas star_alone(const binary_parameters& p, const config::parameters& par, std::size_t star);

/// Reads the files of stars of a profile, which give their masses. Of a run that goes on nobody needs them. A
/// user_error where keys contradict the profile, or the file has none.
void read_profiles(const config::input& in, const config::parameters& par, binary_parameters& p);

/// The fillings of stars of a profile are those of the profile's radii; the donor's sets the separation where nothing
/// else does. A user_error where a star is larger than its lobe, or nothing sets the separation.
void set_fillings_of_profiles(stellar::binary_request& r);

/// What is asked of the initial model.
stellar::binary_request request_of(const binary_parameters& p, const config::parameters& par);

/// The number of each of a binary's five species, accretor's core and envelope, donor's, and atmosphere, among those
/// of a run. A user_error where one is missing.
std::array<int, 5> species_of(const config::parameters& par);

/// Of a star in rigid rotation about its own axis, parallel to z through `centre` on the x axis, at `spin` times the
/// orbit's rate: what the velocity at r is the orbit's angular velocity times, a quarter turn back.
inline core::vec3d lever_arm(core::vec3d r, double centre, double spin) {
  return {r.x + (spin - 1) * (r.x - centre), r.y + (spin - 1) * r.y, 0};
}

/// The figure of a request. A user_error where the domain does not hold it, or its cells are too wide.
stellar::binary_figure figure_of(const stellar::binary_request& request, const config::parameters& par);

/// Two stars on a grid that rotates with their orbit, each in rigid rotation at its own rate, in a thin atmosphere.
///
/// The atmosphere is a polytrope of infinite extent in the field of the stars, H = -phi. Out to L2's distance from
/// the axis it turns with the stars, H = -phi - omega² (R² - varpi²) / 2, beyond it rests; both are in equilibrium
/// but for the cylinder's wall and, high above the stars, the emptied funnel about the axis. It begins where the
/// star's pressure falls below its own.
class binary final : public problem {
 public:
  explicit binary(const binary_parameters& p) : p_(p) {}
  /// The same, whose stars may have profiles.
  binary(const binary_parameters& p, const config::parameters& par, const config::input& in)
      : p_(p), layers_(layers_of(par, in)) {}

  void expect_suits(const config::input& in, const config::parameters& par) const override;
  /// No such thing: the model exists as a whole. A logic error.
  gas at(core::vec3d x) const override;
  /// Two spheres of the stars' sizes in the same atmosphere.
  sketch sketched(const config::parameters& par) const override;
  std::string description() const override;
  std::optional<stellar::model_report> initialize(step::simulation& s) const override;
  /// Conserved fields of the model's tree: [nodes][fields], leaves only.
  mesh::block_data conserved(const step::simulation& s, const stellar::model& m, double separation) const;

 private:
  /// The model that was asked for, on its own tree, and its conserved fields.
  struct made {
    stellar::model model;
    mesh::block_data fields;
    stellar::model_report reached;
  };
  made make(step::simulation& s) const;
  /// Gives the gas of a star's cell of the fields u the species of its layers, where it has a profile.
  void set_layers(const std::array<int, 5>& species, const mesh::fields& fields, double* u) const;
  std::vector<int> flags(step::simulation& s, const stellar::model& m, double separation) const;
  void expect_spins(const config::input& in) const;
  void expect_structures(const config::input& in, const config::parameters& par) const;
  /// Of stars of a profile: which of their two species their layers are made of. An error where these cannot be.
  std::array<std::optional<layers>, 2> layers_of(const config::parameters& par, const config::input& in) const;

  binary_parameters p_;
  std::array<std::optional<layers>, 2> layers_{};
};

}  // namespace rednova::problem
