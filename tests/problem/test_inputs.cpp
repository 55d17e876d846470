// Each input in problems/ that carries a [test] section is run and held to what it asserts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "config/assertion.hpp"
#include "core/compensated.hpp"
#include "problem/sample.hpp"
#include "simulated.hpp"

namespace rednova::problem::test {
namespace {

using config::assertion;

std::vector<std::string> inputs_with_test() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(problems)) {
    if (file.path().extension() != ".toml") continue;
    std::ifstream text(file.path());
    std::string line;
    while (std::getline(text, line)) {
      if (line.rfind("[test]", 0) == 0) names.push_back(file.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct summary {
  double largest = 0;  ///< density
  core::vec3d centre;  ///< of mass of species 0
};

/// density(leaf, cell): {mass density, that of species 0}.
template <class Density>
summary summarize(const step::simulation& s, const Density& density) {
  summary r;
  core::compensated mass, moment[3];
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    const double volume = std::pow(s.tree().cell_width(leaf), 3);
    for (int k = 0; k < mesh::N; ++k)
      for (int j = 0; j < mesh::N; ++j)
        for (int i = 0; i < mesh::N; ++i) {
          const auto [rho, first] = density(leaf, i, j, k);
          const core::vec3d x = s.tree().centre(leaf, i, j, k);
          r.largest = std::max(r.largest, rho);
          mass += volume * first;
          for (int d = 0; d < 3; ++d) moment[d] += volume * first * x[d];
        }
  }
  for (int d = 0; d < 3; ++d) r.centre[d] = moment[d].value() / mass.value();
  return r;
}

void check_star(const simulated& run, const assertion& asked) {
  const step::simulation& s = *run.state;
  const summary now = summarize(s, [&](int leaf, int i, int j, int k) {
    const int c = mesh::cell(i, j, k);
    return std::pair(density(s, leaf, c), s.u().at(leaf, 0)[c]);
  });
  std::vector<double> cell(static_cast<std::size_t>(s.fields().size()));
  const summary exact = summarize(s, [&](int leaf, int i, int j, int k) {
    const gas_at f = [&](core::vec3d x) { return *run.what->exact(x, s.time()); };
    cell_average(f, s.fields(), s.eos(), s.tree().centre(leaf, i, j, k), s.tree().cell_width(leaf), 1, cell.data());
    double rho = 0;
    for (int n = 0; n < s.fields().species(); ++n) rho += cell[static_cast<std::size_t>(n)];
    return std::pair(rho, cell[0]);
  });
  const double change = now.largest / exact.largest - 1;
  const core::vec3d d = now.centre - exact.centre;
  const double off = std::sqrt(dot(d, d)) / s.tree().box().cell_width(s.par().mesh.max_level);
  std::printf("    largest density %+.3e of the exact, centre of mass off by %.2e cells\n", change, off);
  if (asked.central_density > 0) {
    EXPECT_LE(std::fabs(change), asked.central_density);
  }
  if (asked.centre > 0) {
    EXPECT_LE(off, asked.centre);
  }
}

class input_file : public testing::TestWithParam<std::string> {};

TEST_P(input_file, keeps_its_promise) {
  exec::context context;
  assertion asked;
  config::input::from_file((problems / (GetParam() + ".toml")).string(), {}).read(asked);

  simulated judged(context, GetParam(), asked.judged);
  judged.run();
  if (asked.error > 0 || asked.order > 0) {
    const error_norms e = judged.error();
    const double error = e.density / e.exact_density;
    std::printf("    t = %g, %lld steps: L1 error %.3e\n", judged.state->time(),
                static_cast<long long>(judged.state->step()), error);
    if (asked.error > 0) {
      EXPECT_LE(error, asked.error);
    }
    if (asked.order > 0) {
      simulated coarse(context, GetParam(), asked.coarse);
      const error_norms c = coarse.run().error();
      const double order = std::log2(c.density / c.exact_density / error);
      std::printf("    coarser: %.3e, order %.2f\n", c.density / c.exact_density, order);
      EXPECT_GE(order, asked.order);
    }
  }
  if (asked.central_density > 0 || asked.centre > 0) check_star(judged, asked);
}

INSTANTIATE_TEST_SUITE_P(problems, input_file, testing::ValuesIn(inputs_with_test()),
                         [](const auto& i) { return i.param; });

}  // namespace
}  // namespace rednova::problem::test
