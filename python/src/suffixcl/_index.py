"""FM-indexes and matchers: search for many patterns at a time."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref
from typing import Any, Iterator, Sequence, TypeVar, Union

import numpy as np
import numpy.typing as npt

from . import _library
from ._engine import Core, operation
from ._errors import UsageError
from ._text import Given, TextLike, address, ends_of, entries, offsets_of, result, symbols

U32 = npt.NDArray[np.uint32]


class Patterns:
    """Patterns as the library takes them: pattern q is ``symbols[offsets[q]:offsets[q + 1]]``. Nothing is copied."""

    def __init__(self, given: Any, offsets: Any) -> None:
        self.symbols = symbols(given, "symbols")
        self.offsets = offsets_of(offsets, len(self.symbols), "offsets")

    @classmethod
    def of(cls, given: PatternsLike, dtype: Any = np.uint8) -> Patterns:
        """Patterns of a list of texts, which is joined, or of the rows of an array of 2 dimensions, which is not."""
        if isinstance(given, Patterns):
            made = given
        elif isinstance(given, (str, bytes, bytearray, memoryview)):
            raise UsageError("patterns is one text: give a list of patterns")
        elif isinstance(given, np.ndarray) and given.ndim == 2:
            rows, columns = given.shape
            made = cls(given.reshape(-1), np.arange(rows + 1, dtype=np.uint64) * np.uint64(columns))
        elif isinstance(given, np.ndarray) and given.dtype.kind not in "SUO":
            raise UsageError("patterns is one array of symbols: give a list of patterns, or rows")
        else:
            made = cls._joined(list(given), np.dtype(dtype))
        if made.symbols.dtype != np.dtype(dtype) and len(made.symbols):
            raise UsageError(f"patterns are of {made.symbols.dtype}, and the text of {np.dtype(dtype)}")
        return made

    @classmethod
    def _joined(cls, given: list[Any], dtype: np.dtype[Any]) -> Patterns:
        if all(type(p) is bytes for p in given):
            return cls(b"".join(given), ends_of(given))
        if all(type(p) is str for p in given):
            given = [p.encode() for p in given]
            return cls(b"".join(given), ends_of(given))
        parts = [np.asarray(p, dtype) if isinstance(p, (list, tuple)) else symbols(p, f"patterns[{q}]")
                 for q, p in enumerate(given)]
        for q, part in enumerate(parts):
            if part.dtype != dtype:
                raise UsageError(f"patterns[{q}] is of {part.dtype}, and the text of {dtype}")
        joined = np.concatenate(parts) if parts else np.empty(0, dtype)
        return cls(joined, ends_of(parts))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def _c(self) -> _library.Patterns:
        return _library.Patterns(symbols=address(self.symbols), symbol_bytes=self.symbols.dtype.itemsize,
                                 offsets=address(self.offsets), count=len(self))


#: A list of texts, an array of rows of symbols, or Patterns.
PatternsLike = Union[Patterns, Sequence[Any], npt.NDArray[Any]]


class Occurrences:
    """Where patterns occur: those of pattern q are ``positions[first[q]:first[q + 1]]``, which is ``self[q]``.

    positions: [sum of the counts] of uint32, ascending for each pattern. first: [count + 1] of uint64.
    """

    def __init__(self, first: npt.NDArray[np.uint64], positions: U32) -> None:
        self.first, self.positions = first, positions

    def __len__(self) -> int:
        return len(self.first) - 1

    def __getitem__(self, q: int) -> U32:
        q = range(len(self))[q]
        return self.positions[int(self.first[q]):int(self.first[q + 1])]

    def __iter__(self) -> Iterator[U32]:
        return (self[q] for q in range(len(self)))

    @property
    def counts(self) -> U32:
        """[count] of uint32: how often each pattern occurs."""
        return np.diff(self.first).astype(np.uint32)


class Searched:
    """What indexes and matchers share. They are closed with their engine."""

    _kind = ""

    def __init__(self, engine: SearchJobs, handle: Any, width: int) -> None:
        self._engine, self._handle, self._width = engine, handle, width

    def count(self, patterns: PatternsLike) -> U32:
        """How often patterns occur: [count] of uint32; 0 for the empty one."""
        return self._engine._count(self, patterns)

    def locate(self, patterns: PatternsLike) -> Occurrences:
        """Where patterns occur. Raises UsageError for an index that only counts."""
        return self._engine._locate(self, patterns)

    def close(self) -> None:
        """Free what it has on the device."""
        engine, handle = self._engine, self._handle
        if handle is None or _library.forked():
            return
        self._handle = None
        if engine._child is not None:
            engine._child.release(handle)
        elif not engine._closed:
            getattr(engine._library, f"suffixcl_{self._kind}_close")(handle)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        try:
            self.close()
        except Exception:
            pass


class Index(Searched):
    """An FM-index on a device. It is smaller than the text and its suffix array, and can be saved."""

    _kind = "index"

    @classmethod
    def build(cls, text: TextLike, *, dna: bool = False, sample_every: int = 32, copy: bool = True,
              engine: Any = None) -> Index:
        """The index of a text [n].

        dna: only A, C, G, T and U match, in both cases.
        sample_every: of so many positions one is kept to locate occurrences, in 4 bytes; 0: the index only counts.
        engine: where; None: the default engine.
        """
        return _engine(engine)._build_index(text, dna=dna, sample_every=sample_every, copy=copy)

    @classmethod
    def load(cls, file: str | os.PathLike[str], *, engine: Any = None) -> Index:
        """Read a file of :meth:`save`, or of the command ``suffixcl index``."""
        return _engine(engine)._load_index(os.fspath(file))

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write a file, which has its name when it is complete. ``suffixcl count`` reads it, too."""
        self._engine._save_index(self, os.path.abspath(os.fspath(file)))

    def __len__(self) -> int:
        """Symbols of the text."""
        return self._engine._describe_index(self)[0]

    @property
    def sample_every(self) -> int:
        """Of how many positions one is kept to locate; 0: none."""
        return self._engine._describe_index(self)[2]


