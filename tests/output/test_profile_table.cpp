// The table of a profile for people.
#include "output/profile_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace rednova::output {
namespace {

/// A device's phase may have the name of a thread's; its share is that of the wall time, not of all threads'.
TEST(profile_table, devices_have_rows_of_their_own) {
  const auto row = [](const char* activity, double seconds) {
    return nlohmann::ordered_json{{"name", "tracers"}, {"activity", activity}, {"seconds", seconds},
                                  {"calls", 4},        {"shortest", 0.1},      {"longest", 0.2}};
  };
  const nlohmann::ordered_json rank = {
      {"seconds", 2.0}, {"threads", 4}, {"phases", {row("work", 2.0), row("device", 1.0)}}};
  const std::string table = profile_table({rank});
  const auto of_device = table.find("on devices");
  ASSERT_NE(of_device, std::string::npos) << table;
  EXPECT_THAT(table.substr(0, of_device), testing::ContainsRegex("tracers +25.0 % +2 "));
  EXPECT_THAT(table.substr(of_device), testing::ContainsRegex("tracers +50.0 % +1 "));
}

}  // namespace
}  // namespace rednova::output
