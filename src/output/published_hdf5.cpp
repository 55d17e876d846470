#include "output/published_hdf5.hpp"

#include "core/check.hpp"
#include "output/durable.hpp"

namespace rednova::output {

void write_published(const std::string& path, std::uint64_t bytes, const std::function<void(hdf5_file&)>& fill) {
  try {
    hdf5_file file = hdf5_file::create(path + ".part", bytes);
    fill(file);
    file.close();
    publish(path + ".part", path);
  } catch (const core::user_error& e) {
    core::fail(
        "{}. Earlier files are untouched: make room, or choose another directory, and go on with: rednova restart",
        e.what());
  }
}

}  // namespace rednova::output
