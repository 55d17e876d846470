#include "stellar/model.hpp"

#include <cmath>

namespace rednova::stellar {

namespace {

struct sums {
  struct one_star {
    double mass = 0, core = 0, x = 0, second_moment = 0;  // second moment: of x² + y²
  };
  std::array<one_star, 2> star;
  double potential = 0, pressure = 0;

  sums& operator+=(const sums& b) {
    for (std::size_t s = 0; s < 2; ++s) {
      star[s].mass += b.star[s].mass;
      star[s].core += b.star[s].core;
      star[s].x += b.star[s].x;
      star[s].second_moment += b.star[s].second_moment;
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
        const double arm2 = r.x * r.x + r.y * r.y + h * h / 6;  // with the cell's own moment of inertia
        double all = 0;
        for (std::size_t s = 0; s < 2; ++s) {
          const double core = m.cells.at(leaf, core_of_0 + 2 * static_cast<int>(s))[c];
          const double mass = v * (core + m.cells.at(leaf, envelope_of_0 + 2 * static_cast<int>(s))[c]);
          t.star[s].mass += mass;
          t.star[s].core += v * core;
          t.star[s].x += mass * r.x;
          t.star[s].second_moment += mass * arm2;
          all += mass;
        }
        t.potential += 0.5 * all * m.cells.at(leaf, model_potential)[c];
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
    m.kinetic += 0.5 * m.omega * m.omega * (t.star[s].second_moment + (f.spin * f.spin - 1) * f.inertia);
  }
  m.potential = t.potential;
  m.pressure = t.pressure;
}

}  // namespace rednova::stellar
