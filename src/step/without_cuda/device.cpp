#include "step/device.hpp"

#include "core/check.hpp"

namespace rednova::step {

std::string why_no_device() {
  return "this program was built without CUDA (cmake --preset cuda builds one that has it)";
}

std::shared_ptr<device> open_device(int) { core::fail("{}", why_no_device()); }

}  // namespace rednova::step
