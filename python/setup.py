"""Gives the wheel its tag: no Python's ABI, but a library for a platform, which tools/wheel.py names."""

import os

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel

PLATFORM = os.environ.get("SUFFIXCL_PLATFORM")


class WithLibrary(Distribution):
    def has_ext_modules(self):  # where the files of the package go
        return PLATFORM is not None


class Wheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", PLATFORM or "any"


setup(cmdclass={"bdist_wheel": Wheel}, distclass=WithLibrary)
