#include "command/device.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "exchange/collective_error.hpp"
#include "exchange/gather.hpp"

namespace rednova::command {

std::shared_ptr<step::device> device_of(const job& what, const config::parameters& par, exec::context& context) {
  if (what.device == device_choice::cpu) return nullptr;
  // All ranks take the same: their loads are compared.
  std::string missing = step::why_no_device();
  std::shared_ptr<step::device> gpu;
  if (missing.empty()) {
    try {
      gpu = step::open_device(context.ranks());
    } catch (const std::runtime_error& e) {
      missing = e.what();  // another process may have it for itself
    }
  }
  if (!exchange::on_any_rank(context, gpu == nullptr)) {
    exchange::by_all([&] {
      gpu->expect_suits(par);
      return 0;
    });
    return gpu;
  }
  if (what.device == device_choice::automatic) return nullptr;
  throw exchange::collective_error(fmt::format("--device gpu: there is none: {}; leave it out to run on the cores",
                                               missing.empty() ? "the machine of another rank has none" : missing));
}

void run_on(const std::shared_ptr<step::device>& gpu, step::simulation& s) {
  if (!gpu) return;
  s.step_with([gpu](step::simulation& of, std::unique_ptr<step::transferred_fields> from) {
    return gpu->make_stepper(of, std::move(from));
  });
  if (s.par().output.history_steps == 1 && s.context().leads()) {
    fmt::print(
        stderr,
        "warning: output.history_steps is 1: all fields come from the device after each step; with 10 they rarely "
        "do\n");
  }
}

}  // namespace rednova::command
