"""Type hints: mypy finds no fault in the package, nor in a program that uses it."""

import importlib.util
import os
import subprocess
import sys

import pytest


def test_mypy(root):
    if importlib.util.find_spec("mypy") is None:
        if os.environ.get("REQUIRE_PYTHON") == "1":
            pytest.fail("no mypy: apt-get install mypy")
        pytest.skip("no mypy: apt-get install mypy")
    python = root / "python"
    made = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", f"--cache-dir={root / 'bin' / 'mypy'}",
         "src/suffixcl", "tests/typed.py", "tools/wheel.py"],
        cwd=python, env={**os.environ, "MYPYPATH": str(python / "src")}, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
