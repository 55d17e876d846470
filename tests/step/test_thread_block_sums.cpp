// The sums that a device finds, on thread blocks of the processor's threads, against the processor's own: the same
// bits.
#include "step/thread_block_sums.hpp"

#include <gtest/gtest.h>

#include "random_blocks.hpp"

namespace {

using namespace rednova;
using namespace rednova::step;

template <int Threads>
void compare(int species) {
  const step::test::random_blocks blocks(species);
  std::vector<core::compensated> sums(blocks.count * static_cast<std::size_t>(blocks.numbers()));
  const thread_block_sums<Threads> kernel{blocks.fields, blocks.all.data(), sums.data()};
  exec::for_each_thread_block(static_cast<int>(blocks.count), kernel.memory(), kernel);
  EXPECT_EQ(step::test::values(sums), step::test::values(blocks.sums()));
}

TEST(thread_block_sums, as_on_the_processor) {
  for (const int species : {1, 5}) compare<64>(species);
}
TEST(thread_block_sums, do_not_depend_on_the_threads) { compare<32>(5); }

// Every term of a row belongs to one component; those of the cells' spin to two.
TEST(thread_block_sums, components_share_out_the_terms) {
  constexpr int species = 5;
  int next = 0;
  std::vector<int> owner(static_cast<std::size_t>(terms_of_row(species)), -1), second = owner;
  for (int c = 0; c < species + vector_and_energy; ++c) {
    const term_range range = terms_of(c, species, true);
    for (int t = range.first; t < range.first + range.count; ++t) {
      (c <= species + 6 ? owner : second)[static_cast<std::size_t>(t)] = c, ++next;
    }
  }
  EXPECT_EQ(next, terms_of_row(species) + 3);
  const step::test::random_blocks blocks(species);
  std::size_t term = 0;
  for_terms(blocks.all[0], blocks.fields, 0, [&](const term_owner& of, const auto&) {
    EXPECT_EQ(owner[term], of.component);
    EXPECT_EQ(second[term++], of.also);
  });
  EXPECT_EQ(term, owner.size());
}

}  // namespace
