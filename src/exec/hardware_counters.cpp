// The only file that includes PAPI's header; without it it says so.
#include "exec/hardware_counters.hpp"

#ifndef REDNOVA_PAPI

namespace rednova::exec {

class hardware_counters::papi {};

hardware_counters::hardware_counters() : why_not_("this program was built without PAPI (Debian: libpapi-dev)") {}
hardware_counters::~hardware_counters() = default;
hardware_counts hardware_counters::read() { return {}; }

}  // namespace rednova::exec

#else

#include <papi.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>

#include "core/check.hpp"
#include "exec/shared_library.hpp"

namespace rednova::exec {

namespace {

constexpr int counted[] = {PAPI_TOT_CYC, PAPI_TOT_INS, PAPI_L3_TCM};

shared_library open_library() {
  if (const char* const named = std::getenv("REDNOVA_PAPI")) return {named};
  return {"libpapi.so.7.0", "libpapi.so.7.1", "libpapi.so.7.2", "libpapi.so.7", "libpapi.so"};
}

}  // namespace

/// A set of events for each thread: PAPI counts threads, of which all but the first are made after the start.
class hardware_counters::papi {
 public:
  papi() : library_(open_library()) {
    if (!library_.open()) core::fail("{}", library_.why_not());
    int (*initialize)(int) = nullptr;
    find("PAPI_library_init", initialize);
    find("PAPI_create_eventset", create_);
    find("PAPI_assign_eventset_component", assign_);
    find("PAPI_attach", attach_);
    find("PAPI_add_event", add_);
    find("PAPI_start", start_);
    find("PAPI_read", read_);
    find("PAPI_stop", stop_);
    find("PAPI_cleanup_eventset", clean_up_);
    find("PAPI_destroy_eventset", destroy_);
    find("PAPI_strerror", text_);
    const int version = initialize(PAPI_VER_CURRENT);
    if (version != PAPI_VER_CURRENT) core::fail("{} is of another version than this program's PAPI", library_.name());
    attach_to_new_threads();
    if (threads_.empty()) core::fail("PAPI can count nothing on this machine: {}", refused_);
  }
  papi(const papi&) = delete;
  papi& operator=(const papi&) = delete;
  ~papi() {
    for (auto& [id, of] : threads_) remove(of.events, true);
  }

  hardware_counts read() {
    attach_to_new_threads();
    std::array<double, std::size(counted)> sums{};
    std::array<bool, std::size(counted)> known{};
    for (auto& [id, of] : threads_) {
      // Those of a thread that has ended stay what they were.
      std::array<long long, std::size(counted)> now{};
      if (read_(of.events, now.data()) == PAPI_OK) of.counts = now;
      for (std::size_t i = 0; i < sums.size(); ++i) {
        if (of.place[i] < 0) continue;
        known[i] = true;
        sums[i] += static_cast<double>(of.counts[static_cast<std::size_t>(of.place[i])]);
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (!known[i]) sums[i] = std::numeric_limits<double>::quiet_NaN();
    return {sums[0], sums[1], sums[2]};
  }

 private:
  struct thread {
    int events = PAPI_NULL;
    std::array<int, std::size(counted)> place{};  // of an event in its set; -1: not counted
    std::array<long long, std::size(counted)> counts{};
  };

  template <class Function>
  void find(const char* name, Function& to) const {
    if (!library_.find(name, to)) core::fail("{} has no {}", library_.name(), name);
  }

  void attach_to_new_threads() {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
      const std::string name = entry.path().filename();
      unsigned long id = 0;
      std::from_chars(name.data(), name.data() + name.size(), id);
      if (threads_.contains(id)) continue;
      thread of;
      if (begin(of, id))
        threads_.emplace(id, of);
      else if (threads_.empty())
        return;  // the next would be refused, too
    }
  }

  bool begin(thread& of, unsigned long id) {
    constexpr int processor = 0;  // PAPI's component
    int result = create_(&of.events);
    if (result == PAPI_OK) result = assign_(of.events, processor);
    if (result == PAPI_OK) result = attach_(of.events, id);
    int known = 0;
    for (std::size_t i = 0; i < std::size(counted) && result == PAPI_OK; ++i) {
      const int added = add_(of.events, counted[i]);
      of.place[i] = added == PAPI_OK ? known++ : -1;
      if (i == 0) result = added;  // what has no cycles has nothing
    }
    if (result == PAPI_OK) result = start_(of.events);
    if (result == PAPI_OK) return true;
    refused_ = text_(result);
    remove(of.events, false);
    return false;
  }
  void remove(int events, bool started) {
    std::array<long long, std::size(counted)> last{};
    if (started) stop_(events, last.data());
    clean_up_(events);
    destroy_(&events);
  }

  shared_library library_;
  decltype(&::PAPI_create_eventset) create_ = nullptr;
  decltype(&::PAPI_assign_eventset_component) assign_ = nullptr;
  decltype(&::PAPI_attach) attach_ = nullptr;
  decltype(&::PAPI_add_event) add_ = nullptr;
  decltype(&::PAPI_start) start_ = nullptr;
  decltype(&::PAPI_read) read_ = nullptr;
  decltype(&::PAPI_stop) stop_ = nullptr;
  decltype(&::PAPI_cleanup_eventset) clean_up_ = nullptr;
  decltype(&::PAPI_destroy_eventset) destroy_ = nullptr;
  decltype(&::PAPI_strerror) text_ = nullptr;
  std::map<unsigned long, thread> threads_;  // by the system's number
  std::string refused_;
};

hardware_counters::hardware_counters() {
  try {
    papi_ = std::make_unique<papi>();
  } catch (const core::user_error& e) {
    why_not_ = e.what();
  }
}

hardware_counters::~hardware_counters() = default;

hardware_counts hardware_counters::read() { return papi_ ? papi_->read() : hardware_counts{}; }

}  // namespace rednova::exec

#endif
