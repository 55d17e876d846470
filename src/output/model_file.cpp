#include "output/model_file.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "output/durable.hpp"

namespace rednova::output {

std::string model_json(const stellar::model_report& reached, const provenance& from) {
  using json = nlohmann::ordered_json;
  json all = {{"iterations", reached.iterations},
              {"cells", reached.cells},
              {"gravity_order", reached.gravity_order},
              {"change", reached.change}};
  all["rows"] = json::array();
  for (const stellar::model_report::row& r : reached.rows)
    all["rows"].push_back({{"what", r.what},
                           {"asked", std::isnan(r.asked) ? json() : json(r.asked)},
                           {"reached", r.reached},
                           {"note", r.note}});
  all["warnings"] = reached.warnings;
  all["run"] = {{"version", from.version}, {"commit", from.commit}, {"input", from.input}};
  return all.dump(2) + '\n';
}

void write_model(const std::string& directory, const stellar::model_report& reached, const provenance& from) {
  write_file((std::filesystem::path(directory) / model_file).string(), model_json(reached, from));
}

}  // namespace rednova::output
