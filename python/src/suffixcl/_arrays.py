"""Suffix arrays, LCP arrays, transforms, and arrays in ranges."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref
from typing import Any, Iterator, NamedTuple, Sequence

import numpy as np
import numpy.typing as npt

from . import _library
from ._engine import Core, Parts, operation
from ._errors import OutOfMemoryError, UsageError
from ._text import Given, TextLike, address, entries, result, symbols

U32 = npt.NDArray[np.uint32]

LONGEST = 2**32 - 2  # of a text that is sorted in one piece

_BRIEF = 1 << 16  # of a text that is sorted before somebody notices


class BWT(NamedTuple):
    """A Burrows-Wheeler transform without the row of the end marker, and its primary index."""

    transform: npt.NDArray[Any]
    primary: int


class Arrays:
    """The arrays that :meth:`Engine.build` was asked for. Others are None. It unpacks to those that were wanted."""

    def __init__(self, sa: U32 | None, lcp: U32 | None, bwt: BWT | None, documents: U32 | None) -> None:
        self.sa, self.lcp, self.bwt, self.documents = sa, lcp, bwt, documents

    def __iter__(self) -> Iterator[Any]:
        return (made for made in (self.sa, self.lcp, self.bwt, self.documents) if made is not None)

    def __repr__(self) -> str:
        names = [name for name in ("sa", "lcp", "bwt", "documents") if getattr(self, name) is not None]
        return f"suffixcl.Arrays({', '.join(names)})"


class Block(NamedTuple):
    """A block of arrays that are made in ranges. What was not wanted is None."""

    first: int  #: slot of its first entry
    sa: npt.NDArray[Any] | None  #: [m] of uint64, or [m, 5] of uint8 with width 5: little-endian
    lcp: npt.NDArray[np.uint64] | None  #: [m]
    transform: npt.NDArray[np.uint8] | None  #: bytes of the transform from transform_first on
    transform_first: int


class Blocks(Parts[Block]):
    """Blocks, in order of the slots."""

    @property
    def primary(self) -> int | None:
        """The primary index, once the last block was taken."""
        return self._pump.value if self._done else None


def unpack(packed: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """Entries of 5 bytes, [m, 5] or [5 * m] of uint8, as [m] of uint64."""
    rows = np.ascontiguousarray(packed, np.uint8).reshape(-1, 5)
    wide = np.zeros((len(rows), 8), np.uint8)
    wide[:, :5] = rows
    return wide.view("<u8").reshape(-1).astype(np.uint64, copy=False)


def view(at: int | None, n: int, dtype: Any) -> npt.NDArray[Any]:
    """Memory of the library, as long as it is there."""
    dtype = np.dtype(dtype)
    if not at or n == 0:
        return np.empty(0, dtype)
    return np.frombuffer((ctypes.c_char * (n * dtype.itemsize)).from_address(at), dtype)


class ArrayJobs(Core):
    """Jobs of :class:`Engine` that make arrays."""

    def suffix_array(self, text: TextLike, *, out: U32 | None = None, copy: bool = True) -> U32:
        """The suffix array of a text.

        text: n symbols, at most 2^32-2 (see ``suffixcl.TextLike``); a set has N symbols with its terminators.
        out: array [n] of uint32 to which it is written, instead of a new one.
        copy: False refuses texts that would be copied on the host.
        Returns [n] of uint32: positions of the suffixes, the smallest suffix first. Symbols compare as numbers.
        Raises UsageError, OutOfMemoryError, NoDeviceError, DeviceError.
        """
        if self._child is not None or isinstance(text, (list, tuple)) or hasattr(text, "offsets"):
            return self.build(text, sa=True, out=out, copy=copy).sa  # type: ignore[return-value]
        given = symbols(text, "text", copy)
        n = len(given)
        if given.dtype.itemsize != 1:
            return self.build(given, sa=True, out=out).sa  # type: ignore[return-value]
        if n > LONGEST:
            self._refuse(given)
        sa = result(out, np.uint32, n, "out", (given,))
        self._call("suffixcl_suffix_array", given.ctypes.data, n, sa.ctypes.data, brief=n <= _BRIEF)
        return sa

    def lcp(self, text: TextLike, *, sa: npt.ArrayLike | None = None, out: U32 | None = None, copy: bool = True) -> U32:
        """The LCP array of a text.

        sa: its suffix array [n], if it is there: it is verified, and not computed.
        Returns [n] of uint32: entry j is the length of the longest common prefix of the suffixes in slots j-1 and j of
        the suffix array; entry 0 is 0.
        Raises MismatchError where sa is not the suffix array; and as :meth:`suffix_array`.
        """
        return self.build(text, lcp=True, known=sa, out=out, copy=copy).lcp  # type: ignore[return-value]

    def bwt(self, text: TextLike, *, out: npt.NDArray[Any] | None = None, copy: bool = True) -> BWT:
        """The Burrows-Wheeler transform of a text: ``transform`` [n] of the text's symbols, and ``primary``.

        The row of the end marker is left out. primary is 1 and the slot of the whole text; 0 for the empty one.
        """
        return self.build(text, bwt=True, out=out, copy=copy).bwt  # type: ignore[return-value]

    def build(self, text: TextLike, *, sa: bool = False, lcp: bool = False, bwt: bool = False, documents: bool = False,
              order: str = "plain", letters: str | bytes | None = None, known: npt.ArrayLike | None = None,
              out: Any = None, copy: bool = True) -> Arrays:
        """Arrays of a text, which is sorted once. At least one is wanted; with none of them named, the suffix array.

        documents: of a set, the number of the text in which each suffix begins.
        order: of suffixes: "plain", "end-largest", "specials-largest" (all but letters, "ACGT") or "memory".
        known: the suffix array [n], which is verified and not computed.
        out: an array for the only result, or a dict of arrays by "sa", "lcp", "bwt", "documents".
        Returns Arrays, which unpacks to those that were wanted: ``sa, lcp = build(text, sa=True, lcp=True)``.
        """
        wanted = [name for name, is_wanted in
                  (("sa", sa), ("lcp", lcp), ("bwt", bwt), ("documents", documents)) if is_wanted] or ["sa"]
        into: dict[str, Any] = {}
        if isinstance(out, dict):
            if unknown := set(out) - set(wanted):
                raise UsageError(f"out has {', '.join(sorted(unknown))}, which is not wanted")
            into = out
        elif out is not None:
            if len(wanted) > 1:
                raise UsageError(f"out is for one array, and {len(wanted)} are wanted: give a dict")
            into = {wanted[0]: out}
        if self._child is not None:
            made = self._child.call("build", (text,), dict(
                sa=sa, lcp=lcp, bwt=bwt, documents=documents, order=order, letters=letters, known=known, copy=copy))
            return _into(made, into)
        return self._build(Given(text, copy=copy), wanted, order, letters, known, into)

    def _build(self, given: Given, wanted: Sequence[str], order: str, letters: str | bytes | None,
               known: Any, into: dict[str, Any]) -> Arrays:
        n = given.n
        if n > LONGEST:
            self._refuse(given.symbols)
        if known is not None:
            known = entries(known, n, "known")
        made: dict[str, Any] = {}
        apart = [given.symbols] + ([] if known is None else [known])
        for name in wanted:
            dtype = given.symbols.dtype if name == "bwt" else np.uint32
            made[name] = result(into.get(name), dtype, n, f"out[{name!r}]" if len(wanted) > 1 else "out", apart)
            if into.get(name) is not None:
                apart.append(made[name])
        if "documents" in made and given.offsets is None:
            raise UsageError("only a set has documents")
        if n > 0:
            primary = ctypes.c_uint64()
            want = _library.Want(order=order.encode(), letters=_bytes(letters), known=address(known),
                                 sa=address(made.get("sa")), lcp=address(made.get("lcp")),
                                 transform=address(made.get("bwt")), documents=address(made.get("documents")))
            want.primary = ctypes.pointer(primary)
            self._call("suffixcl_arrays", byref(given.c), byref(want))
            at = primary.value
        else:
            self._check()
            at = 0
        transform = BWT(made["bwt"], at) if "bwt" in made else None
        return Arrays(made.get("sa"), made.get("lcp"), transform, made.get("documents"))

    def _refuse(self, given: npt.NDArray[Any]) -> None:
        """Raise what the library says of a text that is too long."""
        plan = _library.Plan()
        some = ctypes.c_uint32()
        want = _library.Want(sa=ctypes.addressof(some))
        want.plan = ctypes.pointer(plan)
        text = _library.Text(n=len(given), symbol_bytes=given.dtype.itemsize)
        self._call("suffixcl_arrays", byref(text), byref(want))
        raise OutOfMemoryError(f"the text has {len(given)} symbols, and at most {LONGEST} can be sorted in one piece")

    @operation
    def verify(self, text: TextLike, sa: npt.ArrayLike, *, lcp: npt.ArrayLike | None = None,
               bwt: tuple[Any, int] | None = None, order: str = "plain", letters: str | bytes | None = None,
               copy: bool = True) -> None:
        """Raise MismatchError, with the first wrong entry, unless arrays are those of a text. Linear time.

        sa: [n]. lcp: [n], or None. bwt: transform and primary index, or None. A wrong length is a UsageError.
        """
        given = Given(text, copy=copy)
        array = entries(sa, given.n, "sa")
        lengths = None if lcp is None else entries(lcp, given.n, "lcp")
        want = _library.Want(order=order.encode(), letters=_bytes(letters), sa=address(array), lcp=address(lengths))
        if bwt is not None:
            transform = symbols(bwt[0], "bwt", copy)
            if transform.dtype != given.symbols.dtype or len(transform) != given.n:
                raise UsageError(f"bwt has {len(transform)} symbols of {transform.dtype}, and the text {given.n} of "
                                 f"{given.symbols.dtype}")
            primary = ctypes.c_uint64(int(bwt[1]))
            want.transform, want.primary = address(transform), ctypes.pointer(primary)
        self._call("suffixcl_verify_arrays", byref(given.c), byref(want))

    def inverse_bwt(self, transform: TextLike, primary: int, *, out: npt.NDArray[np.uint8] | None = None,
                    copy: bool = True) -> npt.NDArray[np.uint8]:
        """The text [n], of uint8, of a transform [n] of bytes and its primary index.

        Raises MismatchError where they are of no text.
        """
        if self._child is not None:
            made: npt.NDArray[np.uint8] = self._child.call("inverse_bwt", (transform, primary), {"copy": copy})
            return made if out is None else _filled(out, made, "out")
        given = symbols(transform, "transform", copy)
        if given.dtype.itemsize != 1:
            raise UsageError(f"transform is of {given.dtype}: that of bytes is inverted here, others by "
                             'run("unbwt", …)')
        if not 0 <= int(primary) < 2**64:
            raise UsageError(f"primary is {primary}")
        text = result(out, np.uint8, len(given), "out", (given,))
        self._call("suffixcl_inverse_bwt", given.ctypes.data, len(given), int(primary), text.ctypes.data)
        return text

    def suffix_ranges(self, text: TextLike | os.PathLike[str], *, width: int = 5, sa: bool = True, lcp: bool = False,
                      bwt: bool = False, copy: bool = True) -> Blocks:
        """Arrays of a text of up to 2^36 bytes, made range by range in the memory that the device has.

        text: bytes, or the path of a file (``os.PathLike`` or ``str``), which is mapped.
        width: 8 for positions of uint64, 5 for rows of 5 bytes, little-endian, as files have them.
        Returns an iterator of Block. The host holds the text and a few blocks.
        """
        if isinstance(text, (str, os.PathLike)):
            name = os.fspath(text)
            text = np.memmap(name, np.uint8, "r") if os.path.getsize(name) else np.empty(0, np.uint8)
        if width not in (5, 8):
            raise UsageError(f"width is {width}: 5 and 8 are possible")
        if not (sa or lcp or bwt):
            raise UsageError("nothing is wanted: sa, lcp or bwt")
        if self._child is not None:
            raise UsageError("suffix_ranges needs an engine of this process: run(\"sa\", …) works in another")
        given = Given(text, copy=copy)
        if given.offsets is not None or given.symbols.dtype.itemsize != 1:
            raise UsageError("suffix_ranges takes a text of bytes")
        primary = ctypes.c_uint64()
        options = _library.BlockOptions(sa=sa and width == 8, packed=sa and width == 5, lcp=lcp, transform=bwt)
        options.primary = ctypes.pointer(primary)

        def work(put: Any) -> int:
            def take(at: int) -> object:
                b = _library.Block.from_address(at)
                m = b.length
                positions = None
                if sa:
                    positions = view(b.sa, m, np.uint64) if width == 8 else view(b.packed, 5 * m, np.uint8)
                    positions = positions.copy() if width == 8 else positions.reshape(-1, 5).copy()
                return put(Block(b.first, positions, view(b.lcp, m, np.uint64).copy() if lcp else None,
                                 view(b.transform, b.transform_length, np.uint8).copy() if bwt else None,
                                 b.transform_first))

            self._each("suffixcl_each_block", (byref(given.c), byref(options)), _library.Take, take)
            return primary.value

        return Blocks(self, work)


def _bytes(letters: str | bytes | None) -> bytes | None:
    return letters.encode() if isinstance(letters, str) else letters


def _filled(out: npt.NDArray[Any], made: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    result(out, made.dtype, len(made), name)[:] = made
    return out


def _into(made: Arrays, into: dict[str, Any]) -> Arrays:
    """Arrays of another process, in those that the caller gave."""
    for name, out in into.items():
        if name == "bwt":
            made.bwt = BWT(_filled(out, made.bwt.transform, "out"), made.bwt.primary)  # type: ignore[union-attr]
        else:
            setattr(made, name, _filled(out, getattr(made, name), "out"))
    return made
