"""Jobs with results in parts, which may be larger than the memory of the host."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from ._duplicates import DuplicateJobs, DuplicateParts
from ._engine import Batched, Parts
from ._genomes import GenomeJobs, Intervals, MappabilityPart, MultiMatch, RepeatPart, _unique
from ._text import TextLike


class _Jobs(GenomeJobs, DuplicateJobs):
    """What an engine has of these."""


class PartJobs:
    """The jobs of an engine that hand out their results in parts: ``suffixcl.parts``, or ``engine.parts``.

    Each takes what the function of the same name takes, and returns an iterator of parts, in the order of the whole::

        for part in sx.parts.mems(reference, queries):
            part.tofile(file)

    The host holds the text and at most three parts. The engine makes no other call until the last part was taken, or
    the iterator was closed: by ``close()``, by ``with``, or since nobody refers to it. An engine with ``process=True``
    has no parts.
    """

    def __init__(self, engine: Callable[[], Any]) -> None:
        self._of = engine

    @property
    def _engine(self) -> _Jobs:
        made: _Jobs = self._of()
        return made

    def repeats(self, text: TextLike, *, min_length: int = 1, reverse_complement: bool = False, copy: bool = True) \
            -> Parts[RepeatPart]:
        """The longest repeats that cover each position, as :meth:`Engine.repeats`: blocks of positions."""
        engine = self._engine
        engine._check_here("parts")
        return engine._parts(engine._repeats(text, min_length=min_length, reverse_complement=reverse_complement,
                                             copy=copy))

    def intervals(self, text: TextLike, *, min_depth: int = 0, max_depth: int = 0, min_count: int = 0,
                  max_count: int = 0, min_documents: int = 0, max_documents: int = 0, best: int = 0, by: str = "count",
                  left_maximal: bool = False, supermaximal: bool = False, copy: bool = True) -> Parts[Intervals]:
        """Intervals of the LCP array, as :meth:`Engine.intervals`: each part has some."""
        engine = self._engine
        return engine._parts(engine._intervals(
            text, min_depth=min_depth, max_depth=max_depth, min_count=min_count, max_count=max_count,
            min_documents=min_documents, max_documents=max_documents, best=best, by=by, left_maximal=left_maximal,
            supermaximal=supermaximal, copy=copy))

    def mems(self, reference: TextLike, queries: TextLike, *, min_length: int = 20, strands: str = "forward",
             letters: str | bytes | None = None) -> Parts[npt.NDArray[Any]]:
        """Maximal exact matches, as :meth:`Engine.mems`: [m] of ``suffixcl.MATCH``, of one text and strand each."""
        engine = self._engine
        return engine._parts(engine._match_parts(reference, queries, min_length=min_length, kind=2, strands=strands,
                                                 letters=letters))

    def mums(self, reference: TextLike, queries: TextLike, *, min_length: int = 20, strands: str = "forward",
             letters: str | bytes | None = None, unique_in: str = "both") -> Parts[npt.NDArray[Any]]:
        """Maximal unique matches, as :meth:`Engine.mums`: parts as of :meth:`mems`."""
        engine = self._engine
        return engine._parts(engine._match_parts(reference, queries, min_length=min_length, kind=_unique(unique_in),
                                                 strands=strands, letters=letters))

    def multi_matches(self, genomes: Sequence[TextLike], *, min_length: int = 20, min_genomes: int = 0,
                      most_each: int = 0, most_count: int = 0, both_strands: bool = False,
                      letters: str | bytes | None = None) -> Parts[MultiMatch]:
        """Exact matches of several genomes, as :meth:`Engine.multi_matches`: each is a part."""
        engine = self._engine
        engine._check_here("parts")
        request = engine._multi_matches(genomes, min_length=min_length, min_genomes=min_genomes, most_each=most_each,
                                        most_count=most_count, both_strands=both_strands, letters=letters)

        def work(put: Callable[[MultiMatch], bool]) -> None:
            request.run(engine, put)

        return Batched(engine, work, lambda match: match.occurrences.nbytes)

    def mappability(self, text: TextLike, k: int | Sequence[int] = (), *, unique: bool = False,
                    both_strands: bool = False, letters: str | bytes | None = None) -> Parts[MappabilityPart]:
        """How often the k-mer of each position occurs, as :meth:`Engine.mappability`: for each length, text by text."""
        engine = self._engine
        return engine._parts(engine._mappability(text, k, unique=unique, both_strands=both_strands, letters=letters,
                                                 copied=True))

    def dedup(self, documents: Iterable[Any], *, min_length: int = 100, keep: str = "first", min_count: int = 2,
              against: Iterable[Any] | None = None) -> DuplicateParts:
        """What duplicates cover, as :meth:`Engine.dedup`: parts have ``ranges`` and ``document``, the whole no more.

        A passage that two parts share is in two ranges, one after the other.
        """
        return self._engine._duplicate_parts(documents, min_length, keep, min_count, against)
