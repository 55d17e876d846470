// A checksum at the end of a file, behind what the HDF5 library sees: damage shows before the library reads a byte, for
// it does not survive all of it (libhdf5 1.10.8: H5HG_read on a damaged heap).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rednova::output {

/// Where rows of numbers lie in a file that are written past the library.
struct row_place {
  std::uint64_t begin = 0;  ///< byte
  std::uint64_t rows = 0;
  std::uint64_t row_bytes = 0;  ///< a multiple of 8

  std::uint64_t end() const { return begin + rows * row_bytes; }
};

struct sealed_rows {
  row_place place;
  std::uint64_t hash = 0;  ///< of the rows' hashes
};

/// Hash of one row.
std::uint64_t hash_of_row(const void* row, std::uint64_t bytes);
/// Hash of rows from theirs, in order.
std::uint64_t hash_of_rows(const std::vector<std::uint64_t>& rows);

/// Appends the seal to a file that is complete: hashes of the rows, and one of all other bytes and these. Throws
/// core::user_error if it cannot be written.
void seal(const std::string& path, std::vector<sealed_rows> rows);

/// Compares a file with its seal, but for the rows' numbers; gives what the seal says of these. A user_error where they
/// differ, where there is no seal, and for what is no HDF5 file at all.
std::vector<sealed_rows> check_seal(const std::string& path);

/// Reads the rows' numbers, too; a user_error where they are others than those sealed.
void check_rows(const std::string& path, const std::vector<sealed_rows>& rows);

}  // namespace rednova::output
