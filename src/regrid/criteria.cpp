#include "regrid/criteria.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "exchange/face_plan.hpp"
#include "hydro/primitives.hpp"

namespace rednova::regrid {

using mesh::N;

namespace {

int find_species(const std::vector<std::string>& names, const char* name) {
  const auto it = std::ranges::find(names, name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

std::vector<double> mass_density(const mesh::fields& fields, const mesh::block_data& u, int leaf) {
  std::vector<double> rho(u.at(leaf, 0), u.at(leaf, 0) + mesh::cells);
  for (int k = 1; k < fields.species(); ++k) {
    for (int c = 0; c < mesh::cells; ++c) rho[static_cast<std::size_t>(c)] += u.at(leaf, k)[c];
  }
  return rho;
}

}  // namespace

criteria::criteria(const config::mesh& mesh, const config::refine& refine, const config::hydro& hydro)
    : mesh_(mesh),
      refine_(refine),
      density_max_level_(mesh.max_level - std::max(refine.accretor_core_levels, refine.donor_core_levels)),
      heat_share_(hydro.dual_energy_pressure),
      accretor_core_(find_species(hydro.species, "accretor_core")),
      donor_core_(find_species(hydro.species, "donor_core")) {
  if (refine.accretor_core_levels > 0 && accretor_core_ < 0) {
    core::fail("[refine] accretor_core_levels needs a species named accretor_core in [hydro] species");
  }
  if (refine.donor_core_levels > 0 && donor_core_ < 0) {
    core::fail("[refine] donor_core_levels needs a species named donor_core in [hydro] species");
  }
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
  std::vector<int> wish(static_cast<std::size_t>(own.leaf_count()), 0);
  exec::for_each(where, "refinement criteria", own.leaf_count(), [&](int i) {
    const int leaf = own.leaves()[0] + i;
    const int level = t[leaf].level;
    const auto asked = [&](purpose why) {
      return std::clamp(level_asked(t, fields, eos, ghosts, u, leaf, why), mesh_.min_level, mesh_.max_level);
    };
    int& w = wish[static_cast<std::size_t>(i)];
    if (asked(purpose::refine) > level) {
      w = 1;
    } else if (asked(purpose::keep) < level) {
      w = -1;
    }
  });
  return wish;
}

int criteria::level_asked(const mesh::tree& t, const mesh::fields& fields, const eos::ideal_gas& eos,
                          const exchange::ghosts& ghosts, const mesh::block_data& u, int leaf, purpose why) const {
  const double factor = why == purpose::keep ? refine_.hysteresis : 1.0;
  int asked = 0;
  if (refine_.density > 0) {
    const std::vector<double> rho = mass_density(fields, u, leaf);
    asked = std::max(density_level(*std::ranges::max_element(rho) / factor), core_level(u, leaf, rho, factor));
  }
  if (refine_.region_level > asked) {
    const core::vec3d lower = t.corner(leaf);
    const double width = N * t.cell_width(leaf);
    bool overlap = true;
    for (std::size_t d = 0; d < 3; ++d) {
      const double x = lower[static_cast<int>(d)];
      overlap = overlap && x < refine_.region_upper[d] && x + width > refine_.region_lower[d];
    }
    if (overlap) asked = refine_.region_level;
  }
  if (refine_.gradient > 0 && refine_.gradient_max_level > asked) {
    // A block is kept where its parent, which holds the averages, would ask for it again.
    const int node = why == purpose::keep ? t[leaf].parent : leaf;
    if (node >= 0 && jump(fields, eos, ghosts, u, node, refine_.gradient * factor)) {
      asked = std::max(asked, std::min(refine_.gradient_max_level, t[node].level + 1));
    }
  }
  return asked;
}

int criteria::core_level(const mesh::block_data& u, int leaf, const std::vector<double>& rho, double factor) const {
  const double least = refine_.density * factor;  // only where the density rule asks for its finest level
  int asked = 0;
  const auto rule = [&](int species, int levels) {
    if (species < 0 || levels == 0) return;
    for (int c = 0; c < mesh::cells; ++c) {
      const double all = rho[static_cast<std::size_t>(c)];
      if (all > least && u.at(leaf, species)[c] > 0.5 * factor * all)
        asked = std::max(asked, density_max_level_ + levels);
    }
  };
  rule(accretor_core_, refine_.accretor_core_levels);
  rule(donor_core_, refine_.donor_core_levels);
  return asked;
}

bool criteria::jump(const mesh::fields& fields, const eos::ideal_gas& eos, const exchange::ghosts& ghosts,
                    const mesh::block_data& u, int node, double threshold) const {
  // With the ghost layers, so that what is about to enter a block is seen in time.
  std::vector<double> all(static_cast<std::size_t>(fields.size()) * mesh::ghosted_cells);
  ghosts.gather(u, node, 0, all.data());
  std::vector<double> q(mesh::ghosted_cells);
  const bool pressure = refine_.gradient_field == "pressure";
  for (int c = 0; c < mesh::ghosted_cells; ++c) {
    double& value = q[static_cast<std::size_t>(c)];
    if (pressure) {
      // By the dual energy, as the scheme sees it: in cold fast gas E - s²/2rho is noise of either sign.
      value = hydro::gas_from_conserved<double>(all.data() + c, mesh::ghosted_cells, fields, heat_share_, eos).p;
    } else {
      value = hydro::mass_density<double>(all.data() + c, mesh::ghosted_cells, fields.species());
    }
  }
  const int step[3] = {1, mesh::M, mesh::M * mesh::M};
  for (int d = 0; d < 3; ++d) {
    for (int b = 0; b < N; ++b) {
      for (int a = 0; a < N; ++a) {
        int first[3];  // of a line of cells along d through the block and its ghost layers
        first[d] = -mesh::ghosts;
        first[exchange::transverse_a(d)] = a;
        first[exchange::transverse_b(d)] = b;
        const double* line = q.data() + mesh::ghosted(first[0], first[1], first[2]);
        for (int i = 0; i + 1 < mesh::M; ++i) {
          const double here = line[i * step[d]], next = line[(i + 1) * step[d]];
          if (std::fabs(here - next) > threshold * std::min(std::fabs(here), std::fabs(next))) return true;
        }
      }
    }
  }
  return false;
}

}  // namespace rednova::regrid
