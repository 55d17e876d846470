"""What a message about a mistake must look like."""


def told(result, *words):
    """The complaint is one line for a person, and has these words; that a table is made is none."""
    assert result.code == 2, result.err or result.out
    progress = "the table of the equation of state is made"
    lines = [line for line in result.err.strip().splitlines() if progress not in line]
    assert len(lines) == 1, result.err
    assert lines[0].startswith("rednova: ")
    for word in words:
        assert word in lines[0]
