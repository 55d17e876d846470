// The same run by two steppers, and what may differ.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "step/collapse.hpp"

namespace rednova::step::test {

/// A dense cold ball in next to nothing, both at many times the sound speed.
inline void throw_a_ball(simulation& s) {
  const mesh::fields& f = s.fields();
  const core::vec3d v{3, 1, 0};
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = s.tree().centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      const double rho = dot(x, x) < 0.03 ? 1 : 1e-7, e = s.eos().energy_of_pressure(rho, 0.02 * rho, 0);
      s.u().at(leaf, 0)[c] = s.u().at(leaf, 1)[c] = 0.5 * rho;
      for (int d = 0; d < 3; ++d) s.u().at(leaf, f.momentum(d))[c] = rho * v[d];
      for (int d = 0; d < 3; ++d) s.u().at(leaf, f.spin(d))[c] = 0;
      s.u().at(leaf, f.energy())[c] = e + 0.5 * rho * dot(v, v);
      s.u().at(leaf, f.entropy())[c] = s.eos().ideal.tracer_of_heat(e);
    }
  }
  prepare(s);
}

/// Some steps of the collapse on a mesh that adapts; the fields are the host's in the end.
inline void run(simulation& s, int steps, void (*change)(simulation&)) {
  start_collapse(s);
  if (change != nullptr) change(s);
  for (int n = 0; n < steps; ++n) {
    refine_above(s, n < 3 ? 2 : 0.7);
    if (n % 3 == 2) adapt(s);
    advance(s, 1e9);
  }
  s.stepper().fetch();
}

/// The same steps by the cores and by another stepper.
struct both {
  both(const config::parameters& p, int steps, const stepper_maker& make, void (*change)(simulation&) = nullptr)
      : cores(p, context), other(p, context) {
    other.step_with(make);
    run(cores, steps, change);
    run(other, steps, change);
  }
  exec::context context;
  simulation cores, other;
};

/// All numbers of the ledger, in a row.
inline std::vector<double> numbers(const ledger& ledger) {
  std::vector<double> all;
  const auto add = [&](const totals& t) {
    all.insert(all.end(), t.species.begin(), t.species.end());
    for (int d = 0; d < 3; ++d) all.insert(all.end(), {t.momentum[d], t.angular_momentum[d]});
    all.push_back(t.energy);
    for (int d = 0; d < 3; ++d) all.push_back(t.spin[d]);
  };
  for (const totals* t : {&ledger.initial, &ledger.grid, &ledger.magnitude, &ledger.floors, &ledger.regrid,
                          &ledger.points, &ledger.driven})
    add(*t);
  for (const totals& side : ledger.outflow) add(side);
  all.insert(all.end(), {ledger.radiated.energy, ledger.luminosity});
  for (int d = 0; d < 3; ++d) all.insert(all.end(), {ledger.radiated.momentum[d], ledger.radiated.angular_momentum[d]});
  all.insert(all.end(), ledger.unbound_outflow.begin(), ledger.unbound_outflow.end());
  return all;
}

inline void expect_same_bits(const simulation& one, const simulation& expected) {
  ASSERT_EQ(one.tree().leaves(), expected.tree().leaves());
  EXPECT_EQ(one.time(), expected.time());
  const std::vector<double> mine = numbers(one.ledger()), all = numbers(expected.ledger());
  ASSERT_EQ(mine.size(), all.size());
  for (std::size_t i = 0; i < mine.size(); ++i)
    EXPECT_EQ(mine[i], all[i]) << "number " << i << " of the ledger, " << mine[i] - all[i];
  EXPECT_EQ(one.stars().centre, expected.stars().centre);
  EXPECT_EQ(one.stars().radius, expected.stars().radius);
  EXPECT_EQ(one.orbits(), expected.orbits());
  ASSERT_EQ(one.particles().size(), expected.particles().size());
  for (std::size_t n = 0; n < one.particles().size(); ++n) {
    EXPECT_EQ(one.particles()[n].position, expected.particles()[n].position);
    EXPECT_EQ(one.particles()[n].left, expected.particles()[n].left);
  }
  const auto compare = [&](const char* what, const mesh::block_data& found, const mesh::block_data& right, int leaf) {
    for (int field = 0; field < right.fields(); ++field)
      for (int c = 0; c < mesh::cells; ++c) {
        const double was = found.at(leaf, field)[c], expect = right.at(leaf, field)[c];
        ASSERT_EQ(std::memcmp(&was, &expect, sizeof(double)), 0)
            << what << " of leaf " << leaf << ", field " << field << ", cell " << c << ": " << was << " - " << expect
            << " = " << was - expect;
      }
  };
  ASSERT_EQ(one.light().empty(), expected.light().empty());
  for (int leaf = 0; leaf < expected.tree().leaves(); ++leaf) {
    compare("gas", one.u(), expected.u(), leaf);
    if (!expected.light().empty()) compare("light", one.light(), expected.light(), leaf);
  }
}
inline void expect_same_bits(const both& b) { expect_same_bits(b.other, b.cores); }

/// Every field within a share of its largest value.
inline void expect_close(const both& b, double share) {
  ASSERT_EQ(b.other.tree().leaves(), b.cores.tree().leaves());
  const mesh::fields& f = b.cores.fields();
  for (int field = 0; field < f.size(); ++field) {
    double largest = 0, difference = 0;
    for (int leaf = 0; leaf < b.cores.tree().leaves(); ++leaf) {
      for (int c = 0; c < mesh::cells; ++c) {
        const double expected = b.cores.u().at(leaf, field)[c];
        largest = std::max(largest, std::fabs(expected));
        difference = std::max(difference, std::fabs(b.other.u().at(leaf, field)[c] - expected));
      }
    }
    EXPECT_LE(difference, share * largest) << f[field].name;
    if (b.cores.par().hydro.spin || field < f.spin()) {
      EXPECT_GT(largest, 0) << f[field].name;
    }
  }
}

/// The same of light, whose spin may be nothing but rounding.
inline void expect_close_light(const both& b, double share) {
  const mesh::block_data &found = b.other.light(), &expected = b.cores.light();
  ASSERT_EQ(found.fields(), expected.fields());
  ASSERT_GT(expected.fields(), 0);
  for (int field = 0; field < expected.fields(); ++field) {
    double largest = 0, difference = 0;
    for (int leaf = 0; leaf < b.cores.tree().leaves(); ++leaf)
      for (int c = 0; c < mesh::cells; ++c) {
        largest = std::max(largest, std::fabs(expected.at(leaf, field)[c]));
        difference = std::max(difference, std::fabs(found.at(leaf, field)[c] - expected.at(leaf, field)[c]));
      }
    EXPECT_LE(difference, share * largest) << "light " << field;
    EXPECT_GT(largest, 0) << "light " << field;
  }
}

/// What is conserved is so to rounding: as in test_conservation.cpp, in a seventh of its steps.
inline void expect_conserved(const ledger& ledger) {
  const totals r = ledger.remainder(), &m = ledger.magnitude;
  for (std::size_t k = 0; k < r.species.size(); ++k) EXPECT_LT(std::fabs(r.species[k]), 1e-14 * m.species[k]);
  for (int d = 0; d < 3; ++d) {
    EXPECT_LT(std::fabs(r.momentum[d]), 1e-14 * m.momentum[d]);
    EXPECT_LT(std::fabs(r.angular_momentum[d]), 1e-14 * m.angular_momentum[d]);
  }
  EXPECT_LT(std::fabs(r.energy), 1e-13 * m.energy);
}

}  // namespace rednova::step::test
