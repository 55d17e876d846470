"""The verification chapter: runs problems with known answers and writes docs/verification.md from them.

    python -m rednova.verify            # run what is missing, then write page and pictures
    python -m rednova.verify --draw     # only write, from the runs that are there

Each chapter (`shocks`, `smooth`, `rotation`, `stars`, `binaries`) has `JOBS`, the runs that it wants, and
`SECTIONS`: functions of library and images that each give a part of the page.
"""
