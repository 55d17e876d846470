// A device that carries out steps in place of the processor's cores. Programs without CUDA know none.
#pragma once

#include <memory>
#include <string>

#include "config/parameters.hpp"
#include "exec/profile.hpp"
#include "exec/transport.hpp"
#include "step/stepper.hpp"

namespace rednova::step {

/// Leaves whose update is under way together, if nothing else is said: their fields with ghost layers need six times
/// the memory of their state. A launch of so many fills a device several times over.
inline constexpr int leaves_at_once = 1056;

/// What a device has copied for this rank since it was opened, and what this rank holds of its memory; in bytes.
struct device_counters {
  double to_device = 0, to_host = 0;
  double memory = 0, most_memory = 0;
};

class device {
 public:
  virtual ~device() = default;
  /// Name and compute capability.
  virtual const std::string& description() const = 0;
  /// As its driver's tools call it: "GPU-…".
  virtual std::string uuid() const = 0;
  /// By any thread.
  virtual device_counters counters() const = 0;
  /// A user_error where the kernels of a run need more of a thread block's memory than the device has: too many
  /// species, or gravity of too high an order.
  virtual void expect_suits(const config::parameters& p) const = 0;
  /// A stepper for a rank's part of a simulation, which must fit into the device's memory (a user_error else).
  /// from: null, or what another of these has left. together: leaves that are updated with one launch; results do not
  /// depend on it.
  virtual std::unique_ptr<stepper> make_stepper(simulation& s, std::unique_ptr<transferred_fields> from,
                                                int together = leaves_at_once) = 0;
  /// Has its kernels and copies noted in a profile's trace from here on, up to end_trace(); the profile outlives that.
  /// Gives why they cannot be, "" if they can.
  virtual std::string start_trace(exec::profile& into) = 0;
  /// Once the device has done its work: notes what is left.
  virtual void end_trace() = 0;
};

/// Why this program can use no device; empty if it can.
std::string why_no_device();

/// Opens a device of this machine; a user_error where there is none or it cannot be had. ranks: of the run, null for
/// one alone, which outlive the device; those of a machine take its devices in turn, and their messages are looked
/// after while the host waits for the device.
std::shared_ptr<device> open_device(exec::transport* ranks = nullptr);

}  // namespace rednova::step
