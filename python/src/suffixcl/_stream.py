"""Suffix arrays and transforms of many texts."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Any, Callable, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from . import _library
from ._arrays import BWT, LONGEST, view
from ._arrow import Column, is_arrow
from ._engine import Batched, Core, Parts
from ._errors import InterruptedError, UsageError
from ._text import TextSet, symbols

U32 = npt.NDArray[np.uint32]


class StreamJobs(Core):
    """Jobs of :class:`Engine` on many texts."""

    def suffix_arrays(self, texts: Iterable[Any], *, longest: int | None = None, copy: bool = True) -> Parts[U32]:
        """The suffix arrays of many texts of bytes, one after the other. Small texts are sorted many in a launch.

        texts: a list of texts (see ``suffixcl.TextLike``), rows of an array of uint8, a TextSet, a column of Arrow, or
        an iterator. An iterator is read on another thread, for up to two batches before the first result is there; it
        may not call this engine. Texts of up to 64 KiB come in batches.
        longest: most bytes that a text has. It sets the memory that is taken, and has to be given with an iterator.
        copy: False refuses texts that would be copied before they are copied to the device.
        Returns an iterator of arrays: [n] of uint32 for a text of n bytes, as :meth:`suffix_array` has it. The engine
        makes no other call until the last one was taken, or ``close()`` was called.
        Raises UsageError for a text that is none, or longer than longest; what the iterator raises; and as
        :meth:`suffix_array`. Results of texts before that are handed out first, as far as they are there.
        """

        def part(p: Any) -> U32:
            return view(p.sa, p.n, np.uint32).copy()

        return self._stream(texts, longest, copy, False, part, lambda sa: int(sa.nbytes))

    def bwts(self, texts: Iterable[Any], *, longest: int | None = None, copy: bool = True) -> Parts[BWT]:
        """The Burrows-Wheeler transforms of many texts: as :meth:`suffix_arrays`, with a BWT for each, as :meth:`bwt`.
        """

        def part(p: Any) -> BWT:
            return BWT(view(p.transform, p.n, np.uint8).copy(), p.primary)

        return self._stream(texts, longest, copy, True, part, lambda bwt: int(bwt.transform.nbytes))

    def _stream(self, texts: Any, longest: int | None, copy: bool, transform: bool, part: Callable[[Any], Any],
                size: Callable[[Any], int]) -> Batched[Any]:
        self._check_here("streams")
        given, most = _texts(texts, longest, copy)
        if isinstance(most, bool) or not isinstance(most, int) or most < 0:
            raise UsageError(f"longest is {most!r}")
        if most > LONGEST:
            self._refuse_stream(most)

        def work(put: Callable[[Any], bool]) -> None:
            failed: list[BaseException] = []
            options = _library.StreamOptions(longest=max(most, 1), transform=transform)
            function = _library.NextText(_reader(given, most, copy, failed))

            def take(at: int) -> bool:
                return put(part(_library.Streamed.from_address(at)))

            try:
                self._each("suffixcl_stream", (byref(options), function, None), _library.Take, take)
            except InterruptedError:
                if failed:
                    raise failed[0] from None
                raise

        return Batched(self, work, size)

    def _refuse_stream(self, longest: int) -> None:
        """Raise what the library says of texts that are too long."""
        plan = _library.Plan()
        options = _library.StreamOptions(longest=longest)
        options.plan = ctypes.pointer(plan)
        self._call("suffixcl_stream", byref(options), _library.NextText(), None,
                   _library.Take(), None)


def _texts(texts: Any, longest: int | None, copy: bool) -> tuple[Iterator[Any], Any]:
    """Texts, and the length of the longest. Those of a list are looked at here, where their errors belong."""
    if texts is None:
        raise UsageError("texts is None")
    one = isinstance(texts, np.ndarray) and texts.ndim == 1 and texts.dtype.kind not in "SUO"  # and no array of texts
    if one or isinstance(texts, (str, bytes, bytearray, memoryview)):
        raise UsageError("texts is one text: give a list of texts")
    if is_arrow(texts):
        column = Column(texts)
        if column.null.any():
            raise UsageError(f"texts[{int(column.null.argmax())}] is null")
        texts = TextSet(column.symbols, column.offsets)
    if isinstance(texts, TextSet):
        lengths = np.diff(texts.offsets)
        return iter(texts), int(lengths.max(initial=0)) if longest is None else longest
    if isinstance(texts, (list, tuple, np.ndarray)):
        listed: list[Any] = [text if type(text) is bytes else _bytes(text, k, copy) for k, text in enumerate(texts)]
        return iter(listed), max(map(len, listed), default=0) if longest is None else longest
    try:
        read = iter(texts)
    except TypeError:
        raise UsageError(f"texts is a {type(texts).__name__}: lists, columns and iterators are possible") from None
    if longest is None:
        raise UsageError("texts is an iterator: longest has to say how many bytes a text may have")
    return read, longest


def _bytes(text: Any, k: int, copy: bool) -> npt.NDArray[np.uint8]:
    made = symbols(text, f"texts[{k}]", copy)
    if made.dtype.itemsize != 1:
        raise UsageError(f"texts[{k}] is of {made.dtype}: streams are of bytes")
    return made


def _reader(texts: Iterator[Any], longest: int, copy: bool, failed: list[BaseException]) -> Callable[..., int]:
    """What gives the library one text after the other. It keeps an error in failed."""
    k = 0

    def read(_data: int, at: int, _room: int) -> int:
        nonlocal k
        try:
            try:
                text = next(texts)
            except StopIteration:
                return _library.NO_MORE
            given: Any = text if type(text) is bytes else _bytes(text, k, copy)
            n = len(given)
            if n > longest:
                raise UsageError(f"texts[{k}] has {n} bytes, and longest is {longest}")
            if n:
                ctypes.memmove(at, given if type(given) is bytes else given.ctypes.data, n)
            k += 1
            return n
        except BaseException as error:  # which may not leave a function that C has called
            failed.append(error)
            return _library.STOP

    return read
