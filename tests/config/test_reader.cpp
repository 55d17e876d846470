// Good input is read as it is written; every kind of bad input is an error with place and remedy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "config/checks.hpp"
#include "config/manual.hpp"
#include "config/reader.hpp"
#include "core/check.hpp"

namespace {

using namespace rednova;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct toy {
  static constexpr const char* section = "problem";
  double radius = 0.5;
  int count = 3;
  bool fast = false;
  std::string label = "none";
  std::array<double, 3> velocity{1, 0, 0};
  std::vector<double> levels{1, 2};
  config::reconstruction scheme = config::reconstruction::plm;

  template <class V>
  void visit(V& v) {
    v("radius", radius, config::positive(), "a radius");
    v("count", count, config::between(1, 10), "a number of things");
    v("fast", fast, config::any_number(), "a switch");
    v("label", label, config::any_number(), "a word");
    v("velocity", velocity, config::any_number(), "a vector");
    v("levels", levels, config::not_negative(), "any number of numbers");
    v("scheme", scheme, config::any_number(), "a choice");
  }
};

config::input of(const std::string& text, const std::vector<std::string>& set = {}) {
  return config::input::from_text(text, "toy.toml", set);
}

toy read_toy(const std::string& text, const std::vector<std::string>& set = {}) {
  toy t;
  config::input in = of(text, set);
  in.read(t);
  return t;
}

/// What the user is told when this input is read as the whole program reads it.
std::string complaint(const std::string& text, const std::vector<std::string>& set = {}) {
  try {
    config::input in = of(text, set);
    in.read_parameters();
    toy t;
    in.read(t);
    in.expect_all_read();
  } catch (const core::user_error& e) {
    return e.what();
  }
  return "no complaint";
}

TEST(input, old_names_of_keys_are_taken_with_a_warning) {
  config::input in = of("[hydro]\nheat_ceiling = 3\nthin_gas_density = 1e-3\n", {"hydro.rough_contrast=5"});
  const config::parameters p = in.read_parameters();
  EXPECT_EQ(p.hydro.specific_energy_ceiling, 3);
  EXPECT_EQ(p.hydro.density_contrast, 5);
  EXPECT_THAT(
      in.warnings(),
      testing::ElementsAre(AllOf(HasSubstr("toy.toml:2"), HasSubstr("hydro.heat_ceiling is now called"),
                                 HasSubstr("hydro.specific_energy_ceiling")),
                           AllOf(HasSubstr("--set hydro.rough_contrast=5"), HasSubstr("hydro.density_contrast"))));
  EXPECT_THAT(in.text(), AllOf(HasSubstr("density_contrast = 5"), testing::Not(HasSubstr("rough_contrast"))));
}

/// The command line goes before the file, whichever name either uses.
TEST(input, an_old_name_on_the_command_line_goes_before_the_file) {
  EXPECT_EQ(of("[hydro]\ndensity_contrast = 5\n", {"hydro.rough_contrast=7"}).read_parameters().hydro.density_contrast,
            7);
  EXPECT_EQ(of("[hydro]\nrough_contrast = 5\n", {"hydro.density_contrast=7"}).read_parameters().hydro.density_contrast,
            7);
}

TEST(reader, fills_every_type) {
  const toy t = read_toy(R"(
[problem]
name = "toy"
radius = 2
count = 7
fast = true
label = "hot"
velocity = [0.5, -1, 1e3]
levels = []
scheme = "ppm"
)");
  EXPECT_EQ(t.radius, 2.0);
  EXPECT_EQ(t.count, 7);
  EXPECT_TRUE(t.fast);
  EXPECT_EQ(t.label, "hot");
  EXPECT_EQ(t.velocity, (std::array<double, 3>{0.5, -1, 1000}));
  EXPECT_TRUE(t.levels.empty());
  EXPECT_EQ(t.scheme, config::reconstruction::ppm);
}

TEST(reader, keeps_defaults_of_what_is_not_named) {
  const toy t = read_toy("[run]\nend_time = 1\n");
  EXPECT_EQ(t.radius, 0.5);
  EXPECT_EQ(t.levels, (std::vector<double>{1, 2}));
}

TEST(reader, reads_all_sections) {
  config::input in = of(R"(
[run]
end_time = 2.5
[mesh]
max_level = 4
boundaries = ["periodic", "periodic", "outflow", "outflow", "reflecting", "zero_gradient"]
[hydro]
species = ["a", "b"]
riemann = "kt"
[problem]
name = "toy"
)");
  const config::parameters p = in.read_parameters();
  EXPECT_EQ(p.run.end_time, 2.5);
  EXPECT_EQ(p.mesh.max_level, 4);
  EXPECT_EQ(p.mesh.boundaries[1], config::boundary::periodic);
  EXPECT_EQ(p.mesh.boundaries[5], config::boundary::zero_gradient);
  EXPECT_EQ(p.hydro.species, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(p.hydro.riemann, config::riemann_solver::kt);
  EXPECT_EQ(in.problem_name(), "toy");
  EXPECT_NO_THROW(in.expect_all_read());
}

TEST(overrides, go_before_the_file_and_keep_their_type) {
  const toy t = read_toy("[problem]\nradius = 1\ncount = 2\n",
                         {"problem.radius=3.5", "problem.count = 4", "problem.fast=true", "problem.label=warm gas",
                          "problem.velocity=[1,2,3]", "problem.scheme=constant"});
  EXPECT_EQ(t.radius, 3.5);
  EXPECT_EQ(t.count, 4);
  EXPECT_TRUE(t.fast);
  EXPECT_EQ(t.label, "warm gas");
  EXPECT_EQ(t.velocity, (std::array<double, 3>{1, 2, 3}));
  EXPECT_EQ(t.scheme, config::reconstruction::constant);
}

TEST(overrides, take_bare_words_as_strings) {
  EXPECT_EQ(read_toy("", {"problem.label=hot"}).label, "hot");
  EXPECT_EQ(read_toy("", {"problem.label=\"very hot\""}).label, "very hot");
  EXPECT_EQ(read_toy("", {"problem.label=/data/star.txt"}).label, "/data/star.txt");
  config::input in = of("", {"mesh.boundaries=[periodic,periodic,outflow,outflow,outflow,outflow]"});
  EXPECT_EQ(in.read_parameters().mesh.boundaries[0], config::boundary::periodic);
}

TEST(overrides, the_last_one_wins) { EXPECT_EQ(read_toy("", {"problem.count=4", "problem.count=5"}).count, 5); }

TEST(overrides, must_name_section_key_and_value) {
  for (const char* bad : {"problem.radius", "radius=1", "problem.=1", ".radius=1", "problem.a.b=1"})
    EXPECT_THAT(complaint("", {bad}), AllOf(HasSubstr("--set"), HasSubstr(bad), HasSubstr("section.key=value"))) << bad;
  EXPECT_THAT(complaint("", {"problem.radius="}), HasSubstr("value is missing"));
  EXPECT_THAT(complaint("", {"problem.radius=[1"}), HasSubstr("no TOML value"));
}

TEST(overrides, of_too_many_digits_are_no_words) {
  for (const char* digits : {"99999999999999999999", "-99999999999999999999", "007"}) {
    EXPECT_THAT(complaint("", {std::string("run.max_steps=") + digits}),
                AllOf(HasSubstr(digits), HasSubstr("no integer")));
  }
}

TEST(overrides, are_named_as_the_place_of_their_mistakes) {
  EXPECT_THAT(complaint("", {"mesh.max_levl=3"}), AllOf(HasSubstr("--set mesh.max_levl=3"), HasSubstr("'max_level'")));
}

struct bad_input {
  const char* name;
  const char* text;
  std::vector<std::string> words;  ///< what the message must contain
};

class bad : public ::testing::TestWithParam<bad_input> {};

TEST_P(bad, is_told_with_place_and_remedy) {
  const std::string message = complaint(GetParam().text);
  for (const std::string& word : GetParam().words) EXPECT_THAT(message, HasSubstr(word));
}

INSTANTIATE_TEST_SUITE_P(
    input, bad,
    ::testing::Values(
        bad_input{"syntax", "[run]\nend_time = = 1\n", {"toy.toml:2", "not valid TOML"}},
        bad_input{"key_twice", "[run]\nend_time = 1\nend_time = 2\n", {"toy.toml:3", "not valid TOML"}},
        bad_input{"outside", "end_time = 1\n", {"toy.toml:1", "'end_time'", "outside a section"}},
        bad_input{
            "unknown_key", "[hydro]\n\ngama = 1.4\n", {"toy.toml:3", "'gama'", "[hydro]", "Did you mean 'gamma'?"}},
        bad_input{"swapped_letters", "[hydro]\nclf = 0.3\n", {"toy.toml:2", "Did you mean 'cfl'?"}},
        bad_input{
            "unknown_problem_key", "[problem]\nname = 'toy'\nradus = 1\n", {"toy.toml:3", "[problem]", "'radius'"}},
        bad_input{"unknown_section", "[hidro]\ngamma = 1.4\n", {"toy.toml:1", "[hidro]", "Did you mean 'hydro'?"}},
        bad_input{"word_for_number",
                  "[run]\nend_time = \"long\"\n",
                  {"toy.toml:2", "run.end_time", "expects a number", "\"long\" is a string"}},
        bad_input{"number_for_integer",
                  "[mesh]\nmax_level = 2.5\n",
                  {"toy.toml:2", "mesh.max_level", "expects an integer", "2.5 is a number"}},
        bad_input{"number_for_boolean",
                  "[gravity]\nenabled = 1\n",
                  {"gravity.enabled", "expects a boolean", "1 is an integer"}},
        bad_input{"number_for_word",
                  "[hydro]\nriemann = 3\n",
                  {"hydro.riemann", "one of the words hllc, kt", "is an integer"}},
        bad_input{"number_for_string", "[refine]\ngradient_field = 1\n", {"expects a string", "an integer"}},
        bad_input{
            "scalar_for_array", "[mesh]\nlower = 1.0\n", {"mesh.lower", "expects an array of 3 numbers", "a number"}},
        bad_input{"short_array", "[mesh]\nlower = [1.0, 2.0]\n", {"array of 3 numbers", "[1.0, 2.0] has 2"}},
        bad_input{
            "mixed_array", "[mesh]\nbase_blocks = [1, 'a', 1]\n", {"base_blocks", "integer", "\"a\" is a string"}},
        bad_input{"table", "[mesh.lower]\nx = 1\n", {"mesh.lower", "array of 3 numbers", "a table"}},
        bad_input{"date", "[run]\nend_time = 2024-01-01\n", {"run.end_time", "number", "a date"}},
        bad_input{"wrong_word",
                  "[hydro]\nreconstruction = 'ppn'\n",
                  {"toy.toml:2", "hydro.reconstruction", "constant, plm, ppm", "Did you mean 'ppm'?"}},
        bad_input{"below", "[mesh]\nbase_width = 0\n", {"toy.toml:2", "mesh.base_width = 0", "must be > 0"}},
        bad_input{"above", "[gravity]\norder = 6\n", {"gravity.order = 6", "3 to 5"}},
        bad_input{"half_open", "[hydro]\ncfl = 0\n", {"hydro.cfl = 0", "> 0, <= 1"}},
        bad_input{"not_a_number", "[run]\nend_time = nan\n", {"run.end_time = nan", "not possible"}},
        bad_input{"infinite", "[mesh]\nrotation = inf\n", {"mesh.rotation = inf", "finite"}},
        bad_input{"overflow", "[run]\nmax_steps = 3000000000\n", {"run.max_steps = 3000000000", "not possible"}},
        bad_input{"item_out_of_bounds", "[mesh]\nbase_blocks = [1, 0, 1]\n", {"mesh.base_blocks", "1 to 64"}},
        bad_input{"levels",
                  "[mesh]\nmin_level = 3\nmax_level = 2\n",
                  {"toy.toml:2", "min_level = 3 exceeds mesh.max_level = 2"}},
        bad_input{"too_deep", "[mesh]\nbase_blocks = [3, 1, 1]\nmax_level = 19\n", {"toy.toml:3", "at most 18"}},
        bad_input{"half_periodic",
                  "[mesh]\nboundaries = ['outflow','outflow','periodic','outflow','outflow','outflow']\n",
                  {"toy.toml:2", "only one face in y is periodic"}},
        bad_input{
            "turning_walls",
            "[mesh]\nrotation = 1\nboundaries = ['reflecting','outflow','outflow','outflow','outflow','outflow']\n",
            {"rotating grid", "outflow"}},
        bad_input{"gravity_blocks",
                  "[mesh]\nbase_blocks = [2, 1, 1]\n[gravity]\nenabled = true\n",
                  {"toy.toml:2", "gravity.enabled", "[1, 1, 1]"}},
        bad_input{"gravity_boundaries",
                  "[gravity]\nenabled = true\n[mesh]\n"
                  "boundaries = ['periodic','periodic','outflow','outflow','outflow','outflow']\n",
                  {"toy.toml:4", "gravity.enabled", "outflow on all six faces"}},
        bad_input{"no_species", "[hydro]\nspecies = []\n", {"0 species", "1 to 8"}},
        bad_input{
            "many_species", "[hydro]\nspecies = ['a','b','c','d','e','f','g','h','i']\n", {"9 species", "1 to 8"}},
        bad_input{"species_twice", "[hydro]\nspecies = ['a','b','a']\n", {"hydro.species", "twice"}},
        bad_input{"species_name", "[hydro]\nspecies = ['a b']\n", {"'a b' is no name"}},
        bad_input{"gradient_field", "[refine]\ngradient_field = 'colour'\n", {"colour", "density or pressure"}},
        bad_input{"gradient_of_nothing", "[refine]\ngradient = 0.2\n", {"refine.gradient_field"}},
        bad_input{"threshold_of_no_scale_height",
                  "[refine]\nscale_height_density = 0.1\n",
                  {"toy.toml:2", "refine.scale_height_density = 0.1", "refine.cells_per_scale_height"}},
        bad_input{"threshold_of_no_unbound_gas",
                  "[refine]\nunbound_density = 0.1\n",
                  {"toy.toml:2", "refine.unbound_density = 0.1", "refine.unbound_level"}},
        bad_input{"unbound_without_gravity",
                  "[mesh]\nmax_level = 3\n[refine]\nunbound_level = 3\n",
                  {"toy.toml:4", "refine.unbound_level", "gravity.enabled = true"}},
        bad_input{"unbound_level_too_fine",
                  "[mesh]\nmax_level = 3\n[refine]\nunbound_level = 4\n[gravity]\nenabled = true\n",
                  {"toy.toml:4", "refine.unbound_level = 4 exceeds mesh.max_level = 3"}},
        bad_input{"photosphere_without_light",
                  "[mesh]\nmax_level = 3\n[refine]\nphotosphere_level = 3\n",
                  {"toy.toml:4", "refine.photosphere_level", "radiation.enabled = true"}},
        bad_input{"photosphere_too_fine",
                  "[mesh]\nmax_level = 3\n[refine]\nphotosphere_level = 4\n[radiation]\nenabled = true\n",
                  {"toy.toml:4", "refine.photosphere_level = 4 exceeds mesh.max_level = 3"}},
        bad_input{"core_levels_of_nothing",
                  "[mesh]\nmax_level = 3\n[refine]\naccretor_core_levels = 1\n",
                  {"toy.toml:4", "accretor_core_levels = 1", "refine.density"}},
        bad_input{"too_many_core_levels",
                  "[mesh]\nmin_level = 2\nmax_level = 3\n[refine]\ndensity = 1\ndonor_core_levels = 2\n",
                  {"toy.toml:6", "donor_core_levels = 2 exceeds", "mesh.min_level = 1"}},
        bad_input{"floor_above_ceiling",
                  "[hydro]\ndensity_floor = 1e-10\nspecific_energy_ceiling = 2\nenergy_floor = 1e-9\nthin_gas_density "
                  "= 1e-3\n",
                  {"toy.toml:4", "hydro.energy_floor = 1e-09", "hydro.specific_energy_ceiling", "2e-10", "lower"}},
        bad_input{"old_and_new_name",
                  "[hydro]\nrough_contrast = 3\ndensity_contrast = 3\n",
                  {"toy.toml:2", "hydro.rough_contrast is the old name of hydro.density_contrast", "toy.toml:3",
                   "remove one"}},
        bad_input{"ceiling_without_density",
                  "[hydro]\nspecific_energy_ceiling = 3\n",
                  {"toy.toml:2", "hydro.specific_energy_ceiling = 3", "needs hydro.thin_gas_density", "thousandth"}},
        bad_input{"density_without_ceiling",
                  "[hydro]\nthin_gas_density = 1e-3\n",
                  {"toy.toml:2", "hydro.thin_gas_density = 0.001", "hydro.specific_energy_ceiling", "not set"}},
        bad_input{
            "unstable_scheme",
            "[hydro]\nintegrator = 'rk2'\ncfl = 0.4\n",
            {"toy.toml:3", "hydro.cfl = 0.4 is unstable", "\"rk2\"", "\"ppm\"", "0.07", "integrator = \"rk3\"", "0.4"}},
        bad_input{
            "unstable_by_default", "[hydro]\nintegrator = 'rk2'\n", {"toy.toml:2: ", "hydro.cfl = 0.4 is unstable"}},
        bad_input{"step_too_large", "[hydro]\ncfl = 0.5\n", {"toy.toml:2", "hydro.cfl = 0.5", "\"rk3\"", "above 0.4"}},
        bad_input{"region",
                  "[mesh]\nmax_level = 3\n[refine]\nregion_level = 2\nregion_upper = [1, 0, 1]\n",
                  {"region_lower", "region_upper in y"}},
        bad_input{
            "region_level", "[refine]\nregion_level = 2\n", {"toy.toml:2", "region_level = 2 exceeds mesh.max_level"}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(reader, names_a_missing_file) {
  try {
    config::input::from_file("/nowhere/star.toml", {});
    FAIL();
  } catch (const core::user_error& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("/nowhere/star.toml"), HasSubstr("no such input file")));
  }
  EXPECT_THROW(config::input::from_file("/", {}), core::user_error);
}

TEST(reader, wants_a_problem) {
  EXPECT_THROW(of("[run]\n").problem_name(), core::user_error);
  EXPECT_THROW(of("[problem]\nname = 3\n").problem_name(), core::user_error);
}

TEST(reader, looks_in_the_test_section_for_mistyped_keys_only) {
  EXPECT_EQ(complaint("[test]\norder = 2\njudged = ['mesh.max_level=1']\n"), "no complaint");
  EXPECT_THAT(complaint("[test]\nordre = 2\n"), testing::HasSubstr("toy.toml:2: unknown key 'ordre' in [test]"));
}

TEST(reader, finds_keys_of_a_problem_that_has_none) {
  config::input in = of("[problem]\nname = 'plain'\nsize = 3\n");
  in.read_parameters();
  EXPECT_THROW(in.expect_all_read(), core::user_error);
}

TEST(text, is_the_file_as_it_is_without_overrides) {
  const std::string text = "# my star\n[run]\nend_time = 1\n";
  EXPECT_EQ(of(text).text(), text);
}

TEST(text, holds_the_overrides_and_reads_back_to_the_same) {
  const std::string text = of("[problem]\nradius = 0.1\nlabel = \"a \\\"b\\\" \\\\ c\"\n",
                              {"problem.count=4", "run.end_time=0.30000000000000004", "problem.levels=[1e-300, 2]"})
                               .text();
  EXPECT_EQ(read_toy(text).count, 4);
  EXPECT_EQ(read_toy(text).label, "a \"b\" \\ c");
  EXPECT_EQ(read_toy(text).levels, (std::vector<double>{1e-300, 2}));
  EXPECT_EQ(of(text).read_parameters().run.end_time, 0.30000000000000004);
  EXPECT_EQ(of(text).text(), text);
}

TEST(text, of_all_values_reads_back_to_the_same) {
  config::input in = of("[problem]\nname = 'toy'\n[hydro]\nspecies = ['a', 'b']\n[mesh]\nlower = [-1, -2, -1e-7]\n");
  in.read_parameters();
  toy t;
  in.read(t);
  config::input again = of(in.all_values());
  const config::parameters p = again.read_parameters();
  again.read(t);
  EXPECT_NO_THROW(again.expect_all_read());
  EXPECT_EQ(p.hydro.species, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(p.mesh.lower[2], -1e-7);
  EXPECT_EQ(p.hydro.gamma, config::hydro{}.gamma) << "5/3 must survive to the last bit";
  EXPECT_EQ(again.all_values(), in.all_values());
}

/// What a problem sets by default is among all values, and gives way to the input.
TEST(text, of_all_values_has_the_defaults_of_a_problem) {
  for (const bool given : {false, true}) {
    config::input in = of(given ? "[problem]\nname = 'toy'\n[gravity]\norder = 3\n" : "[problem]\nname = 'toy'\n");
    config::parameters p = in.read_parameters();
    in.set_default("gravity", "order", p.gravity.order, 5);
    const int expected = given ? 3 : 5;
    EXPECT_EQ(p.gravity.order, expected);
    EXPECT_EQ(of(in.all_values()).read_parameters().gravity.order, expected);
  }
}

TEST(text, of_numbers_is_exact) {
  for (const double x : {1.0 / 3, 5e-324, -1e22, 1e300, 123456789.0, std::nextafter(1.0, 2.0)})
    EXPECT_EQ(std::strtod(config::toml_text(x).c_str(), nullptr), x) << config::toml_text(x);
  EXPECT_EQ(config::toml_text(2.0), "2.0") << "a number must not read back as an integer";
}

TEST(manual, names_every_parameter_with_bounds_and_default) {
  config::input in = of("");
  toy t;
  in.read(t);
  const std::string page = config::manual({{"toy", "A toy.", in.rows()}, {"plain", "No keys.", {}}});
  for (const char* words :
       {"## [run]", "## [output]", "| `gamma` | number | `1.6666666666666667` | > 1, <= 10 |",
        "| `boundaries` | array of 6, each one of outflow, zero_gradient, reflecting, periodic, fixed |", "### toy",
        "| `count` | integer | `3` | 1 to 10 | a number of things |",
        "| `levels` | array of numbers | `[1.0, 2.0]` | >= 0 |", "No further keys"})
    EXPECT_THAT(page, HasSubstr(words));
}

}  // namespace
