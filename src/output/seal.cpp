#include "output/seal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "core/check.hpp"
#include "core/hash64.hpp"
#include "output/durable.hpp"

namespace rednova::output {

namespace {

static_assert(std::endian::native == std::endian::little);

using word = std::uint64_t;

// The seal from its end: mark, hash, number of datasets, and for each begin, rows, bytes of a row, hash.
constexpr word mark = std::bit_cast<word>(std::array{'R', 'N', 'V', 'S', 'E', 'A', 'L', '1'});
constexpr word signature =
    std::bit_cast<word>(std::array<unsigned char, 8>{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'});
constexpr std::uint64_t tail_bytes = 3 * sizeof(word), entry_bytes = 4 * sizeof(word);
constexpr std::uint64_t most_datasets = 1000;

/// An open file, closed when it goes.
class raw_file {
 public:
  raw_file(const std::string& path, int flags) : path_(path), file_(::open(path.c_str(), flags | O_CLOEXEC)) {
    if (file_ < 0) core::fail("{}: cannot be opened: {}", path, std::strerror(errno));
  }
  raw_file(const raw_file&) = delete;
  raw_file& operator=(const raw_file&) = delete;
  ~raw_file() { ::close(file_); }

  std::uint64_t size() const {
    struct stat now {};
    if (::fstat(file_, &now) != 0) core::fail("{}: cannot be read: {}", path_, std::strerror(errno));
    return static_cast<std::uint64_t>(now.st_size);
  }
  void read(std::uint64_t at, void* to, std::uint64_t bytes) const {
    auto* out = static_cast<char*>(to);
    while (bytes > 0) {
      const ssize_t part = ::pread(file_, out, bytes, static_cast<off_t>(at));
      if (part < 0 && errno == EINTR) continue;
      if (part <= 0)
        core::fail("{}: cannot be read: {}", path_, part == 0 ? "it became shorter" : std::strerror(errno));
      out += part;
      at += static_cast<std::uint64_t>(part);
      bytes -= static_cast<std::uint64_t>(part);
    }
  }
  void append(const void* from, std::uint64_t bytes) const {
    const ssize_t written = ::pwrite(file_, from, bytes, static_cast<off_t>(size()));
    if (written != static_cast<ssize_t>(bytes))
      core::fail("{}: cannot be written: {}", path_, reason(written < 0 ? errno : ENOSPC));
  }

 private:
  std::string path_;
  int file_;
};

void add_bytes(core::hash64& h, const raw_file& file, std::uint64_t first, std::uint64_t last) {
  constexpr std::uint64_t most = 1 << 20;
  std::string part;
  for (; first < last; first += part.size()) {
    part.resize(std::min(most, last - first));
    file.read(first, part.data(), part.size());
    h.add(std::string_view(part));
  }
}

/// Hash of the first `size` bytes without the rows, and of where these lie and what they are.
word hash_of_rest(const raw_file& file, std::uint64_t size, const std::vector<sealed_rows>& rows) {
  core::hash64 h;
  std::uint64_t at = 0;
  for (const sealed_rows& r : rows) {
    add_bytes(h, file, at, r.place.begin);
    for (const word w : {r.place.begin, r.place.rows, r.place.row_bytes, r.hash}) h.add(w);
    at = r.place.end();
  }
  add_bytes(h, file, at, size);
  h.add(size);
  return h.value();
}

/// Whether rows lie one after the other within the first `size` bytes.
bool possible(const std::vector<sealed_rows>& rows, std::uint64_t size) {
  std::uint64_t at = 0;
  for (const sealed_rows& r : rows) {
    const row_place& p = r.place;
    if (p.begin < at || p.begin > size || p.row_bytes % sizeof(word) != 0) return false;
    if (p.row_bytes > 0 && p.rows > (size - p.begin) / p.row_bytes) return false;
    at = p.end();
  }
  return true;
}

[[noreturn]] void fail_damaged(const std::string& path, const std::string& where) {
  core::fail("{}: is damaged: its checksum is not that of {}", path, where);
}

}  // namespace

std::uint64_t hash_of_row(const void* row, std::uint64_t bytes) {
  core::hash64 h;
  const auto* at = static_cast<const char*>(row);
  for (std::uint64_t i = 0; i < bytes; i += sizeof(word)) {
    word w = 0;
    std::memcpy(&w, at + i, sizeof w);
    h.add(w);
  }
  return h.value();
}

std::uint64_t hash_of_rows(const std::vector<std::uint64_t>& rows) {
  core::hash64 h;
  h.add(rows.data(), rows.size());
  return h.value();
}

void seal(const std::string& path, std::vector<sealed_rows> rows) {
  std::ranges::sort(rows, {}, [](const sealed_rows& r) { return r.place.begin; });
  const raw_file file(path, O_RDWR);
  EXPECT(possible(rows, file.size()) && rows.size() <= most_datasets);
  std::vector<word> words;
  for (const sealed_rows& r : rows) words.insert(words.end(), {r.place.begin, r.place.rows, r.place.row_bytes, r.hash});
  words.insert(words.end(), {rows.size(), hash_of_rest(file, file.size(), rows), mark});
  file.append(words.data(), words.size() * sizeof(word));
}

std::vector<sealed_rows> check_seal(const std::string& path) {
  const raw_file file(path, O_RDONLY);
  const std::uint64_t size = file.size();
  word first = 0;
  if (size >= sizeof first) file.read(0, &first, sizeof first);
  if (first != signature) core::fail("{}: is no HDF5 file, or a truncated one", path);
  std::array<word, 3> tail{};
  if (size >= tail_bytes) file.read(size - tail_bytes, tail.data(), tail_bytes);
  const auto [count, hash, last] = tail;
  if (last != mark)
    core::fail(
        "{}: is damaged: it is truncated, or another program or a version before 0.1 wrote it, for the checksum at its "
        "end "
        "is missing",
        path);
  if (count > most_datasets || count * entry_bytes > size - tail_bytes) fail_damaged(path, "its content");
  const std::uint64_t content = size - tail_bytes - count * entry_bytes;
  std::vector<word> words(count * 4);
  file.read(content, words.data(), count * entry_bytes);
  std::vector<sealed_rows> rows;
  for (std::size_t i = 0; i < words.size(); i += 4)
    rows.push_back({{words[i], words[i + 1], words[i + 2]}, words[i + 3]});
  if (!possible(rows, content) || hash_of_rest(file, content, rows) != hash) fail_damaged(path, "its content");
  return rows;
}

void check_rows(const std::string& path, const std::vector<sealed_rows>& rows) {
  const raw_file file(path, O_RDONLY);
  std::string row;
  for (const sealed_rows& r : rows) {
    std::vector<std::uint64_t> hashes;
    row.resize(r.place.row_bytes);
    for (std::uint64_t i = 0; i < r.place.rows; ++i) {
      file.read(r.place.begin + i * r.place.row_bytes, row.data(), row.size());
      hashes.push_back(hash_of_row(row.data(), row.size()));
    }
    if (hash_of_rows(hashes) != r.hash) fail_damaged(path, "its fields");
  }
}

}  // namespace rednova::output
