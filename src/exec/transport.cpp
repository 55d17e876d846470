#include "exec/transport.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

#include "exec/patience.hpp"

namespace rednova::exec {

namespace {

constexpr int tag_introduction = 1, tag_exchange = 2, tag_mailboxes = 3;

/// Gone, or a zombie, since not every launcher buries its processes at once.
bool ended(int process) {
  if (::kill(process, 0) != 0) return errno == ESRCH;
  std::string stat;
  std::getline(std::ifstream(fmt::format("/proc/{}/stat", process)), stat);
  // "number (name) state …", where the name may hold anything.
  const auto name = stat.rfind(") ");
  return name != std::string::npos && (stat[name + 2] == 'Z' || stat[name + 2] == 'X');
}

struct host_key {
  std::uint64_t host;  ///< the same for processes of one machine that can see each other's process numbers
  bool known;          ///< no other machine has it
};

/// Machines that went on from one image have the same boot_id, so the host's name counts, too.
host_key host_of_processes() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  std::error_code ignored;
  const std::string space = std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
  return {std::hash<std::string>()(boot + space + name.data()), !boot.empty()};
}

}  // namespace

transport::transport(std::shared_ptr<mpi_session> session, double patience)
    : session_(std::move(session)), patience_(patience), exceptions_(std::uncaught_exceptions()) {
  if (!session_) return;
  rank_ = engine().rank();
  size_ = engine().size();
}

transport::~transport() {
  EXPECT(boxes_.empty() || broken_);
  // What was under way may still be written into, until the process ends.
  if (!broken_) return;
  [[maybe_unused]] const auto* const kept = abandoned_.release();
}

bool transport::all_end_well() noexcept {
  if (!session_ || std::uncaught_exceptions() != exceptions_ || (broken_ && !failure_)) {
    if (session_) session_->give_up();
    return false;
  }
  try {
    barrier();
    return true;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "rednova: at the end of rank %d: %s\n", rank_, e.what());
    session_->give_up();
    return false;
  }
}

std::string transport::describe() const { return "one rank"; }

void transport::follow(int operation, std::function<void()> ended) {
  if (operation < 0) engine_failed();
  const auto n = static_cast<std::size_t>(operation);
  if (n >= followed_.size()) followed_.resize(n + 1);
  followed_[n] = std::move(ended);
}

void transport::engine_failed() const { core::fail("rank {}: {}", rank_, engine().failure()); }

bool transport::progress() {
  expect_no_failure();
  if (!session_ || broken_) return false;
  look_after_neighbours();
  run_posted();
  const int* ended = nullptr;
  const int count = engine().test_some(&ended);
  if (count < 0) engine_failed();
  for (int i = 0; i < count; ++i) std::exchange(followed_[static_cast<std::size_t>(ended[i])], {})();
  return poll() || count > 0;
}

void transport::on_main(std::function<void()> what) {
  if (std::this_thread::get_id() == main_) {
    // After an error mailboxes have gone that were in use, and nothing travels any more.
    if (broken_) return;
    // What others have posted before goes before.
    run_posted();
    what();
    return;
  }
  const std::scoped_lock lock(guard_);
  posted_.push_back(std::move(what));
}

void transport::run_posted() {
  std::vector<std::function<void()>> now;
  {
    const std::scoped_lock lock(guard_);
    now.swap(posted_);
  }
  for (const auto& what : now) what();
}

void transport::wait(const event& e) {
  using clock = std::chrono::steady_clock;
  expect_no_failure();
  if (broken_) throw std::logic_error("a transport is used after an error");
  auto since = clock::now();
  patience rest;
  while (!e.happened()) {
    if (progress()) {
      since = clock::now();
      rest = {};
      continue;
    }
    const double waited = std::chrono::duration<double>(clock::now() - since).count();
    if (rest.pause(waited)) idle(waited);
  }
}

void transport::idle(double seconds) {
  if (!session_) return;
  if (seconds < patience_) return;
  throw peer_lost(
      fmt::format("rank {} has had no message for {:.0f} s{}: a rank or the network between them is lost, or it "
                  "computes for longer "
                  "than that without looking at its messages",
                  rank_, seconds, awaited()));
}

