"""The recipes in packaging/ can be read, and need what the build itself needs."""

import ast
import os
import re
import shutil
import subprocess
import tomllib

import jinja2
import pytest
import yaml
from program_under_test import PROGRAM, ROOT
from rednova import movie

FOLDER = ROOT / "packaging"
SETUP = (ROOT / "tools" / "setup").read_text()
PYTHON = tomllib.loads((ROOT / "python" / "pyproject.toml").read_text())["project"]

#: Debian's packages that the program is made of → their names in Spack and conda-forge; None: not in that recipe.
NAMES = {
    "cmake": ("cmake", "cmake"),
    "ninja-build": ("ninja", "ninja"),
    "git": ("git", "git"),
    "g++": ("cxx", "compiler_cxx"),
    "libtbb-dev": ("tbb", "tbb-devel"),
    "libhdf5-dev": ("hdf5", "hdf5"),
    "libtomlplusplus-dev": ("tomlplusplus", "tomlplusplus"),
    "libcli11-dev": ("cli11", "cli11"),
    "libfmt-dev": ("fmt", "fmt"),
    "nlohmann-json3-dev": ("nlohmann-json", "nlohmann_json"),
    "libopen-trace-format2-dev": ("otf2", "otf2"),
    "libopenmpi-dev": ("mpi", "openmpi"),
    "libmpich-dev": ("mpi", None),
    "openmpi-bin": ("mpi", "openmpi"),
    "mpich": ("mpi", None),
    "libfabric-dev": ("libfabric", "libfabric"),
    "libpapi-dev": ("papi", "papi"),
    "zlib1g-dev": ("zlib-api", "zlib"),
}
#: What tools/setup installs for tests, benchmarks and quick rebuilds.
NOT_OF_THE_PROGRAM = {"ccache", "libgtest-dev", "libgmock-dev", "libbenchmark-dev", "iproute2"}
CONDA_ONLY = {"compiler_c", "stdlib_c"}


def packages_of_setup():
    """Debian's packages of the build, as tools/setup names them."""
    words = re.search(r"^build_packages=\(([^)]*)\)", SETUP, re.MULTILINE)[1].split()
    return {word.rpartition("=")[2] for word in words}


def installed_by(text):
    """What each apt-get line of a text installs."""
    joined = text.replace("\\\n", " ")
    return [
        set(line.split("--no-install-recommends")[1].split("&&")[0].split())
        for line in joined.splitlines()
        if "apt-get install" in line and not line.lstrip().startswith("#")
    ]


def requirement(text):
    """Name and lowest version of `numpy>=1.24`, `numpy >=1.24`, `py-numpy@1.24:`, without variants and builds."""
    name, version = re.fullmatch(
        r"(g\+\+|[\w-]+)(?:[~+]\w+)* ?(?:>=|@)?([\d.]*):?(?: ?\* \w+\*)?", text
    ).groups()
    return name, version


MODULES = dict(requirement(text) for text in PYTHON["dependencies"])
LOWEST_PYTHON = PYTHON["requires-python"].removeprefix(">=")


def test_every_package_of_the_build_has_its_names():
    assert packages_of_setup() == set(NAMES) | NOT_OF_THE_PROGRAM


@pytest.mark.parametrize("name", ["Dockerfile", "rednova.def"])
def test_images_build_with_the_packages_of_setup(name):
    build = installed_by((FOLDER / name).read_text())[0]
    assert set(NAMES) <= build
    assert build - set(NAMES) == {"ca-certificates"} | (
        set() if name == "Dockerfile" else {"python3", "python3-venv"}
    )


@pytest.mark.parametrize("name", ["Dockerfile", "rednova.def"])
def test_images_configure_with_options_that_are_there(name):
    options = (ROOT / "CMakeLists.txt").read_text() + (ROOT / "cmake" / "mpi.cmake").read_text()
    for text in (FOLDER / name, FOLDER / "conda" / "build.sh"):
        used = set(re.findall(r"-D (REDNOVA_\w+)", text.read_text()))
        assert used
        assert not [option for option in used if option not in options]


def test_images_and_setup_bring_the_encoder_of_movies():
    (encoder,) = PYTHON["optional-dependencies"]["movie"]
    assert requirement(encoder)[0] == "imageio-ffmpeg"
    assert "'python[dev,movie]'" in SETUP
    for name in ("Dockerfile", "rednova.def"):
        assert "share/rednova/python[movie]'" in (FOLDER / name).read_text()


def test_spack_and_conda_bring_an_ffmpeg_with_the_encoders_of_movies():
    libraries = {options[1].partition("-")[0] for options in movie.FORMATS.values()}
    assert libraries == {"libx264", "libvpx"}
    tree = ast.parse((FOLDER / "spack" / "packages" / "rednova" / "package.py").read_text())
    (spec,) = (a[0] for a, k in calls(tree, "depends_on") if k.get("when") == "+movie")
    assert set(spec.split("+")) == {"ffmpeg", "gpl"} | libraries
    # conda-forge's other builds are without the library for H.264, whose licence is the GPL.
    assert re.search(r"^    - ffmpeg \* gpl\*", (FOLDER / "conda" / "meta.yaml").read_text(), re.MULTILINE)


