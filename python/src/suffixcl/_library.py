"""The shared library: where it is, its structures and prototypes (suffixcl.h).

The library is loaded by the first call that needs it, and not by ``import suffixcl``: a process that has only imported
the package may be forked.
"""

from __future__ import annotations

import ctypes
import os
import pathlib
import re
import threading
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from typing import Any

from ._errors import ForkError, SuffixclError, VersionError, error_of
from ._version import __version__

FILES = pathlib.Path(__file__).with_name("_files")  # of the wheel: library and command

Progress: Any = CFUNCTYPE(None, c_void_p, c_char_p, c_int64, c_int64)
Take: Any = CFUNCTYPE(c_int, c_void_p, c_void_p)  # of a part, whose structure the caller knows
NextText: Any = CFUNCTYPE(c_int64, c_void_p, c_void_p, c_uint64)  # writes a text, and returns its length
NO_MORE, STOP = -1, -2  # what it returns without a text
TakeMany: Any = CFUNCTYPE(c_int, c_void_p, c_void_p, c_uint64)  # of ranges or bytes


class Sized(ctypes.Structure):
    """A structure of the library: its first field is its size."""

    def __init__(self, **fields: object) -> None:
        super().__init__(size=ctypes.sizeof(self), **fields)


class Options(Sized):
    _fields_ = [("size", c_size_t), ("device", c_char_p), ("algorithm", c_char_p), ("max_memory", c_int64),
                ("progress", Progress), ("progress_data", c_void_p), ("command", c_char_p)]


class Text(Sized):
    _fields_ = [("size", c_size_t), ("symbols", c_void_p), ("n", c_uint64), ("symbol_bytes", c_uint64),
                ("offsets", c_void_p), ("ends", c_void_p), ("texts", c_uint64)]


class Plan(Sized):
    _fields_ = [("size", c_size_t), ("device", c_int64), ("host", c_int64), ("table", c_void_p),
                ("table_size", c_size_t)]


PlanPointer = POINTER(Plan)


class Want(Sized):
    _fields_ = [("size", c_size_t), ("order", c_char_p), ("letters", c_char_p), ("known", c_void_p), ("sa", c_void_p),
                ("lcp", c_void_p), ("transform", c_void_p), ("primary", POINTER(c_uint64)), ("documents", c_void_p),
                ("plan", PlanPointer)]


class RepeatOptions(Sized):
    _fields_ = [("size", c_size_t), ("min_length", c_uint64), ("reverse_complement", c_int32), ("reserved", c_int32),
                ("plan", PlanPointer)]


class RepeatPart(Sized):
    _fields_ = [("size", c_size_t), ("first", c_uint64), ("m", c_uint64), ("start", c_void_p), ("length", c_void_p)]


class Streamed(Sized):
    _fields_ = [("size", c_size_t), ("text", c_uint64), ("n", c_uint64), ("sa", c_void_p), ("transform", c_void_p),
                ("primary", c_uint64)]


class StreamOptions(Sized):
    _fields_ = [("size", c_size_t), ("longest", c_uint64), ("transform", c_int32), ("reserved", c_int32),
                ("plan", PlanPointer)]


class Intervals(Sized):
    _fields_ = [("size", c_size_t), ("m", c_uint64), ("left", c_void_p), ("right", c_void_p), ("depth", c_void_p),
                ("position", c_void_p), ("documents", c_void_p)]


class IntervalOptions(Sized):
    _fields_ = [("size", c_size_t), ("min_depth", c_uint64), ("max_depth", c_uint64), ("min_count", c_uint64),
                ("max_count", c_uint64), ("min_documents", c_uint64), ("max_documents", c_uint64), ("best", c_uint64),
                ("by", c_int32), ("left_maximal", c_int32), ("supermaximal", c_int32), ("reserved", c_int32),
                ("plan", PlanPointer)]


class Matches(Sized):
    _fields_ = [("size", c_size_t), ("m", c_uint64), ("matches", c_void_p), ("text", c_uint64), ("reverse", c_int32),
                ("reserved", c_int32)]


class MatchOptions(Sized):
    _fields_ = [("size", c_size_t), ("min_length", c_uint64), ("kind", c_int32), ("strands", c_int32),
                ("letters", c_char_p), ("plan", PlanPointer)]


class MultiMatch(Sized):
    _fields_ = [("size", c_size_t), ("length", c_uint64), ("count", c_uint64), ("occurrences", c_void_p)]


