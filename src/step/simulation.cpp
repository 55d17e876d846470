#include "step/simulation.hpp"

#include "core/constants.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

namespace {

mesh::domain domain_of(const config::mesh& m) {
  mesh::domain box{.lower = {m.lower[0], m.lower[1], m.lower[2]},
                   .base_width = m.base_width,
                   .base = {m.base_blocks[0], m.base_blocks[1], m.base_blocks[2]},
                   .periodic = {}};
  for (std::size_t d = 0; d < 3; ++d) box.periodic[d] = m.boundaries[2 * d] == config::boundary::periodic;
  return box;
}

core::units units_of(config::unit_system system) {
  return system == config::unit_system::solar ? core::units::self_gravitating(core::solar_radius, core::solar_mass)
                                              : core::units{};
}

}  // namespace

simulation::simulation(const config::parameters& p, exec::context& c)
    : par(p),
      where(&c),
      units(units_of(p.units.system)),
      fields(p.hydro.species),
      eos{p.hydro.gamma},
      tree(mesh::tree::uniform(domain_of(p.mesh), p.mesh.min_level)),
      rotation(p.mesh.rotation),
      books(fields.species()),
      u(tree.size(), fields.size()) {}

simulation::~simulation() = default;

double simulation::orbits() const { return rotation * time / (2 * core::pi); }

double simulation::density(int leaf, int cell) const {
  double rho = u.at(leaf, 0)[cell];
  for (int k = 1; k < fields.species(); ++k) rho += u.at(leaf, k)[cell];
  return rho;
}

workspace::workspace(const simulation& s)
    : ghosts(s.tree, s.fields, s.par.mesh.boundaries),
      faces(s.tree),
      update(s.par.hydro, s.fields, s.eos),
      registers(faces.slots(), s.fields.size()),
      start(s.tree.size(), s.fields.size()),
      next(s.tree.size(), s.fields.size()),
      leaf_outflow(static_cast<std::size_t>(s.tree.leaves()) * mesh::faces),
      floor_density(static_cast<std::size_t>(s.tree.leaves())),
      fields_(s.fields.size()) {
  if (!s.par.gravity.enabled) return;
  density = mesh::block_data(s.tree.leaves(), 1);
  start_potential = mesh::block_data(s.tree.leaves(), 1);
  gravity_work = mesh::block_data(s.tree.leaves(), 1);
  for (auto& flow : mass_flow) flow.assign(static_cast<std::size_t>(s.tree.leaves()) * 3 * face_values, 0.0);
}

thread_scratch& workspace::scratch() const {
  thread_scratch& mine = scratch_.local();
  const auto fields = static_cast<std::size_t>(fields_);
  mine.ghosted.resize(fields * mesh::ghosted_cells);
  mine.rate.resize(fields * mesh::cells);
  mine.outer.resize(mesh::faces * fields * mesh::N * mesh::N);
  mine.first_order.resize(mesh::ghosted_cells);
  return mine;
}

std::size_t workspace::bytes() const {
  return start.bytes() + next.bytes() + density.bytes() + start_potential.bytes() + gravity_work.bytes() +
         (mass_flow[0].size() + mass_flow[1].size()) * sizeof(double);
}

}  // namespace rednova::step
