"""The largest Courant numbers that inputs may ask for, against von Neumann's analysis."""

import re

import pytest
from program_under_test import ROOT
from rednova.reference.stability import EDGE, STEP, bound

# Its limiter flattens the short waves that grow with unlimited linear edges: tests/problem/test_stability.cpp.
LIMITED = {("rk3", "plm")}


@pytest.fixture(scope="module")
def analysed():
    return {(integrator, edges): bound(integrator, edges) for integrator in STEP for edges in EDGE}


def documented() -> dict[tuple[str, str], float]:
    """The table of docs/step.md."""
    rows = re.findall(
        r"^\| `(rk.)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|",
        (ROOT / "docs/step.md").read_text(),
        re.MULTILINE,
    )
    return {(row[0], edges): float(row[n + 1]) for row in rows for n, edges in enumerate(EDGE)}


def test_the_table_is_what_the_analysis_gives(analysed):
    # Three digits, of a search that halves an interval of 2 twelve times.
    assert documented() == pytest.approx(analysed, abs=1e-3)


@pytest.mark.parametrize("integrator", STEP)
@pytest.mark.parametrize("edges", EDGE)
def test_what_is_accepted_is_stable(rednova, analysed, integrator, edges):
    def check(cfl):
        scheme = (f"hydro.integrator={integrator}", f"hydro.reconstruction={edges}", f"hydro.cfl={cfl}")
        words = [word for one in scheme for word in ("--set", one)]
        return rednova("check", ROOT / "problems" / "linear_wave.toml", *words)

    refused = check(0.5)
    assert refused.code == 2
    most = float(re.search(r"linear waves grow above ([\d.]+)", refused.err)[1])
    assert check(most).code == 0
    assert check(1.01 * most).code == 2
    assert most <= analysed[integrator, "constant"]  # wherever a limiter acts
    assert most <= analysed[integrator, edges] or (integrator, edges) in LIMITED
