// The sample with a directory for the files of its run.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sample.hpp"

namespace rednova::output {

class run_directory : public in_directory {
 protected:
  run_directory() { fill_sample(s); }
  std::string text(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(file(name)).rdbuf();
    return out.str();
  }
  /// The first column of the table's rows.
  std::vector<int> steps() const {
    std::istringstream in(text("history.csv"));
    std::vector<int> found;
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with('#') && !line.starts_with("step")) found.push_back(std::stoi(line));
    }
    return found;
  }
  void write_every_two_steps() {
    config::parameters p = s.par();
    p.output.checkpoint_steps = 2;
    p.output.snapshot_time = 1000;
    s.set_parameters(p);
  }
  void go_to(std::int64_t step) {
    step::epoch at = s.now();
    at.time += static_cast<double>(step - at.step) * at.dt;
    at.step = step;
    s.restore(at);
  }

  exec::context context{2};
  step::simulation s{sample_parameters(), context};
};

}  // namespace rednova::output
