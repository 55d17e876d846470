// Each operator of the solver against its textbook form, for every order of expansion.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "blocks_around.hpp"
#include "gravity/across.hpp"
#include "gravity/lattice.hpp"
#include "gravity/operators_textbook.hpp"
#include "gravity/sweeps.hpp"

namespace rednova::gravity::test {
namespace {

using core::vec3d;
using core::vec3i;
using textbook::field;
using textbook::tensors;

/// Numbers of cells from the solver and from the textbook: the largest differences, relative to the largest of a kind.
class comparison {
 public:
  explicit comparison(int kinds) : most_(index(kinds)), off_(index(kinds)) {}
  void add(int kind, double found, double expected) {
    ASSERT_TRUE(std::isfinite(found)) << "number " << kind;
    most_[index(kind)] = std::max(most_[index(kind)], std::abs(expected));
    off_[index(kind)] = std::max(off_[index(kind)], std::abs(found - expected));
  }
  /// The numbers of one cell in a block of layout.hpp.
  void add(const std::vector<double>& found, vec3i cell, const std::vector<double>& expected) {
    const int count = static_cast<int>(off_.size());
    for (int n = 0; n < count; ++n)
      add(n, found[index(sorted_cell(count, n, cell.x, cell.y, cell.z))], expected[index(n)]);
  }
  void expect_within(double rounding) const {
    EXPECT_GT(*std::ranges::max_element(most_), 0);
    for (std::size_t kind = 0; kind < most_.size(); ++kind) {
      // Some moments of a leaf cell, which is a point at (±1/4, ±1/4, ±1/4) of its parent, are zero: x² - y² is.
      EXPECT_LE(off_[kind], rounding * most_[kind]) << "number " << kind;
    }
  }

 private:
  std::vector<double> most_, off_;
};

/// Of a translation: each number is a sum of up to 8 * 56 products.
constexpr double few_terms = 1e-14;
/// Of a step across: sums of some 1e3 sources of up to 56 products each, that add up like a walk. Measured: 1.2e-14.
constexpr double many_terms = 5e-14;

class generator {
 public:
  explicit generator(unsigned seed) : engine_(seed) {}
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  vec3d place(double half_width) {
    return {in(-half_width, half_width), in(-half_width, half_width), in(-half_width, half_width)};
  }
  /// Moments of two masses in a cell of width 1.
  tensors moments(int p) {
    tensors result(p);
    for (int i = 0; i < 2; ++i) p2m(in(0.5, 1.5), place(0.5), result);
    return result;
  }
  /// The expansion of a mass outside.
  tensors expansion(int p) {
    tensors result(p), source(p);
    p2m(in(0.5, 1.5), {}, source);
    m2l(source, place(1) + vec3d{2, 3, -1}, result);
    return result;
  }

