"""Typed errors: no driver, another library, closed engines."""

import inspect
import os
import shutil
import subprocess

import pytest

import suffixcl as sx
from suffixcl import _engine


def test_classes():
    for kind, base in ((sx.UsageError, ValueError), (sx.OutOfMemoryError, MemoryError), (sx.VersionError, ImportError),
                       (sx.ForkError, RuntimeError)):
        assert issubclass(kind, base) and issubclass(kind, sx.SuffixclError)


def test_sizes():
    for given, want in ((None, 0), (5, 5), ("5", 5), ("2K", 2048), ("1.5 kb", 1536), ("20G", 20 << 30),
                        ("1GiB", 1 << 30), ("7B", 7)):
        assert _engine.size_of(given) == want
    for wrong in ("", "x", "-1", -1, 2**63, True, 1.5, "1X", "G"):
        with pytest.raises(sx.UsageError):
            _engine.size_of(wrong)


def test_open():
    for how in ({"device": "no such device"}, {"algorithm": "none"}, {"max_memory": "x"}, {"device": 99}):
        with pytest.raises((sx.UsageError, sx.NoDeviceError)):
            sx.Engine(**how)


def test_small_memory():
    with sx.Engine(max_memory="1M") as engine:
        with pytest.raises(sx.OutOfMemoryError, match="MiB"):
            engine.lcp(b"ab" * 500_000)
        with pytest.raises(sx.OutOfMemoryError):
            engine.plan("repeats", 10**7)
        assert engine.suffix_array(b"banana").tolist() == [5, 3, 1, 0, 4, 2]


GENOME = {"mems": {"queries": 20_000}, "mums": {"queries": 20_000, "strands": "both"}, "mappability": {"k": [20, 30]}}


def test_plans():
    jobs = ("sa", "suffix_array", "lcp", "bwt", "build", "verify", "inverse_bwt", "repeats", "intervals", "dedup",
            "index", "matcher", "suffix_ranges", "suffix_arrays", "bwts", *GENOME)
    for job in jobs:
        plan = sx.plan(job, 100_000, **GENOME.get(job, {}))
        assert 100_000 < plan.device < 200_000_000 and plan.host >= 0 and "peak" in str(plan), job
    assert sx.plan("multi_matches", [50_000, 50_000]).device > 100_000
    assert sx.plan("sa", 10**6, dtype="u4").device > sx.plan("sa", 10**6).device
    assert sx.plan("mappability", 10**5, k=20, both_strands=True).device > sx.plan("mappability", 10**5, k=20).device
    assert sx.plan("sa", b"ACGT" * 500) == sx.plan("sa", 2000)
    assert sx.plan("mems", [b"ACGT" * 99], queries=b"ACGTA" * 9, letters="ACGT", min_length=5).device > 1000
    for job, n, options in (("none", 5, {}), ("sa", 5, {"k": 1}), ("mems", 5, {}), ("multi_matches", 5, {}),
                            ("sa", -1, {}), ("mappability", 5, {}), ("sa", None, {}), ("sa", True, {}),
                            ("mums", 5, {"queries": 5, "strands": "all"}), ("intervals", 5, {"by": "length"}),
                            ("dedup", 500, {"keep": "last"})):
        with pytest.raises(sx.UsageError):
            sx.plan(job, n, **options)
    for job, options in (("sa", {}), ("suffix_arrays", {}), ("mappability", {"k": 5}), ("inverse_bwt", {})):
        with pytest.raises(sx.OutOfMemoryError, match=r"\d"):
            sx.plan(job, 2**40, **options)


def test_every_job_has_a_plan():
    """Functions of the module are jobs with a plan, but for those that are not about one job."""
    jobs = [name for name in sx.__all__ if inspect.isfunction(getattr(sx, name))]
    without = {"build_index", "default_engine", "library_version", "plan", "run", "seeds", "set_default_engine",
               "unpack", "verb"}
    for job in set(jobs) - without:
        with pytest.raises(sx.UsageError) as failed:
            sx.plan(job, None)
        assert "no plan" not in str(failed.value), job


def test_repr():
    engine = sx.Engine("cpu", max_memory="1G")
    assert repr(engine) == "suffixcl.Engine(device='cpu', max_memory=1073741824)"
    engine.close()
    engine.close()
    assert repr(engine).endswith("(closed)")


def test_no_driver(script, tmp_path):
    (tmp_path / "vendors").mkdir()
    (tmp_path / "text").write_text("banana")
    out = script("""
import suffixcl as sx
for call in (lambda: sx.suffix_array(b"text"), lambda: sx.run("sa", "text", "-o", "x"),
             lambda: next(sx.suffix_arrays([b"text"])), lambda: next(sx.parts.repeats(b"text")),
             lambda: sx.Engine(process=True).suffix_array(b"text")):
    try:
        call()
    except sx.NoDeviceError as error:
        print(error.code, str(error)[:60])
""", env={"OCL_ICD_VENDORS": str(tmp_path / "vendors"), "OPENCL_VENDOR_PATH": str(tmp_path / "vendors")})
    assert [line[:2] for line in out.splitlines()] == ["3 "] * 5, out


def test_other_library(script, tmp_path):
    """A library that is none, of another version, or lacks a function. None of them is kept."""
    text = """
import os, sys
import suffixcl as sx
for os.environ["SUFFIXCL_LIBRARY"] in sys.argv[1:]:
    try:
        next(sx.suffix_arrays([b"text"]))
    except sx.VersionError as error:
        print(error)
"""
    (tmp_path / "none.so").write_text("no library")
    libraries, reasons = [tmp_path / "none.so"], ["none.so"]
    if shutil.which("cc") is not None:
        for version, why in (("v9.1.0", "version v9.1.0"), ("v" + sx.__version__, "suffixcl_open")):
            source = tmp_path / "other.c"
            source.write_text('const char *suffixcl_version(void) { return "%s"; }\n'
                              'const char *suffixcl_message(void) { return ""; }\n' % version)
            libraries.append(tmp_path / f"{version}.so")
            reasons.append(why)
            subprocess.run(["cc", "-shared", "-fPIC", source, "-o", libraries[-1]], check=True)
    said = script(text, *map(str, libraries)).splitlines()
    assert len(said) == len(reasons) and all(why in line for line, why in zip(said, reasons)), said
    if len(reasons) == 1:
        pytest.skip("no cc: apt-get install gcc libc6-dev")


def test_versions(root):
    import re
    import tomllib
    first = re.search(r"^## v([0-9.]+)", (root / "CHANGELOG.md").read_text(), re.M)[1]
    project = tomllib.loads((root / "python" / "pyproject.toml").read_text())["project"]
    assert sx.__version__ == first == project["version"]
    assert sx.library_version().startswith(f"v{first}")


def test_documented():
    """All that is exported has a docstring."""
    for name in sx.__all__:
        made = getattr(sx, name)
        if callable(made) and name != "TextLike":
            assert made.__doc__ and len(made.__doc__) > 20, name
    for name in dir(sx.Engine):
        if not name.startswith("_"):
            assert getattr(sx.Engine, name).__doc__, name
    assert os.path.basename(sx.__file__) == "__init__.py"