void transport::waited(double seconds) {
  if (latest_ != nullptr) latest_->waited += seconds;
  latest_ = nullptr;
}

std::string transport::awaited() const {
  constexpr std::size_t enough = 8;
  std::vector<std::string> list;
  for (const mailbox* box : boxes_) {
    for (const channel& c : box->channels_) {
      if (c.with.receive_bytes == 0 || c.arrived[static_cast<std::size_t>(c.released % 2)].happened()) continue;
      if (list.size() < enough) list.push_back(fmt::format("{} from rank {}", box->name(), c.with.rank));
    }
  }
  return list.empty() ? "" : fmt::format(" while it may wait for {}", fmt::join(list, ", "));
}

void transport::find_neighbours() {
  struct process {
    std::uint64_t host;
    std::int64_t id;
  };
  const host_key here = host_of_processes();
  const process mine{here.host, here.known ? ::getpid() : not_seen};
  const std::vector<process> all = gather_all(mine);
  for (int r = 0; r < size_; ++r) {
    const process& p = all[static_cast<std::size_t>(r)];
    if (r != rank_ && p.host == mine.host) neighbours_.push_back({r, static_cast<int>(p.id)});
  }
}

void transport::look_after_neighbours() {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < std::chrono::seconds(1)) return;
  looked_ = now;
  for (const neighbour& n : neighbours_) {
    if (n.process == not_seen || !ended(n.process)) continue;
    throw peer_lost(fmt::format("rank {} is lost: its process {} has ended, as rank {} finds{}", n.rank, n.process,
                                rank_, awaited()));
  }
}

void transport::barrier() {
  if (!session_) return;
  expect_no_failure();
  event done;
  follow(engine().barrier(), [&done] { done.arrive(); });
  wait(done);
}

void transport::start_gather_all(std::span<const std::byte> mine, std::span<std::byte> all, event& done) {
  EXPECT(all.size() == mine.size() * static_cast<std::size_t>(size_));
  if (!session_) {
    std::copy(mine.begin(), mine.end(), all.begin());
    done.arrive();
    return;
  }
  on_main([this, mine, all, &done] {
    follow(engine().gather_all(mine.data(), mine.size(), all.data()), [&done] { done.arrive(); });
  });
}

std::vector<std::vector<std::byte>> transport::exchange(std::vector<std::vector<std::byte>> outgoing) {
  EXPECT(outgoing.size() == static_cast<std::size_t>(size_));
  const auto self = static_cast<std::size_t>(rank_);
  std::vector<std::uint64_t> lengths(outgoing.size()), coming(outgoing.size());
  for (std::size_t r = 0; r < outgoing.size(); ++r) lengths[r] = outgoing[r].size();
  std::vector<std::vector<std::byte>> incoming(outgoing.size());
  incoming[self] = std::move(outgoing[self]);
  if (!session_) return incoming;

  event told;
  follow(engine().swap_all(lengths.data(), sizeof lengths[0], coming.data()), [&told] { told.arrive(); });
  wait(told);
  const auto others = [&](std::size_t r, std::uint64_t bytes) { return r != self && bytes > 0; };
  int messages = 0;
  for (std::size_t r = 0; r < coming.size(); ++r) messages += others(r, coming[r]) + others(r, lengths[r]);
  event ended(messages);
  const auto one = [&ended] { ended.arrive(); };
  for (std::size_t r = 0; r < coming.size(); ++r) {
    if (!others(r, coming[r])) continue;
    incoming[r].resize(coming[r]);
    follow(engine().receive(incoming[r].data(), coming[r], static_cast<int>(r), tag_exchange), one);
  }
  for (std::size_t r = 0; r < outgoing.size(); ++r) {
    if (!others(r, lengths[r])) continue;
    follow(engine().send(outgoing[r].data(), lengths[r], static_cast<int>(r), tag_exchange), one);
  }
  wait(ended);
  return incoming;
}

