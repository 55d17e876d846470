// Steps as devices take them, here on the processor. What they are made of is compiled once for all who ask for it:
// that takes minutes.
#pragma once

#include <functional>

#include "step/device.hpp"
#include "step/stepper.hpp"

namespace rednova::step::test {

/// With loops of the processor in place of launches (step/host_space.hpp). together: leaves of one; free_memory: bytes
/// that a rank's device has left, without end if not given.
stepper_maker like_device(int together = leaves_at_once, const std::function<double()>& free_memory = {});

/// On the checking device (exec/checking_device.hpp). seed: of the order in which its kernels take their indices.
stepper_maker on_checking_device(int together = leaves_at_once, unsigned seed = 1);

}  // namespace rednova::step::test
