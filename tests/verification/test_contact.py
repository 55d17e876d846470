"""Whether gas of one pressure that moves all alike notices a contact in it, with the spin's feedback and exchange."""

import pytest
from rednova.verify.shocks import contact_noise, drifting


# Pressure is 1, speed 1.15. Measured 3.4e-5 and 1.9e-4 on cells of one size, 4.9e-4 and 3.5e-3 where levels meet; with
# an exchange that does not know contacts 0.07 and 0.24.
@pytest.mark.parametrize(
    ("mesh", "pressure", "velocity"), [("32³", 1e-4, 5e-4), ("32³, refined in the way", 1e-3, 7e-3)]
)
def test_a_contact_stays_clean(made, mesh, pressure, velocity):
    noise = contact_noise(made(drifting(mesh, spin=True)))
    assert noise[0] < pressure
    assert noise[1] < velocity


# Rounding: nothing but the exchange of spin and flow can stir the gas.
def test_without_spin_it_is_clean_to_rounding(made):
    assert max(contact_noise(made(drifting("32³", spin=False)))) < 1e-12