class Matcher(Searched):
    """A text with its suffix array on a device. Searches are faster than those of an index, and take more memory."""

    _kind = "matcher"

    @classmethod
    def build(cls, text: TextLike, *, sa: npt.ArrayLike | None = None, dna: bool = False, documents: bool = False,
              copy: bool = True, engine: Any = None) -> Matcher:
        """A matcher of a text [n], or of a set.

        sa: its suffix array [n], which is verified and not computed.
        dna: only A, C, G, T and U match, in both cases.
        documents: for :meth:`count_documents`, of a set.
        """
        return _engine(engine)._build_matcher(text, sa=sa, dna=dna, documents=documents, copy=copy)

    def count_documents(self, patterns: PatternsLike) -> U32:
        """How many texts of the set have each pattern: [count] of uint32."""
        return self._engine._count(self, patterns, "count_documents")


def _engine(given: SearchJobs | None) -> SearchJobs:
    if given is not None:
        return given
    from ._default import default_engine
    return default_engine()


S = TypeVar("S", bound=Searched)


class SearchJobs(Core):
    """Jobs of :class:`Engine` behind indexes and matchers."""

    @operation
    def _build_index(self, text: Any, *, dna: bool, sample_every: int, copy: bool) -> Index:
        given = Given(text, copy=copy)
        if given.offsets is not None:
            raise UsageError("an index is of one text: a Matcher takes a set")
        if not 0 <= sample_every < 2**63:
            raise UsageError(f"sample_every is {sample_every}")
        options = _library.IndexOptions(sample_every=sample_every, dna=dna)
        made = ctypes.c_void_p()
        return self._kept(Index, made, given, "suffixcl_index_build", byref(given.c), byref(options), byref(made))

    @operation
    def _load_index(self, file: str) -> Index:
        made = ctypes.c_void_p()
        index = self._kept(Index, made, None, "suffixcl_index_load", os.fsencode(file), byref(made))
        index._width = self._describe_index(index)[1]
        return index

    @operation
    def _build_matcher(self, text: Any, *, sa: Any, dna: bool, documents: bool, copy: bool) -> Matcher:
        given = Given(text, copy=copy)
        known = None if sa is None else entries(sa, given.n, "sa")
        options = _library.MatcherOptions(known=address(known), dna=dna, documents=documents)
        made = ctypes.c_void_p()
        return self._kept(Matcher, made, given, "suffixcl_matcher_build", byref(given.c), byref(options), byref(made))

    def _kept(self, kind: type[S], made: ctypes.c_void_p, given: Given | None, function: str, *args: Any) -> S:
        found = kind(self, made, 1 if given is None else given.symbols.dtype.itemsize)
        self._call(function, *args)
        return found

    def _handle_of(self, of: Searched) -> Any:
        if not of._handle:
            raise UsageError("the index or matcher is closed")
        return of._handle

    @operation
    def _describe_index(self, index: Index) -> tuple[int, int, int]:
        numbers = [ctypes.c_uint64() for _ in range(3)]
        self._call_of("suffixcl_index_describe", self._handle_of(index), *map(byref, numbers))
        return numbers[0].value, numbers[1].value, numbers[2].value

    @operation
    def _save_index(self, index: Index, file: str) -> None:
        self._call_of("suffixcl_index_save", self._handle_of(index), os.fsencode(file))

    @operation
    def _count(self, of: Searched, patterns: Any, what: str = "count") -> U32:
        given = Patterns.of(patterns, f"u{of._width}")
        counts = np.empty(len(given), np.uint32)
        if len(given):
            self._call_of(f"suffixcl_{of._kind}_{what}", self._handle_of(of), byref(given._c()), counts.ctypes.data)
        return counts

    @operation
    def _locate(self, of: Searched, patterns: Any) -> Occurrences:
        given = Patterns.of(patterns, f"u{of._width}")
        first = np.zeros(len(given) + 1, np.uint64)
        np.cumsum(self._count(of, given), dtype=np.uint64, out=first[1:])
        positions = result(None, np.uint32, int(first[-1]))
        if len(given):
            self._call_of(f"suffixcl_{of._kind}_locate", self._handle_of(of), byref(given._c()), first.ctypes.data,
                          address(positions))
        return Occurrences(first, positions)
