#include "stellar/profile.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/check.hpp"
#include "core/constants.hpp"

namespace rednova::stellar {

namespace {

constexpr int star_names_line = 2;  ///< with names of numbers of the whole star, which the next line has
constexpr int names_line = 6;       ///< with the names of the columns

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string w; in >> w;) words.push_back(w);
  return words;
}

/// A number as Fortran prints it, too: 1.5D-03, and 1.5-103 where the exponent has three digits.
std::optional<double> number_of(std::string word) {
  std::replace(word.begin(), word.end(), 'D', 'E');
  std::replace(word.begin(), word.end(), 'd', 'e');
  const std::size_t sign = word.find_last_of("+-");
  if (sign != std::string::npos && sign > 0 && std::isdigit(static_cast<unsigned char>(word[sign - 1])))
    word.insert(word.begin() + static_cast<std::ptrdiff_t>(sign), 'E');
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != 0 || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Where a quantity stands and what makes it cgs.
struct column {
  std::size_t place = 0;
  bool logarithm = false;
  double unit = 1;

  double value(double number) const { return unit * (logarithm ? std::pow(10.0, number) : number); }
};

class table {
 public:
  explicit table(const std::string& path) : path_(path), in_(path) {
    if (!in_) core::fail("{}: cannot be read: {}", path, std::strerror(errno));
    std::string line;
    std::vector<std::string> of_star;  // names of the header's numbers
    for (int n = 1; n <= names_line; ++n) {
      if (!std::getline(in_, line))
        core::fail("{}: has {} lines: a profile of MESA has the names of its columns in line {}", path, n - 1,
                   names_line);
      if (n == star_names_line) of_star = words_of(line);
      if (n == star_names_line + 1) take_number_of_zones(of_star, words_of(line));
    }
    names_ = words_of(line);
    line_ = names_line;
  }

  /// By its own name, or by that of its decadic logarithm.
  column find(const std::string& name, const std::string& logarithm, double unit = 1) const {
    if (const auto c = find_if_any(name, unit)) return *c;
    if (const auto c = find_if_any(logarithm, unit)) return {c->place, true, unit};
    core::fail("{}:{}: names no column {} or {}: let MESA write it (profile_columns.list)", path_, names_line, name,
               logarithm);
  }
  std::optional<column> find_if_any(const std::string& name, double unit = 1) const {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) return std::nullopt;
    return column{static_cast<std::size_t>(at - names_.begin()), false, unit};
  }

  /// The next row; false at the end.
  bool next(std::vector<double>& row) {
    std::string line;
    std::vector<std::string> words;
    do {
      if (!std::getline(in_, line)) return false;
      ++line_;
      words = words_of(line);
    } while (words.empty());
    if (words.size() != names_.size())
      core::fail("{}:{}: has {} numbers, but line {} names {} columns", path_, line_, words.size(), names_line,
                 names_.size());
    row.clear();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::optional<double> number = number_of(words[i]);
      // Of columns that nobody takes, too: what else is damaged?
      if (!number) core::fail("{}:{}: column {} is \"{}\": a number is expected", path_, line_, names_[i], words[i]);
      row.push_back(*number);
    }
    return true;
  }
  std::string place() const { return path_ + ":" + std::to_string(line_); }
  /// Fails unless there are as many rows as the header says.
  void expect_rows(std::size_t rows) const {
    if (zones_ && *zones_ != static_cast<double>(rows))
      core::fail("{}: has {} zones, but num_zones in line {} is {}: the file is not whole", path_, rows,
                 star_names_line + 1, *zones_);
  }

 private:
  void take_number_of_zones(const std::vector<std::string>& of_star, const std::vector<std::string>& numbers) {
    const auto at = static_cast<std::size_t>(std::ranges::find(of_star, "num_zones") - of_star.begin());
    if (at < numbers.size() && at < of_star.size()) zones_ = number_of(numbers[at]);
  }

  std::string path_;
  std::ifstream in_;
  std::vector<std::string> names_;
  std::optional<double> zones_;  // that the header speaks of
  int line_ = 0;
};

}  // namespace

double profile::mass_within(double r) const {
  const auto inside = std::ranges::find_if(radius, [r](double outer) { return outer <= r; });
  if (inside == radius.end()) return 0;
  if (inside == radius.begin()) return mass[0];
  const auto n = static_cast<std::size_t>(inside - radius.begin());
  const auto cube = [](double x) { return x * x * x; };
  const double share = (cube(r) - cube(radius[n])) / (cube(radius[n - 1]) - cube(radius[n]));
  return mass[n] + share * (mass[n - 1] - mass[n]);
}

double profile::middle(std::size_t zone) const {
  const double outer = radius[zone], inner = zone + 1 < zones() ? radius[zone + 1] : 0;
  return std::cbrt((outer * outer * outer + inner * inner * inner) / 2);
}

