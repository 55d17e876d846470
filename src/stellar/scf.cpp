#include "stellar/scf.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.hpp"
#include "gravity/solver.hpp"
#include "stellar/anderson.hpp"

namespace rednova::stellar {

namespace {

using mesh::N;

mesh::block_data total_density(exec::context& context, const model& m) {
  mesh::block_data rho(m.tree.leaves(), 1);
  exec::for_each(context, "stellar density", m.tree.leaves(), [&](int leaf) {
    for (int c = 0; c < mesh::cells; ++c) rho.at(leaf)[c] = m.density(leaf, c);
  });
  return rho;
}

/// From the centre to that of one of its eight parts, in widths of a part.
core::vec3d to_part(int part) {
  return 0.5 * core::vec3d{part % 2 ? 1. : -1., part / 2 % 2 ? 1. : -1., part / 4 ? 1. : -1.};
}

/// The model's cells on another tree, whose leaves differ by one level at most: means of eight points each.
mesh::block_data resampled(exec::context& context, const model& m, const mesh::tree& to) {
  mesh::block_data out(to.leaves(), model_fields);
  exec::for_each(context, "stellar resample", to.leaves(), [&](int leaf) {
    const double h = to.cell_width(leaf);
    // An octant lies within one leaf of the tree before.
    std::array<int, 8> leaf_before;
    for (int octant = 0; octant < 8; ++octant)
      leaf_before[static_cast<std::size_t>(octant)] =
          m.tree.leaf_at(to.corner(leaf) + 0.5 * N * h * (to_part(octant) + core::vec3d{1, 1, 1}));
    for (int c = 0; c < mesh::cells; ++c) {
      const int i = c % N, j = c / N % N, k = c / (N * N);
      const int old = leaf_before[static_cast<std::size_t>(i / (N / 2) + 2 * (j / (N / 2)) + 4 * (k / (N / 2)))];
      const core::vec3d centre = to.centre(leaf, i, j, k);
      const double w = m.tree.cell_width(old);
      for (int p = 0; p < 8; ++p) {
        const core::vec3d d = centre + 0.5 * h * to_part(p) - m.tree.corner(old);
        const auto index = [&](double y) { return std::clamp(static_cast<int>(std::floor(y / w)), 0, N - 1); };
        const int from = mesh::cell(index(d.x), index(d.y), index(d.z));
        for (int f = 0; f < model_fields; ++f) out.at(leaf, f)[c] += 0.125 * m.cells.at(old, f)[from];
      }
    }
  });
  return out;
}

/// The mesh and the density on it, while both change.
class iteration {
 public:
  iteration(exec::context& context, const config::gravity& gravity, const mesh_plan& plan, figure& f,
            const scf_settings& settings)
      : context_(context),
        gravity_(gravity),
        plan_(plan),
        figure_(f),
        settings_(settings),
        m_(mesh::tree::uniform(plan.box, plan.min_level)) {}

  model run() {
    int cap = plan_.min_level;
    while (cap < plan_.max_level && 4 * plan_.box.cell_width(cap) > figure_.size()) ++cap;
    figure_.guess(context_, m_);
    while (adapt(cap, stage::first, true)) figure_.guess(context_, m_);
    for (bool finest = false; !finest; ++cap) {
      settle(std::max(settings_.tolerance, 1e-3));
      finest = cap >= plan_.max_level;
      for (int i = 0; i < 4 && adapt(cap + 1, stage::later, true); ++i) {
      }
    }
    settle(settings_.tolerance);
    // The converged density may ask for another mesh; after two rounds only for a finer one, so this ends.
    for (int i = 0; adapt(cap, stage::later, i < 2); ++i) settle(settings_.tolerance);
    weigh();
    sum_up(context_, m_);
    return std::move(m_);
  }

 private:
  enum class stage { first, later };

  /// Adapts the mesh once, no finer than cap; true if it changed.
  bool adapt(int cap, stage when, bool may_coarsen) {
    std::vector<int> flags = plan_.flags(m_);
    for (int leaf = 0; leaf < m_.tree.leaves(); ++leaf) {
      int& w = flags[static_cast<std::size_t>(leaf)];
      const int level = m_.tree[leaf].level;
      // The guess may slip between the points of coarse cells.
      if (when == stage::first && figure_.touches(m_.tree.corner(leaf), N * m_.tree.cell_width(leaf))) w = 1;
      if ((w > 0 && level >= std::min(cap, plan_.max_level)) || (w < 0 && (!may_coarsen || level <= plan_.min_level)))
        w = 0;
    }
    const std::vector<mesh::block_id> leaves = m_.tree.adapted(flags);
    plan_.before(static_cast<int>(leaves.size()));
    mesh::tree next(plan_.box, leaves);
    if (same(next)) return false;
    m_.cells = when == stage::first ? mesh::block_data(next.leaves(), model_fields) : resampled(context_, m_, next);
    m_.tree = std::move(next);
    return true;
  }

