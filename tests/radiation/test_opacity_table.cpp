// Opacity tables in the layouts of OPAL and of Ferguson et al., which the tests write from the analytic law.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "radiation/opacity.hpp"
#include "radiation/opacity_table.hpp"

namespace {

using namespace rednova;
using radiation::opacity_tables;
using testing::HasSubstr;

constexpr double metals = 0.02;

double law(double hydrogen, double log_t, double log_r) {
  const double t = std::pow(10, log_t), rho = std::pow(10, log_r + 3 * log_t - 18);
  return std::log10(radiation::analytic_opacities({hydrogen, metals}, rho, t).flux);
}

class opacity_table_files : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path folder = testing::TempDir();
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  /// A table of the law: log T from `first` in steps.
  static std::string table(double hydrogen, double first, double step, int rows) {
    std::string text = fmt::format("TABLE # 1  X={:.4f} Y={:.4f} Z={:.4f} dXc=0.0000\n\n         log R\n\nlogT",
                                   hydrogen, 1 - hydrogen - metals, metals);
    for (int j = 0; j < 13; ++j) text += fmt::format(" {:.1f}", -6 + 0.5 * j);
    text += "\n\n";
    for (int i = 0; i < rows; ++i) {
      const double log_t = first + step * i;
      text += fmt::format("{:.2f}", log_t);
      for (int j = 0; j < 13; ++j) text += fmt::format(" {:.9f}", law(hydrogen, log_t, -6 + 0.5 * j));
      text += "\n";
    }
    return text + "\n";
  }
  static std::string message_of(const auto& what) {
    try {
      what();
    } catch (const core::user_error& e) {
      return e.what();
    }
    return "nothing was told";
  }
  /// As of a file: at log T, log R.
  static double found(const opacity_tables& of, double hydrogen, double log_t, double log_r) {
    return std::log10(of(std::pow(10, log_r + 3 * log_t - 18), std::pow(10, log_t), hydrogen));
  }
};

TEST_F(opacity_table_files, give_the_law_that_they_were_made_of) {
  const std::string hot = write("hot", "about\n 12 tables\n" + table(0.7, 3.7, 0.05, 40) + table(0.5, 3.7, 0.05, 40)),
                    cool = write("cool", table(0.5, 3.9, -0.05, 12) + table(0.7, 3.9, -0.05, 12));
  const opacity_tables all({hot, cool}, metals);
  double nodes = 0, between = 0;
  for (double log_t = 3.4; log_t < 5.6; log_t += 0.0125) {
    for (double log_r = -5.5; log_r < -0.5; log_r += 0.125) {
      const double error = std::abs(found(all, 0.7, log_t, log_r) - law(0.7, log_t, log_r));
      between = std::max(between, error);
      const double cell = (log_t - 3.4) / 0.05, column = 2 * log_r;
      if (std::abs(cell - std::round(cell)) < 1e-6 && std::abs(column - std::round(column)) < 1e-6)
        nodes = std::max(nodes, error);
    }
  }
  std::printf("opacity tables: log kappa at nodes %.1e, between %.1e\n", nodes, between);
  EXPECT_LT(nodes, 1e-8);    // the digits of the file
  EXPECT_LT(between, 0.04);  // (0.05)² and (0.5)² over 8 of a second derivative of some 1 by the bends of the law
  // Half way in X, where log kappa is linear.
  EXPECT_NEAR(found(all, 0.6, 5, -3), 0.5 * (law(0.5, 5, -3) + law(0.7, 5, -3)), 1e-8);
}

TEST_F(opacity_table_files, keep_their_ends_values_outside) {
  const opacity_tables of({write("one", table(0.7, 4, 0.1, 11))}, metals);
  EXPECT_NEAR(found(of, 0.7, 5.7, -3), law(0.7, 5, -3), 1e-8);
  EXPECT_NEAR(found(of, 0.7, 3.1, -3), law(0.7, 4, -3), 1e-8);
  EXPECT_NEAR(found(of, 0.7, 4.5, -11), law(0.7, 4.5, -6), 1e-8);
  EXPECT_NEAR(found(of, 0.7, 4.5, 4), law(0.7, 4.5, 0), 1e-8);
  EXPECT_NEAR(found(of, 0.1, 4.5, -3), law(0.7, 4.5, -3), 1e-8);
}

