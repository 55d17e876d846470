#include "radiation/opacity_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "core/check.hpp"
#include "core/shortened.hpp"

namespace rednova::radiation {

namespace {

constexpr double none = 9.99;  // what stands for no opacity

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front())) != 0) line.remove_prefix(1);
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.remove_suffix(1);
  return line;
}

/// The number behind `letter =`, with a letter that is no part of a word.
std::optional<double> number_of(std::string_view line, char letter) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != letter || (i > 0 && std::isalpha(static_cast<unsigned char>(line[i - 1])) != 0)) continue;
    const std::string_view rest = trimmed(line.substr(i + 1));
    if (rest.empty() || rest.front() != '=') continue;
    const std::string text(trimmed(rest.substr(1)));
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() && value >= 0 && value <= 1) return value;
  }
  return std::nullopt;
}

/// What stands behind "logT" or "log T" at the beginning of a line.
std::optional<std::string_view> behind_log_t(std::string_view line) {
  for (const std::string_view begin : {"logT", "log T"})
    if (line.starts_with(begin)) return line.substr(begin.size());
  return std::nullopt;
}

/// The numbers that a line begins with, and what comes behind them.
struct numbers_of_line {
  std::vector<double> numbers;
  std::string rest;

  explicit numbers_of_line(std::string_view line) : rest(line) {
    const char* at = rest.c_str();
    while (*at != 0) {
      char* end = nullptr;
      const double value = std::strtod(at, &end);
      if (end == at || !std::isfinite(value)) break;
      numbers.push_back(value);
      at = end;
      while (std::isspace(static_cast<unsigned char>(*at)) != 0) ++at;
    }
    rest.erase(0, static_cast<std::size_t>(at - rest.c_str()));
  }
};

class table_reader {
 public:
  explicit table_reader(const std::string& path) : path_(path) {}

  std::vector<opacity_table> read() {
    std::ifstream file(path_);
    if (!file) core::fail("{}: the opacity table cannot be read: give the name of a file that is there", path_);
    for (std::string line; std::getline(file, line);) {
      ++number_;
      take(trimmed(line));
    }
    finish();
    if (tables_.empty())
      core::fail("{}: there is no opacity table: a line that begins with logT and has values of log R begins one",
                 path_);
    return std::move(tables_);
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) const {
    core::fail("{}:{}: {}", path_, number_, fmt::format(text, std::forward<Args>(args)...));
  }

  void take(std::string_view line) {
    if (line.empty()) return;
    if (const auto columns = behind_log_t(line)) return begin(*columns);
    const bool number = std::isdigit(static_cast<unsigned char>(line.front())) != 0 || line.find_first_of("+-.") == 0;
    if (open_ && number) return row(line);
    if (broken_off_ && numbers_of_line(line).rest.empty())
      fail("numbers that belong to no table: what stands before them ended the one above");
    finish();
    const auto x = number_of(line, 'X'), z = number_of(line, 'Z');
    if (!x || !z) return;
    composition_ = {*x, *z};
    broken_off_ = false;
  }
  void begin(std::string_view columns) {
    finish();
    if (!composition_) fail("a table begins, but no line before it says X = and Z =, the mass fractions of its gas");
    now_ = {composition_->first, composition_->second, {}, numbers(columns), {}};
    if (now_.log_r.size() < 2 || !std::ranges::is_sorted(now_.log_r, std::less_equal<>()))
      fail("log R must have two values at least, and rise from column to column");
    open_ = true;
    broken_off_ = false;
  }
  void row(std::string_view line) {
    const std::vector<double> all = numbers(line);
    if (all.size() < 2 || all.size() > 1 + now_.log_r.size())
      fail("there are {} numbers, but log T and 1 to {} opacities are expected", all.size(), now_.log_r.size());
    if (!now_.log_t.empty() && all.front() == now_.log_t.back()) fail("log T = {} stands here twice", all.front());
    now_.log_t.push_back(all.front());
    double last = all[1];
    if (last >= none) fail("the first opacity of a row is missing");
    for (std::size_t k = 0; k < now_.log_r.size(); ++k) {
      if (k + 1 < all.size() && all[k + 1] < none) last = all[k + 1];
      now_.log_kappa.push_back(last);
    }
  }
  void finish() {
    if (!open_) return;
    open_ = false;
    broken_off_ = true;
    const std::size_t rows = now_.log_t.size(), width = now_.log_r.size();
    if (rows < 2) fail("the table that ends here has {} rows: it must have two at least", rows);
    if (now_.log_t[0] > now_.log_t[1]) {  // Ferguson's begin with the hottest
      std::ranges::reverse(now_.log_t);
      for (std::size_t i = 0; i < rows / 2; ++i)
        std::swap_ranges(now_.log_kappa.begin() + static_cast<std::ptrdiff_t>(i * width),
                         now_.log_kappa.begin() + static_cast<std::ptrdiff_t>((i + 1) * width),
                         now_.log_kappa.begin() + static_cast<std::ptrdiff_t>((rows - 1 - i) * width));
    }
    if (!std::ranges::is_sorted(now_.log_t, std::less_equal<>()))
      fail("log T of the table that ends here neither rises nor falls from row to row");
    tables_.push_back(std::move(now_));
  }
  std::vector<double> numbers(std::string_view line) const {
    numbers_of_line all(line);
    if (!all.rest.empty()) fail("\"{}\" is no number", core::shortened(all.rest));
    return std::move(all.numbers);
  }

