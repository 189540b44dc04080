"""Duplicate passages of documents: deduplication of training text."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Any, Callable, Iterable, Iterator, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _library
from ._arrays import view
from ._arrow import Column, is_arrow
from ._engine import Core, Parts, Request
from ._errors import UsageError
from ._text import Given, TextSet, ends_of, symbols

class Documents:
    """Documents, one after the other, and how to give them back as they came."""

    def __init__(self, given: Any) -> None:
        self.null: npt.NDArray[np.bool_] | None = None
        self.text = False
        self.held: Any = None
        if given is None:
            raise UsageError("documents is None")
        if isinstance(given, (str, bytes, bytearray, memoryview)):
            raise UsageError("documents is one text: give a list of documents")
        if isinstance(given, TextSet):
            self.symbols, self.offsets = given.symbols, given.offsets
        elif is_arrow(given):
            column = Column(given)
            self.symbols, self.offsets, self.text = column.symbols, column.offsets, column.text
            self.null, self.held = column.null, column
        else:
            self._join(list(given))

    def _join(self, given: list[Any]) -> None:
        if any(document is None for document in given):
            self.null = np.array([document is None for document in given])
            given = [type(next((d for d in given if d is not None), ""))() if d is None else d for d in given]
        self.text = bool(given) and all(isinstance(document, str) for document in given)
        if not self.text and any(isinstance(document, str) for document in given):
            raise UsageError("documents are str, or none of them is")
        if self.text:
            given = [document.encode() for document in given]
        if all(isinstance(document, bytes) for document in given):
            self.symbols, self.offsets = np.frombuffer(b"".join(given), np.uint8), ends_of(given)
            return
        parts = [symbols(document, f"documents[{k}]") for k, document in enumerate(given)]
        for k, part in enumerate(parts):
            if part.dtype != parts[0].dtype:
                raise UsageError(f"documents[{k}] is of {part.dtype}, and documents[0] of {parts[0].dtype}")
        self.symbols, self.offsets = np.concatenate(parts), ends_of(parts)
        self._wide = True

    _wide = False

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def back(self, letters: npt.NDArray[Any]) -> Any:
        """Symbols as a document is of them: str, bytes, or an array."""
        if self._wide:
            return letters
        return letters.tobytes().decode() if self.text else letters.tobytes()


class Duplicates:
    """What duplicates cover.

    ranges: [m, 2] of uint64, start and end in all documents one after the other, ascending; each is in one document.
    document: [m] of int64, the number of the document. windows: how many windows of min_length are duplicates.
    offsets: [documents + 1] of uint64, where each document begins.
    Positions count symbols: bytes of UTF-8, if documents are str.
    """

    def __init__(self, documents: Documents, ranges: npt.NDArray[np.uint64], document: npt.NDArray[np.int64],
                 windows: int) -> None:
        self._documents = documents
        self.ranges, self.document, self.windows = ranges, document, windows
        self.offsets = documents.offsets

    def __len__(self) -> int:
        return len(self.ranges)

    @property
    def removed(self) -> int:
        """How many symbols the ranges cover."""
        return int((self.ranges[:, 1] - self.ranges[:, 0]).sum())

    def of(self, k: int) -> npt.NDArray[np.uint64]:
        """[m, 2]: the ranges of document k, in its own symbols."""
        k = range(len(self._documents))[k]
        low, high = np.searchsorted(self.document, [k, k + 1])
        own: npt.NDArray[np.uint64] = self.ranges[low:high] - self.offsets[k]
        return own

    def __iter__(self) -> Iterator[npt.NDArray[np.uint64]]:
        return (self.of(k) for k in range(len(self._documents)))

    def cleaned(self) -> list[Any]:
        """The documents without the ranges, as they came: str, bytes or arrays; None where there was None."""
        return list(self.each_cleaned())

    def each_cleaned(self) -> Iterator[Any]:
        """The same, one document at a time."""
        d = self._documents
        bounds = np.searchsorted(self.document, np.arange(len(d) + 1)).tolist()
        ends, ranges = d.offsets.tolist(), self.ranges.tolist()
        for k in range(len(d)):
            if d.null is not None and d.null[k]:
                yield None
                continue
            at, kept = ends[k], []
            for start, end in ranges[bounds[k]:bounds[k + 1]]:
                kept.append(d.symbols[at:start])
                at = end
            kept.append(d.symbols[at:ends[k + 1]])
            yield d.back(kept[0] if len(kept) == 1 else np.concatenate(kept))


class DuplicatePart(NamedTuple):
    """A part of what duplicates cover, as :class:`Duplicates` has it."""

    ranges: npt.NDArray[np.uint64]  #: [m, 2]: start and end in all documents one after the other
    document: npt.NDArray[np.int64]  #: [m]


class DuplicateParts(Parts[DuplicatePart]):
    """Parts of what duplicates cover, ascending."""

    @property
    def windows(self) -> int | None:
        """How many windows are duplicates, once the last part was taken."""
        return self._pump.value if self._done else None


class DuplicateJobs(Core):
    """Jobs of :class:`Engine` on duplicates."""

    def dedup(self, documents: Iterable[Any], *, min_length: int = 100, keep: str = "first", min_count: int = 2,
              against: Iterable[Any] | None = None) -> Duplicates:
        """Find passages that documents have several times. ``.cleaned()`` has the documents without them.

        documents: a list or an iterator of str, bytes or arrays; a TextSet; a column of Arrow, of ``datasets``, of
        polars or of pandas. No passage crosses from one document to the next.
        min_length: of passages, in symbols: bytes of UTF-8, if documents are str. From 2 to 2^30.
        keep: "first" keeps the first copy of a passage, "none" none. min_count: least number of copies.
        against: other documents: only what occurs in these, too, is a duplicate.
        Ranges of str shrink to whole characters. The text may be longer than the memory of the device.
        """
        given, asked = _asked(documents, min_length, keep, min_count, against)
        found, windows = np.empty((0, 2), np.uint64), 0
        if asked is not None:
            found, windows = self._duplicates(*asked)
        return Duplicates(given, *_split(found, given), windows)

    def _duplicates(self, *asked: Any) -> Any:
        if self._child is not None:
            return self._child.call("_duplicates", asked, {})
        windows = ctypes.c_uint64()
        parts = _request(windows, *asked).all(self)
        found = np.concatenate(parts) if parts else np.empty((0, 2), np.uint64)
        return found, windows.value

    def _duplicate_parts(self, documents: Iterable[Any], min_length: int, keep: str, min_count: int,
                         against: Iterable[Any] | None) -> DuplicateParts:
        self._check_here("parts")
        given, asked = _asked(documents, min_length, keep, min_count, against)
        windows = ctypes.c_uint64()

        def work(put: Callable[[DuplicatePart], bool]) -> int:
            if asked is not None:
                _request(windows, *asked).run(self, lambda found: put(DuplicatePart(*_split(found, given))))
            return windows.value

        return DuplicateParts(self, work)


def _asked(documents: Any, min_length: int, keep: str, min_count: int, against: Any) -> tuple[Documents, Any]:
    """Documents, and what is asked of the library; None where nothing can be a duplicate."""
    if keep not in ("first", "none"):
        raise UsageError(f'keep is "{keep}": first and none are possible')
    if not 2 <= min_length <= 2**30:
        raise UsageError(f"min_length is {min_length}: from 2 to 2^30")
    given = Documents(documents)
    letters, offsets, other = given.symbols, given.offsets, 0
    if against is not None:
        second = Documents(against)
        if len(second.symbols) and second.symbols.dtype != letters.dtype:
            raise UsageError(f"against is of {second.symbols.dtype}, and documents of {letters.dtype}")
        other = len(letters)
        letters = np.concatenate([letters, second.symbols]) if len(second.symbols) else letters
        offsets = np.concatenate([offsets, second.offsets[1:] + np.uint64(other)])
    if not len(given.symbols) or against is not None and len(letters) == other:
        return given, None
    return given, (letters, offsets, min_length, keep, min_count, other)


def _request(windows: ctypes.c_uint64, letters: Any, offsets: Any, min_length: int, keep: str, min_count: int,
             other: int) -> Request[npt.NDArray[np.uint64]]:
    text = Given(letters)
    bounds = np.unique(offsets)  # of empty documents nothing is left
    options = _library.DuplicateOptions(
        length=min_length, min_count=min_count, documents=bounds.ctypes.data, documents_count=len(bounds) - 1,
        other=other, keep_first=keep == "first")
    options.windows = ctypes.pointer(windows)

    def part(at: int, m: int) -> npt.NDArray[np.uint64]:
        return view(at, 2 * m, np.uint64).reshape(-1, 2).copy()

    return Request("suffixcl_each_duplicate", (byref(text.c), byref(options)), _library.TakeMany, part, (text, bounds))


def _split(found: npt.NDArray[np.uint64], given: Documents) -> tuple[Any, Any]:
    """Ranges with the number of their document, cut where documents end, and of str at whole characters."""
    offsets = given.offsets
    first = np.searchsorted(offsets, found[:, 0], "right") - 1
    last = np.searchsorted(offsets, found[:, 1], "left") - 1
    pieces = last - first + 1
    document = np.repeat(first, pieces) + _counted(pieces)
    ranges = np.repeat(found, pieces, axis=0)
    if len(ranges):
        ranges[:, 0] = np.maximum(ranges[:, 0], offsets[document])
        ranges[:, 1] = np.minimum(ranges[:, 1], offsets[document + 1])
    if given.text and len(ranges):
        _shrink(ranges, given.symbols)
    kept = ranges[:, 1] > ranges[:, 0]
    return ranges[kept], document[kept].astype(np.int64)


def _counted(sizes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """0, 1, … for each size."""
    total = int(sizes.sum())
    counted: npt.NDArray[Any] = np.arange(total) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return counted


def _shrink(ranges: npt.NDArray[np.uint64], letters: npt.NDArray[np.uint8]) -> None:
    """Shrink ranges to whole characters of UTF-8."""
    n = len(letters)

    def inside(at: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        made: npt.NDArray[np.bool_] = (at < n) & ((letters[np.minimum(at, n - 1)] & 0xC0) == 0x80)
        return made

    for _ in range(3):
        ranges[:, 0] += inside(ranges[:, 0])
        ranges[:, 1] -= inside(ranges[:, 1])
