"""Spack recipe of Rednova, for a copy of its sources. From their root:

spack repo add packaging/spack
spack dev-build rednova@0.2.0
"""

from spack.package import *


class Rednova(CMakePackage):
    """Binary stars from mass transfer to merger: self-gravitating gas on an adaptive, rotating octree."""

    license("BSD-3-Clause")

    # The sources are those at hand (dev-build): nothing is fetched.
    version("0.2.0")

    variant("native", default=True, description="Use every instruction of the processor that builds")
    variant("mpi", default=True, description="Run on several ranks")
    variant("libfabric", default=False, description="Messages over libfabric, too")
    variant("papi", default=False, description="Hardware counters in profiles")
    variant("python", default=True, description="What the Python package and its commands need")
    variant("movie", default=True, when="+python", description="The encoder for movies of rednova-plot")
    variant("cuda", default=False, description="Run on NVIDIA GPUs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("git", type="build")
    depends_on("tbb")
    depends_on("hdf5~mpi")
    depends_on("tomlplusplus")
    depends_on("cli11")
    depends_on("fmt@9:")
    depends_on("nlohmann-json")
    depends_on("otf2")
    depends_on("zlib-api")
    depends_on("mpi", when="+mpi")
    depends_on("libfabric", when="+libfabric")
    depends_on("papi@7:", when="+papi")
    depends_on("cuda@12:", when="+cuda")
    with when("+python"):
        depends_on("python@3.11:", type="run")
        depends_on("py-numpy@1.24:", type="run")
        depends_on("py-h5py@3.8:", type="run")
        depends_on("py-matplotlib@3.6:", type="run")
        depends_on("py-scipy@1.10:", type="run")
        depends_on("py-yt@4.4:", type="run")
        depends_on("ffmpeg+gpl+libx264+libvpx", type="run", when="+movie")

    # std::experimental::simd is that of libstdc++, which clang can take, too; only gcc has been tried.
    conflicts("%gcc@:11")
    conflicts("platform=darwin", msg="files and processes are looked up in /proc")
    conflicts("platform=windows")

    generator("ninja")

    def cmake_args(self):
        arguments = [
            self.define_from_variant("REDNOVA_NATIVE", "native"),
            self.define_from_variant("REDNOVA_CUDA", "cuda"),
            self.define("REDNOVA_TESTS", False),
            self.define("REDNOVA_BENCH", False),
            self.define("REDNOVA_WERROR", False),
        ]
        modules = f"mpi={self.spec['mpi'].mpicxx}" if self.spec.satisfies("+mpi") else ""
        arguments.append(self.define("REDNOVA_MPI", modules))
        for name, header in (("libfabric", "REDNOVA_LIBFABRIC"), ("papi", "REDNOVA_PAPI")):
            where = self.spec[name].prefix.include if self.spec.satisfies(f"+{name}") else "NOTFOUND"
            arguments.append(self.define(header, where))
        return arguments