std::unique_ptr<mailbox> transport::open(std::string name, std::vector<peer> peers, const make_message_memory& memory) {
  std::unique_ptr<mailbox> box(
      new mailbox(*this, opened_++ % (mpi::highest_tag - tag_mailboxes), std::move(name), std::move(peers), memory));
  boxes_.push_back(box.get());
  introduce(*box);
  opened(*box);
  return box;
}

void transport::introduce(mailbox& box) {
  const std::size_t n = box.channels().size();
  std::vector<postcard> mine(n);
  for (std::size_t i = 0; i < n; ++i) {
    mine[i].send_bytes = box.peers()[i].send_bytes;
    mine[i].receive_bytes = box.peers()[i].receive_bytes;
  }
  opening(box, mine);
  event met(2 * static_cast<int>(n));
  const auto one = [&met] { met.arrive(); };
  for (std::size_t i = 0; i < n; ++i) {
    channel& c = box.channels()[i];
    follow(engine().receive(&c.theirs, sizeof c.theirs, c.with.rank, tag_introduction), one);
    follow(engine().send(&mine[i], sizeof mine[i], c.with.rank, tag_introduction), one);
  }
  if (n > 0) wait(met);
  for (const channel& c : box.channels()) {
    if (c.theirs.send_bytes == c.with.receive_bytes && c.theirs.receive_bytes == c.with.send_bytes) continue;
    throw std::logic_error(fmt::format(
        "mailbox {}: rank {} sends {} bytes to rank {} and expects {}, which expects {} and sends {}", box.name(),
        rank_, c.with.send_bytes, c.with.rank, c.with.receive_bytes, c.theirs.receive_bytes, c.theirs.send_bytes));
  }
}

void transport::close(mailbox& box) {
  for (const channel& c : box.channels()) {
    for (const event& e : c.writable) wait(e);
  }
  run_posted();
  closing(box);
  std::erase(boxes_, &box);
}

void transport::fail_later(std::exception_ptr why) {
  if (!failure_) failure_ = std::move(why);
}

void transport::expect_no_failure() {
  if (failure_) std::rethrow_exception(failure_);
}

void transport::abandon(mailbox& box) {
  broken_ = true;
  abandoned_->push_back(std::move(box.memory_));
  std::erase(boxes_, &box);
}

int transport::tag_of(const mailbox& box) { return tag_mailboxes + box.number(); }

traffic transport::all_messages() const { return {sent_, sent_bytes_, received_, received_bytes_, 0}; }

void transport::count_sent(channel& c) {
  const auto bytes = static_cast<std::int64_t>(c.with.send_bytes);
  ++c.counts->sent;
  c.counts->sent_bytes += bytes;
  sent_.fetch_add(1, std::memory_order_relaxed);
  sent_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  const std::uint32_t number = trace_record::message_number(c.of, c.sent++);
  if (noted_in_ == nullptr || !noted_in_->notes_messages()) return;
  noted_in_->note_message(trace_record::kind::sent, c.mailbox, c.with.rank, number, c.with.send_bytes, c.poster);
}

void transport::arrive(channel& c, std::size_t slot) {
  const auto bytes = static_cast<std::int64_t>(c.with.receive_bytes);
  ++c.counts->received;
  c.counts->received_bytes += bytes;
  received_.fetch_add(1, std::memory_order_relaxed);
  received_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  latest_ = c.counts;
  const std::int64_t of_channel = 2 * c.received[slot]++ + static_cast<std::int64_t>(slot);
  if (noted_in_ == nullptr || !noted_in_->notes_messages()) return c.arrived[slot].arrive();
  const std::uint32_t outer = noted_in_->running();
  c.noted[slot] = noted_in_->note_message(trace_record::kind::received, c.mailbox, c.with.rank,
                                          trace_record::message_number(c.of, of_channel), c.with.receive_bytes, 0);
  noted_in_->set_running(c.noted[slot]);
  c.arrived[slot].arrive();
  noted_in_->set_running(outer);
}

}  // namespace rednova::exec