def test_the_image_holds_the_libraries_that_the_program_links():
    if shutil.which("dpkg-query") is None:
        pytest.skip("no Debian")
    runtime = installed_by((FOLDER / "Dockerfile").read_text())[1]
    lines = subprocess.run(["readelf", "-d", PROGRAM], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", lines)
    assert len(needed) > 5
    part_of_debian = {"libc6", "libstdc++6", "libgcc-s1"}
    for library in needed:
        found = subprocess.run(
            ["dpkg-query", "-S", f"*/{library}"], capture_output=True, text=True, check=False
        )
        owners = {line.partition(":")[0] for line in found.stdout.splitlines()}
        assert owners & (runtime | part_of_debian), f"{library} is of {owners}"


def test_the_apptainer_definition_has_its_sections():
    text = (FOLDER / "rednova.def").read_text()
    assert re.findall(r"^(\w+): ", text, re.MULTILINE)[:2] == ["Bootstrap", "From"]
    found = re.findall(r"^%(\w+)$", text, re.MULTILINE)
    assert found == ["files", "post", "environment", "runscript", "test", "labels"]
    for part in ("post", "environment", "runscript", "test"):
        script = re.search(rf"^%{part}\n(.*?)(?=^%|\Z)", text, re.MULTILINE | re.DOTALL)[1]
        subprocess.run(["sh", "-n"], input=script, text=True, check=True)


def test_the_images_are_built_alike():
    """The options of cmake, but for the processor that the program is made for."""
    first, second = (
        set(re.findall(r"-D (\w+=\w+)", (FOLDER / name).read_text()))
        for name in ("Dockerfile", "rednova.def")
    )
    assert first == second
    assert len(first) == 3


def test_the_scripts_of_the_dockerfile_are_sound():
    joined = (FOLDER / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line for line in joined.splitlines() if line and not line.startswith("#")]
    assert {line.split()[0] for line in lines} <= {
        "FROM",
        "ARG",
        "ENV",
        "RUN",
        "COPY",
        "LABEL",
        "WORKDIR",
        "CMD",
    }
    for line in lines:
        if line.startswith("RUN "):
            subprocess.run(["sh", "-n"], input=line[4:], text=True, check=True)
    for ignored in ("build*", ".venv", "runs"):
        assert ignored in (ROOT / ".dockerignore").read_text().split()


def calls(tree, name):
    """Arguments of each call of a function in a syntax tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
            keywords = {k.arg: ast.literal_eval(k.value) for k in node.keywords}
            yield [ast.literal_eval(a) for a in node.args], keywords


def test_the_spack_recipe_depends_on_what_the_build_needs():
    tree = ast.parse((FOLDER / "spack" / "packages" / "rednova" / "package.py").read_text())
    (recipe,) = (node for node in tree.body if isinstance(node, ast.ClassDef))
    assert (recipe.name, [base.id for base in recipe.bases]) == ("Rednova", ["CMakePackage"])
    needed = dict(requirement(arguments[0]) for arguments, _ in calls(recipe, "depends_on"))
    modules = {
        name.removeprefix("py-"): version for name, version in needed.items() if name.startswith("py-")
    }
    assert modules == MODULES
    assert needed["python"] == LOWEST_PYTHON
    rest = {name for name in needed if not name.startswith("py-")} - {"python", "c", "cuda", "ffmpeg"}
    assert rest == {spack for spack, _ in NAMES.values()}
    cmake = re.search(r"cmake_minimum_required\(VERSION (\S+)\)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert needed["cmake"] == cmake
    options = (ROOT / "CMakeLists.txt").read_text() + (ROOT / "cmake" / "mpi.cmake").read_text()
    variants = {arguments[0] for arguments, _ in calls(recipe, "variant")}
    for node in ast.walk(recipe):
        if isinstance(node, ast.Constant) and str(node.value).startswith("REDNOVA_"):
            assert node.value in options, node.value
    for _, keywords in calls(recipe, "depends_on"):
        assert keywords.get("when", "+mpi").removeprefix("+") in variants
    assert yaml.safe_load((FOLDER / "spack" / "repo.yaml").read_text()) == {"repo": {"namespace": "rednova"}}


def test_the_conda_recipe_depends_on_what_the_build_needs():
    text = (FOLDER / "conda" / "meta.yaml").read_text()
    whole = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False).from_string(text)
    recipe = yaml.safe_load(whole.render(compiler=lambda c: f"compiler_{c}", stdlib=lambda c: f"stdlib_{c}"))
    parts = {part: dict(map(requirement, names)) for part, names in recipe["requirements"].items()}
    build = set(parts["build"]) | set(parts["host"])
    assert build - CONDA_ONLY == {conda for _, conda in NAMES.values() if conda}
    run = parts["run"]
    assert run.pop("openmpi") == ""
    assert run.pop("ffmpeg") == ""
    assert run.pop("python") == LOWEST_PYTHON
    run["matplotlib"] = run.pop("matplotlib-base")
    assert run == MODULES
    script = FOLDER / "conda" / "build.sh"
    subprocess.run(["bash", "-n", script], check=True)
    assert os.access(script, os.X_OK)
    assert (ROOT / recipe["about"]["license_file"]).exists()
