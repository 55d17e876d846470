#include "step/device.hpp"

#include "core/check.hpp"

namespace rednova::step {

std::string why_no_device() {
  return "this program has no kernels for GPUs (cmake --preset cuda builds one that has them, for blocks of 8^3 cells)";
}

std::shared_ptr<device> open_device(exec::transport*) { core::fail("{}", why_no_device()); }

}  // namespace rednova::step
