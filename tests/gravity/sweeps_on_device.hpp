// The functors of gravity/sweeps.hpp against the textbook's operators and plain loops, by single numbers on any place
// and, where a type of place asks for it, by packs as on a core.
#pragma once

#include <array>
#include <vector>

#include "against_textbook.hpp"
#include "exec/on_space.hpp"
#include "gravity/sweeps.hpp"

namespace rednova::gravity::test {

using exec::test::to_host;

/// Runs a functor on `count` blocks from a place on.
template <class Space, class Functor>
void run(const Space& here, const Functor& f, int first, int count) {
  if constexpr (requires { typename Space::number; }) {
    for (int place = first; place < first + count; ++place) for_block<typename Space::number>(f, place);
  } else {
    here.for_each(count * Functor::cells, single_cells<Functor>{f, first});
  }
}

/// Random numbers of blocks: between 0.5 and 1.5, so that sums do not cancel.
inline std::vector<double> random_blocks(int blocks, int numbers, unsigned seed) {
  generator random(seed);
  std::vector<double> all(index(blocks) * index(block_size(numbers)));
  for (double& v : all) v = random.in(0.5, 1.5);
  return all;
}

inline std::vector<double> block_of(const std::vector<double>& all, int place, int numbers) {
  const double* first = block_array(all.data(), numbers)[place];
  return {first, first + block_size(numbers)};
}

inline void put_block(const std::vector<double>& block, int place, std::vector<double>& all) {
  std::ranges::copy(block, all.begin() + place * std::ssize(block));
}

/// The textbook's moments or expansions of a block's cells, in the order of mesh::cell().
using block_of_tensors = std::vector<tensors>;

/// Arrays in an execution space's memory, and the matrices of the passes.
template <class Space>
struct tables_there {
  tables_there(const Space& space, const std::array<matrix, 8>& of, int numbers)
      : tables_there(space, translation_tables(of, numbers), numbers) {}
  tables_there(const Space& space, const translation_tables& all, int numbers)
      : entries(space.copy_of(all.entries)), starts(space.copy_of(all.starts)), rows(numbers) {}
  translations view() const { return {entries.data(), starts.data(), rows}; }
  typename Space::template array<matrix_entry> entries;
  typename Space::template array<int> starts;
  int rows;
};

/// Of each block every seventh cell is compared with the textbook: some of each plane and of all parities.
constexpr int every_seventh = 7;

template <class Opened>
class sweeps_on : public exec::test::space_test<Opened> {
 protected:
  using tables = tables_there<typename Opened::place>;
  template <class Number>
  using array = typename Opened::place::template array<Number>;

  /// Calls body(operators, numbers of a multipole) for each order.
  template <class Body>
  static void for_orders(const Body& body) {
    for (const int order : {3, 4, 5}) {
      SCOPED_TRACE(order);
      body(operators(order), basis_size(order));
    }
  }
};
TYPED_TEST_SUITE_P(sweeps_on);

/// Of the two children of blocks 1 and 2 the refined ones are blocks 3 and 4.
struct upward_case {
  upward_case(int p, int numbers)
      : moments(random_blocks(5, numbers, 1)), masses(random_blocks(leaves, 1, 2)), of_refined(2) {
    generator random(3);
    for (int b = 0; b < 2; ++b) {
      std::vector<double> block(index(block_size(numbers)));
      for_each_cell(mesh::N, 1, [&](vec3i cell, int) {
        of_refined[index(b)].push_back(random.moments(p));
        put(stored_moments(of_refined[index(b)].back()), cell, block);
      });
      put_block(block, 3 + b, moments);
    }
    for (int c = 0; c < 8 * 3; ++c) {
      const bool refined = c % 3 == 0;
      const int place = c % 5 == 4 ? -1 : refined ? 3 + c % 2 : c % leaves;
      children.push_back({place, refined});
    }
  }
  /// Moments of a parent's cell from its eight children.
  tensors expected(int p, either_block child, vec3i parent) const {
    tensors sum(p);
    for (int o = 0; o < 8; ++o) {
      const auto child_at = [o](int x, int d) { return 2 * (x % H) + (o >> d & 1); };
      const vec3i cell{child_at(parent.x, 0), child_at(parent.y, 1), child_at(parent.z, 2)};
      if (child.refined) {
        textbook::m2m(of_refined[index(child.place - 3)][index(mesh::cell(cell.x, cell.y, cell.z))], in_parent(cell),
                      sum);
      } else {
        const int at = child.place * mesh::cells + sorted_cell(1, 0, cell.x, cell.y, cell.z);
        textbook::p2m(masses[index(at)], in_parent(cell), sum);
      }
    }
    return sum;
  }

