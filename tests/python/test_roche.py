"""The Roche model that pictures show: Lagrange points, potential, and which masses it takes."""

from types import SimpleNamespace

import made_snapshot
import numpy as np
import pytest
from rednova.roche import RocheModel, lobe_radius, model_of

#: Roots of the force along the line are found to 1e-15 in brackets of a few.
ROUNDING = 1e-14


def on_axis(q, separation=1.0):
    """Masses 1 and q, the first at the origin of the line."""
    return RocheModel((1.0, q), np.array([[0.0, 0.0], [separation, 0.0]]))


def test_equal_masses():
    model = on_axis(1.0)
    points = model.lagrange_points()
    assert points["L1"] == pytest.approx([0.5, 0, 0], abs=ROUNDING)
    # 1.19841 from the centre of mass, on both sides; the sixth digit is a rounded one.
    assert points["L2"][0] - 0.5 == pytest.approx(1.19841, abs=5e-6)
    assert 0.5 - points["L3"][0] == pytest.approx(1.19841, abs=5e-6)


@pytest.mark.parametrize("q", [0.1, 0.5, 3.0])
def test_points_are_roots_of_the_quintics(q):
    """By polynomials for the distance r from a star in separations, with the share mu of the lighter one in the mass.

    r⁵ ∓ (3-mu) r⁴ + (3-2mu) r³ - mu r² ± 2 mu r - mu = 0 for L1 (upper signs) and L2; L3 from the heavier one.
    """
    share = min(q, 1) / (1 + q)

    def root(*coefficients):
        roots = np.roots(coefficients)
        (real,) = (r.real for r in roots if abs(r.imag) < 1e-9 and 0 < r.real < 1.5)
        return real

    near = root(1, -(3 - share), 3 - 2 * share, -share, 2 * share, -share)
    far = root(1, 3 - share, 3 - 2 * share, -share, -2 * share, -share)
    behind = root(1, 2 + share, 1 + 2 * share, -(1 - share), -2 * (1 - share), -(1 - share))
    separation = 2.0
    points = on_axis(q, separation).lagrange_points()
    light, heavy, away = (separation, 0.0, 1) if q < 1 else (0.0, separation, -1)
    # numpy's roots of a quintic are good to some 1e-12.
    assert points["L1"][0] == pytest.approx(light - away * separation * near, abs=1e-10)
    assert points["L2"][0] == pytest.approx(light + away * separation * far, abs=1e-10)
    assert points["L3"][0] == pytest.approx(heavy - away * separation * behind, abs=1e-10)


def test_the_force_vanishes_at_the_points_of_a_turned_binary():
    model = RocheModel((0.7, 0.4), np.array([[0.2, -0.3], [1.1, 0.9]]), height=0.25)
    step = 1e-5
    # L4 is as far from each star as they are from each other.
    line = model.positions[1] - model.positions[0]
    triangle = model.positions[0] + line / 2 + np.sqrt(3) / 2 * np.array([-line[1], line[0]])
    for point in (*model.lagrange_points().values(), np.array([*triangle, 0.25])):
        for d in range(3):
            ahead, behind = point.copy(), point.copy()
            ahead[d] += step
            behind[d] -= step
            slope = (model.potential(*ahead) - model.potential(*behind)) / (2 * step)
            assert slope == pytest.approx(0, abs=1e-8), "differences of second order"
    here = model.potential(*triangle, 0.25)
    lever = np.sum((triangle - model.centre) ** 2)
    assert here == pytest.approx(-1.1 / model.separation - 0.5 * 1.1 / model.separation**3 * lever, rel=1e-14)
    levels = [model.potential(*p) for p in model.lagrange_points().values()]
    assert levels == sorted(levels), "gas leaves through L1, then L2, then L3"


def test_no_binary():
    with pytest.raises(ValueError, match="two masses that lie apart"):
        RocheModel((1.0, 0.0), np.array([[0.0, 0.0], [1.0, 0.0]]))
    with pytest.raises(ValueError, match="two masses that lie apart"):
        RocheModel((1.0, 1.0), np.zeros((2, 2)))


