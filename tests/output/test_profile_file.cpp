// What profile.json says of a device: the device is the cores under another name, its NVML a double.
#include "output/profile_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "exec/shared_library.hpp"
#include "output/device_load.hpp"
#include "run_directory.hpp"
#include "step/device.hpp"

namespace rednova::output {
namespace {

constexpr const char* uuid = "GPU-01020304-0506-0708-090a-0b0c0d0e0f10";

struct named_cores : step::device {
  std::string name = "cores";
  const std::string& description() const override { return name; }
  std::string uuid() const override { return output::uuid; }
  step::device_counters counters() const override {
    if (failed) throw std::runtime_error("an illegal memory access was encountered");
    return {1e6, 2e6, 3e9, 4e9};
  }
  bool failed = false;
  void expect_suits(const config::parameters&) const override {}
  std::unique_ptr<step::stepper> make_stepper(step::simulation& s, std::unique_ptr<step::transferred_fields> from,
                                              int) override {
    return step::stepper_on_cores(s, std::move(from));
  }
  std::string start_trace(exec::profile&) override { return {}; }
  void end_trace() override {}
};

class nvml : public run_directory {
 protected:
  void SetUp() override {
    run_directory::SetUp();
    setenv("REDNOVA_NVML", NVML_DOUBLE, 1);
  }
  void TearDown() override {
    unsetenv("REDNOVA_NVML");
    run_directory::TearDown();
  }
  nlohmann::json profile_of(const step::device* gpu) {
    volatile std::sig_atomic_t asked = 0;
    profile_file file(s.context(), gpu, directory, sample_provenance(), asked);
    file.begin_steps(s.step());
    file.close();
    return nlohmann::json::parse(text("profile.json"))["ranks"][0];
  }
};

TEST_F(nvml, readings_are_the_device_s) {
  int (*initialized)() = nullptr;
  ASSERT_TRUE(exec::shared_library({NVML_DOUBLE}).find("double_initialized", initialized));
  {
    const device_monitor of(uuid);
    EXPECT_EQ(of.why_not(), "");
    const device_load load = of.read();
    EXPECT_EQ(load.use, 87);
    EXPECT_EQ(load.memory, 30e9);
    EXPECT_EQ(load.watts, 412.5);
    EXPECT_EQ(load.mhz, 1980);
    EXPECT_EQ(initialized(), 1);
  }
  EXPECT_EQ(initialized(), 0);
}

TEST_F(nvml, says_why_there_are_none) {
  const device_monitor other("GPU-another");
  EXPECT_THAT(other.why_not(), testing::HasSubstr("words of the double"));
  EXPECT_TRUE(std::isnan(other.read().mhz));
  setenv("REDNOVA_NVML", "no_such_library.so", 1);
  EXPECT_THAT(device_monitor(uuid).why_not(), testing::HasSubstr("no_such_library.so"));
}

TEST_F(nvml, profile_has_readings_and_counters_of_a_device) {
  const named_cores gpu;
  const nlohmann::json rank = profile_of(&gpu);
  EXPECT_EQ(rank["device"]["name"], "cores");
  EXPECT_EQ(rank["device"]["bytes_to_device"], 1e6);
  EXPECT_EQ(rank["device"]["bytes_to_host"], 2e6);
  EXPECT_EQ(rank["device"]["memory_bytes"], 3e9);
  EXPECT_EQ(rank["device"]["most_memory_bytes"], 4e9);
  EXPECT_FALSE(rank["device"].contains("no_readings"));
  ASSERT_EQ(rank["samples"]["device_watts"].size(), rank["samples"]["time"].size());
  EXPECT_EQ(rank["samples"]["device_watts"][0], 412.5);
  EXPECT_EQ(rank["samples"]["device_use_percent"][0], 87);
  EXPECT_EQ(rank["samples"]["device_memory_bytes"][0], 30e9);
  EXPECT_EQ(rank["samples"]["device_own_memory_bytes"][0], 3e9);
  EXPECT_EQ(rank["samples"]["bytes_to_device"][0], 1e6);
  EXPECT_EQ(rank["samples"]["bytes_to_host"][0], 2e6);
}

TEST_F(nvml, what_the_driver_does_not_read_is_left_out) {
  void (*without_power)(bool) = nullptr;
  ASSERT_TRUE(exec::shared_library({NVML_DOUBLE}).find("double_without_power", without_power));
  without_power(true);
  const named_cores gpu;
  const nlohmann::json rank = profile_of(&gpu);
  without_power(false);
  EXPECT_FALSE(rank["samples"].contains("device_watts")) << "no reading is no zero";
  EXPECT_EQ(rank["samples"]["device_use_percent"][0], 87);
}

TEST_F(nvml, profile_says_why_it_has_no_readings) {
  setenv("REDNOVA_NVML", "no_such_library.so", 1);
  const named_cores gpu;
  const nlohmann::json rank = profile_of(&gpu);
  EXPECT_THAT(rank["device"]["no_readings"].get<std::string>(), testing::HasSubstr("no_such_library.so"));
  EXPECT_FALSE(rank["samples"].contains("device_watts"));
  EXPECT_EQ(rank["samples"]["bytes_to_host"][0], 2e6) << "which are the program's own";
}

/// What it is asked for then is told by the main thread; the profile's thread has nobody to tell.
TEST_F(nvml, profile_of_a_device_that_fails_has_what_it_said_last) {
  named_cores gpu;
  volatile std::sig_atomic_t asked = 0;
  profile_file file(s.context(), &gpu, directory, sample_provenance(), asked);
  file.begin_steps(s.step());
  gpu.failed = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));  // the profile's own thread has asked since
  EXPECT_THAT(file.table_so_far(), testing::HasSubstr(fmt::format("step {}", s.step())));
  file.close();
  const nlohmann::json rank = nlohmann::json::parse(text("profile.json"))["ranks"][0];
  EXPECT_EQ(rank["device"]["bytes_to_device"], 1e6);
  EXPECT_EQ(rank["samples"]["bytes_to_host"].back(), 2e6);
}

TEST_F(nvml, profile_of_cores_has_no_device) {
  const nlohmann::json rank = profile_of(nullptr);
  EXPECT_FALSE(rank.contains("device"));
  EXPECT_FALSE(rank["samples"].contains("device_watts"));
  EXPECT_FALSE(rank["samples"].contains("bytes_to_device"));
}

}  // namespace
}  // namespace rednova::output
