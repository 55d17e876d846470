#include "problem/problem.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "exchange/gather.hpp"
#include "exchange/ghosts.hpp"
#include "problem/sample.hpp"
#include "regrid/criteria.hpp"
#include "step/memory_budget.hpp"
#include "step/step.hpp"

namespace rednova::problem {

namespace {

void fill(const problem& p, step::simulation& s) {
  const gas_at f = [&p](core::vec3d x) { return p.at(x); };
  exchange::for_leaves(s.context(), "initial model", s.halo().partition(),
                       [&](int leaf) { sample_leaf(p, f, s, leaf, s.u().at(leaf)); });
}

/// Whether a leaf is to be refined before the run starts: by the criteria or by the problem.
std::vector<int> refinement_flags(const problem& p, step::simulation& s, const regrid::criteria& criteria) {
  s.halo().restrict_all(s.u());
  s.halo().start_ghosts(s.u());
  s.halo().finish_ghosts(s.u());
  s.halo().fetch_parents(s.u());
  const exchange::ghosts ghosts(s.tree(), s.fields(), s.par().mesh.boundaries);
  std::vector<int> flags =
      criteria.flags(s.context(), s.tree(), s.halo().partition(), s.fields(), s.eos(), ghosts, s.u());
  const int first = s.own_leaves()[0];
  for (int leaf = first; leaf < s.own_leaves()[1]; ++leaf) {
    const mesh::node& n = s.tree()[leaf];
    const double half = s.tree().cell_width(leaf) * mesh::N / 2;
    const core::vec3d centre = s.tree().corner(leaf) + core::vec3d{half, half, half};
    int& w = flags[static_cast<std::size_t>(leaf - first)];
    // Only finer: the mesh grows from its coarsest form, and each level is judged on its own samples.
    w = w > 0 || (n.level < s.par().mesh.max_level && p.refine(centre, half, n.level)) ? 1 : 0;
  }
  return exchange::gather_lists(s.context(), flags);
}

}  // namespace

void expect_ideal_gas(const config::input& in, const config::parameters& par) {
  if (par.eos.model != config::gas_model::ideal)
    core::fail("{}: this problem is known for the ideal gas alone: set eos.model = \"ideal\"",
               in.place("eos", "model"));
}

sketch problem::sketched(const config::parameters& par) const {
  sketch s{[this](core::vec3d x) { return at(x); }, par.mesh.rotation, 0, false, {}, point_masses()};
  if (const auto star = single_star()) s.stars.push_back({"the star", star->centre, star->radius});
  return s;
}

std::optional<stellar::model_report> problem::initialize(step::simulation& s) const {
  s.begin(s.rotation(), point_masses());
  if (single_star()) s.share_pressure_with_light();
  s.adopt(mesh::tree::uniform(s.tree().box(), s.par().mesh.min_level));
  const regrid::criteria criteria = step::refinement_criteria(s);
  const step::memory_budget budget(s);
  fill(*this, s);
  while (true) {
    const std::vector<int> flags = refinement_flags(*this, s, criteria);
    if (std::count(flags.begin(), flags.end(), 1) == 0) break;
    const std::vector<mesh::block_id> finer = s.tree().adapted(flags);
    budget.expect(static_cast<int>(finer.size()));
    s.adopt(mesh::tree(s.tree().box(), finer));
    fill(*this, s);
  }
  step::prepare(s);
  return std::nullopt;
}

}  // namespace rednova::problem
