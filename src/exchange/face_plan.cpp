#include "exchange/face_plan.hpp"

#include "core/vec3.hpp"

namespace rednova::exchange {

using mesh::N;

face_plan::face_plan(const mesh::tree& t, const mesh::share& own)
    : finer_(static_cast<std::size_t>(t.leaves()), 0u), slot_(static_cast<std::size_t>(t.leaves()) * mesh::faces, -1) {
  for (int leaf = 0; leaf < t.leaves(); ++leaf) {
    first_.push_back(static_cast<int>(coarse_.size()));
    for (int face = 0; face < mesh::faces; ++face) {
      const int m = t[leaf].neighbour[static_cast<std::size_t>(side_of_face(face))];
      if (m < t.leaves()) continue;  // a leaf, coarser or outside
      finer_[static_cast<std::size_t>(leaf)] |= 1u << face;
      const int d = face / 2;
      coarse_face f{leaf, face, {}};
      for (int q = 0; q < 4; ++q) {
        const int octant = (face % 2 ? 0 : 1 << d) | (q & 1) << transverse_a(d) | (q >> 1) << transverse_b(d);
        const int fine = t[m].child[static_cast<std::size_t>(octant)];
        f.fine[static_cast<std::size_t>(q)] = fine;
        if (own.owns(leaf) || own.owns(fine)) {
          slot_[static_cast<std::size_t>(fine * mesh::faces + (face ^ 1))] = slots_++;
        }
      }
      if (own.owns(leaf)) coarse_.push_back(f);
    }
  }
  first_.push_back(static_cast<int>(coarse_.size()));
}

face_view face_plan::view(flux_registers& registers) const {
  return {finer_.data(), slot_.data(),     coarse_.data(),
          first_.data(), registers.data(), static_cast<std::ptrdiff_t>(registers.stride())};
}

void for_fine_fluxes(const face_plan& plan, const coarse_face& f, const flux_registers& registers,
                     const mesh::fields& fields, double coarse_width, bool with_spin,
                     const std::function<void(int, int, double)>& add) {
  const int d = f.face / 2, a = transverse_a(d), b = transverse_b(d);
  const bool upper = f.face % 2;
  const double sign = (upper ? -1 : 1) / coarse_width;
  for (int cb = 0; cb < N; ++cb) {
    for (int ca = 0; ca < N; ++ca) {
      const int q = (ca >= N / 2 ? 1 : 0) + (cb >= N / 2 ? 2 : 0);
      const double* flux = registers.at(plan.slot(f.fine[static_cast<std::size_t>(q)], f.face ^ 1));
      const int fa = 2 * ca % N, fb = 2 * cb % N;
      int at[3];
      at[d] = upper ? N - 1 : 0;
      at[a] = ca;
      at[b] = cb;
      const int cell = mesh::cell(at[0], at[1], at[2]);
      const auto value = [&](int field, int p) { return flux[field * N * N + fa + (p & 1) + N * (fb + (p >> 1))]; };
      for (int field = 0; field < fields.spin(); ++field) {
        const double mean = 0.25 * ((value(field, 0) + value(field, 1)) + (value(field, 2) + value(field, 3)));
        add(field, cell, sign * mean);
      }
      if (!with_spin) continue;
      core::vec3d torque{};
      for (int p = 0; p < 4; ++p) {
        core::vec3d arm, momentum, spin;
        arm[d] = (upper ? 0.5 : -0.5) * coarse_width;
        arm[a] = (p & 1 ? 0.25 : -0.25) * coarse_width;
        arm[b] = (p >> 1 ? 0.25 : -0.25) * coarse_width;
        for (int c = 0; c < 3; ++c) {
          momentum[c] = value(fields.momentum(c), p);
          spin[c] = value(fields.spin(c), p);
        }
        torque += 0.25 * (spin + cross(arm, momentum));
      }
      for (int c = 0; c < 3; ++c) add(fields.spin(c), cell, sign * torque[c]);
    }
  }
}

}  // namespace rednova::exchange
