"""The tutorials do what they say: their commands, inputs and scripts are taken from the pages and run."""

import shutil

import matplotlib.image
import pytest
import rednova
import tutorial
from program_under_test import ROOT

FOLDER = ROOT / "docs" / "tutorials"


@pytest.mark.parametrize("page", sorted(FOLDER.glob("*.md")), ids=lambda p: p.stem)
def test_every_block_says_what_is_done_with_it(page):
    found = tutorial.blocks(page)
    assert found
    strange = [f"{page.name}:{b.line}: {b.what}" for b in found if b.what not in tutorial.KINDS]
    assert not strange, "\n".join(strange)
    assert page.read_text().count("\n```") == 2 * len(found), "a block was not seen"


def star_of_the_first_run():
    """The block with the input of docs/tutorials/first_run.md."""
    (block,) = (b for b in tutorial.blocks(FOLDER / "first_run.md") if b.argument == "my_star.toml")
    return block


def test_the_readme_has_the_same_star():
    assert f"```toml\n{star_of_the_first_run().text}```" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("name", ["first_run", "own_star"])
def test_commands_do_what_the_page_says(name, program, tmp_path):
    tutorial.Shell(tmp_path, program).follow(FOLDER / f"{name}.md")


#: What stands for SLURM: a job runs at once; the first one's time is up when it has taken a few steps.
SRUN = """
while [[ $1 == --* ]]; do shift; done
if [ "$2" = run ]; then
  "$@" --set mesh.max_level=2 &
  while kill -0 $! && ! grep -q '^3,' runs/my_star/history.csv 2>/dev/null; do sleep 0.02; done
  kill -TERM $!
  wait $!
else
  "$@" --set run.max_steps=40
fi
"""
SBATCH = """
echo "$1" >>jobs
SLURM_CPUS_PER_TASK=1 bash "$1"
"""


def test_a_chain_of_jobs_reaches_the_end(program, tmp_path):
    shell = tutorial.Shell(tmp_path, program)
    shell.command("srun", SRUN)
    shell.command("sbatch", SBATCH)
    shell.do(FOLDER / "first_run.md", star_of_the_first_run())
    shell.follow(FOLDER / "cluster.md")
    assert (tmp_path / "jobs").read_text().split() == ["chain.sbatch"] * 2
    whole = rednova.Run(tmp_path / "runs" / "my_star").history["step"]
    assert whole.tolist() == list(range(41)), "no step is missing or twice"
    assert rednova.Run(tmp_path / "runs" / "smaller_steps").history["step"][-1] == 43


def test_frames_of_one_size_become_a_movie(blast, program, tmp_path):
    shell = tutorial.Shell(tmp_path, program)
    shutil.copytree(blast, tmp_path / "runs" / "my_star")
    if shutil.which("ffmpeg") is None:
        shell.command("ffmpeg", 'echo "stands for a movie" >"${@: -1}"')
    shell.follow(FOLDER / "movie.md")
    sizes = {matplotlib.image.imread(path).shape for path in (tmp_path / "frames").iterdir()}
    assert sizes == {(720, 720, 4)}