class MultiMatchOptions(Sized):
    _fields_ = [("size", c_size_t), ("min_length", c_uint64), ("min_genomes", c_uint64), ("most_each", c_uint64),
                ("most_count", c_uint64), ("both_strands", c_int32), ("reserved", c_int32), ("letters", c_char_p),
                ("plan", PlanPointer)]


class Mappability(Sized):
    _fields_ = [("size", c_size_t), ("k", c_uint64), ("text", c_uint64), ("first", c_uint64), ("m", c_uint64),
                ("values", c_void_p)]


class MappabilityOptions(Sized):
    _fields_ = [("size", c_size_t), ("k", c_void_p), ("lengths", c_uint64), ("unique", c_int32),
                ("both_strands", c_int32), ("letters", c_char_p), ("plan", PlanPointer)]


class DuplicateOptions(Sized):
    _fields_ = [("size", c_size_t), ("length", c_uint64), ("min_count", c_uint64), ("documents", c_void_p),
                ("documents_count", c_uint64), ("other", c_uint64), ("keep_first", c_int32), ("both", c_int32),
                ("windows", POINTER(c_uint64)), ("plan", PlanPointer)]


class Block(Sized):
    _fields_ = [("size", c_size_t), ("first", c_uint64), ("length", c_uint64), ("sa", c_void_p), ("packed", c_void_p),
                ("lcp", c_void_p), ("transform", c_void_p), ("transform_first", c_uint64),
                ("transform_length", c_uint64)]


class BlockOptions(Sized):
    _fields_ = [("size", c_size_t), ("sa", c_int32), ("packed", c_int32), ("lcp", c_int32), ("transform", c_int32),
                ("primary", POINTER(c_uint64)), ("plan", PlanPointer)]


class IndexOptions(Sized):
    _fields_ = [("size", c_size_t), ("sample_every", c_uint64), ("dna", c_int32), ("reserved", c_int32),
                ("plan", PlanPointer)]


class MatcherOptions(Sized):
    _fields_ = [("size", c_size_t), ("known", c_void_p), ("dna", c_int32), ("documents", c_int32),
                ("plan", PlanPointer)]


class Patterns(Sized):
    _fields_ = [("size", c_size_t), ("symbols", c_void_p), ("symbol_bytes", c_uint64), ("offsets", c_void_p),
                ("count", c_uint64)]


class RunOptions(Sized):
    _fields_ = [("size", c_size_t), ("output", TakeMany), ("output_data", c_void_p), ("errors", TakeMany),
                ("errors_data", c_void_p), ("input", c_char_p), ("progress", Progress), ("progress_data", c_void_p),
                ("command", c_char_p)]


STRUCTURES: dict[str, type[Sized]] = {
    "suffixcl_options": Options, "suffixcl_text": Text, "suffixcl_plan": Plan, "suffixcl_want": Want,
    "suffixcl_repeat_options": RepeatOptions, "suffixcl_intervals": Intervals,
    "suffixcl_interval_options": IntervalOptions, "suffixcl_matches": Matches, "suffixcl_match_options": MatchOptions,
    "suffixcl_multi_match": MultiMatch, "suffixcl_multi_match_options": MultiMatchOptions,
    "suffixcl_mappability": Mappability, "suffixcl_mappability_options": MappabilityOptions,
    "suffixcl_duplicate_options": DuplicateOptions, "suffixcl_block": Block, "suffixcl_block_options": BlockOptions,
    "suffixcl_repeat_part": RepeatPart, "suffixcl_streamed": Streamed, "suffixcl_stream_options": StreamOptions,
    "suffixcl_index_options": IndexOptions, "suffixcl_matcher_options": MatcherOptions,
    "suffixcl_patterns": Patterns, "suffixcl_run_options": RunOptions,
}

_P, _N = c_void_p, c_uint64

