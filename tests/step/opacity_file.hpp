// A user's table of opacities for the gas of the collapse.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "config/parameters.hpp"

namespace rednova::step::test {

/// Has light go by tables of two compositions, Planck's ten times Rosseland's.
inline void take_opacity_tables(config::parameters& p) {
  const auto write = [&](const std::string& name, double more) {
    const std::string path = testing::TempDir() + name;
    std::ofstream file(path);
    for (const double hydrogen : {0.5, 0.8})
      file << fmt::format("X = {} Z = {}\nlogT -8 -4 0 4\n3 {} {} {} {}\n6 {} {} {} {}\n9 {} {} {} {}\n", hydrogen,
                          p.eos.carbon + p.eos.oxygen, more - 3, more - 2, more, more + 1, more + hydrogen - 1,
                          more - 1, more + 1, more + 2, more - 1, more - 0.5, more, more + 0.5);
    return std::vector<std::string>{path};
  };
  p.radiation.opacity = config::opacity_law::table;
  p.radiation.tables = write("rosseland_of_a_collapse", 0);
  p.radiation.planck_tables = write("planck_of_a_collapse", 1);
}

}  // namespace rednova::step::test
