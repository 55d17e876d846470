// Restriction by the kernels of a device, on the processor, against the processor's own, to the last bit.
#include "exchange/resident_links.hpp"
#include "exec/place.hpp"
#include "random_gas.hpp"

namespace rednova::exchange::test {
namespace {

class resident_links_of : public testing::TestWithParam<int> {
 protected:
  mesh::tree tree = random_tree({false, true, false}, 8);
  random_gas gas{tree, GetParam(), 9};
  random_gas same{tree, GetParam(), 9};
  exec::context one{1};
  links of{one, tree, gas.fields};
  resident_links<exec::processor_place> by{{}, of, tree, mesh::view(tree), gas.fields};
  std::span<const double> all(const mesh::block_data& u) const { return {u.data(), u.bytes() / sizeof(double)}; }
};

INSTANTIATE_TEST_SUITE_P(species, resident_links_of, testing::Values(1, 5));

TEST_P(resident_links_of, all_fields) {
  ASSERT_GE(tree.max_level(), 3);
  restrict_all(one, tree, gas.fields, gas.u);
  EXPECT_GT(different(all(gas.u), all(same.u)), 1000);
  by.restrict_all(mesh::view(same.u));
  EXPECT_EQ(different(all(gas.u), all(same.u)), 0);
}

TEST_P(resident_links_of, one_field) {
  const int field = gas.fields.entropy();
  for (int level = tree.max_level() - 1; level >= 0; --level) {
    for (int n = tree.refined(level)[0]; n < tree.refined(level)[1]; ++n) {
      for (int octant = 0; octant < 8; ++octant) restrict_scalar_octant(tree, gas.u, field, n, octant);
    }
  }
  EXPECT_GT(different(all(gas.u), all(same.u)), 100);
  by.restrict_scalar(mesh::view(same.u), field);
  EXPECT_EQ(different(all(gas.u), all(same.u)), 0);
}

}  // namespace
}  // namespace rednova::exchange::test
