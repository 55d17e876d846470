// A device's solves for gravity give the bits of one rank alone, wherever the curve is
// cut: so that a rank owns a refined node but none of its children, so that a rank owns nothing, and at random. The
// place is the processor. A solve that waits for what nobody sends ends by the test's time limit.
#include "gravity/device_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "exec/transport.hpp"
#include "gravity/host_space.hpp"
#include "gravity/result_field.hpp"
#include "reported.hpp"

namespace {

using namespace rednova;
using gravity::result_fields;
using gravity::test::host_space;

constexpr int ranks_needed = 3;
/// Numbers of a leaf in the array of densities: more than its density.
constexpr std::size_t stride = 2 * mesh::cells;

mesh::domain box() { return {{-0.5, -0.5, -0.5}, 1.0, {1, 1, 1}, {}}; }

/// Random leaves are divided, and those of them again.
mesh::tree random_tree(unsigned seed) {
  std::mt19937 random(seed);
  std::bernoulli_distribution divided(0.25);
  mesh::tree t = mesh::tree::uniform(box(), 1);
  for (int level = 1; level < 4; ++level) {
    std::vector<int> flags;
    for (int n = 0; n < t.leaves(); ++n) flags.push_back(t[n].level == level && divided(random) ? 1 : 0);
    t = {box(), t.adapted(flags)};
  }
  return t;
}

/// 64 leaves of level 2, of which the 19th, 41st and 42nd are divided again.
mesh::tree refined_here_and_there() {
  mesh::tree t = mesh::tree::uniform(box(), 2);
  std::vector<int> flags(static_cast<std::size_t>(t.leaves()), 0);
  for (const std::size_t leaf : {18, 40, 41}) flags[leaf] = 1;
  return {box(), t.adapted(flags)};
}

std::vector<double> random_densities(const mesh::tree& t, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(0.1, 1);
  std::vector<double> rho(static_cast<std::size_t>(t.leaves()) * stride);
  std::ranges::generate(rho, [&] { return value(random); });
  return rho;
}

/// Fields of own leaves: [own leaf][result_fields][cell].
using fields = host_space::array<double>;

/// A tree with densities and what one rank alone makes of them.
class problem {
 public:
  problem(mesh::tree on, const config::gravity& par)
      : tree(std::move(on)),
        par_(par),
        by_(par.order),
        lists_(tree),
        before_(random_densities(tree, 1)),
        rho_(random_densities(tree, 2)),
        alone_(solved(nullptr, mesh::local_partition(tree))) {}

  /// Throws if the ranks' fields are not those of one rank. places: of the curve, where each rank's piece begins.
  void expect_same(exec::transport& ranks, const std::vector<std::uint64_t>& places, const std::string& which) const {
    exec::context context(1, ranks);
    const mesh::local_partition own(tree, mesh::partition(places), ranks.rank());
    const fields some = solved(&context, own);
    const auto first = static_cast<std::size_t>(own.leaves()[0]) * result_fields * mesh::cells;
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (some[i] == alone_[first + i]) continue;
      throw std::runtime_error(fmt::format("{}: rank {} has {} in field {} of cell {} of leaf {}, one rank alone {}",
                                           which, ranks.rank(), some[i], i / mesh::cells % result_fields,
                                           i % mesh::cells, (first + i) / mesh::cells / result_fields,
                                           alone_[first + i]));
    }
  }

  const mesh::tree tree;

 private:
  fields solved(exec::context* ranks, const mesh::local_partition& own) const {
    const host_space here;
    gravity::device_solve<host_space> all(here, tree, lists_, by_, par_.cell_mass,
                                          gravity::test::kernels_of(here, par_, tree, by_), ranks, own);
    fields result(static_cast<std::size_t>(own.leaf_count()) * result_fields * mesh::cells);
    const std::size_t first = static_cast<std::size_t>(own.leaves()[0]) * stride;
    // Nothing of a solve may be left in the next.
    for (const auto* rho : {&before_, &rho_}) all.solve(rho->data() + first, stride, result.data());
    return result;
  }

  config::gravity par_;
  gravity::operators by_;
  gravity::interaction_lists lists_;
  std::vector<double> before_, rho_;
  fields alone_;
};

/// Where leaves begin; the number of all leaves is the end of the curve.
std::vector<std::uint64_t> places_of(const mesh::tree& t, const std::vector<int>& first_leaves) {
  std::vector<std::uint64_t> places;
  for (const int leaf : first_leaves) places.push_back(leaf == 0 ? 0 : t[leaf].id.curve());
  return places;
}

void cut_at_random(exec::transport& ranks, const problem& all, unsigned seed, int times) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> leaf(0, all.tree.leaves() - 1);
  for (int i = 0; i < times; ++i) {
    const int one = leaf(random), other = leaf(random), a = std::min(one, other), b = std::max(one, other);
    all.expect_same(ranks, places_of(all.tree, {0, a, b}), fmt::format("tree {}, cut at {} and {}", seed, a, b));
  }
}

/// The root's owner has a few leaves about the middle of the curve, none of which is a child of the root.
void own_no_children(exec::transport& ranks, const problem& all) {
  const mesh::tree& t = all.tree;
  const int root = t.size() - 1, fifth = t[root].child[4];
  const int middle = t.leaf_at(t.corner(fifth) + 1e-6 * core::vec3d{1, 1, 1});
  const std::vector<std::uint64_t> places = places_of(t, {0, middle - 1, middle + 1});
  const mesh::partition cut(places);
  const bool childless =
      std::ranges::none_of(t[root].child, [&](int child) { return cut.owner(t[child]) == cut.owner(t[root]); });
  if (!childless) throw std::runtime_error("the root's owner is to own none of its children");
  all.expect_same(ranks, places, "a root without own children");
}

void run() {
  const auto ranks = exec::transport::connect({});
  if (ranks->size() != ranks_needed) throw std::runtime_error("this needs three ranks");
  const config::gravity usual;
  config::gravity points;
  points.order = 4;
  points.near_radius_squared = 10;
  points.cell_mass = config::cell_mass::point;
  own_no_children(*ranks, {refined_here_and_there(), usual});
  own_no_children(*ranks, {refined_here_and_there(), points});
  for (const int level : {0, 1}) {
    const problem all(mesh::tree::uniform(box(), level), usual);
    for (const int leaf : {0, all.tree.leaves() / 2})
      all.expect_same(*ranks, places_of(all.tree, {0, leaf, leaf}), fmt::format("level {}, cut at {}", level, leaf));
  }
  for (unsigned seed = 0; seed < 4; ++seed) cut_at_random(*ranks, {random_tree(seed), usual}, seed, 5);
}

}  // namespace

int main() { return test::reported(run); }
