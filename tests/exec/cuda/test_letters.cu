// Messages' memory that kernels write and read, marks in the queue, and who looks after messages meanwhile.
#include <gtest/gtest.h>

#include <vector>

#include "device_test.hpp"
#include "exec/cuda/place.hpp"

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
  const exec::cuda::place where{&context};
  const auto memory = where.letters(count * sizeof(double), exec::letters_stand::on_host);
  auto* const letter = reinterpret_cast<double*>(memory.get());
  exec::cuda::array<double> result(count);
  exec::cuda::mark written(where);
  for (const double first : {1.0, 7.0}) {
    where.for_each(count, write_numbers{first, letter});
    written.set();
    written.wait();
    for (int i = 0; i < count; ++i) ASSERT_EQ(letter[i], first + i);
    for (int i = 0; i < count; ++i) letter[i] = -i;
    where.for_each(count, twice{letter, result.data()});
    const std::vector<double> there = result.to_host(where);
    for (int i = 0; i < count; ++i) ASSERT_EQ(there[static_cast<std::size_t>(i)], -2.0 * i);
  }
}

TEST_F(device, letters_of_the_device) {
  const exec::cuda::context context;
  const exec::cuda::place where{&context};
  const auto memory = where.letters(count * sizeof(double), exec::letters_stand::on_device);
  auto* const letter = reinterpret_cast<double*>(memory.get());
  where.for_each(count, write_numbers{3, letter});
  std::vector<double> there(count);
  where.download(letter, std::span<double>(there));
  for (int i = 0; i < count; ++i) ASSERT_EQ(there[static_cast<std::size_t>(i)], 3.0 + i);
}

TEST_F(device, looks_after_messages_while_it_waits) {
  counting messages;
  exec::cuda::context context;
  context.look_after(messages);
  const exec::cuda::place where{&context};
  exec::cuda::array<double> result(1);
  exec::cuda::mark done(where);
  where.for_each(1, slow{result.data()});
  done.set();
  done.wait();
  EXPECT_GT(messages.asked, 0);
  messages.asked = 0;
  where.for_each(1, slow{result.data()});
  EXPECT_DOUBLE_EQ(result.to_host(where)[0], 2);
  EXPECT_GT(messages.asked, 0);
}

}  // namespace
