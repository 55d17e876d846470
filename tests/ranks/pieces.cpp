// Steps give the bits of one rank wherever the curve is cut: at random, and so that a rank owns a refined node but none
// of its children; on a mesh that stays, and on one that merges and divides blocks at the cuts. A stage that waits for
// what nobody brings ends by the test's time limit.
//
// Usage: ranks_pieces [cores|host|checking|device]: with the cores' stepper, or as devices take steps, here on the
// host or on the checking device (tests/exec/checking_device.hpp), or on a device; exit code 77 if there
// is none.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "exec/transport.hpp"
#include "radiation/scheme.hpp"
#include "reported.hpp"
#include "step/cores.hpp"
#include "step/device.hpp"
#include "step/step.hpp"
#include "step/steppers/like_devices.hpp"

namespace {

using namespace rednova;

constexpr int ranks_needed = 3;

/// What all tests need.
struct company {
  exec::transport& ranks;
  step::stepper_maker make_stepper;
  /// Of a rank alone, without gravity: as above where that has other bits than the cores.
  step::stepper_maker stepper_alone = step::stepper_on_cores;
};

/// Gas with gravity in a turning frame, of any shape.
config::parameters gas() {
  config::parameters p;
  p.mesh.lower = {-1, -1, -1};
  p.mesh.base_width = 2;
  p.mesh.rotation = 0.3;
  p.gravity.enabled = true;
  p.hydro.spin = true;
  return p;
}

/// Adds light, which is trapped in the midst of the gas, and crosses coarser blocks in longer substeps.
void light_up(config::parameters& p) {
  p.radiation.enabled = true;
  p.radiation.substeps = 16;
  p.radiation.light_speed = 6;
  p.radiation.radiation_constant = 0.1;
  p.radiation.gas_constant = p.radiation.mean_weight = 1;
  p.radiation.absorption = 30;
  p.radiation.extinction = 60;
}

/// 64 leaves of level 2, of which the 19th, 41st and 42nd are divided again.
mesh::tree refined_here_and_there(const mesh::domain& box) {
  mesh::tree t = mesh::tree::uniform(box, 2);
  std::vector<int> flags(static_cast<std::size_t>(t.leaves()), 0);
  for (const std::size_t leaf : {18, 40, 41}) flags[leaf] = 1;
  return {box, t.adapted(flags)};
}

void fill(step::simulation& s) {
  for (int n = s.own_leaves()[0]; n < s.own_leaves()[1]; ++n) {
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = s.tree().centre(n, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      const double rho = std::exp(-4 * dot(x - core::vec3d{0.1, 0.2, 0}, x - core::vec3d{0.1, 0.2, 0}));
      s.u().at(n, s.fields().species(0))[c] = rho;
      s.u().at(n, s.fields().momentum(0))[c] = 0.1 * rho * std::sin(3 * x.y);
      s.u().at(n, s.fields().energy())[c] = rho;
      s.u().at(n, s.fields().entropy())[c] = s.eos().ideal.tracer_of_heat(rho);
    }
  }
  step::prepare(s);
}

void expect_same(const step::simulation& some, const step::simulation& all, const std::string& which) {
  some.expect_fields();
  if (some.ledger().radiated.energy != all.ledger().radiated.energy)
    throw std::runtime_error(fmt::format("{}: other light has left than on one rank", which));
  for (int n = some.own_leaves()[0]; n < some.own_leaves()[1]; ++n) {
    const bool fields = std::equal(some.u().at(n), some.u().at(n) + some.fields().size() * mesh::cells, all.u().at(n));
    const bool potential =
        !some.par().gravity.enabled ||
        std::equal(some.gravity().at(n, 0), some.gravity().at(n, 0) + mesh::cells, all.gravity().at(n, 0));
    constexpr int light_row = radiation::field::count * mesh::cells;
    const bool light =
        some.light().empty() || std::equal(some.light().at(n), some.light().at(n) + light_row, all.light().at(n));
    if (!fields || !potential || !light)
      throw std::runtime_error(fmt::format("{}: leaf {} has other bits than on one rank", which, n));
  }
}

void step_with(const std::vector<int>& first_leaves, const company& with, const step::simulation& all,
               const mesh::tree& t, const std::string& which) {
  std::vector<std::uint64_t> places;
  for (const int leaf : first_leaves) places.push_back(leaf == 0 ? 0 : t[leaf].id.curve());
  exec::context context(1, with.ranks);
  step::simulation s(gas(), context);
  s.step_with(with.make_stepper);
  s.adopt(t, mesh::partition(places));
  fill(s);
  step::advance(s, 1);
  s.stepper().fetch();
  expect_same(s, all, which);
}

/// A mesh on which a refined region jumps about, over ranks whose cuts stay or move with each change.
class jumping_region {
 public:
  explicit jumping_region(unsigned seed) : random_(seed) {
    for (std::size_t d = 0; d < 3; ++d) {
      p_.mesh.base_blocks[d] = pick(1, 2);
      if (pick(0, 1) == 1) p_.mesh.boundaries[2 * d] = p_.mesh.boundaries[2 * d + 1] = config::boundary::periodic;
    }
    p_.mesh.max_level = 2;
    p_.mesh.rebalance_threshold = pick(0, 2) == 0 ? 0 : 1e9;
    if (seed % 3 == 2) {
      light_up(p_);
      p_.mesh.boundaries.fill(config::boundary::outflow);
      p_.mesh.rotation = 0.3;
      p_.refine.photosphere_level = 2;
    }
    move();
  }

