#include "output/hdf5.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <numeric>

#include "core/check.hpp"
#include "output/hdf5_library.hpp"

namespace rednova::output {

namespace library {

std::uint64_t product(const std::vector<std::uint64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

std::string reason() {
  std::string found;
  const auto visit = [](unsigned, const H5E_error2_t* e, void* out) -> herr_t {
    static constexpr const char* key = "error message = '";
    const char* start = e->desc ? std::strstr(e->desc, key) : nullptr;
    if (start) {
      start += std::strlen(key);
      const char* end = std::strchr(start, '\'');
      *static_cast<std::string*>(out) =
          std::string(start, end ? static_cast<std::size_t>(end - start) : std::strlen(start));
    } else if (e->desc && std::strstr(e->desc, "truncated file")) {
      *static_cast<std::string*>(out) = "the file is truncated";
    }
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit, &found);
  return found;
}

void silence() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

hid_t text_type() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace library

namespace {

using library::handle;
using library::memory_type;
using library::product;
using library::silence;
using library::text_type;

/// The descriptor through which the library writes a file; -1 if it does not tell.
int descriptor(hid_t file) {
  void* handle = nullptr;
  return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle ? *static_cast<int*>(handle) : -1;
}

/// Makes the file system set blocks aside for a file; true also where it cannot do that.
bool reserve(int fd, std::uint64_t bytes) {
  // What the library adds to the numbers: a few hundred bytes for each dataset and attribute.
  constexpr std::uint64_t headers = 1 << 18;
  return bytes == 0 || ::fallocate(fd, 0, 0, static_cast<off_t>(bytes + headers)) == 0 ||
         (errno != ENOSPC && errno != EFBIG && errno != EDQUOT);
}

/// Fails if the file cannot be made as long as that. The library is not asked yet: it crashes at the program's exit
/// where it once could not write a file to its end.
void expect_memory(const std::string& path, std::uint64_t bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) core::fail("{}: cannot create the file: {}", path, std::strerror(errno));
  const bool room = reserve(fd, bytes);
  const int error = errno;
  ::close(fd);
  if (room) return;
  ::unlink(path.c_str());
  core::fail("{}: no room for {:.1f} MB on the disk: {}", path, static_cast<double>(bytes) * 1e-6,
             std::strerror(error));
}

}  // namespace

hdf5_file hdf5_file::create(const std::string& path, std::uint64_t bytes) {
  silence();
  expect_memory(path, bytes);
  const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (id < 0) {
    const std::string why = library::reason();
    core::fail("{}: cannot create the file: {}", path, why.empty() ? "the directory cannot be written" : why);
  }
  hdf5_file file(id, true, path);
  if (!reserve(descriptor(id), bytes)) core::fail("{}: cannot be written: {}", path, std::strerror(errno));
  return file;
}

hdf5_file::~hdf5_file() {
  if (id_ < 0) return;
  if (unfinished_) {
    discard();
  } else {
    H5Fclose(id_);
  }
}

void hdf5_file::discard() noexcept {
  // The library insists on writing its metadata when it closes a file, and crashes at exit if it cannot. So it writes
  // into memory instead, which works on a full disk too.
  const int fd = descriptor(id_), memory = ::memfd_create("rednova", MFD_CLOEXEC);
  if (fd >= 0 && memory >= 0) ::dup2(memory, fd);
  H5Fclose(std::exchange(id_, -1));
  if (memory >= 0) ::close(memory);
  ::unlink(path_.c_str());
}

void hdf5_file::fail(const std::string& what) const {
  const std::string why = library::reason();
  core::fail("{}: {}{}{}", path_, what, why.empty() ? "" : ": ", why);
}

void hdf5_file::make_group(const std::string& name) {
  const handle g(H5Gcreate2(id_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!g.valid()) fail("cannot write group " + name);
}

template <hdf5_number T>
void hdf5_file::write(const std::string& name, std::span<const T> values, const std::vector<std::uint64_t>& shape) {
  EXPECT(values.size() == product(shape));
  const std::vector<hsize_t> dims(shape.begin(), shape.end());
  const handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose);
  const handle set(H5Dcreate2(id_, name.c_str(), memory_type<T>(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
  if (!set.valid() || H5Dwrite(set.id(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    fail("cannot write dataset " + name);
  }
}

void hdf5_file::write_text(const std::string& name, const std::string& text) {
  const handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), std::max<std::size_t>(text.size(), 1));
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  const handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const handle set(H5Dcreate2(id_, name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
  if (!set.valid() || H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) < 0) {
    fail("cannot write text " + name);
  }
}

namespace {

/// Writes an attribute of `object`; false on failure.
bool write_attribute(hid_t file, const std::string& object, const std::string& name, hid_t type, hid_t space,
                     const void* values) {
  const handle a(
      H5Acreate_by_name(file, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  return a.valid() && H5Awrite(a.id(), type, values) >= 0;
}

}  // namespace

template <hdf5_number T>
void hdf5_file::set(const std::string& object, const std::string& name, T value) {
  const handle space(H5Screate(H5S_SCALAR), H5Sclose);
  if (!write_attribute(id_, object, name, memory_type<T>(), space.id(), &value)) fail("cannot write attribute " + name);
}

template <hdf5_number T>
void hdf5_file::set(const std::string& object, const std::string& name, const std::vector<T>& values) {
  const hsize_t n = values.size();
  const handle space(H5Screate_simple(1, &n, nullptr), H5Sclose);
  if (!write_attribute(id_, object, name, memory_type<T>(), space.id(), values.data()))
    fail("cannot write attribute " + name);
}

void hdf5_file::set(const std::string& object, const std::string& name, const std::string& value) {
  const handle type(text_type(), H5Tclose);
  const handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const char* p = value.c_str();
  if (!write_attribute(id_, object, name, type.id(), space.id(), &p)) fail("cannot write attribute " + name);
}

void hdf5_file::set(const std::string& object, const std::string& name, const std::vector<std::string>& values) {
  const handle type(text_type(), H5Tclose);
  const hsize_t n = values.size();
  const handle space(H5Screate_simple(1, &n, nullptr), H5Sclose);
  std::vector<const char*> p;
  for (const std::string& v : values) p.push_back(v.c_str());
  if (!write_attribute(id_, object, name, type.id(), space.id(), p.data())) fail("cannot write attribute " + name);
}

void hdf5_file::close() {
  if (id_ < 0) return;
  if (unfinished_) {
    // A failing close would leave the file to the library's own clean-up; a failing flush can still be mended.
    if (H5Fflush(id_, H5F_SCOPE_GLOBAL) < 0) {
      const std::string why = library::reason();
      discard();
      unfinished_ = false;
      core::fail("{}: cannot be written{}{}", path_, why.empty() ? "" : ": ", why);
    }
    unfinished_ = false;
    hsize_t size = 0;
    const bool known = H5Fget_filesize(id_, &size) >= 0;
    if (H5Fclose(std::exchange(id_, -1)) < 0) fail("cannot be closed");
    // Gives back what was reserved and not used.
    if (known && ::truncate(path_.c_str(), static_cast<off_t>(size)) != 0) fail("cannot be cut to its length");
    return;
  }
  H5Fclose(std::exchange(id_, -1));
}

#define REDNOVA_HDF5_NUMBER(T)                                                                                  \
  template void hdf5_file::write<T>(const std::string&, std::span<const T>, const std::vector<std::uint64_t>&); \
  template void hdf5_file::set<T>(const std::string&, const std::string&, T);                                   \
  template void hdf5_file::set<T>(const std::string&, const std::string&, const std::vector<T>&);
REDNOVA_HDF5_NUMBER(double)
REDNOVA_HDF5_NUMBER(std::int64_t)
REDNOVA_HDF5_NUMBER(std::uint64_t)
#undef REDNOVA_HDF5_NUMBER

}  // namespace rednova::output
