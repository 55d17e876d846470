// Packs of blocks that need nothing of other ranks are updated while messages travel. Rank 1 sends its ghosts late on
// purpose; when they come to rank 0, its inner leaves have been updated and its outer ones have not.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include "exec/run.hpp"
#include "exec/transport.hpp"
#include "reported.hpp"
#include "step/cores.hpp"
#include "step/step.hpp"

namespace {

using namespace rednova;

/// A gas at rest on 64 leaves, cut into two slabs: half of each slab's leaves touch the other.
config::parameters still_gas() {
  config::parameters p;
  p.mesh.min_level = p.mesh.max_level = 2;
  return p;
}

void fill(step::simulation& s) {
  for (int n = s.own_leaves()[0]; n < s.own_leaves()[1]; ++n) {
    std::fill_n(s.u().at(n, s.fields().species(0)), mesh::cells, 1.0);
    std::fill_n(s.u().at(n, s.fields().energy()), mesh::cells, 1.0);
    std::fill_n(s.u().at(n, s.fields().entropy()), mesh::cells, s.eos().ideal.tracer_of_heat(1.0));
  }
  step::prepare(s);
}

/// Own leaves whose ghost layers need halo copies of the other rank's, and the others.
struct leaves_of {
  explicit leaves_of(const step::simulation& s) {
    for (int leaf = s.own_leaves()[0]; leaf < s.own_leaves()[1]; ++leaf) {
      (s.halo().halo_of(leaf).empty() ? inner : outer).push_back(leaf);
    }
    if (inner.empty() || outer.empty()) throw std::runtime_error("no inner or no outer leaves");
  }
  std::vector<int> inner, outer;
};

void expect_updated(const step::simulation& s, const std::vector<int>& leaves, bool so) {
  for (const int leaf : leaves) {
    if (std::isnan(step::cores_of(s).work().next.at(leaf)[0]) != so) continue;
    throw std::runtime_error(fmt::format("leaf {} {} when the first ghosts came", leaf,
                                         so ? "had not been updated" : "had been updated without them"));
  }
}

/// Goes on when the first image is there, before the batches that wait for it.
exec::task witness(step::simulation& s, const leaves_of& own, bool& seen) {
  co_await s.halo().ready(s.halo().halo_of(own.outer.front()).front());
  expect_updated(s, own.inner, true);
  expect_updated(s, own.outer, false);
  seen = true;
}

void run() {
  const auto ranks = exec::transport::connect({});
  exec::context context(1, *ranks);
  step::simulation s(still_gas(), context);
  fill(s);
  const leaves_of own(s);
  // The first use of a mailbox opens it, for which all ranks wait.
  s.halo().start_ghosts(s.u());
  s.halo().finish_ghosts(s.u());
  step::cores_of(s).work().exchange_fluxes();
  mesh::block_data& next = step::cores_of(s).work().next;
  for (int leaf = s.own_leaves()[0]; leaf < s.own_leaves()[1]; ++leaf) {
    next.at(leaf)[0] = std::numeric_limits<double>::quiet_NaN();
  }
  // Some hundred times as long as the update takes.
  if (ranks->rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(1));

  bool seen = false;
  const std::vector<step::stage_form> scheme = step::stages(config::integrator::rk2);
  const step::stage_now first{.form = scheme[0], .dt = 1e-3, .number = 0, .last = false, .begins = 0, .ends = 1e-3};
  std::vector<exec::task> tasks;
  if (ranks->rank() == 0) tasks.push_back(witness(s, own, seen).urgent());
  step::cores_of(s).add_tasks(nullptr, &first, tasks);
  exec::run_tasks(context, std::move(tasks));
  if (ranks->rank() == 0 && !seen) throw std::runtime_error("nobody saw the ghosts come");
  expect_updated(s, own.inner, true);
  expect_updated(s, own.outer, true);
}

}  // namespace

int main() { return test::reported(run); }
