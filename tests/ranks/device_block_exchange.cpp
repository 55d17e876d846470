// Exchanges of halo copies on a device: in an execution space's memory, on a place that does what it is told at the
// latest moment that the rules allow: a message that is posted before it is packed, or given back before it is
// unpacked, brings wrong numbers. An exchange that waits for what nobody sends ends by the test's time limit.
//
// Usage: device_block_exchange CARRIER [throws]; CARRIER is mpi, or libfabric:PROVIDER. throws: all ranks meet an error
// while messages lie there that were not given back.
#include "exchange/device_block_exchange.hpp"

#include <fmt/format.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "exec/space.hpp"
#include "exec/transport.hpp"
#include "reported.hpp"

namespace {

using namespace rednova;

/// The processor, whose launches begin when a mark behind them is waited for.
struct late_space : exec::host_space {
  struct queue {
    std::deque<std::function<void()>> launches;
    std::size_t begun = 0;

    void run_until(std::size_t end) {
      for (; begun < end && !launches.empty(); ++begun) {
        launches.front()();
        launches.pop_front();
      }
    }
    std::size_t end() const { return begun + launches.size(); }
  };
  struct device_event {
    explicit device_event(const late_space& space) : to(space.to) {}
    void set() { here = to->end(); }
    void wait() const { to->run_until(here); }
    std::shared_ptr<queue> to;
    std::size_t here = 0;
  };
  template <class Kernel>
  void for_each(int count, const Kernel& kernel) const {
    to->launches.push_back([count, kernel] { exec::host_space().for_each(count, kernel); });
  }

  std::shared_ptr<queue> to = std::make_shared<queue>();
};

constexpr int nodes = 30, fields = 2, numbers = 50;
/// Numbers that lie between a field and the next.
constexpr int stride = numbers + 3;

int owner(int node, const exec::transport& t) { return node % t.size(); }

/// What a number is worth in an exchange.
double worth(int exchange, int node, int i) { return exchange + 1e-2 * node + 1e-6 * i; }

/// Who has something for whom.
enum class way {
  anyhow,  ///< all for all, now and then nothing
  along,   ///< each rank for the next: whoever sends hears nothing of those who read slowly
};

/// Some runs of nodes of the others'. seed: another for each kind of exchange.
std::vector<exchange::request> random_requests(const exec::transport& t, unsigned seed, way from) {
  std::seed_seq words{seed, static_cast<unsigned>(t.rank())};
  std::mt19937 random(words);
  std::vector<exchange::request> requests;
  for (int node = 0; node < nodes; ++node) {
    if (owner(node, t) == t.rank() || random() % 3 != 0) continue;
    if (from == way::along && owner(node, t) != t.rank() - 1) continue;
    if ((seed + static_cast<unsigned>(t.rank())) % 3 == 0 && owner(node, t) == (t.rank() + 1) % t.size()) continue;
    const int first = static_cast<int>(random() % 20), second = 25 + static_cast<int>(random() % 10);
    requests.push_back({owner(node, t), node, {{first, 3}, {second, numbers - second}}});
  }
  return requests;
}

/// One kind of exchange with its numbers.
class kind {
 public:
  kind(exec::context& space, const late_space& place, const std::string& name, unsigned seed, way from)
      : place_(place),
        ranks_(*space.ranks()),
        requests_(random_requests(ranks_, seed, from)),
        values_(std::size_t{nodes} * fields * stride),
        host_(space, name, std::make_shared<const exchange::communication_plan>(space, requests_), fields, stride),
        ready_(place, host_, [](int node) { return std::ptrdiff_t{node} * fields * stride; }) {}

  kind(const kind&) = delete;
  kind& operator=(const kind&) = delete;
  /// After an error nothing begins that would work on what is gone.
  ~kind() { place_.to->launches.clear(); }

