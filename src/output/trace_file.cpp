#include "output/trace_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/check.hpp"
#include "exec/transport.hpp"
#include "output/durable.hpp"
#include "output/packed_records.hpp"

namespace rednova::output {

namespace {

namespace fs = std::filesystem;

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

/// What a start before has left, of more ranks perhaps: records, and what was made of them under the names that the
/// program gives.
void remove_trace(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".records") fs::remove(entry.path(), ignored);
  }
  for (const char* made : {"trace.json", "traces.otf2", "traces.def", "traces"})
    fs::remove_all(fs::path(folder) / made, ignored);
}

}  // namespace

std::string trace_folder(const std::string& run) { return (fs::path(run) / "trace").string(); }

std::string record_file(const std::string& run, int rank) {
  return (fs::path(trace_folder(run)) / fmt::format("rank_{:05}.records", rank)).string();
}

std::uint32_t sum_of(const trace_part_head& part, std::span<const std::byte> head, std::span<const std::byte> rest) {
  uLong sum = crc32_z(0, reinterpret_cast<const Bytef*>(&part), offsetof(trace_part_head, sum));
  for (const auto& bytes : {head, rest})
    if (!bytes.empty()) sum = crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return static_cast<std::uint32_t>(sum);
}

trace_file::trace_file(exec::context& c, const std::string& run, const provenance& from, double share)
    : context_(c), file_(nullptr, std::fclose), written_names_(static_cast<std::size_t>(c.threads())) {
  const int rank = c.ranks() == nullptr ? 0 : c.ranks()->rank(), ranks = c.ranks() == nullptr ? 1 : c.ranks()->size();
  path_ = record_file(run, rank);
  if (rank == 0) {
    std::error_code ignored;
    fs::create_directories(trace_folder(run), ignored);
    remove_trace(trace_folder(run));
  }
  if (c.ranks() != nullptr) c.ranks()->barrier();
  file_.reset(std::fopen(path_.c_str(), "wb"));
  if (!file_) fmt::print(stderr, "rednova: warning: {}: {} (the run goes on without a trace)\n", path_, reason(errno));
  const nlohmann::json about = {{"format", trace_format},
                                {"version", from.version},
                                {"commit", from.commit},
                                {"started_ns", from.started_ns},
                                {"rank", rank},
                                {"ranks", ranks},
                                {"threads", c.threads()},
                                {"share", share},
                                {"shortest_ns", exec::profile::shortest_traced}};
  const std::string text = about.dump();
  write(trace_part::about, std::as_bytes(std::span(text)), {});
  compare_clocks();
  c.times().start_trace(share);
  thread_ = std::thread([this] { keep_up(); });
}

trace_file::~trace_file() { stop(); }

void trace_file::write(trace_part what, std::span<const std::byte> head, std::span<const std::byte> rest) {
  if (!file_) return;
  trace_part_head part{what, static_cast<std::uint32_t>(head.size() + rest.size()), 0};
  part.sum = sum_of(part, head, rest);
  bool written = std::fwrite(&part, sizeof part, 1, file_.get()) == 1;
  for (const auto& bytes : {head, rest})
    written = written && std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size();
  if (!written) give_up();
}

void trace_file::give_up() {
  // Not fmt::print, which throws where it cannot write, either: this may be the trace's own thread.
  std::fputs(
      fmt::format("rednova: warning: {}: {} (the run goes on, its trace ends here)\n", path_, reason(errno)).c_str(),
      stderr);
  file_.reset();
}

/// All ranks together, some times: of the readings between which rank 0's clock went on least, the error is half of
/// that at most.
void trace_file::compare_clocks() {
  exec::transport* const ranks = context_.ranks();
  if (ranks == nullptr) return;
  constexpr int times = 30;
  trace_part_clock best{};
  for (int i = 0; i < times; ++i) {
    const std::int64_t first = exec::steady_ns();
    ranks->barrier();  // none comes out before rank 0 has come in
    const std::int64_t mine = exec::steady_ns();
    const std::vector<std::int64_t> firsts = ranks->gather_all(first);
    const std::vector<std::int64_t> lasts = ranks->gather_all(exec::steady_ns());  // rank 0's, after mine was read
    const trace_part_clock found{firsts[0], mine, lasts[0]};
    if (i == 0 || found.last_of_0 - found.first_of_0 < best.last_of_0 - best.first_of_0) best = found;
  }
  write(trace_part::clock, bytes_of(best), {});
}

void trace_file::sweep() {
  context_.times().drain([this](int slot, std::span<const exec::trace_record> records) {
    const auto known = static_cast<std::size_t>(slot);
    if (written_names_.size() <= known) written_names_.resize(known + 1);  // a queue of a device
    // A name is there before the first record that has it.
    std::vector<const char*>& written = written_names_[known];
    const std::vector<const char*> names = context_.times().names(slot);
    written.resize(names.size(), "");
    for (std::size_t n = 0; n < names.size(); ++n) {
      if (std::strcmp(written[n], names[n]) == 0) continue;
      written[n] = names[n];
      const std::string_view text = names[n];
      const trace_part_name of{static_cast<std::uint32_t>(slot), static_cast<std::uint32_t>(n)};
      write(trace_part::name, bytes_of(of), std::as_bytes(std::span(text)));
    }
    const trace_part_records of{static_cast<std::uint32_t>(slot), static_cast<std::uint32_t>(records.size())};
    write(trace_part::records, bytes_of(of), packed(records));
  });
  if (file_ && std::fflush(file_.get()) != 0) give_up();
}

void trace_file::keep_up() {
  constexpr auto often = std::chrono::milliseconds(100);
  std::unique_lock lock(guard_);
  while (!woken_.wait_for(lock, often, [this] { return over_; })) sweep();
}

void trace_file::stop() {
  {
    const std::scoped_lock lock(guard_);
    over_ = true;
  }
  woken_.notify_one();
  if (!thread_.joinable()) return;
  thread_.join();
  sweep();
}

std::int64_t trace_file::close() {
  stop();
  compare_clocks();
  const std::int64_t lost = context_.times().lost();
  write(trace_part::lost, bytes_of(lost), {});
  if (file_ && std::fflush(file_.get()) != 0) give_up();  // a full disk says so when it is written to
  file_.reset();
  if (context_.ranks() != nullptr) context_.ranks()->barrier();
  return lost;
}

}  // namespace rednova::output
