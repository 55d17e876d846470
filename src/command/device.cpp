#include "command/device.hpp"

#include "core/check.hpp"
#include "exec/transport.hpp"

namespace rednova::command {

std::shared_ptr<step::device> device_of(const job& what, const exec::context& where) {
  const bool alone = where.ranks() == nullptr;
  if (what.device == device_choice::cpu) return nullptr;
  const std::string missing = step::why_no_device();
  if (what.device == device_choice::automatic && (!alone || !missing.empty())) return nullptr;
  if (!missing.empty()) core::fail("--device gpu: there is none: {}; leave it out to run on the cores", missing);
  if (!alone) core::fail("--device gpu: a GPU runs steps of one rank alone: start one rank, or leave out --device");
  return step::open_device(alone ? 0 : where.ranks()->place_on_host());
}

void run_on(const std::shared_ptr<step::device>& gpu, step::simulation& s) {
  if (gpu) s.make_engine = [gpu](step::simulation& of) { return gpu->make_engine(of); };
}

}  // namespace rednova::command
