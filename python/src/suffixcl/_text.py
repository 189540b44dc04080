"""What a text may be, and what results are written to.

==========================================  =====================  ========================
a text                                      symbols                copied on the host
==========================================  =====================  ========================
``bytes``, ``bytearray``, ``memoryview``,   bytes                  no
other buffers of bytes
``numpy`` arrays of uint8, uint16, uint32,  integers               no
buffers of such, ``np.memmap``
what has ``__dlpack__``, on the CPU         as of its array        no
``str``                                     bytes of its UTF-8     yes: positions are those
                                                                   of bytes
arrays that are not contiguous, or in the   as of the array        yes, with a CopyWarning;
other byte order                                                   refused by ``copy=False``
:class:`TextSet`; a list or tuple of texts  a set of texts         the list: yes
==========================================  =====================  ========================
"""

from __future__ import annotations

import dataclasses
import sys
import warnings
from typing import Any, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _library
from ._errors import CopyWarning, UsageError

WIDTHS = (1, 2, 4)

#: Anything that :func:`symbols` takes.
TextLike = Union[bytes, bytearray, memoryview, str, npt.NDArray[Any], "TextSet", Sequence[Any], Any]


def symbols(text: Any, name: str = "text", copy: bool = True) -> npt.NDArray[Any]:
    """The symbols of a text: a contiguous array of uint8, uint16 or uint32, in this machine's byte order."""
    if text is None:
        raise UsageError(f"{name} is None")
    if isinstance(text, str):
        if not copy:
            raise UsageError(f"{name} is a str, whose UTF-8 is a copy: encode it, or leave copy=False out")
        return np.frombuffer(text.encode(), np.uint8)
    if isinstance(text, (bytes, bytearray)):
        return np.frombuffer(text, np.uint8)
    if isinstance(text, np.ndarray):
        array = text
    elif hasattr(text, "__dlpack__"):
        array = _from_dlpack(text, name)
    else:
        try:
            view = memoryview(text)
        except TypeError:
            raise UsageError(f"{name} is a {type(text).__name__}: bytes, str, buffers and arrays of numpy are texts") \
                from None
        if view.format == "c":
            view = view.cast("B")
        array = np.asarray(view)
    return _native(array, name, copy)


def _from_dlpack(text: Any, name: str) -> npt.NDArray[Any]:
    kind = text.__dlpack_device__()[0]
    if kind not in (1, 3, 11):  # CPU, and what CUDA and ROCm have pinned there
        raise UsageError(f"{name} is on a device of DLPack's kind {int(kind)}: texts are on the CPU")
    try:
        return np.from_dlpack(text)
    except (BufferError, TypeError, RuntimeError) as error:
        raise UsageError(f"{name}: {error}") from None


def _native(array: npt.NDArray[Any], name: str, copy: bool) -> npt.NDArray[Any]:
    if array.ndim != 1:
        raise UsageError(f"{name} has {array.ndim} dimensions, and not 1")
    if array.dtype.kind == "S" and array.dtype.itemsize == 1:
        array = array.view(np.uint8)
    if array.dtype.kind != "u" or array.dtype.itemsize not in WIDTHS:
        raise UsageError(f"{name} is of {array.dtype}: uint8, uint16 and uint32 are symbols")
    wrong = ""
    if not array.dtype.isnative:
        wrong = "in the other byte order"
    elif not array.flags.c_contiguous:
        wrong = "not contiguous"
    elif not array.flags.aligned:
        wrong = "not aligned"
    if not wrong:
        return array
    if not copy:
        raise UsageError(f"{name} is {wrong}, and copy=False forbids the copy")
    warnings.warn(f"{name} is {wrong}: {array.nbytes} bytes are copied", CopyWarning, stacklevel=_outside())
    return np.array(array, array.dtype.newbyteorder("="), order="C")


def _outside() -> int:
    """How many frames there are to the first that is not of this package."""
    level, frame = 1, sys._getframe(1)
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    return level


@dataclasses.dataclass(frozen=True)
class TextSet:
    """A set of texts of bytes, one after the other: text k is ``symbols[offsets[k]:offsets[k + 1]]``.

    A terminator follows each text, which is in no text and smaller than every symbol, so positions of suffixes in
    text k are ``offsets[k] + k`` and on: N is ``len(symbols) + texts``.
    """

    symbols: Any
    offsets: npt.NDArray[np.uint64]

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbols", symbols(self.symbols, "symbols"))
        object.__setattr__(self, "offsets", offsets_of(self.offsets, len(self.symbols), "offsets"))
        if self.symbols.dtype.itemsize != 1:
            raise UsageError("sets are of bytes")

    @classmethod
    def of(cls, texts: Sequence[Any]) -> TextSet:
        """The set of some texts of bytes, which are copied."""
        parts: list[Any] = [text if isinstance(text, bytes) else symbols(text, f"texts[{i}]")
                            for i, text in enumerate(texts)]
        for i, part in enumerate(parts):
            if not isinstance(part, bytes) and part.dtype.itemsize != 1:
                raise UsageError(f"texts[{i}] is of {part.dtype}: sets are of bytes")
        return cls(b"".join(parts), ends_of(parts))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, k: int) -> npt.NDArray[np.uint8]:
        k = range(len(self))[k]
        text: npt.NDArray[np.uint8] = self.symbols[int(self.offsets[k]):int(self.offsets[k + 1])]
        return text


