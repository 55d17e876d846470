#include "output/file_head.hpp"

#include <vector>

namespace rednova::output {

void write_file_head(hdf5_file& file, const step::simulation& s, const provenance& from) {
  const mesh::domain& box = s.tree().box();
  const core::vec3d upper = box.upper();
  file.set("/", "version", from.version);
  file.set("/", "commit", from.commit);
  file.set("/", "time", s.time());
  file.set<std::int64_t>("/", "step", s.step());
  file.set("/", "orbits", s.orbits());
  file.set("/", "rotation", s.rotation());
  file.set("/", "grid_angle", s.grid_angle());
  file.set("/", "unit_system",
           std::string(config::enum_names<config::unit_system>::value[static_cast<std::size_t>(s.par().units.system)]));
  file.set("/", "code_length_cgs", s.units().length);
  file.set("/", "code_mass_cgs", s.units().mass);
  file.set("/", "code_time_cgs", s.units().time);
  file.set("/", "domain_lower", std::vector{box.lower.x, box.lower.y, box.lower.z});
  file.set("/", "domain_upper", std::vector{upper.x, upper.y, upper.z});
  file.write_text("/input", from.input);
}

}  // namespace rednova::output
