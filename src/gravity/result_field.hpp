// The fields that gravity gives.
#pragma once

namespace rednova::gravity {

/// Fields of the result, per leaf: potential, acceleration and spin torque per volume.
enum result_field { potential = 0, acceleration = 1, torque = 4, result_fields = 7 };

}  // namespace rednova::gravity
