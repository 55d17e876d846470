#include "command/model.hpp"

#include "core/check.hpp"

namespace rednova::command {

model load(config::input& in) {
  model m;
  m.par = in.read_parameters();
  m.problem = problem::make(in, m.par);
  in.expect_all_read();
  const config::run& run = m.par.run;
  const bool ends =
      run.end_time > 0 || run.end_orbits > 0 || run.max_hours > 0 || run.max_steps != config::run{}.max_steps;
  if (!ends)
    core::fail("{}: nothing ends this run: set run.end_time, run.end_orbits or run.max_steps",
               in.place("run", "end_time"));
  return m;
}

}  // namespace rednova::command
