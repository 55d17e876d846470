// Ghost layers by the kernels of a device, on the processor, against the processor's own, to the last bit.
#include <algorithm>
#include <numeric>

#include "exchange/ghosts.hpp"
#include "exchange/resident_ghosts.hpp"
#include "exec/place.hpp"
#include "random_gas.hpp"

namespace rednova::exchange::test {
namespace {

using config::boundary;

struct setting {
  const char* name;
  std::array<boundary, 6> outer;
  int species;
  double rotation;
};

class resident_ghosts_of : public testing::TestWithParam<setting> {
 protected:
  resident_ghosts_of() {
    // Refined nodes too, in no order: the criteria look at leaves' parents.
    std::iota(nodes.begin(), nodes.end(), 0);
    std::ranges::shuffle(nodes, std::mt19937(17));
    exec::context one(1);
    restrict_all(one, tree, gas.fields, gas.u);
  }
  /// By mesh::outside, mesh::no_block, and blocks of the level: sides of the nodes.
  int sides_of_kind(const auto& is) const {
    int count = 0;
    for (const mesh::node& n : tree.nodes()) {
      for (int side = 0; side < mesh::sides; ++side) {
        const cell_box cells = cells_of(offset(side));
        const bool filled = cells.length(0) * cells.length(1) * cells.length(2) > 0;
        count += filled && is(n.neighbour[static_cast<std::size_t>(side)]) ? 1 : 0;
      }
    }
    return count;
  }
  bool periodic(std::size_t direction) const { return GetParam().outer[2 * direction] == boundary::periodic; }

  mesh::tree tree = random_tree({periodic(0), periodic(1), periodic(2)}, 5);
  random_gas gas{tree, GetParam().species, 6};
  std::vector<int> nodes = std::vector<int>(static_cast<std::size_t>(tree.size()));
  ghosts expected{tree, gas.fields, GetParam().outer};
  resident_ghosts<exec::processor_place> found{{}, mesh::view(tree), gas.fields, GetParam().outer};
};

constexpr boundary in = boundary::reflecting, out = boundary::outflow, open = boundary::zero_gradient,
                   round = boundary::periodic;
INSTANTIATE_TEST_SUITE_P(boundaries, resident_ghosts_of,
                         testing::Values(setting{"periodic", {round, round, round, round, round, round}, 1, 0},
                                         setting{"reflecting", {in, in, in, in, in, in}, 3, 0},
                                         setting{"outflow", {out, out, out, out, out, out}, 2, 0.8},
                                         setting{"mixed", {in, out, round, round, open, out}, 5, -0.8},
                                         setting{"walls_that_turn", {out, in, in, open, in, out}, 1, 0.8}),
                         [](const auto& i) { return i.param.name; });

TEST_P(resident_ghosts_of, all_fields) {
  const std::size_t block = static_cast<std::size_t>(gas.fields.size()) * mesh::ghosted_cells;
  const double rotation = GetParam().rotation;
  std::vector<double> all = untouched(nodes.size() * block), there = all;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    expected.gather(gas.u, nodes[i], rotation, all.data() + i * block);
  }
  found.gather(mesh::view(gas.u), nodes.data(), static_cast<int>(nodes.size()), rotation, there.data());
  EXPECT_EQ(different(all, there), 0);
  EXPECT_GT(sides_of_kind([](int neighbour) { return neighbour >= 0; }), 1000);
  EXPECT_GT(sides_of_kind([](int neighbour) { return neighbour == mesh::no_block; }), 500);
  const bool closed = periodic(0) && periodic(1) && periodic(2);
  EXPECT_EQ(sides_of_kind([](int neighbour) { return neighbour == mesh::outside; }) > 500, !closed);
}

TEST_P(resident_ghosts_of, one_field) {
  for (const int field : {0, gas.fields.energy()}) {
    std::vector<double> all = untouched(nodes.size() * mesh::ghosted_cells), there = all;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      expected.gather_scalar(gas.u, nodes[i], field, all.data() + i * mesh::ghosted_cells);
    }
    found.gather_scalar(mesh::view(gas.u), field, nodes.data(), static_cast<int>(nodes.size()), there.data());
    EXPECT_EQ(different(all, there), 0) << "field " << field;
  }
}

// A list of some blocks writes to as much memory, and one of none to nothing.
TEST_P(resident_ghosts_of, some_blocks_and_none) {
  const std::size_t block = static_cast<std::size_t>(gas.fields.size()) * mesh::ghosted_cells;
  std::vector<double> all = untouched(3 * block), there = all;
  expected.gather(gas.u, nodes[4], 0.3, all.data());
  found.gather(mesh::view(gas.u), nodes.data() + 4, 1, 0.3, there.data());
  EXPECT_EQ(different(all, there), 0);
  found.gather(mesh::view(gas.u), nullptr, 0, 0.3, there.data());
  EXPECT_EQ(different(all, there), 0);
}

// Blocks need not lie where their numbers say, and may have fields behind those that are wanted.
TEST_P(resident_ghosts_of, one_field_of_blocks_in_another_order) {
  std::vector<int> place(nodes);
  std::vector<double> values(nodes.size() * 2 * mesh::cells);
  for (int n = 0; n < tree.size(); ++n) {
    const std::size_t at = (2 * static_cast<std::size_t>(place[static_cast<std::size_t>(n)]) + 1) * mesh::cells;
    std::copy_n(gas.u.at(n, 0), mesh::cells, values.data() + at);
  }
  for (int& p : place) p += 7;
  std::vector<double> all = untouched(nodes.size() * mesh::ghosted_cells), there = all;
  const int count = static_cast<int>(nodes.size());
  found.gather_scalar(mesh::view(gas.u), 0, nodes.data(), count, all.data());
  found.gather_scalar({values.data(), place.data(), 7, 2}, 1, nodes.data(), count, there.data());
  EXPECT_EQ(different(all, there), 0);
}

TEST(resident_ghosts, counts_that_are_no_int_are_refused) {
  const mesh::tree t = mesh::tree::uniform({}, 1);
  const mesh::field_numbers fields(1);
  const resident_ghosts<exec::processor_place> g({}, mesh::view(t), fields, {});
  const mesh::block_view<const double> u{nullptr, nullptr, 0, fields.size()};
  EXPECT_THROW(g.gather(u, nullptr, g.most_blocks + 1, 0, nullptr), std::logic_error);
  EXPECT_THROW(g.gather_scalar(u, 0, nullptr, g.most_blocks + 1, nullptr), std::logic_error);
  EXPECT_THROW(g.gather_scalar(u, fields.size(), nullptr, 1, nullptr), std::logic_error);
}

}  // namespace
}  // namespace rednova::exchange::test
