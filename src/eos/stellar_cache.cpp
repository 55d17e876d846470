#include "eos/stellar_cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "core/check.hpp"
#include "core/hash64.hpp"

namespace rednova::eos {
namespace {

namespace fs = std::filesystem;

/// Raise it with every change of the file's layout or of what a table's numbers mean, physics included.
constexpr std::uint64_t format_version = 3;
constexpr std::uint64_t magic = 0x656c626174736f65;  // "eostable", little endian

struct closer {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using file = std::unique_ptr<std::FILE, closer>;

std::uint64_t hash_of(std::span<const double> numbers) {
  core::hash64 h;
  h.add(numbers.data(), numbers.size());
  return h.value();
}

/// What stands before the coefficients.
std::vector<std::uint64_t> header(const stellar_parameters& of, std::uint64_t checksum, std::size_t count) {
  std::vector<std::uint64_t> words{magic, format_version, checksum, count};
  for (const double number : of.numbers()) words.push_back(std::bit_cast<std::uint64_t>(number));
  return words;
}

/// What is wrong with a file, or the coefficients that it holds.
struct reading {
  std::string trouble;
  std::vector<double> coefficients;
};

/// Nothing if there is no such file.
std::optional<reading> read(const std::string& path, const stellar_parameters& of) {
  const file in(std::fopen(path.c_str(), "rb"));
  if (!in) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    return reading{std::strerror(errno), {}};
  }
  const std::size_t count = stellar_table::numbers_needed(of);
  std::vector<std::uint64_t> head(header(of, 0, count).size());
  if (std::fread(head.data(), 8, head.size(), in.get()) != head.size()) return reading{"it ends early", {}};
  if (head != header(of, head[2], count)) return reading{"it is not a table of these parameters", {}};
  reading r{"", std::vector<double>(count)};
  if (std::fread(r.coefficients.data(), 8, count, in.get()) != count) return reading{"it ends early", {}};
  if (hash_of(r.coefficients) != head[2]) return reading{"its checksum does not match", {}};
  return r;
}

/// Held while a process makes a table, so that others wait for it rather than make it too. Where the file system has no
/// locks they do.
class turn {
 public:
  /// path: of the table; empty: there is no cache.
  explicit turn(const std::string& path) : file_(path + ".lock") {
    if (path.empty()) return;
    std::error_code ignored;
    fs::create_directories(fs::path(path).parent_path(), ignored);
    descriptor_ = ::open(file_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;
  ~turn() {
    if (descriptor_ < 0) return;
    ::unlink(file_.c_str());  // who waits has it open
    ::close(descriptor_);
  }

 private:
  std::string file_;
  int descriptor_ = -1;
};

/// What went wrong, or nothing.
std::string write(const std::string& path, const stellar_table& table) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) return error.message();
  std::string part = path + ".XXXXXX";  // another name in each process
  const int descriptor = ::mkstemp(part.data());
  if (descriptor < 0) return std::strerror(errno);
  ::fchmod(descriptor, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);  // others may share the cache; mkstemp's is its user's
  const auto& numbers = table.coefficients();
  const auto head = header(table.parameters(), hash_of(numbers), numbers.size());
  std::FILE* const out = ::fdopen(descriptor, "wb");
  bool written = out != nullptr && std::fwrite(head.data(), 8, head.size(), out) == head.size() &&
                 std::fwrite(numbers.data(), 8, numbers.size(), out) == numbers.size();
  int reason = errno;
  if (out == nullptr) {
    ::close(descriptor);
  } else if (std::fclose(out) != 0 && written) {
    written = false;
    reason = errno;
  }
  if (written && std::rename(part.c_str(), path.c_str()) != 0) {
    written = false;
    reason = errno;
  }
  if (written) return "";
  ::unlink(part.c_str());
  return std::strerror(reason);
}

}  // namespace

std::string default_cache_directory() {
  // The specification of XDG takes only absolute paths.
  if (const char* const cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && cache[0] == '/') {
    return std::string(cache) + "/rednova";
  }
  if (const char* const home = std::getenv("HOME"); home != nullptr && home[0] != '\0') {
    return std::string(home) + "/.cache/rednova";
  }
  return "";
}

std::string cache_file(const std::string& directory, const stellar_parameters& of) {
  core::hash64 h;
  h.add(format_version);
  for (const double number : of.numbers()) h.add(number);
  return fmt::format("{}/stellar-{:016x}.table", directory, h.value());
}

stellar_table cached_stellar_table(const stellar_parameters& of, const std::string& directory, exec::context& context,
                                   const message& say, const progress& tell) {
  of.check();
  const std::string path = directory.empty() ? "" : cache_file(directory, of);
  const turn own(path);
  if (!path.empty()) {
    if (auto found = read(path, of)) {
      if (found->trouble.empty()) return {of, std::move(found->coefficients)};
      say(fmt::format("{}: this table of the equation of state is unusable ({}) and is made anew", path,
                      found->trouble));
    }
  }
  stellar_table table(of, context, tell);
  if (!path.empty()) {
    const std::string trouble = write(path, table);
    if (!trouble.empty()) {
      say(fmt::format("{}: the table of the equation of state cannot be kept ({}); the next run makes it again", path,
                      trouble));
    }
  }
  return table;
}

}  // namespace rednova::eos
