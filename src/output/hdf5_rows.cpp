// Datasets of fields, one row for each block.
#include <algorithm>

#include "core/check.hpp"
#include "output/hdf5.hpp"
#include "output/hdf5_library.hpp"

namespace rednova::output {

namespace {

using library::handle;
using library::product;

hid_t type_of(config::number_precision precision) {
  return precision == config::number_precision::single_precision ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}

hid_t space_of(const std::vector<std::uint64_t>& shape) {
  const std::vector<hsize_t> dims(shape.begin(), shape.end());
  return H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
}

/// Makes a dataset of chunks, one for each row; contiguous where nothing is compressed.
hid_t make_dataset(hid_t file, const std::string& name, const std::vector<std::uint64_t>& shape, const packing& how) {
  const handle space(space_of(shape), H5Sclose);
  const handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (how.compression > 0 && product(shape) > 0) {
    std::vector<hsize_t> chunk(shape.begin(), shape.end());
    chunk[0] = 1;
    H5Pset_chunk(list.id(), static_cast<int>(chunk.size()), chunk.data());
    H5Pset_shuffle(list.id());
    H5Pset_deflate(list.id(), static_cast<unsigned>(how.compression));
  }
  return H5Dcreate2(file, name.c_str(), type_of(how.precision), space.id(), H5P_DEFAULT, list.id(), H5P_DEFAULT);
}

}  // namespace

row_place hdf5_file::lay_out(const std::string& name, const std::vector<std::uint64_t>& shape,
                             config::number_precision precision) {
  const handle space(space_of(shape), H5Sclose);
  const handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_layout(how.id(), H5D_CONTIGUOUS);
  H5Pset_alloc_time(how.id(), H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(how.id(), H5D_FILL_TIME_NEVER);
  const handle set(H5Dcreate2(id_, name.c_str(), type_of(precision), space.id(), H5P_DEFAULT, how.id(), H5P_DEFAULT),
                   H5Dclose);
  const haddr_t begin = set.valid() ? H5Dget_offset(set.id()) : HADDR_UNDEF;
  if (begin == HADDR_UNDEF) fail("cannot write dataset " + name);
  const std::uint64_t rows = shape.at(0), numbers = product(shape) / std::max<std::uint64_t>(rows, 1);
  return {begin, rows, numbers * packing{precision, 0}.number_bytes()};
}

void hdf5_file::write_chunks(const std::string& name, const std::vector<std::uint64_t>& shape, const packing& how,
                             const std::vector<std::span<const std::byte>>& rows) {
  EXPECT(rows.size() == shape.at(0) && how.compression > 0);
  const handle set(make_dataset(id_, name, shape, how), H5Dclose);
  bool written = set.valid();
  std::vector<hsize_t> at(shape.size(), 0);
  for (std::size_t row = 0; row < rows.size() && written; ++row) {
    at[0] = row;
    written = H5Dwrite_chunk(set.id(), H5P_DEFAULT, 0, at.data(), rows[row].size(), rows[row].data()) >= 0;
  }
  if (!written) fail("cannot write dataset " + name);
}

void hdf5_file::write_packed(const std::string& name, std::span<const double> values,
                             const std::vector<std::uint64_t>& shape, const packing& how) {
  EXPECT(values.size() == product(shape));
  const handle set(make_dataset(id_, name, shape, how), H5Dclose);
  if (!set.valid() || H5Dwrite(set.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail("cannot write dataset " + name);
}

}  // namespace rednova::output
