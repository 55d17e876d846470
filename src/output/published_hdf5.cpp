#include "output/published_hdf5.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "core/check.hpp"
#include "exchange/collective_error.hpp"
#include "exchange/gather.hpp"
#include "exec/transport.hpp"
#include "output/advice.hpp"
#include "output/durable.hpp"

namespace rednova::output {

namespace {

/// What went wrong in f; empty if nothing did.
template <class F>
std::string attempt(const F& f) {
  try {
    f();
  } catch (const core::user_error& e) {
    return e.what();
  }
  return {};
}

/// Gives the hashes of the rows by dataset.
std::vector<std::vector<std::uint64_t>> write_rows(const std::string& part, const std::vector<row_place>& places,
                                                   const std::function<void(row_writer&)>& rows) {
  const int file = ::open(part.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) core::fail("{}: cannot be written: {}", part, std::strerror(errno));
  row_writer writer(part, file, places);
  const std::string wrong = attempt([&] {
    rows(writer);
    // Each rank brings its own numbers to the disk: others may not see them in their caches.
    if (::fsync(file) != 0) core::fail("{}: cannot be brought to the disk: {}", part, std::strerror(errno));
  });
  ::close(file);
  if (!wrong.empty()) throw core::user_error(wrong);
  return writer.hashes();
}

/// What the seal says of the rows of all ranks, which follow each other.
std::vector<sealed_rows> gathered(exec::context& context, const std::vector<row_place>& places,
                                  std::vector<std::vector<std::uint64_t>> hashes) {
  hashes.resize(places.size());
  std::vector<sealed_rows> all;
  for (std::size_t n = 0; n < places.size(); ++n)
    all.push_back({places[n], hash_of_rows(exchange::gather_lists(context, hashes[n]))});
  return all;
}

/// Calls f, and adds to what goes wrong what the user can do.
template <class F>
void with_advice(const std::string& path, const F& f) {
  try {
    f();
  } catch (const exchange::collective_error& e) {
    throw exchange::collective_error(
        fmt::format("{}. Earlier files are untouched: make room (or mend what is named), then {}", e.what(),
                    how_to_go_on(std::filesystem::path(path).parent_path().string())));
  }
}

/// For a file of so many bytes, which one rank may write and check while the others wait for it.
exec::transport::longer patience_for(exec::context& context, std::uint64_t bytes) {
  constexpr double slow_disk = 10e6;  // bytes a second, to write and to read again
  return {context.ranks(), static_cast<double>(bytes) / slow_disk};
}

/// As agree(), and an unfinished file does not stay on a disk that may be full.
void agree_or_remove(exec::context& context, const std::string& part, const std::string& wrong) {
  try {
    agree(context, wrong);
  } catch (const exchange::collective_error&) {
    if (context.leads()) ::unlink(part.c_str());
    throw;
  }
}

/// The rows of all ranks, one after the other, at rank 0: each rank's number of rows, their sizes and the rows.
class gathered_rows {
 public:
  gathered_rows(exec::context& context, const std::vector<std::vector<std::byte>>& mine) {
    std::vector<std::uint64_t> sizes{mine.size()};
    for (const auto& row : mine) sizes.push_back(row.size());
    const auto head = std::as_bytes(std::span(sizes));
    std::vector<std::byte> message(head.begin(), head.end());
    for (const auto& row : mine) message.insert(message.end(), row.begin(), row.end());
    messages_ = exchange::gather_at_first(context, message);
    for (const std::vector<std::byte>& m : messages_) add(m);
  }
  const std::vector<std::span<const std::byte>>& rows() const { return rows_; }

 private:
  static std::uint64_t number(const std::vector<std::byte>& message, std::size_t n) {
    std::uint64_t value = 0;
    std::memcpy(&value, message.data() + n * sizeof value, sizeof value);
    return value;
  }
  void add(const std::vector<std::byte>& message) {
    const std::uint64_t count = number(message, 0);
    std::size_t at = (count + 1) * sizeof(std::uint64_t);
    for (std::size_t n = 1; n <= count; ++n) {
      rows_.push_back(std::span(message).subspan(at, number(message, n)));
      at += rows_.back().size();
    }
  }

