#include "exec/cuda/activity_log.hpp"

#ifndef REDNOVA_CUPTI

namespace rednova::exec::cuda {

class activity_log::cupti {};

activity_log::activity_log(profile&)
    : why_not_("this program was built without CUPTI's headers (they come with the CUDA toolkit)") {}
activity_log::~activity_log() = default;

}  // namespace rednova::exec::cuda

#else

#include <cupti.h>
#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/check.hpp"
#include "exec/kernel_name.hpp"
#include "exec/shared_library.hpp"
#include "exec/trace_record.hpp"

namespace rednova::exec::cuda {

namespace {

// Records begin alike in all versions since these; what comes later in them is not read.
using kernel_record = CUpti_ActivityKernel9;
using copy_record = CUpti_ActivityMemcpy5;
using set_record = CUpti_ActivityMemset4;

/// Who launched what is told beside the records of calls.
constexpr CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                        CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                                        CUPTI_ACTIVITY_KIND_RUNTIME};

std::string copy_name(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "copy to the device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "copy to the host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "copy on the device";
    default:
      return "copy";
  }
}

shared_library open_library() {
  if (const char* const named = std::getenv("REDNOVA_CUPTI")) return {named};
  return {"libcupti.so.13", "libcupti.so.12", "libcupti.so", "/usr/local/cuda/lib64/libcupti.so",
          "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"};
}

}  // namespace

