#include "command/device.hpp"

#include "core/check.hpp"
#include "exec/transport.hpp"

namespace rednova::command {

std::shared_ptr<step::device> device_of(const job& what, const exec::context& where) {
  if (what.device == device_choice::cpu) return nullptr;
  const std::string missing = step::why_no_device();
  if (missing.empty()) return step::open_device(where.ranks() == nullptr ? 0 : where.ranks()->place_on_host());
  if (what.device == device_choice::automatic) return nullptr;
  core::fail("--device gpu: there is none: {}; leave it out to run on the cores", missing);
}

void run_on(const std::shared_ptr<step::device>& gpu, step::simulation& s) {
  if (gpu) s.make_engine = [gpu](step::simulation& of) { return gpu->make_engine(of); };
}

}  // namespace rednova::command
