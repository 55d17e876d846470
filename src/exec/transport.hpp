// Messages between ranks, whatever carries them.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "exec/mailbox.hpp"
#include "exec/mpi_session.hpp"
#include "exec/poller.hpp"
#include "exec/profile.hpp"

namespace rednova::exec {

/// What carries the messages, from the input or the command line.
struct transport_options {
  enum class kind { mpi, libfabric };
  kind carrier = kind::mpi;
  /// Of libfabric: "shm", "tcp", "verbs", "cxi" or another that it knows; "" chooses.
  std::string provider;
  /// Which MPI, see mpi_session::open().
  std::string mpi;
  /// Seconds without any message after which a rank that waits takes its peers for lost.
  double patience = 300;
};

/// A peer has gone or is silent: the run cannot go on.
class peer_lost : public core::user_error {
 public:
  using user_error::user_error;
};

/// The ranks of a run and the messages between them. One rank alone needs neither MPI nor a network.
///
/// Made, used and destroyed by one thread, the main thread; but for mailboxes, which tasks use from any thread: what
/// they post is sent when the main thread polls. All ranks call barrier(), gather_all(), … and open() in the same
/// order. If a transport is destroyed by an exception, all ranks end when this process exits.
class transport : public poller {
 public:
  /// @throws core::user_error if what is asked for is not there.
  static std::unique_ptr<transport> connect(const transport_options& options);
  /// The same in a session that is open (none: one rank). Transports of one session take turns: while one has a mailbox
  /// or is waited in, the others rest.
  static std::unique_ptr<transport> connect(const transport_options& options, std::shared_ptr<mpi_session> session);

  /// While it lives, a rank that waits does so for some seconds more before it takes its peers for lost: one of them
  /// does work that it does alone. of: null for one rank alone.
  class longer {
   public:
    longer(transport* of, double seconds) : of_(of), seconds_(seconds) {
      if (of_ != nullptr) of_->patience_ += seconds_;
    }
    longer(const longer&) = delete;
    longer& operator=(const longer&) = delete;
    ~longer() {
      if (of_ != nullptr) of_->patience_ -= seconds_;
    }

   private:
    transport* of_;
    double seconds_;
  };

  transport(const transport&) = delete;
  transport& operator=(const transport&) = delete;
  ~transport() override;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Ranks that share this one's machine and its memory, with this one.
  int ranks_of_host() const { return static_cast<int>(neighbours_.size()) + 1; }
  /// This rank's place among them.
  int rank_on_host() const {
    return static_cast<int>(std::ranges::count_if(neighbours_, [&](const neighbour& n) { return n.rank < rank_; }));
  }
  /// What carries the messages, for people.
  virtual std::string describe() const;
  /// The process's exit code, for when MPI cannot be ended.
  void process_ends_with(int code) {
    if (session_) session_->process_ends_with(code);
  }

  /// A mailbox for these peers, each of whom names this rank with the same sizes.
  /// @param memory for the messages both ways, asked once if there are any
  /// @throws core::user_error if the sizes differ.
  std::unique_ptr<mailbox> open(std::string name, std::vector<peer> peers,
                                const make_message_memory& memory = host_memory);
  /// The carrier takes messages from a CUDA device's memory and puts them there.
  virtual bool reads_devices() const { return false; }

  // poller
  bool progress() override;
  void idle(double seconds) override;
  void waited(double seconds) override;

  /// Polls until the event has happened. Not within a task.
  void wait(const event& e);

  /// Messages are noted there, where a trace is on (profile::note_message). It outlives the transport's use.
  void note_messages_in(profile* p) { noted_in_ = p; }

  /// What a destructor cannot throw: whoever waits or polls next does.
  void fail_later(std::exception_ptr why);

