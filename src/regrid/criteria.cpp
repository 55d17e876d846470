#include "regrid/criteria.hpp"

#include "core/check.hpp"

namespace rednova::regrid {

using mesh::N;

namespace {

int find_species(const std::vector<std::string>& names, const char* name) {
  const auto it = std::ranges::find(names, name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

// What is found in a leaf's gas.
class gas_of_leaf {
 public:
  gas_of_leaf(const gas_rules& rules, const exchange::ghosts& ghosts, const mesh::block_data& u, int leaf)
      : rules_(&rules), ghosts_(&ghosts), u_(&u), leaf_(leaf) {
    if (rules.density <= 0) return;
    rho_.resize(mesh::cells);
    for (int c = 0; c < mesh::cells; ++c) {
      rho_[static_cast<std::size_t>(c)] =
          hydro::mass_density<double>(u.at(leaf) + c, mesh::cells, rules.fields.species());
    }
  }

  double densest() const { return *std::ranges::max_element(rho_); }

  bool core(int number, purpose why) const {
    const double* of_core = u_->at(leaf_, rules_->core[number]);
    bool found = false;
    for (std::size_t c = 0; c < mesh::cells; ++c) found = found || rules_->in_core(rho_[c], of_core[c], why);
    return found;
  }

  bool jump(int node, purpose why) const {
    // With the ghost layers, so that what is about to enter a block is seen in time.
    std::vector<double> all(static_cast<std::size_t>(rules_->fields.size()) * mesh::ghosted_cells);
    ghosts_->gather(*u_, node, 0, all.data());
    std::vector<double> q(mesh::ghosted_cells);
    for (int c = 0; c < mesh::ghosted_cells; ++c) q[static_cast<std::size_t>(c)] = rules_->watched(all.data() + c);
    for (int line = 0; line < gas_rules::lines; ++line) {
      if (rules_->jumps(q.data(), line, why)) return true;
    }
    return false;
  }

 private:
  const gas_rules* rules_;
  const exchange::ghosts* ghosts_;
  const mesh::block_data* u_;
  int leaf_;
  std::vector<double> rho_;
};

}  // namespace

criteria::criteria(const config::mesh& mesh, const config::refine& refine, const config::hydro& hydro)
    : mesh_(mesh),
      refine_(refine),
      density_max_level_(mesh.max_level - std::max(refine.accretor_core_levels, refine.donor_core_levels)),
      heat_share_(hydro.dual_energy_pressure) {
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

gas_rules criteria::looked_for(const mesh::field_numbers& fields, const eos::ideal_gas& eos) const {
  return {.density = refine_.density,
          .gradient = refine_.gradient,
          .hysteresis = refine_.hysteresis,
          .core = {core_[0], core_[1]},
          .pressure = refine_.gradient_field == "pressure",
          .heat_share = heat_share_,
          .fields = fields,
          .eos = eos};
}

int criteria::density_level(double density) const {
  if (refine_.density <= 0) return 0;
  int level = density_max_level_;
  for (double threshold = refine_.density; level > 0 && density <= threshold; threshold /= 8) --level;
  return level;
}

std::vector<int> criteria::wishes(exec::context& where, const mesh::tree& t, const mesh::fields& fields,
                                  const eos::ideal_gas& eos, const exchange::ghosts& ghosts,
                                  const mesh::block_data& u) const {
  return wishes(where, t, mesh::share(t), fields, eos, ghosts, u);
}

std::vector<int> criteria::wishes(exec::context& where, const mesh::tree& t, const mesh::share& own,
                                  const mesh::fields& fields, const eos::ideal_gas& eos, const exchange::ghosts& ghosts,
                                  const mesh::block_data& u) const {
  const gas_rules rules = looked_for(fields, eos);
  std::vector<int> all(static_cast<std::size_t>(own.leaf_count()), 0);
  exec::for_each(where, "refinement criteria", own.leaf_count(), [&](int i) {
    const int leaf = own.leaves()[0] + i;
    all[static_cast<std::size_t>(i)] = wish(t, leaf, gas_of_leaf(rules, ghosts, u, leaf));
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

}  // namespace rednova::regrid
