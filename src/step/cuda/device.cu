#include "step/device.hpp"

#include <algorithm>

#include "exec/cuda/device.hpp"
#include "step/cuda/place.hpp"
#include "step/device_room.hpp"
#include "step/resident_step.hpp"

namespace rednova::step {

namespace {

class cuda_device final : public device {
 public:
  explicit cuda_device(int number) : where_(number), clock_(where_) {}
  const std::string& description() const override { return where_.description(); }
  std::unique_ptr<engine> make_engine(simulation& s, int together) override {
    expect_device_room(s, where_.free_memory());
    return std::make_unique<resident_step<cuda::device_place>>(cuda::device_place{{{&where_}}, &clock_}, s, together);
  }

 private:
  exec::cuda::context where_;
  exec::cuda::phase_clock clock_;
};

}  // namespace

std::string why_no_device() { return exec::cuda::find_devices().reason; }

std::shared_ptr<device> open_device(int place) {
  return std::make_shared<cuda_device>(place % std::max(1, exec::cuda::find_devices().devices));
}

}  // namespace rednova::step