  std::string path_;
  int number_ = 0;
  std::optional<std::pair<double, double>> composition_;
  bool open_ = false;
  bool broken_off_ = false;  // a table has ended, and nothing says that another one may begin
  opacity_table now_{};
  std::vector<opacity_table> tables_;
};

/// Tables with one range of log T.
struct layer {
  std::vector<opacity_table> tables;
  double lowest() const { return tables.front().log_t.front(); }
  double highest() const { return tables.front().log_t.back(); }
};

/// In the order of opacity_view.
std::vector<double> numbers_of(const std::vector<layer>& layers) {
  std::vector<double> all{static_cast<double>(layers.size())};
  const auto add = [&](const std::vector<double>& more) { all.insert(all.end(), more.begin(), more.end()); };
  const auto place_for = [&](std::size_t count) {
    const std::size_t first = all.size();
    all.resize(first + count);
    return first;
  };
  const auto begins_here = [&](std::size_t place) { all[place] = static_cast<double>(all.size()); };
  const std::size_t of_layers = place_for(layers.size());
  for (std::size_t n = 0; n < layers.size(); ++n) {
    begins_here(of_layers + n);
    const std::vector<opacity_table>& tables = layers[n].tables;
    all.push_back(static_cast<double>(tables.size()));
    const std::size_t of_tables = place_for(tables.size());
    for (std::size_t k = 0; k < tables.size(); ++k) {
      begins_here(of_tables + k);
      const opacity_table& t = tables[k];
      add({t.hydrogen, static_cast<double>(t.log_t.size()), static_cast<double>(t.log_r.size())});
      for (const auto* part : {&t.log_t, &t.log_r, &t.log_kappa}) add(*part);
    }
  }
  return all;
}

}  // namespace

std::vector<opacity_table> read_opacity_tables(const std::string& path) { return table_reader(path).read(); }

opacity_tables::opacity_tables(const std::vector<std::string>& paths, double metals) {
  std::vector<layer> layers;
  std::string others;
  for (const std::string& path : paths) {
    for (opacity_table& t : read_opacity_tables(path)) {
      if (std::abs(t.metals - metals) > 1e-6) {
        others = fmt::format("{:g}", t.metals);
        continue;
      }
      const auto same = std::ranges::find_if(
          layers, [&](const layer& l) { return l.lowest() == t.log_t.front() && l.highest() == t.log_t.back(); });
      layer& to = same == layers.end() ? layers.emplace_back() : *same;
      for (const opacity_table& before : to.tables)
        if (before.hydrogen == t.hydrogen)
          core::fail("{}: there are two opacity tables of X = {:g}, Z = {:g} with the same log T: name one", path,
                     t.hydrogen, t.metals);
      to.tables.push_back(std::move(t));
    }
  }
  if (layers.empty())
    core::fail(
        "{}: there is no opacity table of Z = {:g}, the gas's (another has Z = {}): give a file that has, or the gas "
        "that Z",
        paths.front(), metals, others);
  std::ranges::sort(layers, {}, &layer::lowest);
  for (layer& l : layers) std::ranges::sort(l.tables, {}, &opacity_table::hydrogen);
  for (std::size_t k = 1; k < layers.size(); ++k) {
    if (layers[k].lowest() > layers[k - 1].highest() || layers[k].highest() < layers[k - 1].highest())
      core::fail(
          "{}: opacity tables from log T = {:g} to {:g} and from {:g} to {:g} do not continue each other: give files "
          "whose ranges overlap or meet at their ends",
          paths.front(), layers[k - 1].lowest(), layers[k - 1].highest(), layers[k].lowest(), layers[k].highest());
    if (k > 1 && layers[k].lowest() < layers[k - 2].highest())
      core::fail(
          "{}: three opacity tables overlap, at log T = {:g} to {:g}, where opacities go from one to the next: leave "
          "one out",
          paths.front(), layers[k].lowest(), layers[k - 2].highest());
  }
  numbers_ = numbers_of(layers);
}

const opacity_tables& opacity_tables::of(const std::vector<std::string>& paths, double metals) {
  static std::mutex guard;
  static std::map<std::pair<std::vector<std::string>, double>, opacity_tables> all;
  const std::scoped_lock lock(guard);
  auto found = all.find({paths, metals});
  if (found == all.end()) found = all.emplace(std::pair(paths, metals), opacity_tables(paths, metals)).first;
  return found->second;
}

}  // namespace rednova::radiation
