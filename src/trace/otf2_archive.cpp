#include "trace/otf2_archive.hpp"

#include <fmt/format.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <cstdarg>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include "core/check.hpp"

namespace rednova::trace {

namespace {

namespace fs = std::filesystem;

constexpr const char* archive_name = "traces";

OTF2_FlushType write_when_full(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
OTF2_TimeStamp no_time(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }

/// Errors are returned, too, and become the user's then.
OTF2_ErrorCode say_nothing(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*, va_list) {
  return code;
}

/// Numbers of strings, groups and the communicator; locations are numbered as the threads, groups of them as the ranks.
constexpr OTF2_StringRef empty_string = 0, first_name = 1;
constexpr OTF2_GroupRef locations_group = 0, world_group = 1;
constexpr OTF2_CommRef world = 0;
constexpr OTF2_SystemTreeNodeRef machine = 0;

class archive {
 public:
  archive(const trace& t, const std::vector<rank_load>& load, const std::string& folder)
      : trace_(t), load_(load), folder_(folder) {
    std::error_code ignored;
    for (const char* ending : {".otf2", ".def"})
      fs::remove(fs::path(folder) / fmt::format("{}{}", archive_name, ending), ignored);
    fs::remove_all(fs::path(folder) / archive_name, ignored);
    OTF2_Error_RegisterCallback(say_nothing, nullptr);
    handle_.reset(OTF2_Archive_Open(folder.c_str(), archive_name, OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                                    OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
    if (!handle_) core::fail("{}: an OTF2 archive cannot be made there: is it writable, is there room?", folder);
    static constexpr OTF2_FlushCallbacks flushing{write_when_full, no_time};
    expect(OTF2_Archive_SetFlushCallbacks(handle_.get(), &flushing, nullptr));
    expect(OTF2_Archive_SetSerialCollectiveCallbacks(handle_.get()));
    expect(OTF2_Archive_SetCreator(handle_.get(), fmt::format("rednova {} {}", t.version, t.commit).c_str()));
  }

  void write() {
    write_events();
    write_local_definitions();
    write_definitions();
    expect(OTF2_Archive_Close(handle_.release()));
  }

 private:
  struct closed {
    void operator()(OTF2_Archive* a) const { OTF2_Archive_Close(a); }
  };

  void expect(OTF2_ErrorCode code) const {
    if (code != OTF2_SUCCESS)
      core::fail("{}: the OTF2 archive: {}: {}", folder_, OTF2_Error_GetName(code), OTF2_Error_GetDescription(code));
  }
  /// In microseconds: events of the same one share eight bytes.
  static constexpr std::int64_t tick = 1000;  // ns
  static OTF2_TimeStamp time(std::int64_t ns) { return static_cast<OTF2_TimeStamp>(ns / tick); }
  /// The phases in a task tell what it did, and have its place in a picture.
  bool kept(const thread& of, std::size_t i) const {
    const trace_record& r = of.records[i];
    if (r.message() || of.on_device() || r.id == 0) return true;
    std::int64_t own = r.end - r.start;
    for (std::size_t in = i + 1; in < of.records.size() && of.records[in].start < r.end; ++in)
      if (!of.records[in].message() && of.records[in].depth == r.depth + 1)
        own -= of.records[in].end - of.records[in].start;
    return own >= trace_.shortest;
  }

  template <class Body>
  void write_location(const Body& body) {
    OTF2_EvtWriter* const to = OTF2_Archive_GetEvtWriter(handle_.get(), events_.size());
    if (to == nullptr) core::fail("{}: the OTF2 archive: no events can be written", folder_);
    body(to);
    std::uint64_t events = 0;
    expect(OTF2_EvtWriter_GetNumberOfEvents(to, &events));
    events_.push_back(events);
    expect(OTF2_Archive_CloseEvtWriter(handle_.get(), to));
  }
  void write_events() {
    expect(OTF2_Archive_OpenEvtFiles(handle_.get()));
    for (const thread& of : trace_.threads) write_location([&](OTF2_EvtWriter* to) { write_thread(to, of); });
    for (std::size_t n = 0; n < load_.size(); ++n)
      write_location([&](OTF2_EvtWriter* to) { write_load(to, load_[n], class_of(n)); });
    expect(OTF2_Archive_CloseEvtFiles(handle_.get()));
  }

  void write_load(OTF2_EvtWriter* to, const rank_load& of, OTF2_MetricRef metric) const {
    const std::vector<OTF2_Type> types(of.names.size(), OTF2_TYPE_DOUBLE);
    for (std::size_t i = 0; i < of.times.size(); ++i) {
      std::vector<OTF2_MetricValue> values(of.names.size());
      for (std::size_t n = 0; n < values.size(); ++n) values[n].floating_point = of.values[i][n];
      expect(OTF2_EvtWriter_Metric(to, nullptr, time(of.times[i]), metric, static_cast<std::uint8_t>(types.size()),
                                   types.data(), values.data()));
    }
  }

  /// Scopes lie within each other; where clocks that were set say otherwise, the outer one's end is the later.
  void write_thread(OTF2_EvtWriter* to, const thread& of) const {
    struct open_scope {
      std::int64_t end;
      OTF2_RegionRef region;
    };
    std::vector<open_scope> open;
    const auto leave_until = [&](std::int64_t t) {
      while (!open.empty() && open.back().end <= t) {
        expect(OTF2_EvtWriter_Leave(to, nullptr, time(open.back().end), open.back().region));
        open.pop_back();
      }
    };
    for (std::size_t i = 0; i < of.records.size(); ++i) {
      if (!kept(of, i)) continue;
      const trace_record& r = of.records[i];
      leave_until(r.start);
      const auto peer = static_cast<std::uint32_t>(r.other);
      if (r.what == trace_record::kind::sent) {
        expect(OTF2_EvtWriter_MpiSend(to, nullptr, time(r.start), peer, world, r.name, r.bytes()));
      } else if (r.what == trace_record::kind::received) {
        expect(OTF2_EvtWriter_MpiRecv(to, nullptr, time(r.start), peer, world, r.name, r.bytes()));
      } else {
        expect(OTF2_EvtWriter_Enter(to, nullptr, time(r.start), r.name));
        open.push_back({open.empty() ? r.end : std::min(r.end, open.back().end), r.name});
      }
    }
    leave_until(std::numeric_limits<std::int64_t>::max());
  }

  /// Nothing but what is common to all.
  void write_local_definitions() {
    expect(OTF2_Archive_OpenDefFiles(handle_.get()));
    for (std::size_t n = 0; n < events_.size(); ++n) {
      OTF2_DefWriter* const to = OTF2_Archive_GetDefWriter(handle_.get(), n);
      expect(OTF2_Archive_CloseDefWriter(handle_.get(), to));
    }
    expect(OTF2_Archive_CloseDefFiles(handle_.get()));
  }

  OTF2_StringRef string(OTF2_GlobalDefWriter* to, const std::string& text) {
    expect(OTF2_GlobalDefWriter_WriteString(to, next_string_, text.c_str()));
    return next_string_++;
  }

  void write_definitions() {
    OTF2_GlobalDefWriter* const to = OTF2_Archive_GetGlobalDefWriter(handle_.get());
    if (to == nullptr) core::fail("{}: the OTF2 archive: no definitions can be written", folder_);
    constexpr std::uint64_t ticks = 1'000'000'000 / tick;
    expect(OTF2_GlobalDefWriter_WriteClockProperties(to, ticks, 0, time(trace_.length) + 1, OTF2_UNDEFINED_TIMESTAMP));
    string(to, "");
    for (const std::string& name : trace_.names) string(to, name);
    write_regions(to);
    expect(OTF2_GlobalDefWriter_WriteSystemTreeNode(to, machine, string(to, "run"), string(to, "machine"),
                                                    OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (int rank = 0; rank < trace_.ranks; ++rank)
      expect(OTF2_GlobalDefWriter_WriteLocationGroup(to, process_of(rank), string(to, fmt::format("rank {}", rank)),
                                                     OTF2_LOCATION_GROUP_TYPE_PROCESS, machine,
                                                     OTF2_UNDEFINED_LOCATION_GROUP));
    write_devices(to);
    std::vector<std::uint64_t> main_threads(static_cast<std::size_t>(trace_.ranks)), ranks;
    for (std::size_t n = 0; n < trace_.threads.size(); ++n) {
      const thread& of = trace_.threads[n];
      if (of.slot == 0) main_threads[static_cast<std::size_t>(of.rank)] = n;
      const auto type = of.on_device() ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM : OTF2_LOCATION_TYPE_CPU_THREAD;
      const OTF2_LocationGroupRef group = of.on_device() ? device_of(of.rank) : process_of(of.rank);
      expect(OTF2_GlobalDefWriter_WriteLocation(to, n, string(to, of.label()), type, events_[n], group));
    }
    write_metrics(to);
    for (int rank = 0; rank < trace_.ranks; ++rank) ranks.push_back(static_cast<std::uint64_t>(rank));
    const auto count = static_cast<std::uint32_t>(trace_.ranks);
    expect(OTF2_GlobalDefWriter_WriteGroup(to, locations_group, empty_string, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                           OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, main_threads.data()));
    expect(OTF2_GlobalDefWriter_WriteGroup(to, world_group, string(to, "all ranks"), OTF2_GROUP_TYPE_COMM_GROUP,
                                           OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, ranks.data()));
    expect(OTF2_GlobalDefWriter_WriteComm(to, world, string(to, "messages"), world_group, OTF2_UNDEFINED_COMM,
                                          OTF2_COMM_FLAG_NONE));
    expect(OTF2_Archive_CloseGlobalDefWriter(handle_.get(), to));
  }

  /// Of each location of a load a class of metrics, in its rank's group. Instances of a class would say for which
  /// locations a load is; ViTE 1.2 dies of them.
  static OTF2_MetricRef class_of(std::size_t n) { return static_cast<OTF2_MetricRef>(n); }

  void write_metrics(OTF2_GlobalDefWriter* to) {
    OTF2_MetricMemberRef next = 0;
    for (std::size_t n = 0; n < load_.size(); ++n) {
      const OTF2_LocationRef at = trace_.threads.size() + n;
      const OTF2_LocationGroupRef rank = process_of(load_[n].rank);
      expect(
          OTF2_GlobalDefWriter_WriteLocation(to, at, string(to, "load"), OTF2_LOCATION_TYPE_METRIC, events_[at], rank));
      std::vector<OTF2_MetricMemberRef> members;
      for (const std::string& name : load_[n].names) {
        members.push_back(next++);
        expect(OTF2_GlobalDefWriter_WriteMetricMember(to, members.back(), string(to, name), empty_string,
                                                      OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_NEXT,
                                                      OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0, empty_string));
      }
      expect(OTF2_GlobalDefWriter_WriteMetricClass(to, class_of(n), static_cast<std::uint8_t>(members.size()),
                                                   members.data(), OTF2_METRIC_ASYNCHRONOUS,
                                                   OTF2_RECORDER_KIND_ABSTRACT));
    }
  }

  /// Groups of locations: the ranks first, after them their devices.
  static OTF2_LocationGroupRef process_of(int rank) { return static_cast<OTF2_LocationGroupRef>(rank); }
  OTF2_LocationGroupRef device_of(int rank) const { return static_cast<OTF2_LocationGroupRef>(trace_.ranks + rank); }

  void write_devices(OTF2_GlobalDefWriter* to) {
    std::set<int> with_device;
    for (const thread& of : trace_.threads)
      if (of.on_device()) with_device.insert(of.rank);
    for (const int rank : with_device)
      expect(OTF2_GlobalDefWriter_WriteLocationGroup(to, device_of(rank),
                                                     string(to, fmt::format("device of rank {}", rank)),
                                                     OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, machine, process_of(rank)));
  }

  /// A region for each name that scopes have.
  void write_regions(OTF2_GlobalDefWriter* to) {
    std::vector<OTF2_RegionRole> roles(trace_.names.size(), OTF2_REGION_ROLE_UNKNOWN);
    for (const thread& of : trace_.threads) {
      for (const trace_record& r : of.records) {
        if (r.message()) continue;
        const bool waits = r.what == trace_record::kind::wait;
        roles[r.name] = waits ? OTF2_REGION_ROLE_BARRIER : r.id != 0 ? OTF2_REGION_ROLE_TASK : OTF2_REGION_ROLE_CODE;
      }
    }
    for (std::size_t n = 0; n < roles.size(); ++n) {
      if (roles[n] == OTF2_REGION_ROLE_UNKNOWN) continue;
      const auto name = static_cast<OTF2_StringRef>(first_name + n);
      expect(OTF2_GlobalDefWriter_WriteRegion(to, static_cast<OTF2_RegionRef>(n), name, name, empty_string, roles[n],
                                              OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, empty_string, 0, 0));
    }
  }

  const trace& trace_;
  const std::vector<rank_load>& load_;
  std::string folder_;
  std::unique_ptr<OTF2_Archive, closed> handle_;
  std::vector<std::uint64_t> events_;  // by location: the threads, then the loads
  OTF2_StringRef next_string_ = empty_string;
};

}  // namespace

void write_archive(const trace& t, const std::vector<rank_load>& load, const std::string& folder) {
  archive(t, load, folder).write();
}

}  // namespace rednova::trace
