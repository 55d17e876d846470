// Messages' memory that kernels write and read, flags in the queue, and who looks after messages meanwhile.
#include <gtest/gtest.h>

#include <vector>

#include "device_test.hpp"
#include "exec/cuda/space.hpp"

namespace {

using namespace rednova;
using testing_on::device;

struct write_numbers {
  double first;
  double* to;
  REDNOVA_FN void operator()(int i) const { to[i] = first + i; }
};
struct twice {
  const double* from;
  double* to;
  REDNOVA_FN void operator()(int i) const { to[i] = 2 * from[i]; }
};
/// Milliseconds of work.
struct slow {
  double* to;
  REDNOVA_FN void operator()(int i) const {
    double x = i;
    for (int n = 0; n < 1000000; ++n) x = 0.5 * x + 1;
    to[i] = x;
  }
};

struct counting final : exec::poller {
  int asked = 0;
  bool progress() override {
    ++asked;
    return false;
  }
};

constexpr int count = 100003;

TEST_F(device, kernels_reach_page_locked_letters) {
  const exec::cuda::context context;
  const exec::cuda::space space{&context};
  const auto memory = space.messages(count * sizeof(double), exec::message_memory::on_host);
  auto* const message = reinterpret_cast<double*>(memory.get());
  exec::cuda::array<double> result(count);
  exec::cuda::device_event written(space);
  for (const double first : {1.0, 7.0}) {
    space.for_each(count, write_numbers{first, message});
    written.set();
    written.wait();
    for (int i = 0; i < count; ++i) ASSERT_EQ(message[i], first + i);
    for (int i = 0; i < count; ++i) message[i] = -i;
    space.for_each(count, twice{message, result.data()});
    const std::vector<double> there = result.to_host(space);
    for (int i = 0; i < count; ++i) ASSERT_EQ(there[static_cast<std::size_t>(i)], -2.0 * i);
  }
}

TEST_F(device, letters_of_the_device) {
  const exec::cuda::context context;
  const exec::cuda::space space{&context};
  const auto memory = space.messages(count * sizeof(double), exec::message_memory::on_device);
  auto* const message = reinterpret_cast<double*>(memory.get());
  space.for_each(count, write_numbers{3, message});
  std::vector<double> there(count);
  space.download(message, std::span<double>(there));
  for (int i = 0; i < count; ++i) ASSERT_EQ(there[static_cast<std::size_t>(i)], 3.0 + i);
}

TEST_F(device, looks_after_messages_while_it_waits) {
  counting messages;
  exec::cuda::context context;
  context.look_after(messages);
  const exec::cuda::space space{&context};
  exec::cuda::array<double> result(1);
  exec::cuda::device_event done(space);
  space.for_each(1, slow{result.data()});
  done.set();
  done.wait();
  EXPECT_GT(messages.asked, 0);
  messages.asked = 0;
  space.for_each(1, slow{result.data()});
  EXPECT_DOUBLE_EQ(result.to_host(space)[0], 2);
  EXPECT_GT(messages.asked, 0);
}

}  // namespace
