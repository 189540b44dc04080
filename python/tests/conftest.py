"""What tests share. SUFFIXCL_SOURCES is the directory python/ of the sources, which python/test sets."""

from __future__ import annotations

import os
import pathlib
import random
import subprocess
import sys

import pytest

import suffixcl as sx

SOURCES = pathlib.Path(os.environ.get("SUFFIXCL_SOURCES", pathlib.Path(__file__).parent.parent))


@pytest.fixture(scope="session")
def engine():
    return sx.default_engine()


@pytest.fixture(scope="session")
def root() -> pathlib.Path:
    """The root of the repository."""
    return SOURCES.parent


@pytest.fixture
def rng(request) -> random.Random:
    return random.Random(request.node.name)


@pytest.fixture
def script(tmp_path):
    """Run a program of Python in a process of its own; returns what it writes. It has to end well."""

    def call(text: str, *args: str, code: int = 0, env: dict[str, str] | None = None) -> str:
        made = subprocess.run([sys.executable, "-c", text, *args], cwd=tmp_path, capture_output=True, text=True,
                              env={**os.environ, **(env or {})}, timeout=120, check=False)
        assert made.returncode == code, made.stdout + made.stderr
        return made.stdout

    return call