profile read_mesa_profile(const std::string& path) {
  table in(path);
  const column mass = in.find_if_any("mass", core::solar_mass).value_or(column{}),
               radius = in.find("radius", "logR", core::solar_radius), density = in.find("rho", "logRho"),
               pressure = in.find("pressure", "logP");
  if (!in.find_if_any("mass")) core::fail("{}:{}: names no column mass", path, names_line);
  profile p;
  struct optional_column {
    const char* name;
    std::vector<double>* values;
    double most;
    std::optional<column> place{};
  };
  constexpr double heaviest = 300;  // heavier than any element
  std::array<optional_column, 4> composition{{{"x_mass_fraction_H", &p.hydrogen, 1},
                                              {"y_mass_fraction_He", &p.helium, 1},
                                              {"z_mass_fraction_metals", &p.metals, 1},
                                              {"mu", &p.mean_weight, heaviest}}};
  for (optional_column& c : composition) c.place = in.find_if_any(c.name);
  std::vector<double> row;
  while (in.next(row)) {
    const auto of = [&](const column& c) { return c.value(row[c.place]); };
    p.mass.push_back(of(mass));
    p.radius.push_back(of(radius));
    p.density.push_back(of(density));
    p.pressure.push_back(of(pressure));
    const std::size_t n = p.zones() - 1;
    for (const auto& [name, values] :
         {std::pair{"mass", &p.mass}, {"radius", &p.radius}, {"density", &p.density}, {"pressure", &p.pressure}}) {
      if (!((*values)[n] > 0) || !std::isfinite((*values)[n]))
        core::fail("{}: {} is {:.3g}: a number above zero is expected", in.place(), name, (*values)[n]);
    }
    // Equal where the file has too few digits.
    if (n > 0 && (p.mass[n] > p.mass[n - 1] || p.radius[n] > p.radius[n - 1]))
      core::fail("{}: mass and radius must fall from zone to zone: the first one is the surface", in.place());
    double sum = 0;
    bool all = true;
    for (const optional_column& c : composition) {
      const bool fraction = c.most == 1;
      if (fraction) all = all && c.place;
      if (!c.place) continue;
      const double value = of(*c.place);
      if (!(value >= 0 && value <= c.most) || (!fraction && value == 0))
        core::fail("{}: {} is {:.3g}: 0 to {:g} is expected", in.place(), c.name, value, c.most);
      c.values->push_back(value);
      if (fraction) sum += value;
    }
    constexpr double rounding = 1e-3;  // of files with few digits
    if (all && std::fabs(sum - 1) > rounding)
      core::fail("{}: the mass fractions of hydrogen, helium and metals add up to {:.6g} instead of 1", in.place(),
                 sum);
  }
  in.expect_rows(p.zones());
  constexpr std::size_t fewest = 20;
  if (p.zones() < fewest) core::fail("{}: has {} zones: that is no star", path, p.zones());
  return p;
}

profile_gas compare_gas(const profile& p, double inner, const std::function<profile_gas::of_run(std::size_t)>& gas_of) {
  // What is neither hydrogen nor one of the two is the other.
  const auto rest_of = [&](std::size_t n, const std::vector<double>& own, const std::vector<double>& other) {
    if (!own.empty()) return own[n];
    return other.empty() || p.hydrogen.empty() ? profile_gas::unknown : 1 - p.hydrogen[n] - other[n];
  };
  profile_gas r{.helium = {0, 0}, .metals = {0, 0}, .mean_weight = {0, 0}, .metals_off = 0, .weight_off = 0};
  double mass = 0;
  for (std::size_t n = 0; n < p.zones() && p.middle(n) > inner; ++n) {
    const double part = p.mass[n] - (n + 1 < p.zones() ? p.mass[n + 1] : 0);
    const profile_gas::of_run gas = gas_of(n);
    const double metals = rest_of(n, p.metals, p.helium),
                 weight = p.mean_weight.empty() ? profile_gas::unknown : p.mean_weight[n],
                 hydrogen = p.hydrogen.empty() ? profile_gas::unknown : p.hydrogen[n],
                 off = std::fabs(gas.mean_weight / weight - 1);
    mass += part;
    r.helium.asked += part * rest_of(n, p.helium, p.metals);
    r.helium.reached += part * (1 - hydrogen - gas.metals);
    r.metals.asked += part * metals;
    r.metals.reached += part * gas.metals;
    r.metals_off += part * std::fabs(gas.metals - metals);
    r.mean_weight.asked += part / weight;
    r.mean_weight.reached += part / gas.mean_weight;
    r.weight_off += part * off;
    if (off > r.largest_weight_off) {
      r.largest_weight_off = off;
      r.its_mass = p.mass[n] / p.mass[0];
    }
  }
  for (double* sum : {&r.helium.asked, &r.helium.reached, &r.metals.asked, &r.metals.reached, &r.metals_off,
                      &r.mean_weight.asked, &r.mean_weight.reached, &r.weight_off})
    *sum /= mass;
  r.mean_weight = {1 / r.mean_weight.asked, 1 / r.mean_weight.reached};
  return r;
}

}  // namespace rednova::stellar
