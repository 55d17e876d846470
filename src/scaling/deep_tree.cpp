#include "scaling/deep_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.hpp"
#include "core/index.hpp"
#include "regrid/criteria.hpp"

namespace rednova::scaling {

namespace {

using core::index;
using mesh::N;

/// The model's densities between its cell centres.
class densities {
 public:
  /// All of the gas, and of it the cores.
  struct value {
    double all = 0;
    std::array<double, 2> core{};
  };

  explicit densities(const step::simulation& s) : tree_(s.tree()), cells_(s.tree().leaves(), 3) {
    const auto species = [&](const char* name) {
      const auto& names = s.par().hydro.species;
      const auto it = std::ranges::find(names, name);
      return it == names.end() ? -1 : static_cast<int>(it - names.begin());
    };
    const std::array<int, 2> core{species("accretor_core"), species("donor_core")};
    exec::for_each(s.context(), "deep tree", tree_.leaves(), [&](int leaf) {
      for (int c = 0; c < mesh::cells; ++c) cells_.at(leaf)[c] = s.density(leaf, c);
      for (int k = 0; k < 2; ++k) {
        if (core[index(k)] >= 0) std::copy_n(s.u().at(leaf, core[index(k)]), mesh::cells, cells_.at(leaf, 1 + k));
      }
    });
  }

  /// At a point in a leaf of the model.
  value operator()(int leaf, core::vec3d x) const {
    const double h = tree_.cell_width(leaf);
    const core::vec3d place = (1 / h) * (x - tree_.corner(leaf));  // in cells
    std::array<int, 3> lower{};
    std::array<double, 3> weight{};  // of the upper one
    for (int d = 0; d < 3; ++d) {
      lower[index(d)] = static_cast<int>(std::floor(place[d] - 0.5));
      weight[index(d)] = place[d] - 0.5 - lower[index(d)];
    }
    value v;
    for (int p = 0; p < 8; ++p) {
      std::array<int, 3> cell = lower;
      double w = 1;
      for (int d = 0; d < 3; ++d) {
        const bool upper = (p >> d & 1) != 0;
        cell[index(d)] += upper ? 1 : 0;
        w *= upper ? weight[index(d)] : 1 - weight[index(d)];
      }
      add(leaf, cell, w, v);
    }
    return v;
  }

 private:
  /// Adds a cell, counted from the corner of the leaf; beyond it the cell of whatever leaf is there.
  void add(int leaf, std::array<int, 3> cell, double weight, value& v) const {
    const bool inside = std::ranges::all_of(cell, [](int i) { return i >= 0 && i < N; });
    if (!inside) {
      const mesh::domain& box = tree_.box();
      const core::vec3d upper = box.upper(), centre = tree_.centre(leaf, cell[0], cell[1], cell[2]);
      for (int d = 0; d < 3; ++d) {
        if (centre[d] < box.lower[d] || centre[d] > upper[d]) cell[index(d)] = std::clamp(cell[index(d)], 0, N - 1);
      }
      const core::vec3d x = tree_.centre(leaf, cell[0], cell[1], cell[2]);
      leaf = tree_.leaf_at(x);
      const core::vec3d from_corner = (1 / tree_.cell_width(leaf)) * (x - tree_.corner(leaf));
      for (int d = 0; d < 3; ++d) cell[index(d)] = std::clamp(static_cast<int>(from_corner[d]), 0, N - 1);
    }
    const double* here = cells_.at(leaf) + mesh::cell(cell[0], cell[1], cell[2]);
    v.all += weight * here[0];
    for (int k = 0; k < 2; ++k) v.core[index(k)] += weight * here[(1 + k) * mesh::cells];
  }

  const mesh::tree& tree_;
  mesh::block_data cells_;  // [leaf][all, core, core]
};

/// What the rules ask for at the finer maximum.
struct rules {
  rules(const step::simulation& s, int max_level) : mesh(s.par().mesh), refine(s.par().refine) {
    const int more = max_level - mesh.max_level;
    mesh.max_level = max_level;
    for (int* levels : {&refine.accretor_core_levels, &refine.donor_core_levels}) {
      if (*levels > 0) *levels += more;
    }
  }

  config::mesh mesh;
  config::refine refine;
};

/// Whether a box of the deep tree overlaps the region that is refined by its place.
bool in_region(const config::refine& refine, core::vec3d lower, double width) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double x = lower[static_cast<int>(d)];
    if (!(x < refine.region_upper[d] && x + width > refine.region_lower[d])) return false;
  }
  return true;
}

/// The level that the rules ask for in a leaf of the deep tree; those of regrid::criteria, on interpolated densities.
int level_asked(const rules& by, const regrid::criteria& criteria, const mesh::tree& model, const densities& gas,
                const mesh::tree& t, int leaf) {
  const double h = t.cell_width(leaf), width = N * h;
  const core::vec3d lower = t.corner(leaf);
  const int holder = model.leaf_at(lower + core::vec3d{0.5 * width, 0.5 * width, 0.5 * width});
  // As many samples along an edge as tell all cells of the model from each other, ends included.
  const int finer = t[leaf].level - model[holder].level;
  const int samples = std::max(N >> std::max(finer - 1, 0), 3);
  const double step = (width - h) / (samples - 1);
  const int density_level = by.mesh.max_level - std::max(by.refine.accretor_core_levels, by.refine.donor_core_levels);
  double most = 0;
  int asked = by.refine.region_level > 0 && in_region(by.refine, lower, width) ? by.refine.region_level : 0;
  for (int i = 0; i < samples * samples * samples && by.refine.density > 0; ++i) {
    const std::array<int, 3> which{i % samples, i / samples % samples, i / (samples * samples)};
    core::vec3d x = lower;
    for (int d = 0; d < 3; ++d) x[d] += 0.5 * h + step * which[index(d)];
    const densities::value v = gas(holder, x);
    most = std::max(most, v.all);
    if (v.all <= by.refine.density) continue;
    if (2 * v.core[0] > v.all) asked = std::max(asked, density_level + by.refine.accretor_core_levels);
    if (2 * v.core[1] > v.all) asked = std::max(asked, density_level + by.refine.donor_core_levels);
  }
  return std::clamp(std::max(asked, criteria.density_level(most)), by.mesh.min_level, by.mesh.max_level);
}

}  // namespace

mesh::tree deepened(const step::simulation& model, int max_level) {
  EXPECT(max_level >= model.par().mesh.max_level && max_level <= mesh::block_id::max_level);
  const rules by(model, max_level);
  const regrid::criteria criteria(by.mesh, by.refine, model.par().hydro);
  const densities gas(model);
  mesh::tree t = model.tree();
  while (true) {
    std::vector<int> flags(index(t.leaves()), 0);
    exec::for_each(model.context(), "deep tree", t.leaves(), [&](int leaf) {
      flags[index(leaf)] = level_asked(by, criteria, model.tree(), gas, t, leaf) > t[leaf].level ? 1 : 0;
    });
    if (std::ranges::count(flags, 1) == 0) return t;
    t = mesh::tree(t.box(), t.adapted(flags));
  }
}

}  // namespace rednova::scaling
