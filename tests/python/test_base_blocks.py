"""Points, rays and the sky on meshes of several base blocks, whose domain is no cube."""

import made_snapshot
import numpy as np
import pytest
from made_snapshot import LIT
from rednova.lightcurve import curve, rays, sky
from rednova.sampling import locate

#: Also a number that is no power of two.
BASES = [(4, 2, 1), (1, 3, 2), (8, 1, 1)]
THIN = 1e-6  # extinction by length


def own_value(x, y, z, width):
    """Another number in each cell."""
    return x + 100 * y + 10000 * z + 0 * width


@pytest.fixture(params=BASES, ids=str)
def numbered(request, tmp_path):
    return made_snapshot.make(
        tmp_path / "snapshot_00000.phdf", side=1, base=request.param, prim_density=own_value
    )


def centres_of(snapshot):
    """[cell, (x, y, z)]."""
    return np.stack([x.ravel() for x in np.broadcast_arrays(*snapshot.centres())], axis=1)


def test_base_blocks_are_counted(numbered):
    low, high = numbered.domain
    assert set(numbered.level) == {0, 1} or numbered.base_blocks[0] == 1
    assert numbered.base_blocks.tolist() == ((high - low) / 2).tolist()


def test_each_cell_is_found_at_its_centre(numbered):
    assert np.array_equal(numbered.at("density", centres_of(numbered)), numbered["density"].ravel())


def test_points_beside_the_domain_are_in_no_cell(numbered):
    low, high = numbered.domain
    beside = [point for d in range(3) for point in (low - np.eye(3)[d] / 9, high - np.eye(3)[d - 1] / 9)]
    block, _ = locate(numbered, np.array(beside))
    assert np.all(block == -1)
    block, _ = locate(numbered, np.array([low, np.nextafter(high, low)]))
    assert np.all(block >= 0)


@pytest.mark.parametrize("direction", ["x", "-y", "z", "1,1,0", "1,2,3"])
def test_rays_meet_each_cell_once(numbered, direction):
    tree, towards = rays.Tree(numbered), sky.direction_of(direction)
    low, high = numbered.domain
    places = np.random.default_rng(4).uniform(low, high, size=(200, 3)) + 20 * towards
    ray, block, near, far = tree.crossed(places, -towards)
    whole = np.subtract(*rays.slab(low[None], high[None], places, -towards)[::-1])
    assert np.bincount(ray, far - near, minlength=200) == pytest.approx(whole, rel=1e-12)
    middle = places[ray] - ((near + far) / 2)[:, None] * towards
    # Within 1e-9 of an edge the middle of a crossing may round to either block.
    inside = far - near > 1e-9
    assert np.array_equal(locate(numbered, middle)[0][inside], block[inside])


@pytest.mark.parametrize("base", BASES, ids=str)
@pytest.mark.parametrize("direction", ["x", "y", "z"])
def test_thin_gas_shines_as_the_sum_of_its_cells(tmp_path, base, direction):
    """Each side of what is seen, which are unlike each other."""

    def source(x, y, z, width):
        return np.exp(x / 3 + y / 2 + z) + 0 * width

    snapshot = made_snapshot.make(
        tmp_path / "snapshot_00000.phdf",
        side=1,
        base=base,
        text=LIT,
        optical_depth=lambda *at: THIN * at[3],
        temperature=lambda *at: source(*at) ** 0.25,
    )
    (view,) = curve.watch(snapshot, [curve.Choice(direction)])
    shone = 4 * np.pi * THIN * (snapshot["temperature"] ** 4 * snapshot.cell_volume).ravel()
    # Thin to 1e-5: the domain is 16 long at most.
    assert view.luminosity == pytest.approx(np.sum(shone), rel=2e-5)
    low, high = snapshot.domain
    place = centres_of(snapshot) - (low + high) / 2
    axes = sky.frame_of(sky.direction_of(direction), snapshot.grid_angle)[:2]
    for d, axis in enumerate(axes):
        half = 4 * np.pi * np.sum((view.seen.intensity * view.size**2)[view.place[:, d] > 0])
        assert half == pytest.approx(np.sum(shone[place @ axis > 0]), rel=2e-5)
        assert abs(2 * half / view.luminosity - 1) > 0.1, "the sides differ"
