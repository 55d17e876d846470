#include "trace/perfetto.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/check.hpp"
#include "output/durable.hpp"
#include "trace/causes.hpp"

namespace rednova::trace {

namespace {

/// Events of a JSON list, one a line. The file takes its place when it is whole; what fails leaves the one before.
class event_list {
 public:
  explicit event_list(const std::string& path)
      : path_(path), begun_(path + ".begun"), file_(std::fopen(begun_.c_str(), "wb"), std::fclose) {
    if (!file_) core::fail("{}: {}", path_, output::reason(errno));
    put("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
  }
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{}{{", first_ ? "" : ",\n");
    fmt::format_to(std::back_inserter(line_), format, std::forward<Arguments>(arguments)...);
    line_.push_back('}');
    first_ = false;
    put({line_.data(), line_.size()});
  }
  void close() {
    put("\n]}\n");
    if (std::fclose(file_.release()) != 0) core::fail("{}: {}", path_, output::reason(errno));
    std::error_code error;
    std::filesystem::rename(begun_, path_, error);
    if (error) core::fail("{}: {}", path_, error.message());
  }
  event_list(const event_list&) = delete;
  event_list& operator=(const event_list&) = delete;
  ~event_list() {
    std::error_code none;
    std::filesystem::remove(begun_, none);
  }

 private:
  void put(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
      core::fail("{}: {}", path_, output::reason(errno));
  }
  std::string path_, begun_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  fmt::memory_buffer line_;
  bool first_ = true;
};

double microseconds(std::int64_t ns) { return 1e-3 * static_cast<double>(ns); }
std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

/// What arrows hold on to has to last: a message is a slice of a nanosecond.
void add_record(event_list& to, const trace& t, const thread& of, const trace_record& r) {
  const std::string where = fmt::format("\"pid\":{},\"tid\":{}", of.rank, of.slot);
  if (r.message()) {
    const bool sent = r.what == trace_record::kind::sent;
    to.add(R"("ph":"X","cat":"message","name":{},{},"ts":{:.3f},"dur":0.001,"args":{{"{}":{},"bytes":{},"number":{}}})",
           quoted(fmt::format("{} {}", sent ? "send" : "receive", t.name(r))), where, microseconds(r.start),
           sent ? "to" : "from", r.other, r.bytes(), r.number());
    return;
  }
  const char* const category = of.on_device()                       ? "device"
                               : r.what == trace_record::kind::wait ? "wait"
                               : r.id != 0                          ? "task"
                                                                    : "phase";
  const std::string arguments = r.id != 0 ? fmt::format(",\"args\":{{\"task\":{}}}", r.other) : "";
  to.add(R"("ph":"X","cat":"{}","name":{},{},"ts":{:.3f},"dur":{:.3f}{})", category, quoted(t.name(r)), where,
         microseconds(r.start), microseconds(r.end - r.start), arguments);
}

}  // namespace

void write_trace_events(const trace& t, const std::vector<rank_load>& load, const std::string& path) {
  event_list to(path);
  for (int rank = 0; rank < t.ranks; ++rank)
    to.add(R"("ph":"M","name":"process_name","pid":{},"args":{{"name":"rank {}"}})", rank, rank);
  for (const thread& of : t.threads) {
    to.add(R"("ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}})", of.rank, of.slot, of.label());
    for (const trace_record& r : of.records) add_record(to, t, of, r);
  }
  const causes made(t);
  std::int64_t arrow = 0;
  const auto draw = [&](const message::place& from, const message::place& at, const char* what) {
    const thread &of = t.threads[from.thread], &there = t.threads[at.thread];
    ++arrow;
    to.add(R"("ph":"s","cat":"{}","name":"{}","id":{},"pid":{},"tid":{},"ts":{:.3f})", what, what, arrow, of.rank,
           of.slot, microseconds(t.at(from).start));
    to.add(R"("ph":"f","bp":"e","cat":"{}","name":"{}","id":{},"pid":{},"tid":{},"ts":{:.3f})", what, what, arrow,
           there.rank, there.slot, microseconds(t.at(at).start));
  };
  for (const message& m : t.messages) draw(m.from, m.to, "message");
  for (std::size_t thread = 0; thread < t.threads.size(); ++thread) {
    for (std::size_t i = 0; i < t.threads[thread].records.size(); ++i) {
      const char* const what = t.threads[thread].on_device() ? "launches" : "makes ready";
      if (const auto cause = made.of({thread, i})) draw(*cause, {thread, i}, what);
    }
  }
  for (const rank_load& of : load) {
    for (std::size_t i = 0; i < of.times.size(); ++i)
      for (std::size_t n = 0; n < of.names.size(); ++n)
        to.add(R"("ph":"C","name":{},"pid":{},"ts":{:.3f},"args":{{"value":{:.6g}}})", quoted(of.names[n]), of.rank,
               microseconds(of.times[i]), of.values[i][n]);
  }
  to.close();
}

}  // namespace rednova::trace
