// Files in HDF5: the only place that knows the library.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "output/packing.hpp"
#include "output/seal.hpp"

namespace rednova::output {

/// What datasets and attributes may hold besides text.
template <class T>
concept hdf5_number = std::same_as<T, double> || std::same_as<T, std::int64_t> || std::same_as<T, std::uint64_t>;

/// An open HDF5 file. Objects are named by their path in the file ("/Info"), "/" is the root.
///
/// Every failure is a core::user_error that names the file, the object and the system's reason. A file that was
/// created but not closed with close() is removed when the object goes: no half-written file stays behind.
class hdf5_file {
 public:
  /// Creates a file, or empties the one that is there, and reserves room on the disk for so many bytes, so that a full
  /// disk shows before anything is written.
  static hdf5_file create(const std::string& path, std::uint64_t bytes = 0);
  /// Opens a file for reading. A truncated or damaged file or one of another kind is an error. The file is
  /// compared with its seal first, but for the rows of numbers.
  static hdf5_file open(const std::string& path);
  hdf5_file(hdf5_file&& b) noexcept
      : id_(std::exchange(b.id_, -1)),
        unfinished_(std::exchange(b.unfinished_, false)),
        path_(std::move(b.path_)),
        sealed_(std::move(b.sealed_)) {}
  hdf5_file& operator=(hdf5_file&&) = delete;
  ~hdf5_file();

  const std::string& path() const { return path_; }
  /// What the seal of a file that was opened says of rows of numbers.
  const std::vector<sealed_rows>& sealed() const { return sealed_; }
  /// Whether the file holds this object; its parents must be there.
  bool has(const std::string& object) const;
  bool has_attribute(const std::string& object, const std::string& name) const;

  void make_group(const std::string& name);
  /// Writes a dataset of this shape (slowest dimension first).
  template <hdf5_number T>
  void write(const std::string& name, std::span<const T> values, const std::vector<std::uint64_t>& shape);
  /// Makes a dataset whose numbers are written past the library; gives where in the file they lie. They may be written
  /// when the file is closed.
  row_place lay_out(const std::string& name, const std::vector<std::uint64_t>& shape,
                    config::number_precision precision);
  /// Makes a compressed dataset of which each row is a chunk, and writes these: rows as compressed() gives them.
  void write_chunks(const std::string& name, const std::vector<std::uint64_t>& shape, const packing& how,
                    const std::vector<std::span<const std::byte>>& rows);
  /// Writes a dataset packed so, by rows if it is compressed.
  void write_packed(const std::string& name, std::span<const double> values, const std::vector<std::uint64_t>& shape,
                    const packing& how);
  void write_text(const std::string& name, const std::string& text);
  template <hdf5_number T>
  void set(const std::string& object, const std::string& name, T value);
  template <hdf5_number T>
  void set(const std::string& object, const std::string& name, const std::vector<T>& values);
  void set(const std::string& object, const std::string& name, const std::string& value);
  void set(const std::string& object, const std::string& name, const std::vector<std::string>& values);

  /// Reading checks what is there before it reads: the kind of numbers or text, the number of dimensions, and that no
  /// more is asked for than the file can hold.
  std::vector<std::uint64_t> shape(const std::string& name) const;
  /// Reads a whole dataset; its size must be that of `values`.
  template <hdf5_number T>
  void read(const std::string& name, std::span<T> values) const;
  /// Reads rows (of the slowest dimension) from `first` on, as many as fit into `values`.
  void read_rows(const std::string& name, std::uint64_t first, std::span<double> values) const;
  template <hdf5_number T>
  std::vector<T> read(const std::string& name) const;
  std::string read_text(const std::string& name) const;
  template <hdf5_number T>
  T get(const std::string& object, const std::string& name) const;
  std::string get_text(const std::string& object, const std::string& name) const;
  std::vector<std::string> get_texts(const std::string& object, const std::string& name) const;

  /// Writes what is still in memory and closes the file; the file is then complete but not yet synced.
  void close();

 private:
  hdf5_file(std::int64_t id, bool unfinished, std::string path)
      : id_(id), unfinished_(unfinished), path_(std::move(path)) {}
  [[noreturn]] void fail(const std::string& what) const;
  // Of an open dataset.
  std::vector<std::uint64_t> extents_of(std::int64_t set, const std::string& name) const;
  template <hdf5_number T>
  void expect_numbers(std::int64_t set, const std::string& name) const;
  template <hdf5_number T>
  void read_all(std::int64_t set, const std::string& name, std::span<T> values) const;
  void discard() noexcept;

  std::int64_t id_;  // the library's hid_t
  bool unfinished_;  // being written
  std::string path_;
  std::vector<sealed_rows> sealed_;
};

}  // namespace rednova::output
