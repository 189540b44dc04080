# Run, 2026-11-29: Python 3.11 compiled it. Not run: Spack.
from spack_repo.builtin.build_systems.go import GoPackage

from spack.package import *


class Suffixcl(GoPackage):
    """The command builds and searches suffix structures on any OpenCL device: suffix and LCP arrays, Burrows-Wheeler
    transforms, FM-indexes, and the indexes of bwa, bwa-mem2 and bowtie2."""

    homepage = "https://github.com/suffixcl/suffixcl"
    git = "https://github.com/suffixcl/suffixcl.git"

    license("Apache-2.0")

    version("0.2.0", tag="v0.2.0")

    # The loader. A driver is the system's, which /etc/OpenCL/vendors names, or PoCL.
    depends_on("go@1.26:", type="build")
    depends_on("ocl-icd", type=("build", "run"))

    build_directory = "cmd/suffixcl"

    @property
    def build_args(self):
        # The loader is looked for in its own directory first, which is not in the linker's path.
        stamp = f"-X github.com/suffixcl/suffixcl/internal/version.number=v{self.version}"
        flags = f"-s -w -r {self.spec['ocl-icd'].prefix.lib} {stamp}"
        return ["-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", self.name]

    def setup_build_environment(self, env):
        env.set("CGO_ENABLED", "0")

    @run_after("install")
    def install_manual(self):
        mkdirp(self.prefix.share.man.man1)
        suffixcl = Executable(self.prefix.bin.suffixcl)
        with open(join_path(self.prefix.share.man.man1, "suffixcl.1"), "w") as page:
            suffixcl("help", "--man", output=page)

    def test_version(self):
        """the command runs"""
        suffixcl = which(self.prefix.bin.suffixcl)
        assert "suffixcl" in suffixcl("version", output=str.split, error=str.split)