  bool same(const mesh::tree& t) const {
    if (t.leaves() != m_.tree.leaves()) return false;
    for (int leaf = 0; leaf < t.leaves(); ++leaf) {
      if (!(t[leaf].id == m_.tree[leaf].id)) return false;
    }
    return true;
  }

  /// Iterates on the mesh as it is.
  ///
  /// Densities are mixed once they are so near that the map from one to the next is almost linear. What then is left of
  /// the residual is of all kinds, the shift of a star against its orbit among them; a density that is not mixed has
  /// only those that die out slowly. So the last one of all is not. And where the figure looks for another one from now
  /// on, the map is another one, of which densities before this one say nothing.
  void settle(double tolerance) {
    // Mixed from the first one on, densities of problems/v1309.toml fit no common envelope.
    constexpr double near = 0.03;
    const bool last_of_all = !(tolerance > settings_.tolerance);
    gravity::solver solver(gravity_, m_.tree);
    anderson_mixing mixing(context_, m_.tree, settings_.relaxation);
    mesh::block_data density = total_density(context_, m_), result(m_.tree.leaves(), gravity::result_fields);
    bool settled = false;
    for (bool mixed = true; !settled;) {
      if (m_.iterations >= settings_.max_iterations) {
        core::fail(
            "the initial model did not converge: after {} iterations the density still changes by {:.1e}, asked was "
            "{:.1e}. Resolve the stars better ([mesh] max_level, [refine] density), or set [problem] relaxation to 0.5",
            m_.iterations, m_.change, tolerance);
      }
      solver.solve(context_, density, result);
      const bool another = figure_.find(context_, result, m_);
      ++m_.iterations;
      const mesh::block_data residual = compare(result, density);
      settings_.progress(m_);
      settled = m_.change < tolerance && (!last_of_all || (!mixed && figure_.meets_request(m_)));
      mixed = m_.change > tolerance && m_.change < near && !another;
      if (!mixed) mixing.forget();
      mixing.mix(density, residual);
      if (!mixed) mixing.forget();
    }
  }

  /// Keeps the potential with the model, and how far its density is from the one that it was made of. Returns the
  /// difference.
  mesh::block_data compare(const mesh::block_data& result, const mesh::block_data& density) {
    mesh::block_data residual(m_.tree.leaves(), 1);
    using sum = std::array<double, 2>;
    const sum s = exec::reduce(
        context_, "stellar density", m_.tree.leaves(), sum{},
        [&](int leaf) {
          std::copy_n(result.at(leaf, gravity::potential), mesh::cells, m_.cells.at(leaf, model_potential));
          const double h = m_.tree.cell_width(leaf), v = h * h * h;
          sum t{};
          for (int c = 0; c < mesh::cells; ++c) {
            const double next = m_.density(leaf, c), more = next - density.at(leaf)[c];
            t[0] += v * std::fabs(more);
            t[1] += v * next;
            residual.at(leaf)[c] = more;
          }
          return t;
        },
        [](sum a, const sum& b) {
          return sum{a[0] + b[0], a[1] + b[1]};
        });
    m_.change = s[0] / s[1];
    return residual;
  }

  /// Gives the model the gravity of its own density: in settle() the potential is one iteration behind.
  void weigh() {
    mesh::block_data result(m_.tree.leaves(), gravity::result_fields);
    gravity::solver(gravity_, m_.tree).solve(context_, total_density(context_, m_), result);
    exec::for_each(context_, "stellar density", m_.tree.leaves(), [&](int leaf) {
      std::copy_n(result.at(leaf, gravity::potential), mesh::cells, m_.cells.at(leaf, model_potential));
    });
    figure_.weigh(context_, result, m_);
  }

  exec::context& context_;
  const config::gravity& gravity_;
  const mesh_plan& plan_;
  figure& figure_;
  const scf_settings& settings_;
  model m_;
};

}  // namespace

model self_consistent_field(exec::context& context, const config::gravity& gravity, const mesh_plan& plan, figure& f,
                            const scf_settings& settings) {
  return iteration(context, gravity, plan, f, settings).run();
}

}  // namespace rednova::stellar
