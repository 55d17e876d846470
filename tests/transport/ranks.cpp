// Usage: transport_ranks CARRIER TEST, under mpirun or alone; CARRIER is mpi, or libfabric:PROVIDER.
#include "ranks.hpp"

#include <fmt/format.h>

#include <exception>
#include <stdexcept>

namespace rednova::tests {

void require(const exec::transport& t, bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error(fmt::format("rank {} of {}: {}", t.rank(), t.size(), what));
}

namespace {

exec::transport_options options_of(const std::string& carrier, const std::string& test) {
  exec::transport_options options;
  const std::string fabric = "libfabric";
  if (carrier.starts_with(fabric)) {
    options.carrier = exec::transport_options::kind::libfabric;
    if (carrier.size() > fabric.size()) options.provider = carrier.substr(fabric.size() + 1);
  }
  options.patience = test == "silent" || test == "closing" || test == "patient" ? 1 : 30;
  return options;
}

void run(const std::string& carrier, const std::string& test) {
  const auto t = exec::transport::connect(options_of(carrier, test));
  if (t->rank() == 0) fmt::print("{} ranks over {}\n", t->size(), t->describe());
  if (test == "all") {
    collectives(*t);
    random_patterns(*t);
    eager_sender(*t);
    counted(*t);
    given_memory(*t, carrier);
  } else if (test == "misfit") {
    misfit(*t);
  } else if (test == "patient") {
    waits_longer(*t);
  } else if (test == "closing") {
    closes_in_vain(*t);
  } else {
    goes_wrong(*t, test);
  }
}

}  // namespace
}  // namespace rednova::tests

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("usage: transport_ranks CARRIER TEST");
    rednova::tests::run(argv[1], argv[2]);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}
