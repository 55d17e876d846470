#include "problem/outline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "core/check.hpp"
#include "eos/gas.hpp"
#include "mesh/domain_of.hpp"
#include "regrid/criteria.hpp"

namespace rednova::problem {

namespace {

using mesh::N;

/// What was seen at the points of a leaf, as regrid::criteria asks for it.
class seen {
 public:
  explicit seen(const regrid::gas_rules& rules) : rules_(&rules) {}

  void add(const gas& g, double rho) {
    densest_ = std::max(densest_, rho);
    for (std::size_t c = 0; c < regrid::star_cores; ++c) {
      const int species = rules_->core[c];
      if (species < 0) continue;
      core_[c] =
          core_[c] || rules_->in_core(rho, g.density[static_cast<std::size_t>(species)], regrid::purpose::refine);
    }
  }
  void add_jump(double here, double next) {
    if (rules_->gradient > 0 && std::fabs(here - next) > rules_->gradient * std::min(std::fabs(here), std::fabs(next)))
      slopes_ |= regrid::jump;
  }
  void add_height(double rho, double p, const double (&over_two_cells)[3]) {
    if (rules_->scale_height > 0 && rules_->steep(rho, p, over_two_cells, regrid::purpose::refine))
      slopes_ |= regrid::short_scale_height;
  }

  void add_depths(const regrid::photosphere& by, double here, double next) {
    if (by.between(here, next, regrid::purpose::refine)) slopes_ |= regrid::light_gets_free;
  }

  double densest() const { return densest_; }
  bool core(int number, regrid::purpose) const { return core_[static_cast<std::size_t>(number)]; }
  /// The potential is not known yet.
  bool unbound(regrid::purpose) const { return false; }
  /// Nothing derefines here: what is asked of parents does not matter.
  char slopes(int, regrid::purpose) const { return static_cast<char>(slopes_); }

 private:
  const regrid::gas_rules* rules_;
  double densest_ = 0;
  std::array<bool, regrid::star_cores> core_{};
  int slopes_ = regrid::no_slope;
};

struct look {
  int finer = 0;    // 1: to be refined
  double rate = 0;  // of the fastest signal: its speed over the cells' width
};

/// Looks at leaves.
class looker {
 public:
  looker(const problem& p, const config::parameters& par)
      : problem_(&p),
        par_(&par),
        sketch_(p.sketched(par)),
        fields_(mesh::fields::of(par)),
        eos_(par),
        criteria_(par),
        rules_(criteria_.looked_for(fields_, eos_)),
        points_(rules_.slopes() ? N + 2 : N / 2) {}

  const sketch& of() const { return sketch_; }

  look at(const mesh::tree& t, int leaf) const {
    // With points to the cells, one layer more on each side shows gradients between blocks.
    const double h = t.cell_width(leaf), spacing = points_ > N ? h : 2 * h, first = points_ > N ? -0.5 : 0.5;
    seen found(rules_);
    look result;
    std::vector<double> densities, pressures, depths;
    for (int k = 0; k < points_; ++k)
      for (int j = 0; j < points_; ++j)
        for (int i = 0; i < points_; ++i) {
          const core::vec3d x =
              t.corner(leaf) + core::vec3d{(first + i) * spacing, (first + j) * spacing, (first + k) * spacing};
          const gas g = sketch_.at(x);
          const double rho = density(g);
          densities.push_back(rho);
          pressures.push_back(g.pressure);
          if (criteria_.by_opacity() != nullptr) depths.push_back(depth(g, rho));
          const bool within = points_ < N || (inner(i) && inner(j) && inner(k));
          if (!within || !(rho > 0)) continue;
          found.add(g, rho);
          result.rate = std::max(result.rate, signal(g, rho, x) / h);
        }
    if (points_ > N) add_slopes(densities, pressures, depths, found);
    const double half = h * N / 2;
    const core::vec3d centre = t.corner(leaf) + core::vec3d{half, half, half};
    const int level = t[leaf].level;
    const bool asked = level < par_->mesh.max_level && problem_->refine(centre, half, level);
    const bool hidden = level < par_->mesh.max_level && hides_star(t.corner(leaf), 2 * half);
    result.finer = asked || hidden || criteria_.flag(t, leaf, found) > 0 ? 1 : 0;
    return result;
  }