TEST_F(opacity_table_files, are_continuous_where_two_overlap) {
  const opacity_tables of({write("hot", table(0.7, 3.8, 0.1, 10)), write("cool", table(0.7, 3.2, 0.1, 9))}, metals);
  for (const double end : {3.8, 4.0})
    EXPECT_NEAR(found(of, 0.7, end - 1e-9, -2.25), found(of, 0.7, end + 1e-9, -2.25), 1e-7);
}

TEST_F(opacity_table_files, may_lack_opacities_at_the_ends_of_rows) {
  const std::string head = "X = 0.7 Z = 0.02\nlog T -3 -2 -1\n";
  for (const char* row : {"4.0 0.5 0.6\n", "4.0 0.5 0.6 9.999\n"}) {
    const opacity_tables of({write("short", head + row + "5.0 0.1 0.2 0.3\n")}, metals);
    EXPECT_NEAR(found(of, 0.7, 4, -1), 0.6, 1e-12);
    EXPECT_NEAR(found(of, 0.7, 5, -1), 0.3, 1e-12);
  }
}

TEST_F(opacity_table_files, that_are_wrong_are_told_with_their_line) {
  const std::string head = "X=0.7 Z=0.02\nlogT -3 -2\n";
  const struct {
    std::string text;
    const char* told;
  } cases[] = {{"nothing here\n", "there is no opacity table"},
               {"logT -3 -2\n4 1 1\n5 1 1\n", ":1: a table begins"},
               {"X=0.7 Z=0.02\nlogT -3\n", ":2: log R must have two values"},
               {"X=0.7 Z=0.02\nlogT -2 -3\n", ":2: log R must have two values"},
               {head + "4 1 1\n4.1 1 x\n", ":4: \"x\" is no number"},
               {head + "4 1 1 1\n", ":3: there are 4 numbers"},
               {head + "4 1 1\n4 1 1\n", ":4: log T = 4 stands here twice"},
               {head + "4 9.999 1\n", ":3: the first opacity"},
               {head + "4 1 1\n", ":3: the table that ends here has 1 rows"},
               {head + "4 1 1\n5 1 1\n4.5 1 1\n", ":5: log T of the table"},
               {head + "4 1 1\n5 1 1\n* page 2\n6 1 1\n", ":6: numbers that belong to no table"},
               {head + "4 1 1\n5 1 1\nX=0.5\n+6 1 1\n", ":6: numbers that belong to no table"},
               {head + "4 1 1\n5 1 1\n" + head + "4 1 1\n5 1 1\n", "two opacity tables"}};
  for (const auto& c : cases) {
    const std::string path = write("wrong", c.text);
    const std::string told = message_of([&] { const opacity_tables of({path}, metals); });
    EXPECT_THAT(told, HasSubstr(c.told));
    EXPECT_THAT(told, HasSubstr(path));
  }
  const std::string good = write("good", head + "4 1 1\n5 1 1\n"), far = write("far", head + "6 1 1\n7 1 1\n");
  EXPECT_THAT(message_of([&] { const opacity_tables of({good}, 0.01); }), HasSubstr("Z = 0.01"));
  EXPECT_THAT(message_of([&] { const opacity_tables of({good, far}, metals); }), HasSubstr("do not continue"));
  const std::string next = write("next", head + "4.5 1 1\n6 1 1\n"), third = write("third", head + "4.8 1 1\n7 1 1\n");
  EXPECT_THAT(message_of([&] { const opacity_tables of({good, next, third}, metals); }), HasSubstr("three opacity"));
  EXPECT_THAT(message_of([&] { const opacity_tables of({"/nowhere/at/all"}, metals); }), HasSubstr("cannot be read"));
}

}  // namespace