def ends_of(parts: Sequence[Any]) -> npt.NDArray[np.uint64]:
    """Where each of some parts begins, one after the other, and where the last one ends."""
    offsets = np.zeros(len(parts) + 1, np.uint64)
    np.cumsum(np.fromiter(map(len, parts), np.uint64, len(parts)), out=offsets[1:])
    return offsets


def offsets_of(given: Any, n: int, name: str) -> npt.NDArray[np.uint64]:
    """Checked offsets as the library takes them: they ascend from 0 to n."""
    array = np.asarray(given)
    if array.ndim != 1 or array.dtype.kind not in "ui" or len(array) == 0:
        raise UsageError(f"{name} are a list of integers: 0, and where each part ends")
    if array[0] != 0 or array[-1] != n or (array[1:] < array[:-1]).any():
        raise UsageError(f"{name} do not ascend from 0 to {n}")
    return np.ascontiguousarray(array, np.uint64)


class Given:
    """A text as the library has it: ``c`` is its structure, and the arrays live as long as this object."""

    __slots__ = ("symbols", "offsets", "n", "c")

    symbols: npt.NDArray[Any]
    offsets: npt.NDArray[np.uint64] | None
    n: int
    c: _library.Text

    def __init__(self, text: Any, name: str = "text", copy: bool = True) -> None:
        if isinstance(text, (list, tuple)):
            if not copy:
                raise UsageError(f"{name} is a list, which is joined in a copy: give a TextSet, or no copy=False")
            text = TextSet.of(text)
        if isinstance(text, TextSet):
            self.symbols, self.offsets = text.symbols, text.offsets
            self.n = len(self.symbols) + len(text)
            self.c = _library.Text(symbols=address(self.symbols), n=len(self.symbols), symbol_bytes=1,
                                   offsets=address(self.offsets), texts=len(text))
            return
        self.symbols, self.offsets = symbols(text, name, copy), None
        self.n = len(self.symbols)
        self.c = _library.Text(symbols=address(self.symbols), n=self.n, symbol_bytes=self.symbols.dtype.itemsize)


def address(array: npt.NDArray[Any] | None) -> int | None:
    """Where an array is; None for None and empty ones."""
    return None if array is None or array.size == 0 else array.ctypes.data


def result(out: Any, dtype: Any, n: int, name: str = "out", apart: Sequence[npt.NDArray[Any]] = ()) \
        -> npt.NDArray[Any]:
    """An array for a result: out if it is one that fits, or a new one for None.

    The library writes to it, so there is no conversion: a wrong type, length or order is a UsageError.
    """
    dtype = np.dtype(dtype)
    if out is None:
        return np.empty(n, dtype)
    if not isinstance(out, np.ndarray):
        raise UsageError(f"{name} is a {type(out).__name__}, and not an array of numpy")
    if out.dtype != dtype or not out.dtype.isnative:
        raise UsageError(f"{name} is of {out.dtype.str}, and not of {dtype}")
    if out.shape != (n,):
        raise UsageError(f"{name} has the shape {out.shape}, and not ({n},)")
    if not out.flags.writeable:
        raise UsageError(f"{name} is read-only")
    if not out.flags.c_contiguous or not out.flags.aligned:
        raise UsageError(f"{name} is not contiguous and aligned")
    for other in apart:
        if np.may_share_memory(out, other):
            raise UsageError(f"{name} overlaps a text or another result")
    return out


def entries(array: Any, n: int, name: str) -> npt.NDArray[np.uint32]:
    """An array [n] of uint32 that is an input, such as a suffix array. Others of integers are copied with a note."""
    if array is None:
        raise UsageError(f"{name} is None")
    made = np.asarray(array)
    if made.size == 0:
        made = made.astype(np.uint32)
    if made.dtype.kind not in "ui" or made.ndim != 1:
        raise UsageError(f"{name} is of {made.dtype} with {made.ndim} dimensions, and not a list of integers")
    if len(made) != n:
        raise UsageError(f"{name} has {len(made)} entries, and not {n}")
    if made.dtype == np.uint32 and made.flags.c_contiguous and made.flags.aligned and made.dtype.isnative:
        return made
    if made.size and (int(made.min()) < 0 or int(made.max()) >= 2**32):
        raise UsageError(f"{name} has entries of more than 32 bits")
    why = "not contiguous and aligned" if made.dtype == np.uint32 else f"of {made.dtype}"
    warnings.warn(f"{name} is {why}: it is copied to uint32", CopyWarning, stacklevel=_outside())
    return np.array(made, np.uint32, order="C")
