// The operators between the cells of a level against their textbook form, for every order of expansion. Those between
// cells and their children: sweeps_on_device.hpp.
#include <gtest/gtest.h>

#include "against_textbook.hpp"
#include "blocks_around.hpp"
#include "gravity/interactions.hpp"
#include "gravity/lattice.hpp"
#include "gravity/operators_textbook.hpp"

namespace rednova::gravity::test {
namespace {

class of_order : public testing::TestWithParam<int> {
 protected:
  static int p() { return GetParam(); }
  static int numbers() { return basis_size(GetParam()); }
  const operators by{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(p, of_order, testing::Values(3, 4, 5));

TEST_P(of_order, derivatives_of_the_potential_of_a_point) {
  generator random(1);
  comparison all(coefficients(p()));
  for (int i = 0; i < 20; ++i) {
    const vec3d r = random.place(5) + vec3d{1, 2, 3};
    const tensors expected = textbook::derivatives(p(), r);
    const std::vector<double> found = derivatives(p(), r);
    for (const textbook::multi_index a : textbook::indices(p())) {
      if (a.z <= 2) {
        const int at = coefficient_index({a.x, a.y, a.z});
        all.add(at, found[index(at)], expected[a]);
      }
    }
  }
  all.expect_within(few_terms);
}

/// A cell of the source blocks around a target block, by its place from that block's corner; null outside of the blocks
/// that there are.
class source_cell {
 public:
  source_cell(const blocks_around& around, vec3i at) {
    const auto block = [](int x) { return x < 0 ? -1 : x >= mesh::N ? 1 : 0; };
    const vec3i b{block(at.x), block(at.y), block(at.z)}, in = at - mesh::N * b;
    from_ = &around.sources[index(mesh::side(b.x, b.y, b.z))];
    first_ = (in.z >> from_->plane_shift) * from_->plane_stride + class_of(in.x, in.y) * from_->class_stride +
             place_in_class(in.x, in.y);
  }
  bool exists() const { return from_->values != nullptr; }
  /// Its moments, with zeros for those that it has not. They need not be those of masses: of the tensors that have the
  /// same field, the ones with z <= 1.
  tensors moments(int p) const {
    tensors result(p);
    for (const textbook::multi_index a : textbook::indices(p)) {
      const int n = a.z <= 1 ? basis_index({a.x, a.y, a.z}) : from_->numbers;
      if (n < from_->numbers) result[a] = (textbook::order(a) % 2 == 0 ? 1 : -1) * from_->values[first_ + n * HH];
    }
    return result;
  }

 private:
  const source_block* from_;
  int first_;
};

/// Calls visit(source, offset from the target) for the cells that interact with a target on its level.
template <class Visit>
void for_each_source(const blocks_around& around, vec3i target, int near2, pairs which, place where,
                     const Visit& visit) {
  const auto distance2 = [](vec3i a, vec3i b) { return dot(a - b, a - b); };
  const auto parent = [](vec3i a) { return vec3i{a.x >> 1, a.y >> 1, a.z >> 1}; };
  // All cells of the root interact with each other; there is nothing around it.
  const int low = where == place::root ? 0 : -mesh::N, high = where == place::root ? mesh::N : 2 * mesh::N;
  for_each_cell(high - low, 1, [&](vec3i c, int) {
    const vec3i at = c + vec3i{low, low, low};
    const bool parents_near = where == place::root || distance2(parent(at), parent(target)) <= near2;
    const int d2 = distance2(at, target);
    if (!parents_near || d2 == 0 || (which == pairs::far && d2 <= near2)) return;
    const source_cell source(around, at);
    if (source.exists()) visit(source, at - target);
  });
}

vec3d from_source(vec3i d) { return {-1.0 * d.x, -1.0 * d.y, -1.0 * d.z}; }

struct setting {
  int near2;
  place where;
};
constexpr std::array settings{setting{3, place::inner}, setting{6, place::inner}, setting{15, place::inner},
                              setting{6, place::root}};
/// Of a block every eleventh target is compared: some of each plane and of all parities.
constexpr int every = 11;

/// Nothing lies around the root.
blocks_around sources_of(int numbers, sources_here kind, place where, unsigned seed) {
  blocks_around around(numbers, kind, seed);
  for (int s = 0; where == place::root && s < mesh::sides; ++s) {
    if (s != mesh::sides / 2) around.sources[index(s)] = {};
  }
  return around;
}

TEST(interactions_against_textbook, p2p) {
  for (const auto& [near2, where] : settings) {
    SCOPED_TRACE(near2);
    for (const double more : {0.0, face_attraction}) {
      const blocks_around around = sources_of(1, sources_here::all_kinds, where, 4);
      const stencil near(1, near2, pairs::near, where, 1, more);
      neighbourhood from;
      from.gather(around.sources, 1, near.reach());
      std::vector<double> found(index(block_size(4)));
      p2p(from, near, found.data());
      comparison all(4);
      for_each_cell(mesh::N, every, [&](vec3i target, int) {
        field sum;
        for_each_source(around, target, near2, pairs::near, where, [&](const source_cell& source, vec3i d) {
          const double mass = source.moments(0)[{0, 0, 0}];
          field one;
          textbook::p2p(mass, from_source(d), one);
          const bool share_a_face = dot(d, d) == 1;
          sum.potential += one.potential;
          sum.gradient += (share_a_face ? 1 + more : 1) * one.gradient;
        });
        all.add(found, target, view_without_arrays(sum));
      });
      all.expect_within(many_terms);
    }
  }
}

TEST_P(of_order, m2l_p2l_and_torques) {
  for (const auto& [near2, where] : settings) {
    SCOPED_TRACE(near2);
    const blocks_around around = sources_of(numbers(), sources_here::all_kinds, where, 5);
    const stencil far(p(), near2, pairs::far, where, numbers());
    neighbourhood from;
    from.gather(around.sources, numbers(), far.reach());
    std::vector<double> found(index(block_size(numbers()))), torques(index(block_size(3)));
    make_far_kernels(by)->m2l(from, far, around.own(), found.data(), torques.data());
    comparison expansions(numbers()), spins(3);
    for_each_cell(mesh::N, every, [&](vec3i target, int) {
      tensors sum(p()), top(p());
      for_each_source(around, target, near2, pairs::far, where, [&](const source_cell& source, vec3i d) {
        textbook::m2l(source.moments(p()), from_source(d), sum);
        textbook::m2l(source.moments(p()), from_source(d), top, p());
      });
      expansions.add(found, target, stored_expansion(sum));
      const vec3d torque = spin_torque(source_cell(around, target).moments(p()), top);
      spins.add(torques, target, {torque.x, torque.y, torque.z});
    });
    expansions.expect_within(many_terms);
    spins.expect_within(many_terms);
  }
}

TEST_P(of_order, m2p) {
  for (const auto& [near2, where] : settings) {
    SCOPED_TRACE(near2);
    const blocks_around around = sources_of(numbers(), sources_here::multipoles, where, 6);
    const stencil far(p(), near2, pairs::far, where, numbers());
    neighbourhood from;
    from.gather(around.sources, numbers(), far.reach());
    std::vector<double> found(index(block_size(4)));
    make_far_kernels(by)->m2p(from, far, found.data());
    comparison all(4);
    for_each_cell(mesh::N, every, [&](vec3i target, int) {
      tensors sum(p());
      for_each_source(around, target, near2, pairs::far, where, [&](const source_cell& source, vec3i d) {
        textbook::m2l(source.moments(p()), from_source(d), sum);
      });
      field here;
      textbook::l2p(sum, {}, here);
      all.add(found, target, view_without_arrays(here));
    });
    all.expect_within(many_terms);
  }
}

}  // namespace
}  // namespace rednova::gravity::test