  /// Gives the most lengths of substeps that light took, where a rank alone is cores.
  std::size_t run(const company& with, const std::string& which) {
    std::size_t lengths = 0;
    exec::context alone(1), context(1, with.ranks);
    step::simulation all(p_, alone), some(p_, context);
    some.step_with(with.make_stepper);
    all.step_with(with.stepper_alone);
    const mesh::tree t = mesh::tree::uniform(all.tree().box(), 1);
    std::vector<std::uint64_t> cuts{0};
    for (int r = 1; r < with.ranks.size(); ++r) cuts.push_back(t[pick(0, t.leaves() - 1)].id.curve());
    std::ranges::sort(cuts);
    all.adopt(t);
    some.adopt(t, mesh::partition(cuts));
    fill(all);
    fill(some);
    for (int i = 0; i < 5; ++i) {
      move();
      for (step::simulation* s : {&all, &some}) {
        s->set_parameters(p_);
        step::adapt(*s);
        step::advance(*s, 1);
      }
      some.stepper().fetch();
      all.stepper().fetch();
      expect_same(some, all, which);
      const auto* const cores = dynamic_cast<step::cores*>(&all.stepper());
      if (cores != nullptr && cores->light() != nullptr)
        lengths = std::max(lengths, cores->light()->pace().lengths().size());
    }
    return lengths;
  }

 private:
  int pick(int a, int b) { return std::uniform_int_distribution<int>(a, b)(random_); }
  void move() {
    config::refine& by = p_.refine;
    by.region_level = pick(0, p_.mesh.max_level);
    for (std::size_t d = 0; d < 3; ++d) {
      const double width = p_.mesh.base_width * p_.mesh.base_blocks[d];
      by.region_lower[d] = p_.mesh.lower[d] + width * pick(0, 7) / 8.0;
      by.region_upper[d] = by.region_lower[d] + width * pick(1, 4) / 8.0;
    }
  }

  std::mt19937 random_;
  config::parameters p_;
};

company company_of(exec::transport& ranks, const std::string& stepper) {
  constexpr int leaves_of_a_launch = 5;
  if (stepper == "host") return {ranks, step::test::like_device(leaves_of_a_launch)};
  if (stepper == "checking") return {ranks, step::test::on_checking_device(leaves_of_a_launch)};
  if (stepper == "cores") return {ranks, step::stepper_on_cores};
  const auto on_device = [gpu = step::open_device(&ranks)](step::simulation& s,
                                                           std::unique_ptr<step::transferred_fields> from) {
    return gpu->make_stepper(s, std::move(from), leaves_of_a_launch);
  };
  return {ranks, on_device, on_device};
}

void run(const std::string& stepper) {
  const auto ranks = exec::transport::connect({});
  if (ranks->size() != ranks_needed) throw std::runtime_error("this needs three ranks");
  const company with = company_of(*ranks, stepper);
  const unsigned tries = stepper == "checking" ? 7 : 12;  // it is slow
  std::size_t lengths = 0;
  for (unsigned seed = 0; seed < tries; ++seed)
    lengths = std::max(lengths, jumping_region(seed).run(with, fmt::format("region {}", seed)));
  if (lengths < 2 && stepper != "device") throw std::runtime_error("light took one length of substeps alone");
  exec::context alone(1);
  step::simulation all(gas(), alone);
  // Gravity adds up in another order there, but in one order on any number of ranks.
  all.step_with(with.make_stepper);
  const mesh::tree t = refined_here_and_there(all.tree().box());
  all.adopt(t);
  fill(all);
  step::advance(all, 1);
  all.stepper().fetch();

  // A node belongs to whom the first leaf of its fifth child belongs to: the root's lies in the middle of the curve,
  // those of its children in the middles of theirs. So a few leaves about the root's hold no child of it, if it has
  // grandchildren.
  const int fifth = t[t.size() - 1].child[4];
  const int middle = t.leaf_at(t.corner(fifth) + 1e-6 * core::vec3d{1, 1, 1});
  if (t[fifth].leaf()) throw std::runtime_error("the fifth child is to have children");
  step_with({0, middle - 1, middle + 1}, with, all, t, "a root without own children");
  std::mt19937 random(1);
  for (unsigned i = 0; i < tries; ++i) {
    std::uniform_int_distribution<int> leaf(1, t.leaves() - 1);
    int a = leaf(random), b = leaf(random);
    while (a == b) b = leaf(random);
    step_with({0, std::min(a, b), std::max(a, b)}, with, all, t, fmt::format("cut at {} and {}", a, b));
  }
}

}  // namespace

int main(int arguments, char** argument) {
  const std::string stepper = arguments > 1 ? argument[1] : "cores";
  if (const std::string missing = step::why_no_device(); stepper == "device" && !missing.empty()) {
    fmt::print("skipped: {}\n", missing);
    constexpr int skipped = 77;
    return skipped;
  }
  return test::reported([&] { run(stepper); });
}
