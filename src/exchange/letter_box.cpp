#include "exchange/letter_box.hpp"

#include <chrono>
#include <map>
#include <utility>

#include "exec/transport.hpp"

namespace rednova::exchange {

letter_box::letter_box(exec::context& where, std::string name, std::shared_ptr<const pattern> what, int fields,
                       exec::letter_memory memory)
    : where_(&where), name_(std::move(name)), what_(std::move(what)), fields_(fields), memory_(std::move(memory)) {
  std::map<int, end> by_rank;
  for (const pattern::message& m : what_->outgoing()) by_rank[m.rank].out = &m;
  for (const pattern::message& m : what_->incoming()) by_rank[m.rank].in = &m;
  for (const auto& [rank, e] : by_rank) ends_.push_back(e);
}

letter_box letter_box::standing_in(const memory_of_place& where) const {
  if (where_ == nullptr || where_->ranks() == nullptr) return {};
  const auto place = where_->ranks()->reads_devices() ? exec::letters_stand::on_device : exec::letters_stand::on_host;
  return {*where_, name_, what_, fields_, [where, place](std::size_t bytes) { return where(bytes, place); }};
}

exec::mailbox* letter_box::open() {
  if (box_ || where_ == nullptr || where_->ranks() == nullptr) return box_.get();
  const auto bytes = [&](const pattern::message* m) {
    return m == nullptr ? 0 : m->numbers * static_cast<std::size_t>(fields_) * sizeof(double);
  };
  std::vector<exec::peer> peers;
  for (const end& e : ends_) {
    peers.push_back({e.out != nullptr ? e.out->rank : e.in->rank, bytes(e.out), bytes(e.in)});
  }
  box_ = where_->ranks()->open(name_, std::move(peers), memory_);
  return box_.get();
}

void letter_box::wait(const exec::event& e) {
  if (e.happened()) return;
  const auto begin = std::chrono::steady_clock::now();
  {
    const exec::profile::scope timed(where_->times(), exec::phases::wait_for_messages, exec::activity::wait);
    where_->ranks()->wait(e);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  where_->ranks()->waited(seconds);
}

void letter_box::fail_later(std::exception_ptr why) { where_->ranks()->fail_later(std::move(why)); }

}  // namespace rednova::exchange