 private:
  bool inner(int i) const { return i > 0 && i + 1 < points_; }
  /// Whether a block is too wide for its points to see the star whose centre it holds.
  bool hides_star(core::vec3d lower, double edge) const {
    return std::ranges::any_of(sketch_.stars, [&](const star_outline& star) {
      bool within = edge > star.radius;
      for (int d = 0; d < 3; ++d) within = within && lower[d] <= star.centre[d] && star.centre[d] <= lower[d] + edge;
      return within;
    });
  }
  double density(const gas& g) const {
    double rho = 0;
    for (std::size_t k = 0; k < par_->hydro.species.size(); ++k) rho += g.density[k];
    return rho;
  }
  double signal(const gas& g, double rho, core::vec3d x) const {
    const double turning = sketch_.rotation;
    const double speed = std::max(
        {std::fabs(g.velocity.x + turning * x.y), std::fabs(g.velocity.y - turning * x.x), std::fabs(g.velocity.z)});
    const double p = std::max(g.pressure, 0.0);
    return speed + (p > 0 ? std::sqrt(eos_.gamma1(rho, p, eos_.hydrogen(g.density.data(), 1)) * p / rho) : 0.0);
  }
  double depth(const gas& g, double rho) const {
    if (!(rho > 0)) return 0;
    const double hydrogen = eos_.hydrogen(g.density.data(), 1);
    return criteria_.by_opacity()->depth(eos_, rho, eos_.energy_of_pressure(rho, g.pressure, hydrogen), hydrogen);
  }
  void add_slopes(const std::vector<double>& rho, const std::vector<double>& p, const std::vector<double>& depths,
                  seen& found) const {
    const std::vector<double>& watched = rules_.pressure ? p : rho;
    const std::size_t stride[3] = {1, at_point(0, 1, 0), at_point(0, 0, 1)};
    for (int k = 0; k < points_; ++k)
      for (int j = 0; j < points_; ++j)
        for (int i = 0; i < points_; ++i) {
          const int at[3] = {i, j, k};
          const std::size_t here = at_point(i, j, k);
          for (int d = 0; d < 3; ++d) {
            // Along lines through the block, not along its edges.
            const bool through = inner(at[(d + 1) % 3]) && inner(at[(d + 2) % 3]) && at[d] + 1 < points_;
            if (!through) continue;
            found.add_jump(watched[here], watched[here + stride[d]]);
            if (!depths.empty()) found.add_depths(*criteria_.by_opacity(), depths[here], depths[here + stride[d]]);
          }
          if (!inner(i) || !inner(j) || !inner(k)) continue;
          double differences[3];
          for (int d = 0; d < 3; ++d) differences[d] = p[here + stride[d]] - p[here - stride[d]];
          found.add_height(rho[here], p[here], differences);
        }
  }
  std::size_t at_point(int i, int j, int k) const { return static_cast<std::size_t>(i + points_ * (j + points_ * k)); }

  const problem* problem_;
  const config::parameters* par_;
  sketch sketch_;
  mesh::fields fields_;
  eos::gas eos_;
  regrid::criteria criteria_;
  regrid::gas_rules rules_;
  int points_;  // along an edge
};

}  // namespace

outline outline_of(const problem& p, const config::parameters& par, exec::context& context) {
  constexpr double most_leaves = 4e6;
  const auto expect_few = [&](double leaves, const char* remedy) {
    if (leaves > most_leaves) core::fail("there would be more than {:.2g} blocks: {}", most_leaves, remedy);
  };
  const std::array<int, 3>& base = par.mesh.base_blocks;
  expect_few(std::ldexp(double(base[0]) * base[1] * base[2], 3 * par.mesh.min_level),
             "lower mesh.min_level or mesh.base_blocks");
  const looker eye(p, par);
  outline made{mesh::tree::uniform(mesh::domain_of(par.mesh), par.mesh.min_level), 0, eye.of().rotation,
               eye.of().orbital_rate, eye.of().iterated};
  std::unordered_map<std::uint64_t, look> known;  // by id: a leaf that stays need not be looked at again
  while (true) {
    const auto leaves = static_cast<std::size_t>(made.tree.leaves());
    std::vector<look> looks(leaves);
    exec::for_each(context, "initial model", made.tree.leaves(), [&](int leaf) {
      const auto found = known.find(made.tree[leaf].id.bits());
      looks[static_cast<std::size_t>(leaf)] = found != known.end() ? found->second : eye.at(made.tree, leaf);
    });
    std::vector<int> flags;
    double rate = 0;
    for (std::size_t n = 0; n < leaves; ++n) {
      known[made.tree[static_cast<int>(n)].id.bits()] = looks[n];
      flags.push_back(looks[n].finer);
      rate = std::max(rate, looks[n].rate);
    }
    made.dt = rate > 0 ? par.hydro.cfl / rate : 0;
    if (std::ranges::count(flags, 1) == 0) return made;
    const std::vector<mesh::block_id> finer = made.tree.adapted(flags);
    expect_few(static_cast<double>(finer.size()), "lower mesh.max_level, or raise the thresholds of [refine]");
    made.tree = mesh::tree(made.tree.box(), finer);
  }
}

}  // namespace rednova::problem
