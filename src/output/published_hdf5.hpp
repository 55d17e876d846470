// A file in HDF5 that appears under its name only when it is complete, written by all ranks together.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "exec/for_each.hpp"
#include "output/hdf5.hpp"

namespace rednova::output {

/// The numbers of datasets, written past the library: each rank writes its own rows, in order, and keeps their hashes.
class row_writer {
 public:
  row_writer(std::string path, int file, std::vector<row_place> places)
      : path_(std::move(path)), file_(file), places_(std::move(places)), hashes_(places_.size()) {}
  /// Whole rows of the dataset that was reserved as the n-th, from row `first` on, as they lie in the file.
  void write(std::size_t n, std::uint64_t first, std::span<const std::byte> rows);
  /// Of the rows written, by dataset.
  const std::vector<std::vector<std::uint64_t>>& hashes() const { return hashes_; }

 private:
  std::string path_;
  int file_;
  std::vector<row_place> places_;
  std::vector<std::vector<std::uint64_t>> hashes_;
};

/// Writes a file of about so many bytes to path.part, syncs it, and renames it. Rank 0 makes the file and fills in what
/// all know; `head` gives where the reserved datasets lie (hdf5_file::lay_out). Then all ranks write their rows, and
/// rank 0 seals the file. A failure leaves earlier files as they are and is a core::user_error on all ranks, which
/// names file and remedy.
void write_published(exec::context& context, const std::string& path, std::uint64_t bytes,
                     const std::function<std::vector<row_place>(hdf5_file&)>& head,
                     const std::function<void(row_writer&)>& rows);

/// A compressed dataset: of each of this rank's rows its chunk.
struct chunked_dataset {
  std::string name, units;
  std::vector<std::vector<std::byte>> rows;
};

/// The same with compressed datasets of one shape, which rank 0 gathers one after the other and writes, since nobody
/// knows before where in the file they come to lie.
void write_published(exec::context& context, const std::string& path, const packing& how,
                     const std::vector<std::uint64_t>& shape, const std::function<void(hdf5_file&)>& head,
                     const std::vector<chunked_dataset>& datasets);

/// The same for a small file that rank 0 writes alone.
void write_published(exec::context& context, const std::string& path, const std::function<void(hdf5_file&)>& fill);

/// If something went wrong on any rank (a message that is not empty), throws the first rank's words on all of them.
void agree(exec::context& context, const std::string& wrong);

}  // namespace rednova::output
