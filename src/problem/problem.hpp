// What a problem gives: the initial state at a point, or the whole initial model.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/checks.hpp"
#include "config/reader.hpp"
#include "stellar/report.hpp"
#include "step/simulation.hpp"

namespace rednova::problem {

inline constexpr int max_species = config::max_species;

/// The gas at a point, in the inertial frame.
struct gas {
  std::array<double, max_species> density{};  ///< partial densities
  core::vec3d velocity;
  double pressure = 0;
};

/// What a problem with one star asks for.
struct single_star_asked {
  double mass, radius;
  core::vec3d centre{};
};

/// A star of a sketch.
struct star_outline {
  const char* name;
  core::vec3d centre;
  double radius;
};

/// The gas of a problem as it will be at the start, as far as it is known before its model is made.
struct sketch {
  std::function<gas(core::vec3d)> at;
  double rotation = 0;      ///< angular velocity of the grid
  double orbital_rate = 0;  ///< of two stars in the inertial frame; 0: there are none, and the grid's turns count
  bool iterated = false;    ///< the model is one that is iterated for, and this is but like it
  std::vector<star_outline> stars;
  std::vector<step::point_mass> points;  ///< of the problem's own
};

class problem {
 public:
  virtual ~problem() = default;
  /// A user_error with its place where the rest of the input does not suit the problem.
  virtual void expect_suits(const config::input&, const config::parameters&) const {}
  /// The initial state at a point.
  virtual gas at(core::vec3d x) const = 0;
  /// The exact solution at a later time, where one is known.
  virtual std::optional<gas> exact(core::vec3d, double) const { return std::nullopt; }
  /// Whether a block (centre, half its edge) of this level is to be refined at the start, besides the criteria.
  virtual bool refine(core::vec3d, double, int) const { return false; }
  /// Parts of the edge of a cell (its centre, its width) for averaging, 2 Gauss points each: more than 1 where at()
  /// jumps and the cell averages must be good all the same.
  virtual int subcells(core::vec3d, double) const { return 1; }
  /// The star of a problem that has one, so that it can be compared with its mesh (resolved.hpp).
  virtual std::optional<single_star_asked> single_star() const { return std::nullopt; }
  /// Point masses of the problem's own, besides those of the input, at time 0.
  virtual std::vector<step::point_mass> point_masses() const { return {}; }
  /// What a model has come to that was found for this problem, for people; may be empty.
  virtual std::string description() const { return {}; }
  /// at(), or what is like the model that is iterated for.
  virtual sketch sketched(const config::parameters& par) const;
  /// Fills tree and fields of the simulation at time 0: samples at() and refines until the criteria are met. A problem
  /// that iterates for its model gives what was asked of it and what was reached.
  virtual std::optional<stellar::model_report> initialize(step::simulation& s) const;
};

/// A user_error unless the gas is ideal: for problems that are a solution for it alone.
void expect_ideal_gas(const config::input& in, const config::parameters& par);

/// A row of the registry.
struct entry {
  const char* name;
  const char* summary;  ///< one line for `rednova problems`
  /// Reads the problem's own keys from [problem]; may set defaults of `par` (input::set_default).
  std::unique_ptr<problem> (*make)(config::input& in, config::parameters& par);
};

/// All problems, in the order in which `rednova problems` lists them.
const std::vector<entry>& registry();
/// The problem that the input names; a user_error with the nearest name otherwise.
std::unique_ptr<problem> make(config::input& in, config::parameters& par);

}  // namespace rednova::problem
