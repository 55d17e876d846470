// What NVIDIA's management library (NVML) says of a device.
#pragma once

#include <limits>
#include <string>

namespace rednova::output {

/// Readings of now. They are the whole device's: of all processes that use it. What cannot be read is NaN.
struct device_load {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  double use = unknown;     ///< percent of the last second or less in which a kernel ran
  double memory = unknown;  ///< bytes in use
  double watts = unknown;
  double mhz = unknown;  ///< clock of the multiprocessors
};

/// Opens NVML, which comes with the driver, or the library that REDNOVA_NVML names.
class device_monitor {
 public:
  /// uuid: of the device, as nvidia-smi -L has it ("GPU-…").
  explicit device_monitor(const std::string& uuid);
  device_monitor(const device_monitor&) = delete;
  device_monitor& operator=(const device_monitor&) = delete;
  ~device_monitor();

  /// Why there are no readings; empty if there are.
  const std::string& why_not() const { return why_not_; }
  device_load read() const;

 private:
  struct utilization {
    unsigned device, memory;
  };
  struct memory_info {
    unsigned long long total, free, used;
  };
  using handle = void*;

  std::string start(const std::string& uuid);

  // As NVML's reference has them; 0 is success.
  int (*initialize_)() = nullptr;
  int (*shutdown_)() = nullptr;
  const char* (*text_)(int) = nullptr;
  int (*by_uuid_)(const char*, handle*) = nullptr;
  int (*utilization_)(handle, utilization*) = nullptr;
  int (*memory_)(handle, memory_info*) = nullptr;
  int (*power_)(handle, unsigned*) = nullptr;
  int (*clock_)(handle, int, unsigned*) = nullptr;
  handle device_ = nullptr;
  bool initialized_ = false;
  std::string why_not_;
};

}  // namespace rednova::output
