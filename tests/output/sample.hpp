// A small binary on a refined mesh, made without running anything, and a directory for its files.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "output/provenance.hpp"
#include "step/simulation.hpp"
#include "step/step.hpp"

namespace rednova::output {

inline config::parameters sample_parameters() {
  config::parameters p;
  p.units.system = config::unit_system::solar;
  p.mesh.lower = {-2, -2, -2};
  p.mesh.base_width = 4;
  p.mesh.min_level = 1;
  p.mesh.max_level = 3;
  p.mesh.rotation = 0.3;
  p.hydro.species = {"accretor_core", "accretor_envelope", "donor_core", "donor_envelope", "atmosphere"};
  return p;
}

/// Refines a leaf; the fields are zero then.
inline void refine_leaf(step::simulation& s, std::size_t leaf) {
  std::vector<int> flags(static_cast<std::size_t>(s.tree().leaves()), 0);
  flags[leaf] = 1;
  s.adopt(mesh::tree(s.tree().box(), s.tree().adapted(flags)));
}

/// Tree of levels 1 to 3, smooth fields without symmetry, a ledger with entries everywhere.
inline void fill_sample(step::simulation& s) {
  refine_leaf(s, 0);
  refine_leaf(s, 7);
  for (int n = 0; n < s.tree().leaves(); ++n) {
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = s.tree().centre(n, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      for (int f = 0; f < s.fields().size(); ++f) {
        s.u().at(n, f)[c] = 0.1 * std::sin(x.x + 2 * x.y + 3 * x.z + f) + (f < 5 ? 0.3 : 0.0);
      }
      s.u().at(n, s.fields().energy())[c] += 5;
      s.u().at(n, s.fields().entropy())[c] += 2;
    }
  }
  step::prepare(s);
  step::epoch at = s.now();
  at.time = 1.25;
  at.dt = 0.0625;
  at.step = 20;
  step::ledger& ledger = at.ledger;
  ledger.floors = step::totals(5);
  ledger.floors.species[4] = 1e-9;
  ledger.regrid = step::totals(5);
  ledger.regrid.momentum = {1e-17, 2e-17, 3e-17};
  for (std::size_t side = 0; side < 6; ++side) {
    ledger.outflow[side] = step::totals(5);
    ledger.outflow[side].energy = 0.1 * static_cast<double>(side);
    ledger.outflow[side].spin = {0.5, 0.25, static_cast<double>(side)};
  }
  ledger.unbound_outflow = {0.125, 0.0625, 0.25};
  at.orbit = {.slip = -0.3, .angle = 0.7, .rate = 0.01, .last_apart = 1.125};
  s.restore(at);
}

inline provenance sample_provenance() { return {"[mesh]\nmax_level = 3\n", "1.2.3", "abcdef0"}; }

/// An empty directory for each test, removed with it.
class in_directory : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    directory = std::filesystem::temp_directory_path() /
                ("rednova_" + std::string(test->name()) + "_" + std::to_string(::getpid()));
    std::filesystem::remove_all(directory);
    std::filesystem::create_directories(directory);
  }
  void TearDown() override { std::filesystem::remove_all(directory); }
  std::string file(const std::string& name) const { return (directory / name).string(); }

  std::filesystem::path directory;
};

/// The message of the user_error that f throws; empty if it throws none.
template <class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const core::user_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace rednova::output
