#include "step/radiation_phase.hpp"

#include "step/rotation.hpp"

namespace rednova::step {

radiation_phase::radiation_phase(simulation& s)
    : s_(s),
      by_(radiation::scheme_of(s.par())),
      solver_(s.context(), s.tree(), s.fields(), s.halo(), s.par().mesh.boundaries, by_),
      stiffness_(mesh::slots::of_leaves(s.halo().partition()), 1),
      books_(s) {}

radiation::gas_rules radiation_phase::rules() const {
  return {s_.eos(), s_.par().hydro.dual_energy_pressure, s_.rotation(), s_.par().hydro.spin};
}

lit_gas radiation_phase::gas_and_light() {
  return {.by = by_,
          .gas = rules(),
          .tree = mesh::view(s_.tree()),
          .fields = s_.fields(),
          .first_leaf = s_.own_leaves()[0],
          .u = mesh::view(s_.u()),
          .light = mesh::view(s_.light())};
}

template <class Body>
void radiation_phase::for_leaves(const Body& body) {
  exchange::for_leaves(s_.context(), "radiation", s_.halo().partition(), body);
}

void radiation_phase::begin(double dt) {
  const light_up_cells light_up{gas_and_light(), s_.par().radiation.temperature, s_.light_shares_pressure()};
  for_leaves([&](int leaf) {
    for (int cell = 0; cell < mesh::cells; ++cell) light_up(0, leaf, cell);
  });
  solver_.begin(s_.u(), s_.light(), rules(), dt);
}

void radiation_phase::advance(double dt, double uncut, double ends, step_ledger& to) {
  if (s_.rotation() != 0) {
    const lit_gas all = gas_and_light();
    const frame_rotation turn = frame_rotation::of_frame(s_.rotation(), dt);
    for_leaves([&](int leaf) {
      double rows[rows_of_turn * numbers_of_turn], lost[numbers_of_turn];
      lit_gas own = all;
      own.first_leaf = leaf;  // rows of this one alone
      const turn_rows turned{own, turn, rows};
      for (int row = 0; row < rows_of_turn; ++row) turned(0, leaf, row);
      const add_turned_rows add{rows, lost, leaf};
      for (int number = 0; number < numbers_of_turn; ++number) add(0, leaf, number);
      books_.book_turn(lost, leaf, ends, to);
    });
  }
  solver_.advance(s_.u(), s_.light(), rules(), dt, uncut);
  for_leaves([&](int leaf) { books_.book(solver_, leaf, ends, to); });
}

void radiation_phase::find_stiffness() {
  const stiffness_cells find{gas_and_light(), mesh::view(stiffness_)};
  for_leaves([&](int leaf) {
    for (int cell = 0; cell < mesh::cells; ++cell) find(0, leaf, cell);
  });
}

}  // namespace rednova::step
