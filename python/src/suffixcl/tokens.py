"""Indexes of tokens, as infini-gram and tokengrams have them: verbs ``tokens`` of the command."""

from __future__ import annotations

import os
from typing import Any, Sequence

from ._command import Completed, verb

__all__ = ["count", "find", "index", "next"]


def index(tokens: str | os.PathLike[str], **options: Any) -> Completed:
    """Write the tables of a directory of tokenised shards, or the index of a file of tokens: ``suffixcl tokens``.

    options: such as ``token="u16"``, ``vocabulary=50257``, ``format="tokengrams"``.
    """
    return verb("tokens")(tokens, **options)


def _ids(tokens: Sequence[int]) -> str:
    return ",".join(str(int(token)) for token in tokens)


def count(index: str | os.PathLike[str], tokens: Sequence[int] = (), **options: Any) -> int:
    """How often an n-gram occurs; of none: how many tokens there are."""
    return int(verb("tokens count")(index, *([_ids(tokens)] if len(tokens) else []), quiet=True,
                                    **options).text.split()[-1])


def find(index: str | os.PathLike[str], tokens: Sequence[int], **options: Any) -> list[tuple[int, ...]]:
    """Where an n-gram occurs: shard, document in it, place in the document, token in the shard; -1 for no document."""
    rows = verb("tokens find")(index, _ids(tokens), quiet=True, **options).rows
    return [tuple(-1 if cell == "-" else int(cell) for cell in row[1:]) for row in rows]


def next(index: str | os.PathLike[str], tokens: Sequence[int], **options: Any) -> dict[int, int]:  # noqa: A001
    """How often each token follows an n-gram, the most frequent first. Counts are exact."""
    rows = verb("tokens next")(index, _ids(tokens), quiet=True, **options).rows
    return {int(row[3]): int(row[4]) for row in rows}
