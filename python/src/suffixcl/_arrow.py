"""Columns of Arrow, by its C data interface: whatever has ``__arrow_c_stream__`` or ``__arrow_c_array__``.

No package of Arrow is needed. The characters of a column in one piece are not copied.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from typing import Any, Iterator

import numpy as np
import numpy.typing as npt

from ._errors import UsageError


class Schema(ctypes.Structure):
    """ArrowSchema."""


Schema._fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_void_p), ("flags", c_int64),
                   ("n_children", c_int64), ("children", POINTER(POINTER(Schema))), ("dictionary", POINTER(Schema)),
                   ("release", c_void_p), ("private_data", c_void_p)]


class Array(ctypes.Structure):
    """ArrowArray."""


Array._fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
                  ("n_children", c_int64), ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(Array))),
                  ("dictionary", POINTER(Array)), ("release", c_void_p), ("private_data", c_void_p)]


class Stream(ctypes.Structure):
    """ArrowArrayStream."""


Stream._fields_ = [("get_schema", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))),
                   ("get_next", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
                   ("get_last_error", CFUNCTYPE(c_char_p, POINTER(Stream))), ("release", c_void_p),
                   ("private_data", c_void_p)]

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]


class Held:
    """A structure of Arrow that is released when nothing refers to it."""

    def __init__(self, made: Any) -> None:
        self.made = made

    def __del__(self) -> None:
        if self.made.release:
            CFUNCTYPE(None, POINTER(type(self.made)))(self.made.release)(ctypes.byref(self.made))


def is_arrow(column: Any) -> bool:
    """Whether it is a column of Arrow."""
    return hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__")


class Column:
    """The texts of a column: ``symbols`` [n] of uint8, ``offsets`` [texts + 1] of uint64, ``null`` [texts].

    ``text`` tells whether they are str.
    """

    def __init__(self, column: Any) -> None:
        kind, chunks = _chunks(column)
        if kind not in (b"u", b"U", b"z", b"Z"):
            raise UsageError(f"the column is of Arrow's format {kind.decode()!r}: utf8, large_utf8, binary and "
                             "large_binary are texts")
        self.text = kind in b"uU"
        parts = [_texts(chunk, np.int32 if kind in b"uz" else np.int64) for chunk in chunks]
        self.held = chunks
        if len(parts) == 1:
            self.symbols, self.offsets, self.null = parts[0]
            return
        self.symbols = np.concatenate([p[0] for p in parts]) if parts else np.empty(0, np.uint8)
        self.null = np.concatenate([p[2] for p in parts]) if parts else np.empty(0, bool)
        self.offsets = np.zeros(len(self.null) + 1, np.uint64)
        at, before = 1, 0
        for letters, offsets, _ in parts:
            self.offsets[at:at + len(offsets) - 1] = offsets[1:] + np.uint64(before)
            at, before = at + len(offsets) - 1, before + len(letters)


def _chunks(column: Any) -> tuple[bytes, list[Held]]:
    if not hasattr(column, "__arrow_c_stream__"):
        first, second = column.__arrow_c_array__()
        schema = Schema.from_address(_pointer(first, b"arrow_schema"))
        return bytes(schema.format), [Held(_moved(Array.from_address(_pointer(second, b"arrow_array"))))]
    capsule = column.__arrow_c_stream__()
    stream = Stream.from_address(_pointer(capsule, b"arrow_array_stream"))
    schema = Schema()
    if stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)):
        raise UsageError("the column tells no schema")
    held = Held(schema)
    return bytes(held.made.format), list(_stream(stream))


def _stream(stream: Stream) -> Iterator[Held]:
    while True:
        chunk = Array()
        if stream.get_next(ctypes.byref(stream), ctypes.byref(chunk)):
            raise UsageError(f"the column: {(stream.get_last_error(ctypes.byref(stream)) or b'').decode()}")
        if not chunk.release:
            return
        yield Held(chunk)


def _moved(array: Array) -> Array:
    made = Array.from_buffer_copy(array)
    array.release = None
    return made


def _texts(held: Held, width: Any) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
    array = held.made
    n, skipped = array.length, array.offset
    null = np.zeros(n, bool)
    if n == 0:
        return np.empty(0, np.uint8), np.zeros(1, np.uint64), null
    if array.null_count != 0 and array.buffers[0]:
        bits = np.unpackbits(_view(held, array.buffers[0], (skipped + n + 7) // 8, np.uint8), bitorder="little")
        null = bits[skipped:skipped + n] == 0
    offsets = _view(held, array.buffers[1], skipped + n + 1, width)[skipped:]
    begin, end = int(offsets[0]), int(offsets[-1])
    letters = _view(held, array.buffers[2], end, np.uint8)[begin:]
    return letters, (offsets - offsets[0]).astype(np.uint64), null


def _view(held: Held, at: int | None, n: int, dtype: Any) -> npt.NDArray[Any]:
    if not at or n == 0:
        return np.empty(0, dtype)
    memory: Any = (ctypes.c_char * (n * np.dtype(dtype).itemsize)).from_address(at)
    memory._held = held  # an array's base keeps the memory, and so what has to be released
    made: npt.NDArray[Any] = np.frombuffer(memory, dtype)
    return made
