"""The command ``suffixcl``, which the wheel brings."""

import os
import sys

from . import _library


def main() -> None:
    """Become the command."""
    command = _library.command()
    if command is None:
        sys.exit("suffixcl: the command is not in this package: install the wheel, or set SUFFIXCL_COMMAND")
    os.execv(command, ["suffixcl", *sys.argv[1:]])