class Table:
    """A history of two rows; the second is after a merger."""

    knows_lobes = True
    columns = (
        *("time", "stars", "lobe_mass_accretor", "lobe_mass_donor"),
        *(f"centre_{d}_{star}" for star in ("accretor", "donor") for d in "xyz"),
    )
    rows = ((1.0, 2.0, 0.6, 0.3, -0.5, 0.0, 0.0, 1.0, 0.0, 0.0), (2.0, 1.0, 0.9, *[np.nan] * 7))
    data = np.array(list(rows), dtype=[(name, float) for name in columns])

    def __getitem__(self, name):
        return self.data[name]


def test_masses_are_those_of_the_lobes():
    model = model_of(SimpleNamespace(time=1.2), Table())
    assert model.masses == (0.6, 0.3)
    assert model.separation == pytest.approx(1.5)
    assert model.centre == pytest.approx([0, 0], abs=1e-16)
    assert model_of(SimpleNamespace(time=1.9), Table()) is None, "merged"


def two_balls(path, **more):
    """An accretor of density 2 and a donor of density 1, of one radius."""
    places = ((-0.4, 0.0, 0.0), (0.5, 0.1, 0.0))
    parts = [made_snapshot.sphere(p, 0.3, density) for p, density in zip(places, (2.0, 1.0), strict=True)]
    return made_snapshot.make(
        path,
        prim_density=lambda *at: parts[0](*at) + parts[1](*at),
        density_accretor=parts[0],
        density_donor=parts[1],
        species=("accretor", "donor"),
        **more,
    )


def test_without_a_history_species_and_point_masses_are_measured(tmp_path):
    snapshot = two_balls(tmp_path / "species.phdf")
    volume = 4 / 3 * np.pi * 0.3**3
    model = model_of(snapshot, None)
    # Balls of 5 cells to a radius and 4³ points to a cell miss their volume by a few per mille.
    assert model.masses == pytest.approx((2 * volume, volume), rel=5e-3)
    assert model.positions == pytest.approx(np.array([[-0.4, 0], [0.5, 0.1]]), abs=2e-3)

    core, companion = [3.0, 0.1, -0.4, 0, 0, 0, 0, 0], [0.5, 0.1, 0.9, 0, 0, 0, 0, 0]
    gas = snapshot.total("density")
    one = model_of(two_balls(tmp_path / "one.phdf", points=[companion]), None)
    assert one.masses == pytest.approx((gas, 0.5))
    assert one.positions[1] == pytest.approx([0.9, 0])
    two = model_of(two_balls(tmp_path / "two.phdf", points=[core, companion]), None)
    assert two.masses == pytest.approx((gas + 3, 0.5))
    assert two.positions == pytest.approx(np.array([[-0.4, 0], [0.9, 0]]))
    alone = made_snapshot.make(tmp_path / "alone.phdf", prim_density=made_snapshot.sphere((0, 0, 0), 0.5))
    assert model_of(alone, None) is None


def test_a_snapshot_from_before_the_table_is_measured(tmp_path):
    """Its rows begin at 1 and are 1 apart."""
    without = model_of(two_balls(tmp_path / "snapshot.phdf"), None)
    assert without.masses != pytest.approx((0.6, 0.3), rel=0.1)
    for time, masses in ((-0.1, without.masses), (0.1, (0.6, 0.3))):
        assert model_of(two_balls(tmp_path / "snapshot.phdf", time=time), Table()).masses == masses


@pytest.mark.parametrize("q", [0.1, 1.0, 4.0])
def test_radius_of_a_lobe(q):
    """Of the volume within the surface through L1, on the first star's side of it; the formula is good to 1 %."""
    model = on_axis(q)
    points = model.lagrange_points()
    first, behind = points["L1"], min(points["L2"][0], points["L3"][0])
    bound = float(model.potential(*first))
    x, step = np.linspace(-1, first[0], 200, endpoint=False, retstep=True)
    y, across = np.linspace(0, 1, 150, endpoint=False, retstep=True)
    x, y, z = np.meshgrid(x + step / 2, y + across / 2, y + across / 2, indexing="ij")
    # Beyond the point behind the star the potential falls again.
    inside = (model.potential(x, y, z) < bound) & (x * x + y * y + z * z < behind**2)
    volume = 4 * step * across**2 * np.count_nonzero(inside)
    assert lobe_radius(1 / q) == pytest.approx((3 * volume / (4 * np.pi)) ** (1 / 3), rel=0.015)
