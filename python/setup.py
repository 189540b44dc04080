"""Gives the wheel its tag: no Python's ABI, but a library for a platform, which tools/wheel.py names."""

import os

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel


class Wheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = "SUFFIXCL_PLATFORM" not in os.environ

    def get_tag(self):
        return "py3", "none", os.environ.get("SUFFIXCL_PLATFORM", "any")


setup(cmdclass={"bdist_wheel": Wheel})
