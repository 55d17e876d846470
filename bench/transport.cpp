// Latency, bandwidth and a halo exchange of several transports, which take turns in one run.
// Usage: mpirun -n 2 transport_bench CARRIER…, each mpi or libfabric:PROVIDER; prints JSON. bench/transport.py runs it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exec/mpi_session.hpp"
#include "exec/transport.hpp"

namespace {

using namespace rednova;
using clock_type = std::chrono::steady_clock;

constexpr int repeats = 15;
// A rank's part of a tree touches about this many others.
constexpr int halo_messages = 26;
constexpr std::size_t largest = std::size_t{4} << 20;

exec::transport_options options_of(const std::string& carrier) {
  exec::transport_options options;
  const std::string fabric = "libfabric:";
  if (carrier.starts_with(fabric)) {
    options.carrier = exec::transport_options::kind::libfabric;
    options.provider = carrier.substr(fabric.size());
  }
  return options;
}

/// So many that a measurement takes some milliseconds.
int rounds_for(std::size_t bytes) { return bytes <= 4096 ? 300 : bytes <= 65536 ? 100 : 12; }

void send(exec::transport& t, exec::mailbox& box) {
  t.wait(box.writable(0));
  box.post(0);
}

void receive(exec::transport& t, exec::mailbox& box) {
  t.wait(box.arrival(0));
  box.release(0);
}

/// Seconds from a rank to another: half a round trip.
double ping_pong(exec::transport& t, std::size_t bytes) {
  std::vector<exec::peer> peers;
  if (t.rank() < 2) peers.push_back({1 - t.rank(), bytes, bytes});
  const auto box = t.open("ping pong", peers);
  const int rounds = rounds_for(bytes), warm_up = rounds / 5 + 2;
  auto begin = clock_type::now();
  for (int i = -warm_up; i < rounds && t.rank() < 2; ++i) {
    if (i == 0) begin = clock_type::now();
    if (t.rank() == 0) send(t, *box);
    receive(t, *box);
    if (t.rank() == 1) send(t, *box);
  }
  const std::chrono::duration<double> taken = clock_type::now() - begin;
  t.barrier();
  return taken.count() / (2 * rounds);
}

/// Seconds for one exchange of 26 messages from and to each rank, all under way together.
double halo(exec::transport& t, std::size_t bytes) {
  std::vector<std::unique_ptr<exec::mailbox>> boxes;
  for (int m = 0; m < halo_messages; ++m) {
    const int distance = 1 + m % (t.size() - 1);
    const int to = (t.rank() + distance) % t.size(), from = (t.rank() + t.size() - distance) % t.size();
    std::vector<exec::peer> peers{{to, bytes, to == from ? bytes : 0}};
    if (to != from) peers.push_back({from, 0, bytes});
    boxes.push_back(t.open("halo", std::move(peers)));
  }
  const int rounds = std::max(3, rounds_for(bytes) / 10), warm_up = 2;
  auto begin = clock_type::now();
  for (int i = -warm_up; i < rounds; ++i) {
    if (i == 0) {
      t.barrier();
      begin = clock_type::now();
    }
    for (const auto& box : boxes) send(t, *box);
    for (const auto& box : boxes) {
      const int from = static_cast<int>(box->peers().size()) - 1;
      t.wait(box->arrival(from));
      box->release(from);
    }
  }
  const std::chrono::duration<double> taken = clock_type::now() - begin;
  t.barrier();
  return taken.count() / rounds;
}

/// kind → carrier → bytes → the values of all repeats, in seconds
using results = std::map<std::string, std::map<std::string, std::map<std::size_t, std::vector<double>>>>;

void print(const results& all, const std::string& mpi, int ranks) {
  fmt::print("{{\"mpi\": \"{}\", \"ranks\": {}, \"repeats\": {}", mpi, ranks, repeats);
  for (const auto& [kind, carriers] : all) {
    fmt::print(", \"{}\": {{", kind);
    const char* comma = "";
    for (const auto& [carrier, sizes] : carriers) {
      std::vector<std::string> entries;
      entries.reserve(sizes.size());
      for (const auto& [bytes, seconds] : sizes) {
        entries.push_back(fmt::format("\"{}\": [{:.4g}]", bytes, fmt::join(seconds, ", ")));
      }
      fmt::print("{}\"{}\": {{{}}}", comma, carrier, fmt::join(entries, ", "));
      comma = ", ";
    }
    fmt::print("}}");
  }
  fmt::print("}}\n");
}

void measure(const std::vector<std::string>& carriers) {
  const std::shared_ptr<exec::mpi_session> session = exec::mpi_session::open();
  if (!session || session->engine().size() < 2) core::fail("start it with mpirun on two ranks or more");
  std::map<std::string, std::unique_ptr<exec::transport>> transports;
  for (const std::string& carrier : carriers) {
    transports[carrier] = exec::transport::connect(options_of(carrier), session);
  }
  results all;
  for (int r = 0; r < repeats; ++r) {
    // Carrier by carrier within a size, so that what else the machine does meets all of them.
    for (std::size_t bytes = 8; bytes <= largest; bytes *= 8) {
      for (auto& [carrier, t] : transports) all["latency"][carrier][bytes].push_back(ping_pong(*t, bytes));
    }
    for (auto& [carrier, t] : transports) all["latency"][carrier][largest].push_back(ping_pong(*t, largest));
    for (const std::size_t bytes : {std::size_t{1} << 10, std::size_t{16} << 10, std::size_t{128} << 10}) {
      for (auto& [carrier, t] : transports) all["halo"][carrier][bytes].push_back(halo(*t, bytes));
    }
  }
  if (session->engine().rank() == 0) print(all, session->engine().library(), session->engine().size());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> carriers(argv + 1, argv + argc);
    if (carriers.empty()) carriers = {"mpi", "libfabric:shm", "libfabric:tcp"};
    measure(carriers);
  } catch (const std::exception& e) {
    fmt::print(stderr, "transport_bench: {}\n", e.what());
    return 1;
  }
}
