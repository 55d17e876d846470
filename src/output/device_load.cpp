#include "output/device_load.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "exec/shared_library.hpp"

namespace rednova::output {

device_monitor::device_monitor(const std::string& uuid) : why_not_(start(uuid)) {}

device_monitor::~device_monitor() {
  if (initialized_) shutdown_();
}

std::string device_monitor::start(const std::string& uuid) {
  const char* const named = std::getenv("REDNOVA_NVML");
  const exec::shared_library library({named != nullptr ? named : "libnvidia-ml.so.1"});
  if (!library.open()) return library.why_not();
  const bool all = library.find("nvmlInit_v2", initialize_) && library.find("nvmlShutdown", shutdown_) &&
                   library.find("nvmlErrorString", text_) && library.find("nvmlDeviceGetHandleByUUID", by_uuid_) &&
                   library.find("nvmlDeviceGetUtilizationRates", utilization_) &&
                   library.find("nvmlDeviceGetMemoryInfo", memory_) &&
                   library.find("nvmlDeviceGetPowerUsage", power_) && library.find("nvmlDeviceGetClockInfo", clock_);
  if (!all) return fmt::format("{} lacks functions of NVML", library.name());
  int result = initialize_();
  if (result != 0) return fmt::format("nvmlInit_v2: {}", text_(result));
  initialized_ = true;
  result = by_uuid_(uuid.c_str(), &device_);
  return result == 0 ? "" : fmt::format("nvmlDeviceGetHandleByUUID({}): {}", uuid, text_(result));
}

device_load device_monitor::read() const {
  device_load load;
  if (!why_not_.empty()) return load;
  constexpr int clock_of_multiprocessors = 1;
  utilization use{};
  if (utilization_(device_, &use) == 0) load.use = use.device;
  memory_info memory{};
  if (memory_(device_, &memory) == 0) load.memory = static_cast<double>(memory.used);
  unsigned milliwatts = 0, mhz = 0;
  if (power_(device_, &milliwatts) == 0) load.watts = 1e-3 * milliwatts;
  if (clock_(device_, clock_of_multiprocessors, &mhz) == 0) load.mhz = mhz;
  return load;
}

}  // namespace rednova::output
