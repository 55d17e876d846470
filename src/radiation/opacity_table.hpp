// Opacities from a user's tables, of the layout of OPAL (Iglesias & Rogers 1996, ApJ 464, 943) and of Ferguson et al.
// (2005, ApJ 623, 585): log10 kappa by log10 T and log10 R, R = rho/(T/10⁶ K)³, at one composition each.
#pragma once

#include <string>
#include <vector>

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

  /// cm²/g at rho [g/cm³], T [K] and a mass fraction of hydrogen: log kappa is linear in log T, log R and X, and beyond
  /// the ends of each that at the end. Where two ranges of log T overlap it goes from one to the other linearly.
  double operator()(double rho, double t, double hydrogen) const;

  /// The tables of an input, which are read at the first call with these paths and kept until the process ends.
  static const opacity_tables& of(const std::vector<std::string>& paths, double metals);

 private:
  /// Tables with one range of log T, by rising hydrogen.
  struct layer {
    std::vector<opacity_table> tables;
    double lowest() const { return tables.front().log_t.front(); }
    double highest() const { return tables.front().log_t.back(); }
    double at(double log_t, double log_r, double hydrogen) const;
  };
  std::vector<layer> layers_;  // by rising lowest()
};

}  // namespace rednova::radiation
