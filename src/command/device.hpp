// Whether a job's steps run on the processor's cores or on a GPU.
#pragma once

#include <memory>

#include "command/command.hpp"
#include "step/device.hpp"
#include "step/simulation.hpp"

namespace rednova::command {

/// The device that a job asks for; null: the processor's cores. A user_error, said by all ranks, where --device gpu
/// cannot be had or does not suit the run. All ranks call it.
std::shared_ptr<step::device> device_of(const job& what, const config::parameters& par, exec::context& context);

/// Lets the device, if there is one, carry out the steps of a simulation that is not prepared yet. Warns of what would
/// bring all fields to the host in each step.
void run_on(const std::shared_ptr<step::device>& gpu, step::simulation& s);

}  // namespace rednova::command
