#include <gtest/gtest.h>

#include <cmath>

#include "exchange/restrict.hpp"
#include "regrid/criteria.hpp"
#include "scaling/deep_tree.hpp"
#include "scaling/model.hpp"

namespace rednova::scaling {
namespace {

constexpr message_sizes sizes{.fields = 13, .multipole_numbers = 16};
constexpr block_costs costs{.leaf = 1e-3, .refined = 3e-3, .sweep = 0, .stages = 3};
constexpr network instant{.latency = 0, .bandwidth = 1e300};

TEST(scaling_model, without_a_network_only_imbalance_counts) {
  const mesh::tree t = mesh::tree::uniform({}, 3);  // 512 leaves, 73 refined nodes
  for (const int ranks : {1, 2, 7, 64}) {
    const prediction p = predict(t, costs, sizes, instant, ranks);
    EXPECT_NEAR(p.efficiency, 1 / p.imbalance, 1e-12) << ranks;
    EXPECT_NEAR(p.step, p.work, 1e-15);
  }
  EXPECT_NEAR(predict(t, costs, sizes, instant, 1).step, 512 * 1e-3 + 73 * 3e-3, 1e-12);
}

TEST(scaling_model, time_follows_latency_and_bandwidth) {
  const mesh::tree t = mesh::tree::uniform({}, 1);
  const block_costs free{.leaf = 1e-30, .refined = 0, .sweep = 0, .stages = 3};
  const prediction slow = predict(t, free, sizes, {.latency = 1e-3, .bandwidth = 1e300}, 2);
  // The messages of the rank that has the most, and one level of sweeps: restriction in each of three stages, moments
  // and expansions once a step; one reduction.
  EXPECT_NEAR(slow.step, 1e-3 * (slow.messages.most + 3 + 2 + 1), 1e-12);
  const prediction narrow = predict(t, free, sizes, {.latency = 0, .bandwidth = 1e6}, 2);
  EXPECT_NEAR(narrow.step, narrow.bytes.most / 1e6, 1e-12);
  const block_costs in_turn{.leaf = 1e-30, .refined = 0, .sweep = 0.5, .stages = 3};
  EXPECT_NEAR(predict(mesh::tree::uniform({}, 3), in_turn, sizes, instant, 8).step, 3 * 0.5, 1e-12);
  EXPECT_EQ(predict(t, free, sizes, {.latency = 1, .bandwidth = 1}, 1).messages.most, 0);
}

TEST(scaling_model, saturates_where_leaves_run_out) {
  const mesh::tree t = mesh::tree::uniform({}, 2);  // 64 leaves
  const block_costs leaves{.leaf = 1, .refined = 0, .sweep = 0, .stages = 3};
  const saturation s = find_saturation(t, leaves, sizes, instant);
  // One leaf a rank from 64 on: 128 ranks have half of them idle. Found to 3 %.
  EXPECT_GT(s.ranks, 128);
  EXPECT_LE(s.ranks, 133);
  EXPECT_EQ(s.overlapped, s.ranks);
  EXPECT_EQ(rank_ladder(20), (std::vector<int>{1, 2, 5, 10, 20}));
}

config::parameters refined_to(int max_level) {
  config::parameters par;
  par.mesh.lower = {-1, -1, -1};
  par.mesh.base_width = 2;
  par.mesh.min_level = 1;
  par.mesh.max_level = max_level;
  return par;
}

// A ball with a smooth edge, its inner part the donor's core; the mesh as [refine] wants it.
void fill_and_refine(step::simulation& s) {
  const regrid::criteria criteria(s.par().mesh, s.par().refine, s.par().hydro);
  while (true) {
    for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
      for (int c = 0; c < mesh::cells; ++c) {
        const core::vec3d x = s.tree().centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / (mesh::N * mesh::N));
        const double r = std::sqrt(dot(x, x)), rho = std::exp(-20 * r * r);
        const double core = 1 / (1 + std::exp(40 * (r - 0.3)));
        s.u().at(leaf, 0)[c] = core * rho;
        s.u().at(leaf, 1)[c] = (1 - core) * rho;
      }
    }
    exchange::restrict_all(s.context(), s.tree(), s.fields(), s.u());
    const exchange::ghosts ghosts(s.tree(), s.fields(), s.par().mesh.boundaries);
    std::vector<int> flags = criteria.flags(s.context(), s.tree(), s.fields(), s.eos(), ghosts, s.u());
    for (int& w : flags) w = std::max(w, 0);
    if (std::ranges::count(flags, 1) == 0) return;
    s.adopt(mesh::tree(s.tree().box(), s.tree().adapted(flags)));
  }
}

TEST(deep_tree, is_the_mesh_that_the_fields_would_make) {
  exec::context context(1);
  const auto make = [&](int level, int core_levels) {
    config::parameters par = refined_to(level);
    par.refine.density = 0.1;
    par.refine.donor_core_levels = core_levels;
    par.hydro.species = {"donor_core", "rest"};
    auto s = std::make_unique<step::simulation>(par, context);
    fill_and_refine(*s);
    return s;
  };
  // With core levels those grow, else the density rule.
  const auto model = make(4, 1);
  const int deep = deepened(*model, 5).leaves(), real = make(5, 2)->tree().leaves();
  EXPECT_GT(real, 2 * model->tree().leaves());
  EXPECT_NEAR(deep, real, 0.05 * real);  // interpolation moves edges by a part of the model's cells
  const auto plain = make(4, 0);
  const int plain_real = make(5, 0)->tree().leaves();
  EXPECT_NEAR(deepened(*plain, 5).leaves(), plain_real, 0.05 * plain_real);
  EXPECT_EQ(deepened(*plain, 4).leaves(), plain->tree().leaves());
  EXPECT_THROW(deepened(*plain, 3), std::logic_error);
}

TEST(deep_tree, regions_are_refined_exactly) {
  exec::context context(1);
  config::parameters par = refined_to(5);
  par.refine.region_lower = {0.1, 0.1, 0.1};
  par.refine.region_upper = {0.2, 0.3, 0.2};
  par.refine.region_level = 5;
  step::simulation real(par, context);
  fill_and_refine(real);
  par.mesh.max_level = 3;
  step::simulation model(par, context);
  fill_and_refine(model);
  const mesh::tree deep = deepened(model, 5);
  ASSERT_EQ(deep.leaves(), real.tree().leaves());
  for (int n = 0; n < deep.leaves(); ++n) EXPECT_EQ(deep[n].id, real.tree()[n].id);
}

}  // namespace
}  // namespace rednova::scaling
