#include "eos/gas.hpp"

#include "config/units.hpp"

namespace rednova::eos {

gas::gas(const config::parameters& par)
    : model(par.eos.model),
      ideal{par.hydro.gamma},
      dwarf(white_dwarf::in(config::units_of(par.units.system), par.eos.electron_weight, par.eos.mean_weight,
                            par.hydro.gamma)) {}

}  // namespace rednova::eos
