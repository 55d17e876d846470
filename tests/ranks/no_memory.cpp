// A mesh that one rank's device has no room for is refused by all ranks with the same words, and the run can go on as
// if nobody had asked. As devices take steps, here on the processor.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "exec/transport.hpp"
#include "reported.hpp"
#include "step/device_memory.hpp"
#include "step/step.hpp"
#include "step/steppers/like_devices.hpp"

namespace {

using namespace rednova;

void fill(step::simulation& s) {
  for (int n = s.own_leaves()[0]; n < s.own_leaves()[1]; ++n) {
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = s.tree().centre(n, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      const double rho = 1 + 0.5 * std::sin(6 * x.x) * std::cos(5 * x.y);
      s.u().at(n, s.fields().species(0))[c] = rho;
      s.u().at(n, s.fields().energy())[c] = rho;
      s.u().at(n, s.fields().entropy())[c] = s.eos().ideal.tracer_of_heat(rho);
    }
  }
  step::prepare(s);
}

config::parameters finer_in_a_corner() {
  config::parameters p;
  p.mesh.min_level = 1;
  p.mesh.max_level = 2;
  p.refine.region_level = 2;
  p.refine.region_upper = {0.2, 0.2, 0.2};
  return p;
}

std::string refusal(step::simulation& s) {
  try {
    step::adapt(s);
  } catch (const step::no_memory& e) {
    return e.what();
  }
  throw std::runtime_error("the mesh has changed, although there is no room for it");
}

void run() {
  const auto ranks = exec::transport::connect({});
  exec::context context(1, *ranks), alone(1);
  double room = ranks->rank() == 1 ? 0 : std::numeric_limits<double>::infinity();
  step::simulation some(finer_in_a_corner(), context), all(finer_in_a_corner(), alone);
  some.step_with(step::test::like_device(5, [&room] { return room; }));
  fill(some);
  fill(all);
  const std::size_t words = std::hash<std::string>()(refusal(some));
  for (const std::size_t of_rank : ranks->gather_all(words)) {
    if (of_rank != words) throw std::runtime_error("the ranks say different things");
  }
  room = std::numeric_limits<double>::infinity();
  for (step::simulation* s : {&some, &all}) {
    step::advance(*s, 1);
    if (!step::adapt(*s)) throw std::runtime_error("the mesh has not changed");
    step::advance(*s, 1);
    s->stepper().fetch();
  }
  for (int n = some.own_leaves()[0]; n < some.own_leaves()[1]; ++n) {
    if (!std::equal(some.u().at(n), some.u().at(n) + some.fields().size() * mesh::cells, all.u().at(n)))
      throw std::runtime_error(fmt::format("leaf {} has other bits than on one rank", n));
  }
}

}  // namespace

int main() { return test::reported(run); }