class activity_log::cupti final : public profile::running_observer {
 public:
  explicit cupti(profile& to) : to_(to), library_(open_library()) {
    if (!library_.open()) core::fail("{}", library_.why_not());
    find("cuptiActivityRegisterCallbacks", register_callbacks_);
    find("cuptiActivityEnable", enable_);
    find("cuptiActivityDisable", disable_);
    find("cuptiActivityFlushAll", flush_all_);
    find("cuptiActivityGetNextRecord", next_record_);
    find("cuptiActivityPushExternalCorrelationId", push_id_);
    find("cuptiActivityPopExternalCorrelationId", pop_id_);
    find("cuptiGetTimestamp", timestamp_);
    find("cuptiGetResultString", text_);
    library_.find("cuptiActivityFlushPeriod", flush_period_);  // since CUDA 11
    expect(read_clocks(first_), "cuptiGetTimestamp");
    last_ = first_;
    {
      const std::scoped_lock lock(guard());
      EXPECT(listening() == nullptr);
      listening() = this;
    }
    try {
      start();
    } catch (...) {
      stop();
      throw;
    }
    to_.tell_running(this);
    runs(to_.running());
  }
  cupti(const cupti&) = delete;
  cupti& operator=(const cupti&) = delete;
  ~cupti() override {
    to_.tell_running(nullptr);
    flush_all_(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    stop();
    for (const activity& a : without_id_) note(a, 0);
  }

  /// A stack of ids for each thread, of which one is used.
  void runs(std::uint32_t id) override {
    thread_local bool pushed = false;
    std::uint64_t before = 0;
    if (pushed) pop_id_(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &before);
    pushed = push_id_(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, id) == CUPTI_SUCCESS;
  }

 private:
  struct activity {
    std::string name;
    std::uint32_t stream, call;
    std::int64_t start, end;  // ns of the steady clock
  };
  /// CUPTI's clock read between two readings of the steady clock.
  struct reading {
    std::int64_t host, device;
  };

  static constexpr std::size_t buffer_bytes = std::size_t{1} << 17U;

  // CUPTI calls functions, not objects; and may do so late.
  static std::mutex& guard() {
    static std::mutex one;
    return one;
  }
  static cupti*& listening() {
    static cupti* one = nullptr;
    return one;
  }
  static void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(sizeof(std::uint64_t), buffer_bytes));
    *size = *buffer != nullptr ? buffer_bytes : 0;
    *most_records = 0;  // as many as fit
  }
  static void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t filled) {
    {
      const std::scoped_lock lock(guard());
      if (listening() != nullptr) listening()->read(buffer, filled);
    }
    std::free(buffer);
  }

  template <class Function>
  void find(const char* name, Function& to) const {
    if (!library_.find(name, to)) core::fail("{} has no {}", library_.name(), name);
  }
  void expect(CUptiResult result, const char* call) const {
    if (result == CUPTI_SUCCESS) return;
    const char* text = nullptr;
    text_(result, &text);
    core::fail("{}: {}", call, text != nullptr ? text : "unknown error");
  }

  void start() {
    expect(register_callbacks_(give_buffer, take_buffer), "cuptiActivityRegisterCallbacks");
    for (const CUpti_ActivityKind kind : kinds) expect(enable_(kind), "cuptiActivityEnable");
    // So that a killed run leaves what it did.
    constexpr std::uint32_t often = 100;  // ms
    if (flush_period_ != nullptr) expect(flush_period_(often), "cuptiActivityFlushPeriod");
  }
  void stop() {
    for (const CUpti_ActivityKind kind : kinds) disable_(kind);
    const std::scoped_lock lock(guard());
    listening() = nullptr;
  }

  CUptiResult read_clocks(reading& best) const {
    constexpr int times = 5;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < times; ++i) {
      std::uint64_t device = 0;
      const std::int64_t before = steady_ns();
      const CUptiResult result = timestamp_(&device);
      if (result != CUPTI_SUCCESS) return result;
      const std::int64_t took = steady_ns() - before;
      if (took >= least) continue;
      least = took;
      best = {before + took / 2, static_cast<std::int64_t>(device)};
    }
    return CUPTI_SUCCESS;
  }

  /// Between two readings in proportion: CUPTI's clock is set by the network's while the steady one is not.
  std::int64_t host_time(std::uint64_t t) const {
    const std::int64_t since = static_cast<std::int64_t>(t) - first_.device;
    const std::int64_t device = last_.device - first_.device, host = last_.host - first_.host;
    constexpr std::int64_t long_enough = 10'000'000;  // ns, so that a reading's error does not tell
    if (device < long_enough) return first_.host + since;
    const double slower = static_cast<double>(host - device) / static_cast<double>(device);
    return first_.host + since + static_cast<std::int64_t>(slower * static_cast<double>(since));
  }

  /// Under guard(), by a thread of CUPTI's or one that flushes. A call and the kernel that it launched can come in
  /// different buffers, in either order.
  void read(std::uint8_t* buffer, std::size_t filled) {
    reading now{};
    if (read_clocks(now) == CUPTI_SUCCESS) last_ = now;
    CUpti_Activity* record = nullptr;
    while (next_record_(buffer, filled, &record) == CUPTI_SUCCESS) add(record);
    std::vector<activity> still;
    for (activity& a : without_id_) {
      const auto found = ids_.find(a.call);
      if (found != ids_.end()) {
        note(a, found->second);
        ids_.erase(found);
      } else if (last_.host - a.end > patience) {
        note(a, 0);
      } else {
        still.push_back(std::move(a));
      }
    }
    without_id_ = std::move(still);
    // Calls that gave no work have one, too. Work that CUPTI has not told of yet is of late calls.
    if (ids_.size() > most_ids)
      std::erase_if(ids_, [this](const auto& of_call) { return newest_call_ - of_call.first > most_ids / 2; });
  }

  void add(const CUpti_Activity* record) {
    switch (record->kind) {
      case CUPTI_ACTIVITY_KIND_KERNEL:
      case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
        const auto* const k = reinterpret_cast<const kernel_record*>(record);
        std::string& name = names_[k->name];
        if (name.empty()) name = kernel_name(k->name);
        add(name, *k);
        return;
      }
      case CUPTI_ACTIVITY_KIND_MEMCPY: {
        const auto* const c = reinterpret_cast<const copy_record*>(record);
        add(copy_name(c->copyKind), *c);
        return;
      }
      case CUPTI_ACTIVITY_KIND_MEMSET:
        add("set memory", *reinterpret_cast<const set_record*>(record));
        return;
      case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
        const auto* const e = reinterpret_cast<const CUpti_ActivityExternalCorrelation*>(record);
        if (e->externalKind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0) {
          if (static_cast<std::int32_t>(e->correlationId - newest_call_) > 0) newest_call_ = e->correlationId;
          ids_[e->correlationId] = static_cast<std::uint32_t>(e->externalId);
        }
        return;
      }
      default:
        return;  // the calls themselves
    }
  }
  template <class Record>
  void add(const std::string& name, const Record& r) {
    if (r.start == 0) return;  // CUPTI could not tell
    without_id_.push_back({name, r.streamId, r.correlationId, host_time(r.start), host_time(r.end)});
  }

  void note(const activity& a, std::uint32_t id) {
    const int queue = queues_.try_emplace(a.stream, static_cast<int>(queues_.size())).first->second;
    to_.note_on_device(queue, a.name, a.start, a.end, id);
  }

  static constexpr std::int64_t patience = 2'000'000'000;  // ns
  static constexpr std::size_t most_ids = 1'000'000;

  profile& to_;
  shared_library library_;
  decltype(&::cuptiActivityRegisterCallbacks) register_callbacks_ = nullptr;
  decltype(&::cuptiActivityEnable) enable_ = nullptr;
  decltype(&::cuptiActivityDisable) disable_ = nullptr;
  decltype(&::cuptiActivityFlushAll) flush_all_ = nullptr;
  decltype(&::cuptiActivityGetNextRecord) next_record_ = nullptr;
  decltype(&::cuptiActivityPushExternalCorrelationId) push_id_ = nullptr;
  decltype(&::cuptiActivityPopExternalCorrelationId) pop_id_ = nullptr;
  decltype(&::cuptiGetTimestamp) timestamp_ = nullptr;
  decltype(&::cuptiGetResultString) text_ = nullptr;
  decltype(&::cuptiActivityFlushPeriod) flush_period_ = nullptr;

  // All under guard() from the start on.
  reading first_{}, last_{};
  std::unordered_map<std::uint32_t, std::uint32_t> ids_;  // of tasks, by the number of the call, which goes up
  std::uint32_t newest_call_ = 0;
  std::vector<activity> without_id_;
  std::map<std::uint32_t, int> queues_;                 // by stream
  std::unordered_map<const char*, std::string> names_;  // CUPTI keeps one string for each kernel
};

activity_log::activity_log(profile& to) {
  try {
    cupti_ = std::make_unique<cupti>(to);
  } catch (const core::user_error& e) {
    why_not_ = e.what();
  }
}

activity_log::~activity_log() = default;

}  // namespace rednova::exec::cuda

#endif
