// A row of blocks along x that light enters at its lower end and leaves at its upper one.
#pragma once

#include <array>

#include "light_box.hpp"

namespace rednova::test {

enum class grid { uniform, refined };
inline const char* name_of(grid kind) { return kind == grid::uniform ? "uniform" : "refined"; }
inline mesh::tree row(grid kind, int cells, double h) {
  return kind == grid::uniform ? light_box::row(cells, h, false) : light_box::refined_row(cells, h, false);
}

inline std::array<config::boundary, 6> ends_in_x() {
  std::array<config::boundary, 6> ends{};
  ends.fill(config::boundary::periodic);
  ends[0] = config::boundary::zero_gradient;
  ends[1] = config::boundary::outflow;
  return ends;
}

/// Calls body(ghosted cells beyond a lower face in x, from the nearest on, and the cell before it), row by row.
template <class Body>
void beyond_lower_x(const Body& body) {
  using mesh::ghosted;
  for (int k = 0; k < mesh::N; ++k)
    for (int j = 0; j < mesh::N; ++j)
      body(std::array<int, 3>{ghosted(-1, j, k), ghosted(-2, j, k), ghosted(-3, j, k)}, ghosted(0, j, k));
}

}  // namespace rednova::test
