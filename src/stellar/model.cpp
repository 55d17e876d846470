#include "stellar/model.hpp"

#include <cmath>

#include "core/constants.hpp"

namespace rednova::stellar {

namespace {

struct sums {
  struct one_star {
    double mass = 0, core = 0, x = 0;
    double second_moment = 0, smooth = 0;  // of x² + y²: of cells that each turn as a whole, of a smooth density
  };
  std::array<one_star, 2> star;
  double potential = 0, pressure = 0;

  sums& operator+=(const sums& b) {
    for (std::size_t s = 0; s < 2; ++s) {
      star[s].mass += b.star[s].mass;
      star[s].core += b.star[s].core;
      star[s].x += b.star[s].x;
      star[s].second_moment += b.star[s].second_moment;
      star[s].smooth += b.star[s].smooth;
    }
    potential += b.potential;
    pressure += b.pressure;
    return *this;
  }
};

sums leaf_sums(const model& m, int leaf) {
  using mesh::N;
  sums t;
  const double h = m.tree.cell_width(leaf), v = h * h * h;
  for (int k = 0; k < N; ++k) {
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i < N; ++i) {
        const int c = mesh::cell(i, j, k);
        const core::vec3d r = m.tree.centre(leaf, i, j, k);
        const double own = h * h / 6;  // the cell's own moment of inertia
        const double arm2 = r.x * r.x + r.y * r.y;
        double all = 0;
        for (std::size_t s = 0; s < 2; ++s) {
          const double core = m.cells.at(leaf, core_of_0 + 2 * static_cast<int>(s))[c];
          const double mass = v * (core + m.cells.at(leaf, envelope_of_0 + 2 * static_cast<int>(s))[c]);
          t.star[s].mass += mass;
          t.star[s].core += v * core;
          t.star[s].x += mass * r.x;
          t.star[s].second_moment += mass * (arm2 + own);
          t.star[s].smooth += mass * (arm2 - own);  // density and x² + y² have (h²/12) grad rho · grad in common
          all += mass;
        }
        // ½ ∫ rho phi, to fourth order: within cells they have (h²/12) grad rho · grad phi in common, whose integral
        // is that of -4 pi rho² h²/12.
        t.potential += 0.5 * all * (m.cells.at(leaf, model_potential)[c] - core::pi / 3 * h * h * (all / v));
        t.pressure += v * m.cells.at(leaf, model_pressure)[c];
      }
    }
  }
  return t;
}

}  // namespace

double model::virial_error() const { return std::fabs(2 * kinetic + potential + 3 * pressure) / std::fabs(potential); }

double model::balance_error(std::size_t s) const { return std::fabs(1 - star[s].omega2 / (omega * omega)); }

double model::orbital_angular_momentum() const {
  return omega * (star[0].mass * star[0].centre * star[0].centre + star[1].mass * star[1].centre * star[1].centre);
}

double model::spin_angular_momentum() const {
  return omega * (star[0].spin * star[0].inertia + star[1].spin * star[1].inertia);
}

void sum_up(exec::context& context, model& m) {
  const sums t = exec::reduce(
      context, "stellar sums", m.tree.leaves(), sums{}, [&](int leaf) { return leaf_sums(m, leaf); },
      [](sums a, const sums& b) { return a += b; });
  m.kinetic = 0;
  for (std::size_t s = 0; s < 2; ++s) {
    star_figures& f = m.star[s];
    f.mass = t.star[s].mass;
    f.core_mass = t.star[s].core;
    f.centre = f.mass > 0 ? t.star[s].x / f.mass : 0;
    f.inertia = t.star[s].second_moment - f.mass * f.centre * f.centre;
    const double smooth = t.star[s].smooth, about_axis = smooth - f.mass * f.centre * f.centre;
    m.kinetic += 0.5 * m.omega * m.omega * (smooth + (f.spin * f.spin - 1) * about_axis);
  }
  m.potential = t.potential;
  m.pressure = t.pressure;
}

}  // namespace rednova::stellar
