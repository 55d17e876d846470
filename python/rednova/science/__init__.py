"""Results beside published ones: each page of docs/science/ is made from its runs by one command.

    python -m rednova.science darwin            # make what is missing, a run for each core, then write the page
    python -m rednova.science darwin --draw     # only write it, from the runs that are there
    python -m rednova.science darwin --commands # print the commands that repeat its runs, one each

Runs are made in runs/science/<commit>, the program's, as those of the verification chapter are (`rednova.verify`):
whoever is interrupted goes on with the same command, and a page is of programs that give the same numbers. With --keep
what pages take of long runs is put into docs/runs/science, and need not be made again.

A page is a module of this package with `JOBS`, the runs that it wants, and `page`: a function of the library and of the
folder of images that gives its text. Where runs are long `wanted`, a function of a job and its run, says what is kept
of it, and `TAKES_ANY` that the page is written from those that are there.
"""
