// What all ranks do together.
#include <algorithm>
#include <random>

#include "exec/scheduler.hpp"
#include "ranks.hpp"

namespace rednova::tests {

namespace {

std::vector<std::byte> message(int from, int to, int round) {
  std::seed_seq words{from, to, round};
  std::mt19937 random(words);
  const unsigned kind = random() % 5;
  std::vector<std::byte> bytes(kind == 0 ? 0 : kind == 1 ? random() % 400000 : random() % 300);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

}  // namespace

void collectives(exec::transport& t) {
  const std::vector<int> ranks = t.gather_all(t.rank());
  for (int r = 0; r < t.size(); ++r)
    require(t, ranks[static_cast<std::size_t>(r)] == r, "gather_all is in the order of ranks");

  // A sum whose value depends on the order: ((1 + 1e16) - 1e16) + 1 = 1 in the order of ranks.
  const double terms[] = {1, 1e16, -1e16, 1};
  double expected = terms[0];
  for (int r = 1; r < t.size(); ++r) expected += terms[r % 4];
  const double sum = t.all_reduce(terms[t.rank() % 4], [](double a, double b) { return a + b; });
  require(t, sum == expected, "all_reduce is in the order of ranks");

  struct extremes {
    double low, high;
  };
  const auto both = t.all_reduce(extremes{-1.0 * t.rank(), 1.0 * t.rank()}, [](const extremes& a, const extremes& b) {
    return extremes{std::min(a.low, b.low), std::max(a.high, b.high)};
  });
  require(t, both.low == 1 - t.size() && both.high == t.size() - 1, "all_reduce folds structures");

  for (int round = 0; round < 10; ++round) {
    std::vector<std::vector<std::byte>> out;
    for (int r = 0; r < t.size(); ++r) out.push_back(message(t.rank(), r, round));
    const auto in = t.exchange(std::move(out));
    for (int r = 0; r < t.size(); ++r) {
      require(t, in[static_cast<std::size_t>(r)] == message(r, t.rank(), round), "exchange brings what was sent");
    }
  }

  // In a task: the time step, say.
  const int mine = 7 * t.rank();
  std::vector<int> all(static_cast<std::size_t>(t.size()));
  exec::event done;
  const auto gather = [&]() -> exec::task {
    t.start_gather_all(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)), done);
    co_await done;
  };
  exec::context context(2);
  exec::scheduler run(context);
  std::vector<exec::task> tasks;
  tasks.push_back(gather());
  run.run(std::move(tasks), &t);
  require(t, all.back() == 7 * (t.size() - 1), "a task gathers");
  t.barrier();
}

}  // namespace rednova::tests
