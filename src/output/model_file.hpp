// initial_model.json: what was asked of the initial model of a run and what was reached.
#pragma once

#include <string>

#include "output/provenance.hpp"
#include "stellar/report.hpp"

namespace rednova::output {

inline constexpr const char* model_file = "initial_model.json";

/// The file's text. What was not asked for is null.
std::string model_json(const stellar::model_report& reached, const provenance& from);

void write_model(const std::string& directory, const stellar::model_report& reached, const provenance& from);

}  // namespace rednova::output