  void barrier();
  /// The values of all ranks, in the order of ranks.
  template <class T>
  std::vector<T> gather_all(const T& mine) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> all(static_cast<std::size_t>(size_), mine);
    event done;
    start_gather_all(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)), done);
    wait(done);
    return all;
  }
  /// Folds the values of all ranks in the order of ranks: the same bits on each rank and in each run.
  template <class T, class Fold>
  T all_reduce(const T& mine, const Fold& fold) {
    const std::vector<T> all = gather_all(mine);
    T result = all[0];
    for (std::size_t r = 1; r < all.size(); ++r) result = fold(result, all[r]);
    return result;
  }
  /// The same as gather_all for tasks, which await `done`; `mine` and `all` stay until then. One at a time.
  void start_gather_all(std::span<const std::byte> mine, std::span<std::byte> all, event& done);
  /// One-off messages of any length: outgoing[r] goes to rank r. What came from each rank, in their order.
  std::vector<std::vector<std::byte>> exchange(std::vector<std::vector<std::byte>> outgoing);

  /// Messages and bytes by the name of the mailbox and the peer, since the start, over all mailboxes of that name.
  const std::map<std::pair<std::string, int>, traffic>& counts() const { return counts_; }
  /// The sums of all, but for the waits; by any thread.
  traffic all_messages() const;

 protected:
  explicit transport(std::shared_ptr<mpi_session> session, double patience);

  const mpi::engine& engine() const { return session_->engine(); }
  /// An operation of the engine: `ended` is called by the main thread when it has ended, and begins no other.
  void follow(int operation, std::function<void()> ended);
  /// Throws the engine's words.
  [[noreturn]] void engine_failed() const;
  /// For destructors: waits until all ranks are there, if this one ends well. True if so.
  bool all_end_well() noexcept;
  /// The tag of a mailbox's messages.
  static int tag_of(const mailbox& box);
  void count_sent(channel& c);
  /// A message is there: counts it and lets its readers go on.
  void arrive(channel& c, std::size_t slot);
  /// Runs it now on the main thread, else when that polls.
  void on_main(std::function<void()> what);

  /// All ranks can see each other's processes.
  bool one_host() const { return ranks_of_host() == size_; }

  // What a carrier does; the main thread calls.
  virtual void begin() {}
  virtual bool poll() { return false; }
  virtual void opening(mailbox&, std::vector<postcard>& /*mine, by channel*/) {}
  virtual void opened(mailbox&) {}
  virtual void closing(mailbox&) {}
  virtual void send(mailbox&, channel&, std::size_t /*slot*/) {}
  /// The buffer is free for another message.
  virtual void receive(mailbox&, channel&, std::size_t /*slot*/) {}
  virtual int arrivals_until_writable() const { return 1; }

 private:
  friend class mailbox;
  /// Of a trace: the task that the calling thread is at.
  std::uint32_t running() const { return noted_in_ != nullptr ? noted_in_->running() : 0; }
  struct neighbour {
    int rank;
    int process;  ///< or not_seen
  };
  static constexpr int not_seen = -1;
  traffic& counts(const std::string& name, int rank) { return counts_[{name, rank}]; }
  /// The same, for as long as the transport lives.
  const char* kept(const std::string& name) { return names_.insert(name).first->c_str(); }
  void introduce(mailbox& box);
  void close(mailbox& box);
  void abandon(mailbox& box);
  /// Throws what was to be thrown later.
  void expect_no_failure();
  void find_neighbours();
  void look_after_neighbours();
  std::string awaited() const;
  void run_posted();

  std::shared_ptr<mpi_session> session_;
  int rank_ = 0, size_ = 1;
  double patience_;
  std::thread::id main_ = std::this_thread::get_id();
  int opened_ = 0;
  std::vector<mailbox*> boxes_;
  std::vector<std::function<void()>> followed_;  // by operation of the engine
  std::mutex guard_;
  std::vector<std::function<void()>> posted_;  // under guard_
  std::map<std::pair<std::string, int>, traffic> counts_;
  std::set<std::string> names_;  // of mailboxes
  traffic* latest_ = nullptr;
  std::atomic<std::int64_t> sent_{0}, sent_bytes_{0}, received_{0}, received_bytes_{0};
  profile* noted_in_ = nullptr;
  std::vector<neighbour> neighbours_;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
  using memories = std::vector<std::shared_ptr<std::byte[]>>;
  std::unique_ptr<memories> abandoned_ = std::make_unique<memories>();
  bool broken_ = false;  ///< a mailbox was left with messages under way
  std::exception_ptr failure_;
  int exceptions_;
};

}  // namespace rednova::exec
