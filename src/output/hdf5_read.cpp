// Reading: nothing in a file is trusted, since anybody's may be given.
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "core/check.hpp"
#include "output/hdf5.hpp"
#include "output/hdf5_library.hpp"

namespace rednova::output {

namespace {

using library::handle;
using library::memory_type;
using library::product;
using library::text_type;

/// Largest extents and texts of a file that this program may have written.
constexpr std::uint64_t most_points = std::uint64_t{1} << 45;
constexpr std::size_t most_text = std::size_t{16} << 20;
constexpr hssize_t most_texts = 1000;

std::uint64_t file_size(const std::string& path) {
  struct stat now {};
  return ::stat(path.c_str(), &now) == 0 ? static_cast<std::uint64_t>(now.st_size) : 0;
}

/// Extents of a space; none of a scalar. False for what is no lattice of a size that can be.
bool extents(hid_t space, std::vector<std::uint64_t>& shape) {
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0 || H5Sget_simple_extent_type(space) == H5S_NULL) return false;
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  if (rank > 0 && H5Sget_simple_extent_dims(space, dims.data(), nullptr) < 0) return false;
  std::uint64_t points = 1;
  for (const hsize_t d : dims) {
    if (d > 0 && points > most_points / d) return false;
    points *= d;
  }
  shape.assign(dims.begin(), dims.end());
  return true;
}

/// Whether a type holds numbers that can be had as T.
template <class T>
bool holds(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  return std::same_as<T, double> ? kind == H5T_FLOAT : kind == H5T_INTEGER;
}

}  // namespace

hdf5_file hdf5_file::open(const std::string& path) {
  library::silence();
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    core::fail("{}: {}", path, errno == ENOENT ? "there is no such file" : std::strerror(errno));
  if (S_ISDIR(status.st_mode)) core::fail("{}: is a directory, not a file of this program", path);
  // A pipe may never have a writer, and a device no end.
  if (!S_ISREG(status.st_mode)) core::fail("{}: is a pipe or a device, not a file of this program", path);
  std::vector<sealed_rows> seal = check_seal(path);
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0) {
    const std::string why = library::reason();
    core::fail("{}: cannot be read: {}", path, why.empty() ? "it is no HDF5 file, or a truncated one" : why);
  }
  hdf5_file file(id, false, path);
  file.sealed_ = std::move(seal);
  return file;
}

bool hdf5_file::has(const std::string& object) const {
  return object == "/" || H5Lexists(id_, object.c_str(), H5P_DEFAULT) > 0;
}

