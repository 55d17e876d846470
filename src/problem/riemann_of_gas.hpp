// The exact solution of the Riemann problem for any gas whose waves are of one kind: one shock or one fan.
#pragma once

#include <array>
#include <vector>

#include "eos/gas.hpp"
#include "problem/riemann_solution.hpp"

namespace rednova::problem {

/// Shocks by the Rankine-Hugoniot conditions, fans by integration of drho/dp = 1/c², du/dp = -+1/(rho c) along the
/// isentrope (Menikoff & Plohr 1989, Rev. Mod. Phys. 61, 75, sec. IV), to about 1e-8, and 1e-6 within fans. The gas
/// must be convex, as ideal and degenerate gas are: where it is not, one wave is a shock and a fan side by side.
class riemann_of_gas final : public riemann_solution {
 public:
  /// A user_error where the states would part and leave a vacuum.
  /// hydrogen: mass fractions on the left and on the right, where the gas depends on them.
  riemann_of_gas(const riemann_state& left, const riemann_state& right, const eos::gas& gas,
                 const std::array<double, 2>& hydrogen = {});

  riemann_state at(double speed) const override;
  double contact_speed() const override { return speed_; }
  double contact_pressure() const override { return pressure_; }
  double leftmost() const override { return -sides_[0].front().speed; }
  double rightmost() const override { return sides_[1].front().speed; }

 private:
  /// A ray of the wave on the right side, and the state there: from the outermost to the innermost. A shock has two
  /// states on one ray.
  struct ray {
    double speed;
    riemann_state state;
  };
  std::array<riemann_state, 2> outer_;  ///< both as on the right side: the left one is mirrored
  std::array<std::vector<ray>, 2> sides_;
  double pressure_, speed_;
};

}  // namespace rednova::problem
