"""Run-length transforms of genomes that grow, as ropebwt3 has them: verbs ``pangenome`` of the command."""

from __future__ import annotations

from typing import Callable

from ._command import Completed, descriptions, verbs


def __getattr__(name: str) -> Callable[..., Completed]:
    if name.startswith("_"):
        raise AttributeError(name)
    made: Callable[..., Completed] = getattr(verbs, f"pangenome_{name}")
    return made


def __dir__() -> list[str]:
    return [name.split()[1].replace("-", "_") for name in descriptions() if name.startswith("pangenome ")]
