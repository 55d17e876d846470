#include "step/ledger_entries.hpp"

#include <algorithm>
#include <cmath>

namespace rednova::step {

void ledger_entries::outflow(const stage_now& of, const double* sums) const {
  const int species = tables_->fields.species();
  const double angle = turn_.at(of.begins);
  const double cosine = std::cos(angle), sine = std::sin(angle);
  totals out(species);
  for (const boundary_face& b : tables_->boundary_faces) {
    std::copy_n(sums, species, out.species.begin());
    const double* const rest = sums + species;
    out.momentum = {rest[0], rest[1], rest[2]};
    out.angular_momentum = {rest[3], rest[4], rest[5]};
    out.energy = rest[6];
    out.spin = {rest[7], rest[8], rest[9]};
    out.rotate(cosine, sine);
    to_->add(b.leaf, b.face, of.form.flux_weight * of.dt, out);
    hydro::unbound_masses unbound;
    std::copy_n(rest + vector_and_energy, unbound.size(), unbound.begin());
    to_->add_unbound(b.leaf, of.form.flux_weight * of.dt, unbound);
    sums += numbers_of_outflow(species);
  }
}

void ledger_entries::floors(const stage_now& of, const double* masses, const double* energy) const {
  totals added(tables_->fields.species());
  for (int leaf = tables_->first_leaf; leaf < tables_->first_leaf + tables_->leaf_count(); ++leaf) {
    std::copy_n(masses, added.species.size(), added.species.begin());
    masses += added.species.size();
    added.energy = *energy++;
    const bool none = added.energy == 0 && std::ranges::all_of(added.species, [](double mass) { return mass == 0; });
    if (!none) to_->add(leaf, step_ledger::floors, of.form.floor_weight, added);
  }
}

void ledger_entries::potential(const double* through_faces, const double* of_floors) const {
  const auto book = [&](int leaf, int column, double energy) {
    if (energy != 0) to_->add_energy(leaf, column, energy);
  };
  for (int leaf = tables_->first_leaf; leaf < tables_->first_leaf + tables_->leaf_count(); ++leaf) {
    for (int face = 0; face < mesh::faces; ++face) book(leaf, face, *through_faces++);
    book(leaf, step_ledger::floors, *of_floors++);
  }
}

}  // namespace rednova::step
