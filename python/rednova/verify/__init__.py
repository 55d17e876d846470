"""The verification chapter: runs problems with known answers and writes docs/verification.md from them.

    python -m rednova.verify                    # make what is missing, a run for each core, then write the page
    python -m rednova.verify --section stars    # make the runs of one chapter; the page once all are there
    python -m rednova.verify --draw             # only write, from the runs that are there

Runs are kept in runs/verification/<commit>, the program's: whoever is interrupted goes on with the same command, run by
run from its last checkpoint, and a page is of one commit. A program with changes that are not committed writes no
docs/verification.md.

Each chapter (`shocks`, `smooth`, `rotation`, `stars`, `binaries`) has `JOBS`, the runs that it wants, and
`SECTIONS`: functions of library and images that each give a part of the page.
"""
