"""What `check` says about more ranks and finer meshes."""

import re

# A tenth of a second of work; its first step is measured.
BALL = """\
[problem]
name = "contact"
radius = 0.1

[run]
max_steps = 1

[mesh]
lower = [-0.5, -0.5, -0.5]
min_level = 1
max_level = 2

[refine]
density = 5.0
"""

ROW = re.compile(
    r"^ +(\d+) +([\d.]+) +([\d.]+) +(\S+)/(\S+) +(\S+)/(\S+) +(\S+)/(\S+) +(\S+) s +(\S+) +(\S+)$", re.M
)


def rows(out):
    return {int(r[0]): [float(x) for x in r[1:]] for r in ROW.findall(out)}


def test_one_rank_is_perfect_and_efficiency_falls(rednova, write):
    result = rednova("check", write(BALL), "--ranks", "1,2,100")
    assert result.code == 0, result.err
    table = rows(result.out)
    assert list(table) == [1, 2, 100]
    assert table[1][3:5] == [0, 0], "a lone rank receives no messages"
    assert table[1][-2:] == [1, 1]
    assert table[2][-2] > table[100][-2], result.out
    assert all(row[-2] <= row[-1] for row in table.values()), "hiding messages costs nothing"
    assert "efficiency below one half: at" in result.out
    assert re.search(r"^ghosts +\S+/\S+ +\S+/\S+$", result.out, re.M)


def test_a_slower_network_makes_steps_longer(rednova, write):
    path = write(BALL)
    fast = rows(rednova("check", path, "--ranks", "2").out)[2]
    slow = rows(rednova("check", path, "--ranks", "2", "--latency", "1").out)[2]
    assert slow[-3] > 10 > fast[-3], "seconds a step"
    narrow = rows(rednova("check", path, "--ranks", "2", "--bandwidth", "1e3").out)[2]
    assert narrow[-3] > 10


def test_finer_meshes_are_built_without_fields(rednova, write):
    result = rednova("check", write(BALL), "--trees", "3,5", "--ranks", "1,64")
    assert result.code == 0, result.err
    blocks = {
        int(level): int(total)
        for level, total in re.findall(r"mesh.max_level = (\d+).*?^all +(\d+)", result.out, re.M | re.S)
    }
    assert list(blocks) == [3, 5]
    assert blocks[5] > 4 * blocks[3]


def test_mistakes_are_told(rednova, write):
    path = write(BALL)
    for option, value in (("--ranks", "0"), ("--ranks", "two"), ("--trees", "21"), ("--latency", "-1")):
        result = rednova("check", path, option, value)
        assert result.code == 2, (option, value)
    result = rednova("check", path, "--trees", "1")
    assert result.code == 2
    assert "--trees 1" in result.err
    assert "mesh.max_level = 2" in result.err
