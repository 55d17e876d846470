#include "step/steppers/like_devices.hpp"

#include <limits>
#include <memory>
#include <utility>

#include "step/checking_device.hpp"
#include "step/device_step.hpp"
#include "step/host_space.hpp"

namespace rednova::step::test {
namespace {

double unlimited_memory() { return std::numeric_limits<double>::infinity(); }

template <class Space>
stepper_maker maker(const Space& space, int together, const std::function<double()>& free_memory) {
  return [=](simulation& s, std::unique_ptr<transferred_fields> from) {
    return make_device_step(space, s, together, free_memory, std::move(from));
  };
}

}  // namespace

stepper_maker like_device(int together, const std::function<double()>& free_memory) {
  return maker(host_space{}, together, free_memory ? free_memory : unlimited_memory);
}

stepper_maker on_checking_device(int together, unsigned seed) {
  checking_space here;
  here.seed = seed;
  return maker(here, together, unlimited_memory);
}

}  // namespace rednova::step::test
