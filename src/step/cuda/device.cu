#include "step/device.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "exec/cuda/activity_log.hpp"
#include "exec/cuda/device.hpp"
#include "step/cuda/space.hpp"
#include "step/device_memory.hpp"
#include "step/device_step.hpp"

namespace rednova::step {

namespace {

class cuda_device final : public device {
 public:
  cuda_device(int number, exec::transport* ranks) : context_(number), clock_(context_), ranks_(ranks) {
    if (ranks != nullptr) context_.look_after(*ranks);
  }
  const std::string& description() const override { return context_.description(); }
  std::string uuid() const override {
    std::string text = "GPU";
    for (std::size_t i = 0; i < context_.identity().size(); ++i)
      text += fmt::format("{}{:02x}", i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                          static_cast<unsigned char>(context_.identity()[i]));
    return text;
  }
  device_counters counters() const override {
    return {context_.copied(cudaMemcpyHostToDevice), context_.copied(cudaMemcpyDeviceToHost), context_.memory_in_use(),
            context_.most_memory_in_use()};
  }
  void expect_suits(const config::parameters& p) const override {
    // A launch over nothing asks for its memory too.
    const mesh::fields fields = mesh::fields::of(p);
    try {
      hydro::cuda::block_update(p.hydro, fields, eos::gas(p))(context_, 0, nullptr, nullptr, {}, nullptr);
    } catch (const core::user_error& e) {
      core::fail("--device gpu: hydro.species has {} names{}: {}; take fewer, or run on the cores",
                 p.hydro.species.size(), p.hydro.spin ? ", and hydro.spin is on" : "", e.what());
    }
    if (!p.gravity.enabled) return;
    try {
      const auto kernels = gravity::cuda::kernels_of(context_, p.gravity, mesh::tree::uniform({}, 1));
      for (const auto* far : {&kernels.far, &kernels.far_of_root}) {
        far->m2l(context_, 0, nullptr, nullptr, nullptr, nullptr, nullptr);
        far->m2p(context_, 0, nullptr, nullptr);
      }
    } catch (const core::user_error& e) {
      core::fail("--device gpu: gravity.order is {}: {}; lower it, or run on the cores", p.gravity.order, e.what());
    }
  }
  std::unique_ptr<stepper> make_stepper(simulation& s, std::unique_ptr<transferred_fields> from,
                                        int together) override {
    const auto left = [this] { return free_memory_of_rank(); };
    if (!from) expect_device_memory(s, left());
    return make_device_step(cuda::device_space{{{&context_}}, &clock_}, s, together, left, std::move(from));
  }
  std::string start_trace(exec::profile& into) override {
    log_ = std::make_unique<exec::cuda::activity_log>(into);
    const std::string why_not = log_->why_not();
    if (!why_not.empty()) log_.reset();
    return why_not;
  }
  void end_trace() override { log_.reset(); }

 private:
  /// Bytes that are left for each rank of the device. All ranks give back what they do not use, look, and go on.
  double free_memory_of_rank() const {
    context_.trim_pool();
    if (ranks_ == nullptr) return context_.free_memory();
    const auto mine = context_.identity();
    const auto sharers = std::ranges::count(ranks_->gather_all(mine), mine);
    const double free = context_.free_memory();
    ranks_->barrier();
    return free / static_cast<double>(sharers);
  }

  exec::cuda::context context_;
  exec::cuda::phase_clock clock_;
  std::unique_ptr<exec::cuda::activity_log> log_;  // where a trace is on
  exec::transport* ranks_;
};

}  // namespace

std::string why_no_device() { return exec::cuda::find_devices().reason; }

std::shared_ptr<device> open_device(exec::transport* ranks) {
  // Where a launcher shows each rank one device, that is number 0.
  const int devices = std::max(1, exec::cuda::find_devices().devices);
  return std::make_shared<cuda_device>(ranks != nullptr ? ranks->rank_on_host() % devices : 0, ranks);
}

}  // namespace rednova::step
