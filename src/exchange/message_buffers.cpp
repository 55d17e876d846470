#include "exchange/message_buffers.hpp"

#include <chrono>
#include <map>
#include <utility>

#include "exec/transport.hpp"

namespace rednova::exchange {

message_buffers::message_buffers(exec::context& context, std::string name,
                                 std::shared_ptr<const communication_plan> what, int fields,
                                 exec::make_message_memory memory)
    : context_(&context), name_(std::move(name)), what_(std::move(what)), fields_(fields), memory_(std::move(memory)) {
  std::map<int, end> by_rank;
  for (const communication_plan::message& m : what_->outgoing()) by_rank[m.rank].out = &m;
  for (const communication_plan::message& m : what_->incoming()) by_rank[m.rank].in = &m;
  for (const auto& [rank, e] : by_rank) ends_.push_back(e);
}

message_buffers message_buffers::stored_by(const memory_of_space& memory) const {
  if (context_ == nullptr || context_->ranks() == nullptr) return {};
  const auto stand =
      context_->ranks()->reads_devices() ? exec::message_memory::on_device : exec::message_memory::on_host;
  return {*context_, name_, what_, fields_, [memory, stand](std::size_t bytes) { return memory(bytes, stand); }};
}

exec::mailbox* message_buffers::open() {
  if (box_ || context_ == nullptr || context_->ranks() == nullptr) return box_.get();
  const auto bytes = [&](const communication_plan::message* m) {
    return m == nullptr ? 0 : m->numbers * static_cast<std::size_t>(fields_) * sizeof(double);
  };
  std::vector<exec::peer> peers;
  for (const end& e : ends_) {
    peers.push_back({e.out != nullptr ? e.out->rank : e.in->rank, bytes(e.out), bytes(e.in)});
  }
  box_ = context_->ranks()->open(name_, std::move(peers), memory_);
  return box_.get();
}

void message_buffers::wait(const exec::event& e) {
  if (e.happened()) return;
  const auto begin = std::chrono::steady_clock::now();
  {
    const exec::profile::scope timed(context_->times(), exec::phases::wait_for_messages, exec::activity::wait);
    context_->ranks()->wait(e);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  context_->ranks()->waited(seconds);
}

void message_buffers::wait_for_arrival(int p) {
  exec::profile::task_wait until(context_->times());
  wait(box_->arrival(p));
  until.ended_by(box_->noted(p));
}

void message_buffers::fail_later(std::exception_ptr why) { context_->ranks()->fail_later(std::move(why)); }

}  // namespace rednova::exchange