  std::vector<std::vector<std::byte>> messages_;
  std::vector<std::span<const std::byte>> rows_;
};

}  // namespace

void row_writer::write(std::size_t n, std::uint64_t first, std::span<const std::byte> rows) {
  const row_place& of = places_.at(n);
  const auto* at = reinterpret_cast<const char*>(rows.data());
  std::size_t left = rows.size();
  EXPECT(left % of.row_bytes == 0 && first + left / of.row_bytes <= of.rows);
  for (std::size_t byte = 0; byte < left; byte += of.row_bytes)
    hashes_[n].push_back(hash_of_row(at + byte, of.row_bytes));
  auto place = static_cast<off_t>(of.begin + first * of.row_bytes);
  while (left > 0) {
    const ssize_t written = ::pwrite(file_, at, left, place);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) core::fail("{}: cannot be written: {}", path_, std::strerror(errno));
    at += written;
    place += written;
    left -= static_cast<std::size_t>(written);
  }
}

void agree(exec::context& context, const std::string& wrong) {
  std::vector<char> words(wrong.begin(), wrong.end());
  if (!wrong.empty()) words.push_back('\0');
  const std::vector<char> said = exchange::gather_lists(context, words);
  if (said.empty()) return;
  // Of several ranks' words the first's: each ends with the mark at which the next begin.
  throw exchange::collective_error(std::string(said.data()));
}

void write_published(exec::context& context, const std::string& path, std::uint64_t bytes,
                     const std::function<std::vector<row_place>(hdf5_file&)>& head,
                     const std::function<void(row_writer&)>& rows) {
  const std::string part = path + ".part";
  std::vector<row_place> places;
  std::vector<std::vector<std::uint64_t>> hashes;
  const auto wait = patience_for(context, bytes);
  with_advice(path, [&] {
    agree(context, attempt([&] {
            if (!context.leads()) return;
            hdf5_file file = hdf5_file::create(part, bytes);
            places = head(file);
            file.close();
          }));
    places = exchange::gather_lists(context, places);
    const std::string wrong = attempt([&] { hashes = write_rows(part, places, rows); });
    agree_or_remove(context, part, wrong);
    const std::vector<sealed_rows> all = gathered(context, places, std::move(hashes));
    agree_or_remove(context, part, attempt([&] {
                      if (!context.leads()) return;
                      seal(part, all);
                      publish(part, path);
                    }));
  });
}

void write_published(exec::context& context, const std::string& path, const packing& how,
                     const std::vector<std::uint64_t>& shape, const std::function<void(hdf5_file&)>& head,
                     const std::vector<chunked_dataset>& datasets) {
  const std::string part = path + ".part";
  // What the library needs to find a chunk, and with the numbers of rank 0's own a little more than is used.
  constexpr std::uint64_t chunk_entry = 128;
  std::uint64_t bytes = 0;
  for (const chunked_dataset& d : datasets)
    for (const auto& row : d.rows) bytes += row.size() + chunk_entry;
  bytes = exchange::fold_ranks(context, bytes, std::plus());
  const auto wait = patience_for(context, bytes);
  with_advice(path, [&] {
    std::optional<hdf5_file> file;
    agree(context, attempt([&] {
            if (!context.leads()) return;
            file.emplace(hdf5_file::create(part, bytes));
            head(*file);
          }));
    std::string wrong;
    for (const chunked_dataset& d : datasets) {
      const gathered_rows all(context, d.rows);
      if (!context.leads() || !wrong.empty()) continue;
      wrong = attempt([&] {
        file->write_chunks(d.name, shape, how, all.rows());
        file->set(d.name, "units", d.units);
      });
    }
    agree_or_remove(context, part, wrong);
    agree_or_remove(context, part, attempt([&] {
                      if (!context.leads()) return;
                      file->close();
                      seal(part, {});
                      publish(part, path);
                    }));
  });
}

void write_published(exec::context& context, const std::string& path, const std::function<void(hdf5_file&)>& fill) {
  const std::string part = path + ".part";
  with_advice(path, [&] {
    agree_or_remove(context, part, attempt([&] {
                      if (!context.leads()) return;
                      hdf5_file file = hdf5_file::create(part);
                      fill(file);
                      file.close();
                      seal(part, {});
                      publish(part, path);
                    }));
  });
}

}  // namespace rednova::output
