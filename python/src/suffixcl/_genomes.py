"""Repeats, intervals, exact matches of genomes, and mappability."""

from __future__ import annotations

import dataclasses
from ctypes import byref
from typing import Any, NamedTuple, Sequence

import numpy as np
import numpy.typing as npt

from . import _library
from ._arrays import view
from ._engine import Core, Request, operation
from ._errors import UsageError
from ._text import Given, TextLike, TextSet, address, symbols

U32 = npt.NDArray[np.uint32]

#: Type of the entries of Matches: ``text`` is the number of the query, ``reverse`` 1 on its reverse complement.
MATCH = np.dtype([("text", "u4"), ("reverse", "u1"), ("reference", "u4"), ("query", "u4"), ("length", "u4")])
_MATCH = np.dtype([("reference", "u4"), ("query", "u4"), ("length", "u4")])

#: Type of the occurrences of MultiMatch.
OCCURRENCE = np.dtype([("genome", "u4"), ("text", "u4"), ("position", "u4"), ("reverse", "i4")])

_STRANDS = {"forward": 0, "reverse": 1, "both": 2}
_SCORES = {"count": 0, "depth": 1, "area": 2}


class Repeats(NamedTuple):
    """The longest repeats that cover each position: [n] of uint32 each; 0 where there is none."""

    start: U32  #: of the leftmost of them
    length: U32


class RepeatPart(NamedTuple):
    """The longest repeats that cover positions first to first + m - 1: [m] of uint32 each."""

    first: int
    start: U32
    length: U32


class MappabilityPart(NamedTuple):
    """Values [m] of positions first to first + m - 1 of a text."""

    k: int  #: length of the k-mers that are counted; 0: values are lengths of shortest unique substrings
    text: int  #: number of the text
    first: int
    values: U32


@dataclasses.dataclass
class Intervals:
    """Intervals of an LCP array, inner nodes of the suffix tree: [m] of uint32 each, in the order of the suffix array,
    or with ``best`` of the scores."""

    left: U32  #: first slot of the suffix array
    right: U32  #: last slot
    depth: U32  #: length of the prefix that the suffixes have in common
    position: U32  #: where it occurs: one of the places
    documents: U32 | None  #: of a set: how many texts have the prefix

    def __len__(self) -> int:
        return len(self.left)

    @property
    def count(self) -> U32:
        """[m]: how often the prefix occurs."""
        made: U32 = self.right - self.left + np.uint32(1)
        return made


@dataclasses.dataclass
class MultiMatch:
    """An exact match of several genomes: its length, and occurrences [count] of ``suffixcl.OCCURRENCE``."""

    length: int
    occurrences: npt.NDArray[Any]


@dataclasses.dataclass
class Mappability:
    """Frequencies of k-mers, ``frequency[k][text]``: [n] of uint32, how often the k-mer of each position occurs; 0 if
    there is none. ``unique[text]``: lengths of the shortest unique substrings, if they were wanted; else None."""

    frequency: dict[int, list[U32]]
    unique: list[U32] | None