  /// Own numbers of this exchange, then on their way.
  void send() {
    place_.for_each(nodes * fields * stride, [this, now = ++exchanges_](int i) {
      const int node = i / (fields * stride);
      values_[static_cast<std::size_t>(i)] = owner(node, ranks_) == ranks_.rank() ? worth(now, node, i) : -1;
    });
    ready_.send(values_.data());
  }
  void post() { ready_.post(); }
  /// Those that come, and a look at them when the place gets there.
  void receive() {
    ready_.receive(values_.data());
    place_.for_each(1, [this, now = exchanges_](int) { wrong_ += count_wrong(now); });
  }
  int exchanges() const { return exchanges_; }
  int wrong() const { return wrong_; }
  const exchange::block_exchange& host() const { return host_; }

 private:
  int count_wrong(int now) const {
    int wrong = 0;
    for (const exchange::request& w : requests_) {
      for (const exchange::run& r : w.runs) {
        for (int f = 0; f < fields; ++f) {
          for (int n = r.first; n < r.first + r.count; ++n) {
            const int i = (w.node * fields + f) * stride + n;
            wrong += values_[static_cast<std::size_t>(i)] == worth(now, w.node, i) ? 0 : 1;
          }
        }
      }
    }
    return wrong;
  }

  late_space place_;
  const exec::transport& ranks_;
  std::vector<exchange::request> requests_;
  std::vector<double> values_;
  exchange::block_exchange host_;
  exchange::device_block_exchange<late_space> ready_;
  int exchanges_ = 0, wrong_ = 0;
};

/// Now and then, and looks after messages as whoever waits for a device.
void dawdle(exec::transport& t, std::mt19937& random) {
  if (random() % 4 != 0) return;
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 500);
  while (std::chrono::steady_clock::now() < until) t.progress();
}

void expect(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error(what);
}

void expect_counts(const exec::transport& t, const std::string& name, const kind& of) {
  const exchange::message_buffers& messages = of.host().messages();
  for (int p = 0; p < messages.peers(); ++p) {
    const int rank = messages.out(p) != nullptr ? messages.out(p)->rank : messages.in(p)->rank;
    const auto found = t.counts().find({name, rank});
    const std::int64_t sent = messages.out(p) != nullptr ? of.exchanges() : 0;
    expect(found != t.counts().end() && found->second.sent == sent, fmt::format("{}: letters are counted", name));
  }
}

void run(const std::string& carrier, bool throws) {
  exec::transport_options options;
  const std::string fabric = "libfabric:";
  if (carrier.starts_with(fabric)) {
    options.carrier = exec::transport_options::kind::libfabric;
    options.provider = carrier.substr(fabric.size());
  }
  const auto ranks = exec::transport::connect(options);
  expect(ranks->size() == 3, "this needs three ranks");
  exec::context space(1, *ranks);
  const late_space place;
  std::mt19937 random(static_cast<unsigned>(ranks->rank()));
  for (unsigned mesh = 0; mesh < 6; ++mesh) {
    const way from = mesh % 2 == 0 ? way::anyhow : way::along;
    kind one(space, place, "one", 10 * mesh, from), other(space, place, "other", 10 * mesh + 1, from);
    const kind idle(space, place, "idle", 10 * mesh + 2, from);
    for (int exchange = 0; exchange < 40; ++exchange) {
      // As masses and moments on their way up: one beside the other.
      one.send();
      if (exchange % 3 == 0) one.post();
      dawdle(*ranks, random);
      other.send();
      one.receive();
      if (throws && exchange == 20) throw std::runtime_error(fmt::format("rank {} throws on purpose", ranks->rank()));
      dawdle(*ranks, random);
      other.receive();
    }
    place.to->run_until(place.to->end());
    expect(one.wrong() == 0 && other.wrong() == 0,
           fmt::format("rank {}: {} and {} numbers are wrong", ranks->rank(), one.wrong(), other.wrong()));
    if (mesh == 0) {
      expect_counts(*ranks, "one", one);
      expect_counts(*ranks, "other", other);
    }
  }
  for (int r = 0; r < ranks->size(); ++r) expect(!ranks->counts().contains({"idle", r}), "who is idle has no mailbox");
}

}  // namespace

int main(int arguments, char** argument) {
  return test::reported([&] { run(arguments > 1 ? argument[1] : "mpi", arguments > 2); });
}