  static constexpr int leaves = 4;
  std::vector<double> moments, masses;
  std::vector<block_of_tensors> of_refined;
  std::vector<either_block> children;
};

// Blocks 1 and 2 of three are run. Some of their children are another rank's: those octants stay as they are.
TYPED_TEST_P(sweeps_on, p2m_and_m2m) {
  this->for_orders([this](const operators& of, int numbers) {
    const auto& here = this->here();
    const upward_case from(of.order, numbers);
    const typename TestFixture::tables m2m(here, of.m2m, numbers);
    const auto children = here.copy_of(from.children);
    const auto masses = here.copy_of(from.masses);
    auto moments = here.copy_of(from.moments);
    run(here, add_up_moments{m2m.view(), children.data(), {masses.data(), 1}, {moments.data(), numbers}}, 1, 2);
    const std::vector<double> found = to_host(here, moments);
    for (const int untouched : {0, 3, 4})
      EXPECT_EQ(block_of(found, untouched, numbers), block_of(from.moments, untouched, numbers));
    comparison all(numbers);
    for (const int b : {1, 2}) {
      const std::vector<double> block = block_of(found, b, numbers), before = block_of(from.moments, b, numbers);
      for_each_cell(mesh::N, every_seventh, [&](vec3i cell, int) {
        const int octant = cell.x / H + 2 * (cell.y / H) + 4 * (cell.z / H);
        const either_block child = from.children[index(8 * b + octant)];
        if (child.place >= 0) {
          all.add(block, cell, stored_moments(from.expected(of.order, child, cell), 2));
          return;
        }
        for (int n = 0; n < numbers; ++n) {
          const std::size_t at = index(sorted_cell(numbers, n, cell.x, cell.y, cell.z));
          EXPECT_EQ(block[at], before[at]);
        }
      });
    }
    all.expect_within(few_terms);
  });
}

/// Parents 0 and 1 with moments, expansions and torques; one cell has no mass and hands no torque down. Refined blocks
/// 2 to 4 are their children.
struct downward_case {
  downward_case(int p, int numbers)
      : moments(random_blocks(blocks, numbers, 4)),
        expansions(random_blocks(blocks, numbers, 5)),
        torques(random_blocks(blocks, 3, 6)),
        of_parents(2) {
    generator random(7);
    for (int b = 0; b < 2; ++b) {
      std::vector<double> block(index(block_size(numbers)));
      for_each_cell(mesh::N, 1, [&](vec3i cell, int) {
        of_parents[index(b)].push_back(random.expansion(p));
        put(stored_expansion(of_parents[index(b)].back(), 2), cell, block);
      });
      put_block(block, b, expansions);
    }
    moments[index(sorted_cell(numbers, 0, 0, 0, 0))] = 0;
  }
  /// The expansion of the parent's cell that holds a cell of a child block.
  const tensors& parent_expansion(child_of block, vec3i cell) const {
    const vec3i at = parent_of(cell, block.octant);
    return of_parents[index(block.parent)][index(mesh::cell(at.x, at.y, at.z))];
  }
  /// The parent's torque in proportion to mass, in units of the child's level.
  vec3d torque(child_of block, vec3i cell, double mass, int numbers) const {
    const vec3i at = parent_of(cell, block.octant);
    const double whole = block_array(moments.data(), numbers)[block.parent][sorted_cell(numbers, 0, at.x, at.y, at.z)];
    const double* t = block_array(torques.data(), 3)[block.parent] + sorted_cell(3, 0, at.x, at.y, at.z);
    return whole == 0 ? vec3d{} : 0.5 * mass / whole * vec3d{t[0], t[HH], t[2 * HH]};
  }

