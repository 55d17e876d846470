// Two stars in rigid rotation in a given potential, with masses, separation, filling and spins as asked.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "stellar/effective_potential.hpp"
#include "stellar/figure.hpp"
#include "stellar/star_fit.hpp"
#include "stellar/structure.hpp"

namespace rednova::stellar {

/// Where the stars' surfaces lie.
enum class surface {
  separate,         ///< each star fills a share of its Roche lobe
  contact,          ///< one equipotential between L1 and L2; each star has its own entropy, so p jumps in the neck
  common_envelope,  ///< one equipotential and one envelope entropy; the lighter star's core fraction follows
};

struct binary_request {
  std::array<double, 2> mass{1, 1};
  double separation = 1;  ///< of the mass centres; 0: from the period
  double period = 0;      ///< used where separation is 0; both 0: from the filling of star 2, which has no scale
  std::array<composition, 2> made_of;
  std::array<double, 2> radius{0, 0};  ///< of a star without scale: that of the star at rest alone
  surface context = surface::separate;
  /// separate: radius over Roche lobe's radius, of spheres of the same volume; a star without scale has what it has.
  std::array<double, 2> filling{1, 1};
  double fillout = 0.5;  ///< otherwise: (Phi_L1 - C) / (Phi_L1 - Phi_L2)
  /// Each star's rate of rotation in the inertial frame, about its own axis, over the orbit's. Where it is not 1 the
  /// stars must be separate, and the star's Roche lobe is that of its own effective potential.
  std::array<double, 2> spin{1, 1};

  bool synchronous() const { return spin[0] == 1 && spin[1] == 1; }
};

/// In each call of find(): the angular velocity balances the net forces on the stars, trim and pull
/// (effective_potential) put the stars' mass centres where they are asked, the surface potentials C follow from the
/// filling, and the entropies and core sizes from the masses and core fractions, all in the given potential and to
/// rounding; only the potential lags behind. A star without scale (composition::given) has no entropy to adjust: its
/// surface follows from its mass, and it must be separate.
/// This fixes what Hachisu's boundary points fix, but in terms of masses and separation.
class binary_figure final : public figure {
 public:
  explicit binary_figure(const binary_request& r);

  double size() const override { return std::min(lobe(0), lobe(1)); }
  bool touches(core::vec3d lower, double width) const override;
  void guess(exec::context& context, model& m) const override;
  bool find(exec::context& context, const mesh::block_data& gravity, model& m) override;
  void weigh(exec::context& context, const mesh::block_data& gravity, model& m) override;
  bool meets_request(const model& m) const override;

  /// A user_error where a star would have less than two cells to a radius even on the finest level.
  void expect_resolved(const mesh::domain& box, int max_level) const;

  double separation() const { return separation_; }
  double pull() const { return pull_; }

 private:
  double target(int star) const;
  double lobe(std::size_t star) const;
  effective_potential potential_of(std::size_t star, const mesh::block_data& gravity, const model& m) const;
  void find_saddles(std::size_t star, const effective_potential& phi);
  void collect(exec::context& context, const mesh::block_data& gravity, const model& m);
  void set_surfaces(exec::context& context, model& m);
  void set_scales(exec::context& context);
  using matrix = std::array<std::array<double, 2>, 2>;
  matrix stiff_stars() const;
  void learn(const std::array<double, 2>& force, const std::array<double, 2>& centre);
  bool steer();
  std::string slower(std::size_t star) const;
  void expect_apart(const model& m) const;
  /// Throws a user_error that says how few cells the star has.
  [[noreturn]] void fail_unresolved(std::size_t star) const;
  bool follow_request(const model& m);
  double separation_correction(const model& m) const;
  /// Whether the star's surface follows from its mass, not its filling.
  bool sized_by_mass(std::size_t star) const;

  binary_request r_;
  double separation_;
  double omega2_, trim_ = 0, pull_ = 0;
  /// Of the effective potential of each star; the same one where both are synchronous.
  struct saddles {
    double l1 = 0, potential_l1 = 0, potential_l2 = 0;
    double top = 0;  ///< the highest potential that the surface can have
  };
  std::array<saddles, 2> saddles_;
  std::array<double, 2> lobe_share_;  // radius of the Roche lobe over the separation, of point masses
  std::array<star_fit, 2> stars_;
  matrix response_;  // by how much force per mass on star k moves star i: [i][k]
  std::array<double, 2> last_force_{}, last_centre_{};
  bool steered_ = false;
  int next_correction_ = 0;
  int leaves_at_correction_ = 0;
  double last_excess_ = 0, last_step_ = 0;  // ln of star 2's scale at the last correction, and ln of that
};

}  // namespace rednova::stellar