 private:
  std::mt19937 engine_;
};

/// The numbers of one cell in a block of layout.hpp.
void put(const std::vector<double>& numbers, vec3i cell, std::vector<double>& block) {
  const int count = static_cast<int>(numbers.size());
  for (int n = 0; n < count; ++n) block[index(sorted_cell(count, n, cell.x, cell.y, cell.z))] = numbers[index(n)];
}

template <class Visit>
void for_each_cell(int edge, int stride, const Visit& visit) {
  for (int c = 0; c < edge * edge * edge; c += stride) visit(vec3i{c % edge, c / edge % edge, c / (edge * edge)}, c);
}

/// Offset of a child's centre from its parent's, in cell widths of the child.
vec3d in_parent(vec3i child) { return {(child.x & 1) - 0.5, (child.y & 1) - 0.5, (child.z & 1) - 0.5}; }
/// The cell of its parent block that holds a cell of a child block.
vec3i parent_of(vec3i child, int octant) {
  return {(octant & 1) * H + child.x / 2, (octant >> 1 & 1) * H + child.y / 2, (octant >> 2) * H + child.z / 2};
}

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

enum class child_block { leaf, refined };

/// Moments of a parent block's octant from its child there, whose cells are points or have moments.
void compare_up(const operators& by, int octant, child_block kind) {
  const int p = by.order, numbers = basis_size(p), of_child = kind == child_block::leaf ? 1 : numbers;
  generator random(2);
  std::vector<double> child(index(block_size(of_child))), parent(index(block_size(numbers)));
  std::vector<tensors> expected(index(mesh::cells), tensors(p));
  for_each_cell(mesh::N, 1, [&](vec3i cell, int) {
    const vec3i at = parent_of(cell, octant);
    tensors& of_parent = expected[index(mesh::cell(at.x, at.y, at.z))];
    if (kind == child_block::leaf) {
      const double mass = random.in(0.5, 1.5);
      put({mass}, cell, child);
      textbook::p2m(mass, in_parent(cell), of_parent);
    } else {
      const tensors moments = random.moments(p);
      put(stored_moments(moments), cell, child);
      textbook::m2m(moments, in_parent(cell), of_parent);
    }
  });
  (kind == child_block::leaf ? p2m : m2m)(by, octant, child.data(), parent.data());
  comparison all(numbers);
  for_each_cell(mesh::N, 1, [&](vec3i at, int c) { all.add(parent, at, stored_moments(expected[index(c)], 2)); });
  all.expect_within(few_terms);
}

TEST_P(of_order, m2m) { compare_up(by, 5, child_block::refined); }
TEST_P(of_order, p2m) { compare_up(by, 3, child_block::leaf); }

/// In the order of basis.hpp: 1, d/dx, d/dy, d/dz.
std::vector<double> numbers_of(const field& f) { return {f.potential, f.gradient.x, f.gradient.y, f.gradient.z}; }

/// Expansions of a child block, or fields if it is a leaf, from its octant of the parent block.
void compare_down(const operators& by, int octant, child_block kind) {
  const int p = by.order, numbers = basis_size(p), of_child = kind == child_block::leaf ? basis_size(1) : numbers;
  generator random(3);
  std::vector<double> parent(index(block_size(numbers))), child(index(block_size(of_child)));
  std::vector<tensors> expansions;
  for_each_cell(mesh::N, 1, [&](vec3i cell, int) {
    expansions.push_back(random.expansion(p));
    put(stored_expansion(expansions.back(), 2), cell, parent);
  });
  (kind == child_block::leaf ? l2p : l2l)(by, octant, parent.data(), child.data());
  comparison all(of_child);
  for_each_cell(mesh::N, 1, [&](vec3i cell, int) {
    const vec3i from = parent_of(cell, octant);
    const tensors& expansion = expansions[index(mesh::cell(from.x, from.y, from.z))];
    if (kind == child_block::leaf) {
      field here;
      textbook::l2p(expansion, in_parent(cell), here);
      all.add(child, cell, numbers_of(here));
    } else {
      tensors moved(p);
      textbook::l2l(expansion, in_parent(cell), moved);
      all.add(child, cell, stored_expansion(moved));
    }
  });
  all.expect_within(few_terms);
}

TEST_P(of_order, l2l) { compare_down(by, 6, child_block::refined); }
TEST_P(of_order, l2p) { compare_down(by, 1, child_block::leaf); }

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
  // Of the root all cells meet, and only these: there is nothing around it.
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

TEST(across_against_textbook, p2p) {
  for (const auto& [near2, where] : settings) {
    SCOPED_TRACE(near2);
    for (const double more : {0.0, face_attraction}) {
      const blocks_around around = sources_of(1, sources_here::all_kinds, where, 4);
      const stencil direct(1, near2, pairs::direct, where, 1, more);
      neighbourhood from;
      from.gather(around.sources, 1, direct.reach());
      std::vector<double> found(index(block_size(4)));
      p2p(from, direct, found.data());
      comparison all(4);
      for_each_cell(mesh::N, every, [&](vec3i target, int) {
        field sum;
        for_each_source(around, target, near2, pairs::direct, where, [&](const source_cell& source, vec3i d) {
          const double mass = source.moments(0)[{0, 0, 0}];
          field one;
          textbook::p2p(mass, from_source(d), one);
          const bool share_a_face = dot(d, d) == 1;
          sum.potential += one.potential;
          sum.gradient += (share_a_face ? 1 + more : 1) * one.gradient;
        });
        all.add(found, target, numbers_of(sum));
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
      all.add(found, target, numbers_of(here));
    });
    all.expect_within(many_terms);
  }
}

}  // namespace
}  // namespace rednova::gravity::test
