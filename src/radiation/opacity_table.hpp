// Opacities from a user's tables, of the layout of OPAL (Iglesias & Rogers 1996, ApJ 464, 943) and of Ferguson et al.
// (2005, ApJ 623, 585): log10 kappa by log10 T and log10 R, R = rho/(T/10⁶ K)³, at one composition each.
#pragma once

#include <string>
#include <vector>

#include "radiation/opacity_view.hpp"

namespace rednova::radiation {

/// Of one composition.
struct opacity_table {
  double hydrogen, metals;           ///< mass fractions
  std::vector<double> log_t, log_r;  ///< rising
  std::vector<double> log_kappa;     ///< [log_t][log_r], cm²/g; where the file has none, the nearest of the row
};

/// The tables of a file. A line with X = and Z = is a composition; one that begins with "logT" or "log T" has the
/// columns' log R and begins a table, whose rows are log T and as many log kappa or fewer, until other text comes; 9.99
/// or more is none. Throws core::user_error with file and line.
std::vector<opacity_table> read_opacity_tables(const std::string& path);

/// Tables of some files at one fraction of metals, joined.
class opacity_tables {
 public:
  /// Throws core::user_error where files cannot be read or do not fit together.
  opacity_tables(const std::vector<std::string>& paths, double metals);

  /// As opacity_view reads them, while this object lives.
  const std::vector<double>& numbers() const { return numbers_; }
  double operator()(double rho, double t, double hydrogen) const {
    return opacity_view(numbers_.data())(rho, t, hydrogen);
  }

  /// The tables of an input, which are read at the first call with these paths and kept until the process ends.
  static const opacity_tables& of(const std::vector<std::string>& paths, double metals);

 private:
  std::vector<double> numbers_;
};

}  // namespace rednova::radiation
