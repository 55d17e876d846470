// A polytrope at rest about a softened point mass.
#pragma once

#include <memory>

#include "stellar/barotropic_sphere.hpp"

namespace rednova::stellar {

struct polytropic_star {
  std::shared_ptr<const polytropic_gas> gas;
  barotropic_sphere sphere;
};

/// The one of this index that is asked for, 0.5 <= n <= 4, whose constant follows: the Lane-Emden equation with the
/// core's pull besides the gas's own. A core::user_error that names `what` (a star) where there is none.
polytropic_star polytropic_star_of(double index, const star_asked& asked, const char* what);

}  // namespace rednova::stellar
