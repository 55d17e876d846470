// What happens to all when one goes wrong.
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "exec/scheduler.hpp"
#include "ranks.hpp"

namespace rednova::tests {

namespace {

void fail_in(const std::string& how) {
  if (how == "throws") throw std::runtime_error("rank 1 throws on purpose");
  if (how == "killed") ::raise(SIGKILL);
}

}  // namespace

void goes_wrong(exec::transport& t, const std::string& how) {
  std::vector<exec::peer> peers;
  for (int r = 0; r < t.size(); ++r) {
    if (r != t.rank()) peers.push_back({r, 2000, 2000});
  }
  const auto box = t.open("steps", peers);
  // Long enough that nobody ends before the failure; 100 epochs are a few milliseconds.
  constexpr int epochs = 1000000, last_good = 100;
  const int others = t.size() - 1;
  const auto exchange = [&]() -> exec::task {
    for (int epoch = 0; epoch < epochs; ++epoch) {
      if (t.rank() == 1 && epoch == last_good) fail_in(how);
      if (t.rank() == 1 && epoch == last_good && how == "silent") {
        // Alive, and looking after its messages, but it sends none.
        exec::event never;
        co_await never;
      }
      for (int p = 0; p < others; ++p) {
        co_await box->writable(p);
        box->post(p);
      }
      for (int p = 0; p < others; ++p) {
        co_await box->arrival(p);
        box->release(p);
      }
    }
  };
  exec::context context(2);
  exec::scheduler run(context);
  std::vector<exec::task> tasks;
  tasks.push_back(exchange());
  run.run(std::move(tasks), &t);
}

void waits_longer(exec::transport& t) {
  const exec::transport::longer while_it_sleeps(&t, 20);
  if (t.rank() == 0) std::this_thread::sleep_for(std::chrono::seconds(2));
  t.barrier();
}

void closes_in_vain(exec::transport& t) {
  // So long that no carrier takes it before the receiver has a place for it.
  constexpr std::size_t long_message = std::size_t{4} << 20;
  auto box = t.open("left", {{1 - t.rank(), long_message, long_message}});
  if (t.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(30));
  box->post(0);
  box.reset();  // throws nothing: whoever waits next does
  t.barrier();
}

void misfit(exec::transport& t) {
  std::vector<exec::peer> peers;
  for (int r = 0; r < t.size(); ++r) {
    if (r != t.rank()) peers.push_back({r, 10, t.rank() == 0 ? std::size_t{11} : std::size_t{10}});
  }
  const auto box = t.open("misfit", peers);
}

}  // namespace rednova::tests
