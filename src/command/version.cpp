#include <fmt/format.h>

#include "command/command.hpp"
#include "exec/simd.hpp"
#include "version.hpp"

namespace rednova::command {

std::string version_text() {
  return fmt::format("rednova {}\ncommit {}\ncompiler {}, {}\nfeatures {}, packs of {} doubles, HDF5, oneTBB",
                     version::number, version::commit, version::compiler, version::build_type, version::options,
                     exec::pack::size());
}

std::string version_number() { return version::number; }

output::provenance provenance_of(const std::string& input_text) {
  return {input_text, version::number, version::commit};
}

}  // namespace rednova::command
