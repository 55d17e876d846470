// The tables that the gases of this process look into.
#pragma once

#include "config/parameters.hpp"
#include "eos/stellar_table.hpp"

namespace rednova::eos {

/// The table that an input with eos.model = "stellar" needs: of the one composition of its species, or of several from
/// the least hydrogen to the most, whose roots are 0.07 apart at most.
stellar_parameters table_parameters(const config::eos& par);

/// That table, read or made at the first call with these parameters and kept until the process ends. Standard error
/// tells of one that is being made.
const stellar_table& table_of(const config::eos& par);

}  // namespace rednova::eos
