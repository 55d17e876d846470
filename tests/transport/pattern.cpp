// Mailboxes under random load.
#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <random>
#include <thread>

#include "exec/scheduler.hpp"
#include "ranks.hpp"

namespace rednova::tests {

namespace {

using exec::mailbox;
using exec::task;
using exec::transport;

/// What byte i of message `epoch` from one rank to another is.
struct content {
  std::uint64_t state;
  content(int box, int epoch, int from, int to)
      : state(0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(1 + box + 64 * (epoch + 4096 * (from + 64 * to)))) {}
  std::byte next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<std::byte>(state >> 32);
  }
};

/// Most waits are short, some as long as a step.
void dawdle(std::mt19937& random) {
  const unsigned r = random() % 64;
  if (r < 4) std::this_thread::sleep_for(std::chrono::microseconds(100 * r));
}

task send_all(transport& t, mailbox& box, int p, int epochs, int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  for (int epoch = 0; epoch < epochs; ++epoch) {
    co_await box.writable(p);
    content bytes(seed, epoch, t.rank(), box.peers()[static_cast<std::size_t>(p)].rank);
    for (std::byte& b : box.outgoing(p)) b = bytes.next();
    dawdle(random);
    box.post(p);
  }
}

task receive_all(transport& t, mailbox& box, int p, int epochs, int seed) {
  std::mt19937 random(static_cast<unsigned>(seed + 1));
  for (int epoch = 0; epoch < epochs; ++epoch) {
    co_await box.arrival(p);
    const int from = box.peers()[static_cast<std::size_t>(p)].rank;
    dawdle(random);
    content bytes(seed, epoch, from, t.rank());
    bool same = true;
    for (const std::byte b : box.incoming(p)) same = b == bytes.next() && same;
    require(t, same, fmt::format("message {} of {} from rank {} is not what was sent", epoch, box.name(), from));
    box.release(p);
  }
}

/// The same sizes on all ranks: bytes from a to b, a third of them none, few large.
std::size_t bytes_between(int seed, int a, int b) {
  std::seed_seq words{seed, a, b};
  std::mt19937 random(words);
  const unsigned kind = random() % 12;
  if (kind < 4 || a == b) return 0;
  return 1 + random() % (kind == 11 ? 300000U : kind > 6 ? 9000U : 100U);
}

std::unique_ptr<mailbox> open_random(transport& t, int seed) {
  std::vector<exec::peer> peers;
  for (int r = 0; r < t.size(); ++r) {
    const exec::peer p{r, bytes_between(seed, t.rank(), r), bytes_between(seed, r, t.rank())};
    if (p.send_bytes + p.receive_bytes > 0) peers.push_back(p);
  }
  return t.open(fmt::format("random {}", seed), std::move(peers));
}

void add_tasks(transport& t, mailbox& box, int epochs, int seed, std::vector<task>& tasks) {
  for (std::size_t p = 0; p < box.peers().size(); ++p) {
    const int i = static_cast<int>(p);
    if (box.peers()[p].send_bytes > 0) tasks.push_back(send_all(t, box, i, epochs, seed));
    if (box.peers()[p].receive_bytes > 0) tasks.push_back(receive_all(t, box, i, epochs, seed));
  }
}

}  // namespace

void random_patterns(transport& t) {
  constexpr int rounds = 6, boxes = 4, epochs = 12;
  exec::context context(2);
  exec::scheduler threads(context);
  exec::scheduler serial(context, exec::scheduler::mode::serial);
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::unique_ptr<mailbox>> open;
    std::vector<task> tasks;
    for (int b = 0; b < boxes; ++b) {
      const int seed = 1 + round * boxes + b;
      open.push_back(open_random(t, seed));
      add_tasks(t, *open.back(), epochs, seed, tasks);
    }
    (round % 2 == 0 ? threads : serial).run(std::move(tasks), &t);
  }
}

void eager_sender(transport& t) {
  // Rank 0 sends to all others, who send nothing back and read slowly.
  constexpr std::size_t bytes = 5000;
  constexpr int epochs = 20, seed = 1000;
  std::vector<exec::peer> peers;
  if (t.rank() > 0) peers.push_back({0, 0, bytes});
  for (int r = 1; r < t.size() && t.rank() == 0; ++r) peers.push_back({r, bytes, 0});
  const auto box = t.open("eager", std::move(peers));
  const auto read_slowly = [&]() -> task {
    for (int epoch = 0; epoch < epochs; ++epoch) {
      co_await box->arrival(0);
      content expected(seed, epoch, 0, t.rank());
      std::vector<std::byte> first(box->incoming(0).begin(), box->incoming(0).end());
      for (const std::byte b : first) require(t, b == expected.next(), "a message was overwritten before it was read");
      // The main thread polls meanwhile, so that what may come does come.
      const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(epoch % 4);
      while (std::chrono::steady_clock::now() < until) t.progress();
      require(t, std::memcmp(first.data(), box->incoming(0).data(), first.size()) == 0,
              "a message was overwritten while it was read");
      box->release(0);
    }
  };
  exec::context context(1);
  exec::scheduler run(context);
  std::vector<task> tasks;
  if (t.rank() > 0) tasks.push_back(read_slowly());
  if (t.rank() == 0) add_tasks(t, *box, epochs, seed, tasks);
  run.run(std::move(tasks), &t);
}

void counted(transport& t) {
  const int next = (t.rank() + 1) % t.size(), last = (t.rank() + t.size() - 1) % t.size();
  std::vector<exec::peer> peers;
  if (t.size() == 2) {
    peers = {{next, 10, 10}};
  } else if (t.size() > 2) {
    peers = {{next, 10, 0}, {last, 0, 10}};
  }
  constexpr int epochs = 3;
  {
    const auto box = t.open("ring", peers);
    exec::context context(1);
    exec::scheduler run(context);
    std::vector<task> tasks;
    add_tasks(t, *box, epochs, 2000, tasks);
    run.run(std::move(tasks), &t);
  }
  if (peers.empty()) return;
  const exec::traffic& to = t.counts().at({"ring", next});
  const exec::traffic& from = t.counts().at({"ring", last});
  require(t, to.sent == epochs && to.sent_bytes == epochs * 10, "sent messages are counted");
  require(t, from.received == epochs && from.received_bytes == epochs * 10, "received messages are counted");
  double waited = 0;
  for (const auto& entry : t.counts()) waited += entry.second.waited;
  require(t, waited > 0, "time waiting is counted");
}

}  // namespace rednova::tests
