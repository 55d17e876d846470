// JSON values of all ranks on the first.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "exec/transport.hpp"

namespace rednova::output {

/// A value of each rank, in their order, on rank 0; empty on the others. All ranks call it.
std::vector<nlohmann::ordered_json> gather_json(exec::transport& ranks, const nlohmann::ordered_json& mine);

}  // namespace rednova::output
