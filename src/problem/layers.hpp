// The composition of a profile's layers, as mixtures of species.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "config/reader.hpp"
#include "stellar/profile_star.hpp"

namespace rednova::problem {

/// Each layer is a mixture of the two species whose mass fractions of hydrogen are next to its own. Of gas that knows
/// no composition, and where all fractions are equal, all is the last of the species given.
class layers {
 public:
  /// species: numbers of those that the star may be made of. A user_error where no mixture of them has the hydrogen of
  /// some layer.
  layers(std::shared_ptr<const stellar::profile_star> star, const std::vector<int>& species,
         const config::parameters& par, const config::input& in);

  /// Share of each of the species given, in the same order, at a density. shares: as many.
  void shares_at(double density, double* shares) const;

 private:
  std::shared_ptr<const stellar::profile_star> star_;
  std::size_t count_;
  std::vector<std::pair<double, std::size_t>> species_;  // mass fraction of hydrogen, place among those given; rising
};

}  // namespace rednova::problem