bool hdf5_file::has_attribute(const std::string& object, const std::string& name) const {
  return has(object) && H5Aexists_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::uint64_t> hdf5_file::extents_of(std::int64_t set, const std::string& name) const {
  if (set < 0) fail("has no dataset " + name);
  const handle space(H5Dget_space(set), H5Sclose);
  std::vector<std::uint64_t> dims;
  if (!space.valid() || !extents(space.id(), dims)) fail("dataset " + name + " has impossible extents");
  return dims;
}

template <hdf5_number T>
void hdf5_file::expect_numbers(std::int64_t set, const std::string& name) const {
  const handle type(H5Dget_type(set), H5Tclose);
  if (!type.valid() || !holds<T>(type.id())) fail("dataset " + name + " holds another kind of values");
}

template <hdf5_number T>
void hdf5_file::read_all(std::int64_t set, const std::string& name, std::span<T> values) const {
  if (H5Dread(set, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail("cannot read dataset " + name);
}

std::vector<std::uint64_t> hdf5_file::shape(const std::string& name) const {
  const handle set(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose);
  return extents_of(set.id(), name);
}

template <hdf5_number T>
void hdf5_file::read(const std::string& name, std::span<T> values) const {
  const handle set(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (product(extents_of(set.id(), name)) != values.size())
    fail("dataset " + name + " has another size than the file's header says");
  expect_numbers<T>(set.id(), name);
  read_all<T>(set.id(), name, values);
}

void hdf5_file::read_rows(const std::string& name, std::uint64_t first, std::span<double> values) const {
  if (values.empty()) return;
  const handle set(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose);
  const std::vector<std::uint64_t> dims = extents_of(set.id(), name);
  const std::uint64_t row = dims.empty() || dims[0] == 0 ? 0 : product(dims) / dims[0];
  if (row == 0 || values.size() % row != 0 || first > dims[0] || values.size() / row > dims[0] - first) {
    fail("dataset " + name + " has another size than the file's header says");
  }
  std::vector<hsize_t> start(dims.size(), 0), count(dims.begin(), dims.end());
  start[0] = first;
  count[0] = values.size() / row;
  expect_numbers<double>(set.id(), name);
  const handle from(H5Dget_space(set.id()), H5Sclose);
  H5Sselect_hyperslab(from.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  const handle to(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
  if (H5Dread(set.id(), H5T_NATIVE_DOUBLE, to.id(), from.id(), H5P_DEFAULT, values.data()) < 0) {
    fail("cannot read dataset " + name);
  }
}

template <hdf5_number T>
std::vector<T> hdf5_file::read(const std::string& name) const {
  const handle set(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose);
  const std::uint64_t points = product(extents_of(set.id(), name));
  // Nothing is compressed here; what others have compressed is not a thousand times smaller.
  constexpr std::uint64_t most_compression = 1000;
  if (points / most_compression > file_size(path_)) fail("dataset " + name + " has impossible extents");
  expect_numbers<T>(set.id(), name);
  std::vector<T> values(points);
  read_all<T>(set.id(), name, values);
  return values;
}

std::string hdf5_file::read_text(const std::string& name) const {
  const handle set(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.valid()) fail("has no text " + name);
  const handle type(H5Dget_type(set.id()), H5Tclose);
  const handle space(H5Dget_space(set.id()), H5Sclose);
  const bool one = space.valid() && H5Sget_simple_extent_npoints(space.id()) == 1;
  const bool text_of_its_size =
      type.valid() && H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) == 0;
  if (!one || !text_of_its_size || H5Tget_size(type.id()) > most_text) fail("dataset " + name + " is not one text");
  std::string text(H5Tget_size(type.id()), '\0');
  if (H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) fail("cannot read text " + name);
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

template <hdf5_number T>
T hdf5_file::get(const std::string& object, const std::string& name) const {
  T value{};
  if (!has_attribute(object, name)) fail("has no attribute " + name);
  const handle a(H5Aopen_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!a.valid()) fail("cannot read attribute " + name);
  const handle space(H5Aget_space(a.id()), H5Sclose);
  const handle type(H5Aget_type(a.id()), H5Tclose);
  if (!space.valid() || !type.valid() || H5Sget_simple_extent_npoints(space.id()) != 1 || !holds<T>(type.id()))
    fail("attribute " + name + " is not one number of its kind");
  if (H5Aread(a.id(), memory_type<T>(), &value) < 0) fail("cannot read attribute " + name);
  return value;
}

std::vector<std::string> hdf5_file::get_texts(const std::string& object, const std::string& name) const {
  if (!has_attribute(object, name)) fail("has no attribute " + name);
  const handle a(H5Aopen_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!a.valid()) fail("cannot read attribute " + name);
  const handle space(H5Aget_space(a.id()), H5Sclose);
  const handle in_file(H5Aget_type(a.id()), H5Tclose);
  const hssize_t count = space.valid() ? H5Sget_simple_extent_npoints(space.id()) : -1;
  const bool texts_of_any_length =
      in_file.valid() && H5Tget_class(in_file.id()) == H5T_STRING && H5Tis_variable_str(in_file.id()) > 0;
  if (count < 0 || count > most_texts || !texts_of_any_length) fail("attribute " + name + " is no list of texts");
  const handle type(text_type(), H5Tclose);
  std::vector<char*> p(static_cast<std::size_t>(count), nullptr);
  if (count > 0 && H5Aread(a.id(), type.id(), p.data()) < 0) fail("cannot read attribute " + name);
  std::vector<std::string> texts;
  for (const char* t : p) texts.emplace_back(t ? t : "");
  if (count > 0) H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, p.data());
  return texts;
}

std::string hdf5_file::get_text(const std::string& object, const std::string& name) const {
  const std::vector<std::string> texts = get_texts(object, name);
  if (texts.size() != 1) fail("attribute " + name + " is not one text");
  return texts.front();
}

#define REDNOVA_HDF5_NUMBER(T)                                              \
  template void hdf5_file::read<T>(const std::string&, std::span<T>) const; \
  template std::vector<T> hdf5_file::read<T>(const std::string&) const;     \
  template T hdf5_file::get<T>(const std::string&, const std::string&) const;
REDNOVA_HDF5_NUMBER(double)
REDNOVA_HDF5_NUMBER(std::int64_t)
REDNOVA_HDF5_NUMBER(std::uint64_t)
#undef REDNOVA_HDF5_NUMBER

}  // namespace rednova::output
