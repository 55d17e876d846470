// The fluxes of fine faces as rates of the coarse cells behind them.
#pragma once

#include "core/vec3.hpp"
#include "exchange/face_plan.hpp"

namespace rednova::exchange {

/// Which of the four fine leaves behind a coarse face lies before its cell (a, b).
constexpr std::size_t quarter(int a, int b) {
  return static_cast<std::size_t>((a >= mesh::N / 2 ? 1 : 0) + (b >= mesh::N / 2 ? 2 : 0));
}
/// Space on the fine leaf's face, a or b, of the first of the two fine cells before a coarse one.
constexpr int first_fine(int place) { return 2 * place % mesh::N; }

/// The mean of what four fine cells before a coarse one have, in the order a + 2 b.
REDNOVA_FN double mean_of_four(double v0, double v1, double v2, double v3) { return 0.25 * ((v0 + v1) + (v2 + v3)); }

/// Rates of change of the cell (a, b) of a coarse leaf on one face by the fine fluxes: calls
/// add(field, d(field)/dt). With with_spin the torque of the fine momentum fluxes about the coarse
/// cell's centre goes to its spin (docs/conservation.md); without it the spin gets nothing.
template <class Add>
REDNOVA_FN void reflux_cell(const face_view& faces, const coarse_face& f, const mesh::field_numbers& fields,
                            double coarse_width, bool with_spin, int a, int b, const Add& add) {
  constexpr int N = mesh::N;
  const int d = f.face / 2, fa = first_fine(a), fb = first_fine(b);
  const bool upper = f.face % 2;
  const double sign = (upper ? -1 : 1) / coarse_width;
  const double* flux = faces.at(f.fine[quarter(a, b)], f.face ^ 1);
  const auto value = [&](int field, int p) { return flux[field * N * N + fa + (p & 1) + N * (fb + (p >> 1))]; };
  for (int field = 0; field < fields.spin(); ++field) {
    add(field, sign * mean_of_four(value(field, 0), value(field, 1), value(field, 2), value(field, 3)));
  }
  if (!with_spin) return;
  core::vec3d torque{};
  for (int p = 0; p < 4; ++p) {
    core::vec3d arm, momentum, spin;
    arm[d] = (upper ? 0.5 : -0.5) * coarse_width;
    arm[transverse_a(d)] = (p & 1 ? 0.25 : -0.25) * coarse_width;
    arm[transverse_b(d)] = (p >> 1 ? 0.25 : -0.25) * coarse_width;
    for (int c = 0; c < 3; ++c) {
      momentum[c] = value(fields.momentum(c), p);
      spin[c] = value(fields.spin(c), p);
    }
    torque += 0.25 * (spin + cross(arm, momentum));
  }
  for (int c = 0; c < 3; ++c) add(fields.spin(c), sign * torque[c]);
}

}  // namespace rednova::exchange