class GenomeJobs(Core):
    """Jobs of :class:`Engine` on repeats and genomes."""

    @operation
    def repeats(self, text: TextLike, *, min_length: int = 1, reverse_complement: bool = False, copy: bool = True) \
            -> Repeats:
        """The longest repeats that cover each position of a text [n].

        min_length: from which on repeats count.
        reverse_complement: the text is DNA, and what occurs on the other strand is a repeat, too.
        """
        given = Given(text, copy=copy)
        options = _library.RepeatOptions(min_length=_count("min_length", min_length),
                                         reverse_complement=reverse_complement)
        start, length = np.empty(given.n, np.uint32), np.empty(given.n, np.uint32)
        self._call("suffixcl_repeats", byref(given.c), byref(options), address(start), address(length))
        return Repeats(start, length)

    def _repeats(self, text: Any, *, min_length: int, reverse_complement: bool, copy: bool) -> Request[RepeatPart]:
        given = Given(text, copy=copy)
        options = _library.RepeatOptions(min_length=_count("min_length", min_length),
                                         reverse_complement=reverse_complement)

        def part(at: int) -> RepeatPart:
            p = _library.RepeatPart.from_address(at)
            return RepeatPart(p.first, view(p.start, p.m, np.uint32).copy(), view(p.length, p.m, np.uint32).copy())

        return Request("suffixcl_each_repeat", (byref(given.c), byref(options)), _library.Take, part, given)

    @operation
    def intervals(self, text: TextLike, *, min_depth: int = 0, max_depth: int = 0, min_count: int = 0,
                  max_count: int = 0, min_documents: int = 0, max_documents: int = 0, best: int = 0, by: str = "count",
                  left_maximal: bool = False, supermaximal: bool = False, copy: bool = True) -> Intervals:
        """Intervals of the LCP array of a text or a set: its repeats. A limit of 0 is none.

        depth is the length of the common prefix in symbols, count the number of its occurrences, documents that of the
        texts of a set that have it.
        best: so many of the highest scores, the highest first; by: "count", "depth" or "area", their product.
        left_maximal: different symbols stand before the occurrences. supermaximal: repeats that are in no longer one.
        """
        request = self._intervals(text, min_depth=min_depth, max_depth=max_depth, min_count=min_count,
                                  max_count=max_count, min_documents=min_documents, max_documents=max_documents,
                                  best=best, by=by, left_maximal=left_maximal, supermaximal=supermaximal, copy=copy)
        parts = request.all(self)
        documents = [part.documents for part in parts if part.documents is not None]
        left, right, depth, position = (_joined([getattr(part, name) for part in parts], np.uint32)
                                        for name in ("left", "right", "depth", "position"))
        return Intervals(left, right, depth, position,
                         _joined(documents, np.uint32) if request.held.offsets is not None else None)

    def _intervals(self, text: Any, *, by: str, left_maximal: bool, supermaximal: bool, copy: bool,
                   **limits: int) -> Request[Intervals]:
        given = Given(text, copy=copy)
        if by not in _SCORES:
            raise UsageError(f'by is "{by}": count, depth and area are possible')
        options = _library.IntervalOptions(**{name: _count(name, n) for name, n in limits.items()}, by=_SCORES[by],
                                           left_maximal=left_maximal, supermaximal=supermaximal)
        is_set = given.offsets is not None

        def part(at: int) -> Intervals:
            p = _library.Intervals.from_address(at)
            left, right, depth, position = (view(each, p.m, np.uint32).copy()
                                            for each in (p.left, p.right, p.depth, p.position))
            return Intervals(left, right, depth, position, view(p.documents, p.m, np.uint32).copy() if is_set else None)

        return Request("suffixcl_each_interval", (byref(given.c), byref(options)), _library.Take, part, given)

    def mems(self, reference: TextLike, queries: TextLike, *, min_length: int = 20, strands: str = "forward",
             letters: str | bytes | None = None) -> npt.NDArray[Any]:
        """Maximal exact matches of a reference and queries, as ``mummer -maxmatch``.

        reference, queries: texts of bytes, or sets. min_length: in symbols. strands: "forward", "reverse" or "both" of
        the queries. letters: those that match, such as "ACGT"; None: all bytes but 0.
        Returns [m] of ``suffixcl.MATCH``: text, reverse, reference, query, length. Positions in a reference that is a
        set count its terminators; query counts on the strand of its text.
        """
        return self._matches(reference, queries, min_length=min_length, kind=2, strands=strands, letters=letters)

    def mums(self, reference: TextLike, queries: TextLike, *, min_length: int = 20, strands: str = "forward",
             letters: str | bytes | None = None, unique_in: str = "both") -> npt.NDArray[Any]:
        """Maximal unique matches: as :meth:`mems`, of those that occur once in both.

        unique_in: "both", or "reference": once there, and any number of times in the query.
        """
        return self._matches(reference, queries, min_length=min_length, kind=_unique(unique_in), strands=strands,
                             letters=letters)

    @operation
    def _matches(self, reference: Any, queries: Any, **options: Any) -> npt.NDArray[Any]:
        return _joined(self._match_parts(reference, queries, **options).all(self), MATCH)

    def _match_parts(self, reference: Any, queries: Any, *, min_length: int, kind: int, strands: str,
                     letters: Any) -> Request[npt.NDArray[Any]]:
        if strands not in _STRANDS:
            raise UsageError(f'strands is "{strands}": forward, reverse and both are possible')
        texts, asked = _set(reference, "reference"), _set(queries, "queries")
        options = _library.MatchOptions(min_length=_count("min_length", min_length), kind=kind,
                                        strands=_STRANDS[strands], letters=_letters(letters))

        def part(at: int) -> npt.NDArray[Any] | None:
            p = _library.Matches.from_address(at)
            if p.m == 0:
                return None
            found = view(p.matches, p.m, _MATCH)
            made = np.empty(p.m, MATCH)
            made["text"], made["reverse"] = p.text, p.reverse != 0
            for name in _MATCH.names or ():
                made[name] = found[name]
            return made

        return Request("suffixcl_each_match", (byref(texts.c), byref(asked.c), byref(options)), _library.Take, part,
                       (texts, asked))

    @operation
    def multi_matches(self, genomes: Sequence[TextLike], *, min_length: int = 20, min_genomes: int = 0,
                      most_each: int = 0, most_count: int = 0, both_strands: bool = False,
                      letters: str | bytes | None = None) -> list[MultiMatch]:
        """Exact matches of several genomes, each a text of bytes or a set.

        min_genomes: that have it; 0: all. most_each, most_count: occurrences in a genome, and in all; 0: any number.
        ``most_each=1`` are multi-MUMs.
        """
        return self._multi_matches(genomes, min_length=min_length, min_genomes=min_genomes, most_each=most_each,
                                   most_count=most_count, both_strands=both_strands, letters=letters).all(self)

    def _multi_matches(self, genomes: Sequence[Any], *, both_strands: bool, letters: Any,
                       **limits: int) -> Request[MultiMatch]:
        given = [_set(genome, f"genomes[{i}]") for i, genome in enumerate(genomes)]
        texts = (_library.Text * max(len(given), 1))(*(g.c for g in given))
        options = _library.MultiMatchOptions(**{name: _count(name, n) for name, n in limits.items()},
                                             both_strands=both_strands, letters=_letters(letters))

        def part(at: int) -> MultiMatch:
            m = _library.MultiMatch.from_address(at)
            return MultiMatch(m.length, view(m.occurrences, m.count, OCCURRENCE).copy())

        return Request("suffixcl_each_multi_match", (byref(texts), len(given), byref(options)), _library.Take, part,
                       given)

    @operation
    def mappability(self, text: TextLike, k: int | Sequence[int] = (), *, unique: bool = False,
                    both_strands: bool = False, letters: str | bytes | None = None) -> Mappability:
        """How often the k-mer of each position occurs in a genome: a text of bytes, or a set.

        k: a length, or several. unique: the lengths of the shortest unique substrings, too.
        both_strands: what occurs on the other strand counts as well. letters: those that match; None: all bytes but 0.
        """
        request = self._mappability(text, k, unique=unique, both_strands=both_strands, letters=letters, copied=False)
        given, lengths = request.held
        sizes = np.diff(given.offsets).tolist() if given.offsets is not None else [given.n]
        made = Mappability({int(each): [np.zeros(n, np.uint32) for n in sizes] for each in lengths},
                           [np.zeros(n, np.uint32) for n in sizes] if unique else None)

        def put(part: MappabilityPart) -> None:
            into = made.frequency[part.k] if part.k else made.unique
            assert into is not None
            into[part.text][part.first:part.first + len(part.values)] = part.values

        request.run(self, put)
        return made

    def _mappability(self, text: Any, k: int | Sequence[int], *, unique: bool, both_strands: bool, letters: Any,
                     copied: bool) -> Request[MappabilityPart]:
        given = _set(text, "text")
        lengths = np.atleast_1d(np.asarray(k, np.uint64 if np.size(k) else None)).astype(np.uint64)
        options = _library.MappabilityOptions(k=address(lengths), lengths=len(lengths), unique=unique,
                                              both_strands=both_strands, letters=_letters(letters))

        def part(at: int) -> MappabilityPart:
            p = _library.Mappability.from_address(at)
            values = view(p.values, p.m, np.uint32)
            return MappabilityPart(p.k, p.text, p.first, values.copy() if copied else values)

        return Request("suffixcl_each_mappability", (byref(given.c), byref(options)), _library.Take, part,
                       (given, lengths))


def _unique(unique_in: str) -> int:
    """The kind of unique matches of suffixcl.h."""
    if unique_in not in ("both", "reference"):
        raise UsageError(f'unique_in is "{unique_in}": both and reference are possible')
    return int(unique_in == "both")


def _count(name: str, n: int) -> int:
    if isinstance(n, bool) or not 0 <= int(n) < 2**56:
        raise UsageError(f"{name} is {n}")
    return int(n)


def _letters(letters: str | bytes | None) -> bytes | None:
    return letters.encode() if isinstance(letters, str) else letters


def _set(text: Any, name: str) -> Given:
    """A text as a set of one, since searches of genomes take sets."""
    if isinstance(text, (list, tuple, TextSet)):
        return Given(text, name)
    given = symbols(text, name)
    if given.dtype.itemsize != 1:
        raise UsageError(f"{name} is of {given.dtype}: genomes are of bytes")
    return Given(TextSet(given, np.array([0, len(given)], np.uint64)), name)


def _joined(parts: list[npt.NDArray[Any]], dtype: Any) -> npt.NDArray[Any]:
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, dtype)