  static constexpr int blocks = 5;
  std::vector<double> moments, expansions, torques;
  std::vector<block_of_tensors> of_parents;
  std::vector<child_of> parents{{-1, 0}, {-1, 0}, {0, 0}, {1, 5}, {0, 6}};
};

TYPED_TEST_P(sweeps_on, l2l_and_torques) {
  this->for_orders([this](const operators& of, int numbers) {
    const auto& here = this->here();
    const downward_case from(of.order, numbers);
    const typename TestFixture::tables l2l(here, of.l2l, numbers);
    const auto parents = here.copy_of(from.parents);
    const auto moments = here.copy_of(from.moments);
    auto expansions = here.copy_of(from.expansions), torques = here.copy_of(from.torques);
    const block_array<double> l{expansions.data(), numbers}, t{torques.data(), 3};
    run(here, hand_down{{l2l.view(), {moments.data(), numbers}, l, t}, parents.data(), l, t}, 2, 3);
    const std::vector<double> found = to_host(here, expansions), spins = to_host(here, torques);
    for (const int parent : {0, 1}) {
      EXPECT_EQ(block_of(found, parent, numbers), block_of(from.expansions, parent, numbers));
      EXPECT_EQ(block_of(spins, parent, 3), block_of(from.torques, parent, 3));
    }
    comparison all(numbers), all_torques(3);
    for (const int b : {2, 3, 4}) {
      const child_of me = from.parents[index(b)];
      const std::vector<double> block = block_of(found, b, numbers), spin = block_of(spins, b, 3);
      for_each_cell(mesh::N, every_seventh, [&](vec3i cell, int) {
        const auto before = [&](const std::vector<double>& of_all, int count, int n) {
          return block_array(of_all.data(), count)[b][sorted_cell(count, n, cell.x, cell.y, cell.z)];
        };
        tensors moved(of.order);
        textbook::l2l(from.parent_expansion(me, cell), in_parent(cell), moved);
        std::vector<double> expected = stored_expansion(moved);
        for (int n = 0; n < numbers; ++n) expected[index(n)] += before(from.expansions, numbers, n);
        all.add(block, cell, expected);
        const vec3d torque = from.torque(me, cell, before(from.moments, numbers, 0), numbers);
        all_torques.add(spin, cell,
                        {before(from.torques, 3, 0) + torque.x, before(from.torques, 3, 1) + torque.y,
                         before(from.torques, 3, 2) + torque.z});
      });
    }
    all.expect_within(few_terms);
    all_torques.expect_within(few_terms);
  });
}

/// Three leaves, which do not lie in the order of the curve; the second has no parent.
inline std::vector<leaf_block> some_leaves() {
  std::vector<leaf_block> leaves(3);
  leaves[0] = {.number = 2, .parent = {0, 0}, .h = 0.5};
  leaves[1] = {.number = 0, .parent = {-1, 0}, .h = 0.1};
  leaves[2] = {.number = 1, .parent = {1, 6}, .h = 0.3};
  return leaves;
}

// Near field, L2P, torques, and the own potential of smooth cells.
TYPED_TEST_P(sweeps_on, fields_of_leaves) {
  this->for_orders([this](const operators& of, int numbers) {
    const auto& here = this->here();
    const downward_case from(of.order, numbers);
    const std::vector<leaf_block> leaves = some_leaves();
    const std::vector<double> masses = random_blocks(3, 1, 8), near = random_blocks(3, 4, 9);
    const typename TestFixture::tables l2l(here, of.l2l, numbers);
    const auto leaves_there = here.copy_of(leaves);
    const auto moments = here.copy_of(from.moments), expansions = here.copy_of(from.expansions),
               torques = here.copy_of(from.torques), masses_there = here.copy_of(masses),
               near_there = here.copy_of(near);
    const parent_blocks parents{
        l2l.view(), {moments.data(), numbers}, {expansions.data(), numbers}, {torques.data(), 3}};
    constexpr std::size_t of_leaf = result_fields * mesh::cells;
    for (const bool smooth : {false, true}) {
      typename TestFixture::template array<double> result(leaves.size() * of_leaf);
      run(here,
          set_fields{parents,
                     smooth,
                     leaves_there.data(),
                     {masses_there.data(), 1},
                     {near_there.data(), 4},
                     {result.data(), of_leaf}},
          0, 3);
      const std::vector<double> found = to_host(here, result);
      for (int leaf = 0; leaf < 3; ++leaf) {
        const leaf_block& me = leaves[index(leaf)];
        comparison all(result_fields);
        for_each_cell(mesh::N, 1, [&](vec3i cell, int c) {
          const double mass = masses[index(leaf * mesh::cells + sorted_cell(1, 0, cell.x, cell.y, cell.z))];
          const double* f = block_array(near.data(), 4)[leaf] + sorted_cell(4, 0, cell.x, cell.y, cell.z);
          field sum{f[0], {f[HH], f[2 * HH], f[3 * HH]}};
          vec3d spin{};
          if (smooth) sum.potential -= own_potential * mass;
          if (me.parent.parent >= 0) {
            textbook::l2p(from.parent_expansion(me.parent, cell), in_parent(cell), sum);
            spin = from.torque(me.parent, cell, mass, numbers);
          }
          const vec3d g = -1 / (me.h * me.h) * sum.gradient;
          const std::array expected{sum.potential / me.h, g.x, g.y, g.z, spin.x / me.h, spin.y / me.h, spin.z / me.h};
          for (int n = 0; n < result_fields; ++n) {
            all.add(n, found[index(me.number) * of_leaf + index(n * mesh::cells + c)], expected[index(n)]);
          }
        });
        all.expect_within(few_terms);
      }
    }
  });
}

// Bits: products alone.
TYPED_TEST_P(sweeps_on, masses_of_leaves_and_ghosts) {
  constexpr std::size_t stride = 2 * mesh::cells;
  const auto& here = this->here();
  const std::vector<leaf_block> leaves = some_leaves();
  const std::vector<octant_of> ghosts{{0, 3}, {2, 6}};
  const std::vector<double> density = random_blocks(6, 1, 10);
  const auto leaves_there = here.copy_of(leaves);
  const auto ghosts_there = here.copy_of(ghosts);
  const auto density_there = here.copy_of(density);
  typename TestFixture::template array<double> masses(3 * mesh::cells), ghost_masses(2 * octant_cells);
  const block_array<double> all{masses.data(), 1};
  run(here, set_masses{leaves_there.data(), {density_there.data(), stride}, all}, 0, 3);
  run(here, set_ghost_masses{ghosts_there.data(), all, ghost_masses.data()}, 0, 2);
  const std::vector<double> found = to_host(here, masses), found_ghosts = to_host(here, ghost_masses);
  for (int leaf = 0; leaf < 3; ++leaf) {
    const leaf_block& me = leaves[index(leaf)];
    for_each_cell(mesh::N, 1, [&](vec3i x, int c) {
      const double expected = me.h * me.h * me.h * density[index(me.number) * stride + index(c)];
      EXPECT_EQ(found[index(leaf * mesh::cells + sorted_cell(1, 0, x.x, x.y, x.z))], expected);
    });
  }
  for (int g = 0; g < 2; ++g) {
    const auto [leaf, o] = ghosts[index(g)];
    for_each_cell(H, 1, [&, leaf = leaf, o = o](vec3i x, int c) {
      const int cell = sorted_cell(1, 0, (o & 1) * H + x.x, (o >> 1 & 1) * H + x.y, (o >> 2) * H + x.z);
      EXPECT_EQ(found_ghosts[index(g * octant_cells + c)], found[index(leaf * mesh::cells + cell)] / 8);
    });
  }
}

/// What the eight ghost children of a leaf cell of width h give it: x of the cell within its octant, m the mass of each
/// child, near a ghost block of potentials and gradients.
inline std::array<double, result_fields> fields_of_children(vec3i x, double h, double m, const double* near) {
  const double w = h / 2;
  double phi = 0;
  vec3d g{}, spin{};
  for (int o = 0; o < 8; ++o) {
    const vec3i side{o & 1, o >> 1 & 1, o >> 2}, child = 2 * x + side;
    const double* f = near + sorted_cell(4, 0, child.x, child.y, child.z);
    const vec3d force = -1 / (w * w) * vec3d{f[HH], f[2 * HH], f[3 * HH]};
    phi += f[0] / w / 8;
    g += 1. / 8 * force;
    spin += m * core::cross(w * in_parent(child), force);
  }
  return {phi, g.x, g.y, g.z, spin.x, spin.y, spin.z};
}

TYPED_TEST_P(sweeps_on, ghost_children_and_torques_per_volume) {
  constexpr std::size_t of_leaf = result_fields * mesh::cells;
  const auto& here = this->here();
  const std::vector<leaf_block> leaves = some_leaves();
  const std::vector<octant_of> ghosts{{1, 3}, {2, 6}};
  const std::vector<double> ghost_masses = random_blocks(1, 1, 11), near = random_blocks(2, 4, 12),
                            before = random_blocks(3, result_fields, 13);
  const auto leaves_there = here.copy_of(leaves);
  const auto ghosts_there = here.copy_of(ghosts);
  const auto ghost_masses_there = here.copy_of(ghost_masses), near_there = here.copy_of(near);
  auto result = here.copy_of(before);
  const block_array<double> to{result.data(), of_leaf};
  run(here,
      add_ghost_fields{leaves_there.data(), ghosts_there.data(), ghost_masses_there.data(), {near_there.data(), 4}, to},
      0, 2);
  const std::vector<double> found = to_host(here, result);
  std::vector<double> expected = before;
  for (int b = 0; b < 2; ++b) {
    const auto [leaf, o] = ghosts[index(b)];
    const leaf_block& me = leaves[index(leaf)];
    for_each_cell(H, 1, [&, o = o](vec3i x, int c) {
      const auto more =
          fields_of_children(x, me.h, ghost_masses[index(b * octant_cells + c)], block_array(near.data(), 4)[b]);
      const int cell = mesh::cell((o & 1) * H + x.x, (o >> 1 & 1) * H + x.y, (o >> 2) * H + x.z);
      for (int f = 0; f < result_fields; ++f) {
        expected[index(me.number) * of_leaf + index(f * mesh::cells + cell)] += more[index(f)];
      }
    });
  }
  comparison all(result_fields);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (expected[i] == before[i]) {
      EXPECT_EQ(found[i], before[i]);
    }
    all.add(static_cast<int>(i / mesh::cells % result_fields), found[i], expected[i]);
  }
  all.expect_within(few_terms);

  run(here, divide_torques{leaves_there.data(), to}, 0, 3);
  const std::vector<double> divided = to_host(here, result);
  for (const leaf_block& me : leaves) {
    for (std::size_t i = 0; i < of_leaf; ++i) {
      const std::size_t at = index(me.number) * of_leaf + i;
      EXPECT_EQ(divided[at], i < torque * mesh::cells ? found[at] : found[at] / (me.h * me.h * me.h));
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(sweeps_on, p2m_and_m2m, l2l_and_torques, fields_of_leaves, masses_of_leaves_and_ghosts,
                            ghost_children_and_torques_per_volume);

}  // namespace rednova::gravity::test
