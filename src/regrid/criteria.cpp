#include "regrid/criteria.hpp"

#include <utility>

#include "core/check.hpp"
#include "regrid/gas_kernels.hpp"

namespace rednova::regrid {

using mesh::N;

namespace {

int find_species(const std::vector<std::string>& names, const char* name) {
  const auto it = std::ranges::find(names, name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

/// What is found in a leaf's gas, by the functors of a device.
class gas_of_leaf {
 public:
  gas_of_leaf(const gas_rules& rules, const photosphere* by_opacity, const exchange::ghosts& ghosts,
              const mesh::block_data& u, const mesh::block_view<const double>& gravity, int leaf)
      : rules_(&rules), by_opacity_(by_opacity), ghosts_(&ghosts), u_(&u) {
    if (!rules.cells()) return;
    std::array<found_in_cells, look_at_columns::columns> columns;
    const look_at_columns look{rules, mesh::view(u), gravity, leaf, columns.data()};
    for (int n = 0; n < look_at_columns::columns; ++n) look(n);
    add_columns{columns.data(), &cells_}(0);
  }

  double densest() const { return cells_.densest; }
  bool core(int number, purpose why) const { return cells_.in_core[number][static_cast<int>(why)]; }
  bool unbound(purpose why) const { return cells_.unbound[static_cast<int>(why)]; }
  char slopes(int node, purpose why) const {
    // With the ghost layers, so that what is about to enter a block is seen in time.
    std::vector<double> gas(static_cast<std::size_t>(rules_->fields.size()) * mesh::ghosted_cells);
    ghosts_->gather(*u_, node, 0, gas.data());
    std::vector<double> q(mesh::ghosted_cells), p(mesh::ghosted_cells);
    for (int c = 0; c < mesh::ghosted_cells; ++c) watch_cells{*rules_, gas.data(), q.data(), p.data()}(c);
    std::array<char, gas_rules::lines> of_lines;
    const find_slopes find{*rules_, why, gas.data(), q.data(), p.data(), of_lines.data()};
    for (int line = 0; line < gas_rules::lines; ++line) find(line);
    char found = no_slope;
    add_lines{of_lines.data(), nullptr, &found}(0);
    if (by_opacity_ != nullptr && by_opacity_->within(gas.data(), rules_->fields, rules_->eos, why))
      found = static_cast<char>(found | light_gets_free);
    return found;
  }

 private:
  const gas_rules* rules_;
  const photosphere* by_opacity_;
  const exchange::ghosts* ghosts_;
  const mesh::block_data* u_;
  found_in_cells cells_{};
};

}  // namespace

criteria::criteria(const config::parameters& par, std::vector<refined_sphere> spheres)
    : criteria(par.mesh, par.refine, par.hydro, std::move(spheres)) {
  if (par.refine.photosphere_level > 0) photosphere_.emplace(par);
}

criteria::criteria(const config::mesh& mesh, const config::refine& refine, const config::hydro& hydro,
                   std::vector<refined_sphere> spheres)
    : mesh_(mesh),
      refine_(refine),
      spheres_(std::move(spheres)),
      density_max_level_(mesh.max_level - std::max(refine.accretor_core_levels, refine.donor_core_levels)),
      dual_energy_pressure_(hydro.dual_energy_pressure) {
  const char* const names[star_cores] = {"accretor_core", "donor_core"};
  const int levels[star_cores] = {refine.accretor_core_levels, refine.donor_core_levels};
  for (std::size_t c = 0; c < star_cores; ++c) {
    core_[c] = levels[c] > 0 ? find_species(hydro.species, names[c]) : -1;
    core_level_[c] = density_max_level_ + levels[c];
    if (levels[c] > 0 && core_[c] < 0) {
      core::fail("[refine] {0}_levels needs a species named {0} in [hydro] species", names[c]);
    }
  }
}

gas_rules criteria::looked_for(const mesh::field_numbers& fields, const eos::gas& eos) const {
  return {.density = refine_.density,
          .gradient = refine_.gradient,
          .scale_height = refine_.cells_per_scale_height,
          .scale_height_density = refine_.scale_height_density,
          .unbound = refine_.unbound_level > 0,
          .unbound_density = refine_.unbound_density,
          .photosphere = photosphere_.has_value(),
          .hysteresis = refine_.hysteresis,
          .core = {core_[0], core_[1]},
          .pressure = refine_.gradient_field == "pressure",
          .dual_energy_pressure = dual_energy_pressure_,
          .fields = fields,
          .eos = eos};
}

int criteria::density_level(double density) const {
  if (refine_.density <= 0) return 0;
  int level = density_max_level_;
  for (double threshold = refine_.density; level > 0 && density <= threshold; threshold /= 8) --level;
  return level;
}

std::vector<int> criteria::flags(exec::context& context, const mesh::tree& t, const mesh::fields& fields,
                                 const eos::gas& eos, const exchange::ghosts& ghosts, const mesh::block_data& u,
                                 const mesh::block_view<const double>& gravity) const {
  return flags(context, t, mesh::local_partition(t), fields, eos, ghosts, u, gravity);
}

std::vector<int> criteria::flags(exec::context& context, const mesh::tree& t, const mesh::local_partition& own,
                                 const mesh::fields& fields, const eos::gas& eos, const exchange::ghosts& ghosts,
                                 const mesh::block_data& u, const mesh::block_view<const double>& gravity) const {
  const gas_rules rules = looked_for(fields, eos);
  std::vector<int> all(static_cast<std::size_t>(own.leaf_count()), 0);
  exec::for_each(context, "refinement criteria", own.leaf_count(), [&](int i) {
    const int leaf = own.leaves()[0] + i;
    all[static_cast<std::size_t>(i)] = flag(t, leaf, gas_of_leaf(rules, by_opacity(), ghosts, u, gravity, leaf));
  });
  return all;
}

bool criteria::in_region(const mesh::tree& t, int leaf) const {
  const core::vec3d lower = t.corner(leaf);
  const double width = N * t.cell_width(leaf);
  bool overlap = true;
  for (std::size_t d = 0; d < 3; ++d) {
    const double x = lower[static_cast<int>(d)];
    overlap = overlap && x < refine_.region_upper[d] && x + width > refine_.region_lower[d];
  }
  return overlap;
}

bool criteria::meets(const mesh::tree& t, int leaf, const refined_sphere& sphere) {
  const core::vec3d lower = t.corner(leaf);
  const double width = N * t.cell_width(leaf);
  double distance_squared = 0;
  for (int d = 0; d < 3; ++d) {
    const double nearest = std::clamp(sphere.centre[d], lower[d], lower[d] + width);
    distance_squared += (sphere.centre[d] - nearest) * (sphere.centre[d] - nearest);
  }
  return distance_squared < sphere.radius * sphere.radius;
}

}  // namespace rednova::regrid
