#include "command/device.hpp"

#include <gmock/gmock.h>

#include "step/step.hpp"

namespace rednova::command {
namespace {

/// The cores under another name.
struct named_cores : step::device {
  std::string name = "cores";
  const std::string& description() const override { return name; }
  std::string uuid() const override { return "GPU-"; }
  step::device_counters counters() const override { return {}; }
  void expect_suits(const config::parameters&) const override {}
  std::unique_ptr<step::stepper> make_stepper(step::simulation& s, std::unique_ptr<step::transferred_fields> from,
                                              int) override {
    ++steppers;
    return step::stepper_on_cores(s, std::move(from));
  }
  std::string start_trace(exec::profile&) override { return {}; }
  void end_trace() override {}
  int steppers = 0;
};

std::string said_of_rows(int history_steps) {
  exec::context context(1);
  config::parameters p;
  p.output.history_steps = history_steps;
  step::simulation s(p, context);
  testing::internal::CaptureStderr();
  run_on(std::make_shared<named_cores>(), s);
  return testing::internal::GetCapturedStderr();
}

TEST(device, carries_out_the_steps) {
  exec::context context(1);
  step::simulation s({}, context);
  const double e = 1;
  std::fill_n(s.u().at(0, s.fields().species(0)), mesh::cells, 1.0);
  std::fill_n(s.u().at(0, s.fields().energy()), mesh::cells, e);
  std::fill_n(s.u().at(0, s.fields().entropy()), mesh::cells, s.eos().ideal.tracer_of_heat(e));
  const auto device = std::make_shared<named_cores>();
  run_on(device, s);
  step::prepare(s);
  EXPECT_EQ(device->steppers, 1);
  run_on(nullptr, s);
  step::prepare(s);
  EXPECT_EQ(device->steppers, 2) << "null changes nothing";
}

TEST(device, warns_of_rows_after_each_step) {
  EXPECT_THAT(said_of_rows(1), testing::HasSubstr("output.history_steps"));
  EXPECT_EQ(said_of_rows(10), "");
}

}  // namespace
}  // namespace rednova::command
