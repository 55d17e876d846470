#include "step/simulation.hpp"

#include <algorithm>
#include <utility>

#include "config/units.hpp"
#include "core/check.hpp"
#include "exec/transport.hpp"
#include "hydro/primitives.hpp"
#include "mesh/domain_of.hpp"
#include "radiation/scheme.hpp"

namespace rednova::step {

namespace {

/// At time 0 the grid's axes are those of the inertial frame.
point_masses points_of(const config::point_masses& asked) {
  point_masses points;
  for (std::size_t k = 0; k < asked.mass.size(); ++k) {
    const auto vector = [k](const std::vector<double>& all) {
      return core::vec3d{all[3 * k], all[3 * k + 1], all[3 * k + 2]};
    };
    points.add({asked.mass[k], asked.softening[k], vector(asked.position), asked.mass[k] * vector(asked.velocity)});
  }
  return points;
}

epoch at_start(double rotation, int species, const config::point_masses& asked) {
  return {.turn = {.rate = rotation},
          .ledger = step::ledger(species),
          .orbit = {},
          .points = points_of(asked),
          .particles = {}};
}

}  // namespace

simulation::simulation(const config::parameters& p, exec::context& c)
    : par_(p),
      context_(&c),
      units_(config::units_of(p.units.system)),
      fields_(mesh::fields::of(p)),
      eos_(p),
      tree_(mesh::tree::uniform(mesh::domain_of(p.mesh), p.mesh.min_level)),
      now_(at_start(p.mesh.rotation, fields_.species(), p.point_masses)),
      star_gas_(p.hydro.species) {
  adopt(mesh::tree::uniform(tree_.box(), p.mesh.min_level));
}

simulation::~simulation() = default;

void simulation::begin(double rotation, const std::vector<point_mass>& more) {
  now_ = at_start(rotation, fields_.species(), par_.point_masses);
  EXPECT(now_.points.count + more.size() <= max_point_masses);
  for (const point_mass& p : more) now_.points.add(p);
}

void simulation::adopt(mesh::tree t) {
  if (context_->ranks() == nullptr) return adopt(std::move(t), mesh::partition());
  // Until costs have been measured.
  std::vector<double> costs(static_cast<std::size_t>(t.size()), par_.gravity.enabled ? refined_node_cost : 0);
  std::fill_n(costs.begin(), t.leaves(), 1.0);
  const mesh::partition even = mesh::balanced(t, context_->ranks()->size(), mesh::costs_of_leaves(t, costs));
  adopt(std::move(t), even);
}

void simulation::adopt(mesh::tree t, const mesh::partition& p) {
  change_tree(std::move(t), p);
  u_ = {};
  gravity_ = {};
  u_ = mesh::block_data(halo_->nodes(), fields_.size());
  if (par_.radiation.enabled)
    light_ = mesh::block_data(mesh::slots::of_leaves(halo_->partition()), radiation::field::count);
  dark_ = true;
}

void simulation::change_tree(mesh::tree t, const mesh::partition& p) {
  // What belongs to the old tree goes first, on all ranks in the same order.
  stepper_.reset();
  halo_.reset();
  tree_ = std::move(t);
  owners_ = p.aligned(tree_);
  if (context_->ranks() == nullptr) {
    halo_ = std::make_unique<exchange::halo_exchange>(*context_, tree_, fields_);
  } else {
    mesh::local_partition own = look_up(tree_, owners_);
    const exec::profile::scope timed(context_->times(), "plans");
    halo_ = std::make_unique<exchange::halo_exchange>(*context_, tree_, fields_, std::move(own), reach());
  }
}

mesh::local_partition simulation::look_up(const mesh::tree& t, const mesh::partition& p) {
  const exec::stopwatch timed(lookups_.seconds);
  lookups_.resolved += t.size();
  return {t, p, context_->ranks()->rank()};
}

void simulation::expect_fields() const {
  EXPECT(u_.nodes() == halo_->nodes().count() && u_.fields() == fields_.size());
  EXPECT(!par_.gravity.enabled || gravity_.nodes() == halo_->partition().leaf_count());
  EXPECT(!par_.radiation.enabled || light_.nodes() == halo_->partition().leaf_count());
}

double simulation::orbits() const { return (grid_angle() + now_.orbit.slip) / (2 * core::pi); }

double simulation::density(int leaf, int cell) const {
  return hydro::mass_density<double>(u_.at(leaf) + cell, mesh::cells, fields_.species());
}

}  // namespace rednova::step
