"""What a message about a mistake must look like."""


def told(result, *words):
    """The complaint is one line for a person, and has these words."""
    assert result.code == 2, result.err or result.out
    assert result.err.startswith("rednova: ")
    assert len(result.err.strip().splitlines()) == 1
    for word in words:
        assert word in result.err
