// What NVIDIA's management library (NVML) says of a device.
#pragma once

#include <string>

namespace rednova::output {

/// Readings of now. They are the whole device's: of all processes that use it.
struct device_load {
  double use = 0;     ///< percent of the last second or less in which a kernel ran
  double memory = 0;  ///< bytes in use
  double watts = 0;
  double mhz = 0;  ///< clock of the multiprocessors
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
  /// What cannot be read is zero.
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