# Arguments of what returns a status. Handles, arrays and structures are addresses.
PROTOTYPES: dict[str, tuple[type, ...]] = {
    "suffixcl_open": (_P, _P),
    "suffixcl_close": (_P,),
    "suffixcl_cancel": (_P,),
    "suffixcl_suffix_array": (_P, _P, _N, _P),
    "suffixcl_lcp": (_P, _P, _N, _P, _P),
    "suffixcl_ranges": (_P, _P, _N, _P, _P, _P, _P),
    "suffixcl_bwt": (_P, _P, _N, _P, _P),
    "suffixcl_inverse_bwt": (_P, _P, _N, _N, _P),
    "suffixcl_inverse_bwt_plan": (_P, _N, _P),
    "suffixcl_verify": (_P, _P, _N, _P),
    "suffixcl_arrays": (_P, _P, _P),
    "suffixcl_verify_arrays": (_P, _P, _P),
    "suffixcl_repeats": (_P, _P, _P, _P, _P),
    "suffixcl_each_repeat": (_P, _P, _P, Take, _P),
    "suffixcl_stream": (_P, _P, NextText, _P, Take, _P),
    "suffixcl_each_interval": (_P, _P, _P, Take, _P),
    "suffixcl_each_match": (_P, _P, _P, _P, Take, _P),
    "suffixcl_each_multi_match": (_P, _P, _N, _P, Take, _P),
    "suffixcl_each_mappability": (_P, _P, _P, Take, _P),
    "suffixcl_each_duplicate": (_P, _P, _P, TakeMany, _P),
    "suffixcl_each_block": (_P, _P, _P, Take, _P),
    "suffixcl_index_build": (_P, _P, _P, _P),
    "suffixcl_index_load": (_P, c_char_p, _P),
    "suffixcl_index_save": (_P, c_char_p),
    "suffixcl_index_describe": (_P, _P, _P, _P),
    "suffixcl_index_count": (_P, _P, _P),
    "suffixcl_index_locate": (_P, _P, _P, _P),
    "suffixcl_index_close": (_P,),
    "suffixcl_matcher_build": (_P, _P, _P, _P),
    "suffixcl_matcher_count": (_P, _P, _P),
    "suffixcl_matcher_locate": (_P, _P, _P, _P),
    "suffixcl_matcher_count_documents": (_P, _P, _P),
    "suffixcl_matcher_close": (_P,),
    "suffixcl_run": (_P, c_int, _P),
    "suffixcl_run_cancel": (),
}

_lock = threading.Lock()
_loaded: ctypes.CDLL | None = None
_forked = False


def _after_fork() -> None:
    global _forked
    _forked = _forked or _loaded is not None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def check_fork() -> None:
    """Raise ForkError where the library was loaded before this process was forked."""
    if _forked:
        raise ForkError("this process was forked after suffixcl had been used, and the threads of its library are not "
                        "here: use Engine(process=True), or processes that are spawned")


def forked() -> bool:
    """Whether the library was loaded before this process was forked."""
    return _forked


def path() -> str:
    """Where the library is: ``$SUFFIXCL_LIBRARY``, in the wheel, or where the system finds ``libsuffixcl.so.0``."""
    given = os.environ.get("SUFFIXCL_LIBRARY")
    if given:
        return given
    wheel = FILES / "libsuffixcl.so.0"
    return str(wheel) if wheel.exists() else "libsuffixcl.so.0"


def command() -> str | None:
    """Where the command is that belongs to the library: ``$SUFFIXCL_COMMAND``, or in the wheel; None without one."""
    given = os.environ.get("SUFFIXCL_COMMAND")
    if given:
        return given
    wheel = FILES / "suffixcl"
    return str(wheel) if wheel.exists() else None


def library() -> ctypes.CDLL:
    """The library, loaded once.

    Raises VersionError for a library that is not there or of another version, and ForkError.
    """
    global _loaded
    check_fork()
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = _load(path())
    return _loaded


def _load(name: str) -> ctypes.CDLL:
    try:
        made = ctypes.CDLL(name)
        made.suffixcl_version.restype = made.suffixcl_message.restype = c_char_p
        version = made.suffixcl_version().decode()
    except (OSError, AttributeError) as error:
        raise VersionError(f"{name}: {error}: install the wheel, or set SUFFIXCL_LIBRARY to libsuffixcl.so.0") from None
    numbers = re.match(r"v(\d+\.\d+)\.", version)
    if numbers and not version.startswith("v0.0.0-") and numbers[1] != ".".join(__version__.split(".")[:2]):
        raise VersionError(f"{name} is of version {version}, and this package of {__version__}")
    try:
        for function, arguments in PROTOTYPES.items():
            f = getattr(made, function)
            f.argtypes, f.restype = arguments, c_int
    except AttributeError as error:
        raise VersionError(f"{name} ({version}) is not of version {__version__}: {error}") from None
    return made


def message() -> str:
    """What the last call of this thread that failed has to say."""
    text: bytes = library().suffixcl_message()
    return text.decode("utf-8", "replace")


def failure(status: int) -> SuffixclError:
    """The exception of the call that has just failed on this thread."""
    return error_of(status, message())
