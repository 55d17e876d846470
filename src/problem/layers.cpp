#include "problem/layers.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace rednova::problem {

layers::layers(std::shared_ptr<const stellar::profile_star> star, const std::vector<int>& species,
               const config::parameters& par, const config::input& in)
    : star_(std::move(star)), count_(species.size()) {
  EXPECT(count_ > 0);
  if (par.eos.model != config::gas_model::stellar) return;
  const std::vector<double>& given = par.eos.hydrogen;
  for (std::size_t n = 0; n < species.size(); ++n)
    species_.emplace_back(given.size() > 1 ? given[static_cast<std::size_t>(species[n])] : given[0], n);
  std::sort(species_.begin(), species_.end());
  const auto [least, most] = std::minmax_element(star_->hydrogen.begin(), star_->hydrogen.end());
  constexpr double tolerance = 0.005;
  if (*least < species_.front().first - tolerance || *most > species_.back().first + tolerance)
    core::fail(
        "{}: the profile has mass fractions of hydrogen from {:.3f} to {:.3f}{}, but eos.hydrogen gives the species of "
        "the "
        "star {:.3f} to {:.3f}: give two species fractions of which all layers are mixtures",
        in.place("eos", "hydrogen"), *least, *most, star_->core.mass > 0 ? " outside the core" : "",
        species_.front().first, species_.back().first);
}

void layers::shares_at(double density, double* shares) const {
  std::fill_n(shares, count_, 0.0);
  if (species_.size() < 2) {
    shares[count_ - 1] = 1;
    return;
  }
  const double hydrogen = star_->hydrogen_at(density);
  std::size_t n = 1;
  while (n + 1 < species_.size() && species_[n].first < hydrogen) ++n;
  const auto [least, poor] = species_[n - 1];
  const auto [most, rich] = species_[n];
  shares[rich] = most > least ? std::clamp((hydrogen - least) / (most - least), 0.0, 1.0) : 1.0;
  shares[poor] = 1 - shares[rich];
}

}  // namespace rednova::problem
