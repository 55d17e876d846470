#include "output/published_hdf5.hpp"

#include <filesystem>

#include "core/check.hpp"
#include "output/advice.hpp"
#include "output/durable.hpp"

namespace rednova::output {

void write_published(const std::string& path, std::uint64_t bytes, const std::function<void(hdf5_file&)>& fill) {
  try {
    hdf5_file file = hdf5_file::create(path + ".part", bytes);
    fill(file);
    file.close();
    publish(path + ".part", path);
  } catch (const core::user_error& e) {
    core::fail("{}. Earlier files are untouched: make room (or mend what is named), then {}", e.what(),
               how_to_go_on(std::filesystem::path(path).parent_path().string()));
  }
}

}  // namespace rednova::output
