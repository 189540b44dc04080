"""Plans: what a job takes, without doing it."""

from __future__ import annotations

import ctypes
import dataclasses
from ctypes import byref
from typing import Any

import numpy as np

from . import _library
from ._arrays import LONGEST
from ._engine import Core, operation
from ._errors import OutOfMemoryError, UsageError
from ._genomes import _SCORES, _STRANDS, _letters, _set, _unique
from ._text import Given, address

_TABLE = 1 << 16


@dataclasses.dataclass(frozen=True)
class Plan:
    """What a job takes at most at a time, in bytes."""

    device: int  #: of device memory
    host: int  #: of host memory, with text and results
    table: str = dataclasses.field(repr=False)  #: the phases, for people

    def __str__(self) -> str:
        return self.table


_ARRAYS = {"sa": ("sa",), "suffix_array": ("sa",), "lcp": ("lcp",), "bwt": ("transform",),
           "build": ("sa", "lcp", "transform"), "verify": ("sa", "known")}

_OF_GENOMES = {"mems", "mums", "multi_matches", "mappability"}

_STREAMS = {"suffix_arrays": False, "bwts": True}

_INTERVAL_LIMITS = ("min_depth", "max_depth", "min_count", "max_count", "min_documents", "max_documents", "best")


class PlanJobs(Core):
    """Plans of :class:`Engine`."""

    @operation
    def plan(self, /, job: str, n: Any, *, dtype: Any = np.uint8, **options: Any) -> Plan:
        """What a job takes. Nothing is computed.

        job: the name of a function, whose options are those of the plan: "suffix_array" or "sa", "lcp", "bwt", "build"
        (all three), "verify", "inverse_bwt", "suffix_ranges", "suffix_arrays", "bwts", "repeats", "intervals", "dedup",
        "index", "matcher", "mems", "mums", "multi_matches", "mappability".
        n: how many symbols of dtype the text has, or the text: the longest one for "suffix_arrays" and "bwts", the
        reference for "mems" and "mums", whose option ``queries`` is as n is, and a list for "multi_matches".
        Genomes are looked at: their letters and texts count. One that is a number is a text of as many letters, which
        is in host memory meanwhile.
        Raises OutOfMemoryError, with the numbers, where it does not fit.
        """
        table = ctypes.create_string_buffer(_TABLE)
        made = _library.Plan(table=ctypes.addressof(table), table_size=_TABLE)
        letters = _letters(options.get("letters")) or b"A"

        def text(given: Any, name: str) -> Any:
            if isinstance(given, bool) or isinstance(given, (int, np.integer)) and not 0 <= given < 2**56:
                raise UsageError(f"{name} is {given}")
            if job not in _OF_GENOMES:
                if isinstance(given, (int, np.integer)):
                    return _library.Text(n=int(given), symbol_bytes=np.dtype(dtype).itemsize)
                held.append(Given(given, name))
            elif isinstance(given, (int, np.integer)):
                if given > LONGEST:
                    raise OutOfMemoryError(f"{name} is {given}, and genomes have at most {LONGEST} letters")
                held.append(_set(np.full(given, letters[0], np.uint8), name))
            else:
                held.append(_set(given, name))
            return held[-1].c

        held: list[Given] = []
        several = n if job == "multi_matches" else [n]
        if not isinstance(several, (list, tuple)):
            raise UsageError('the plan of "multi_matches" takes a list of genomes, or of their lengths')
        texts = (_library.Text * max(len(several), 1))(*(text(one, "n") for one in several))
        asked = text(options.pop("queries", None), "queries") if job in ("mems", "mums") else None
        self._plan(job, texts, len(several), asked, ctypes.pointer(made), options)
        if options:
            raise UsageError(f'plan of "{job}" has no option {next(iter(options))}')
        return Plan(made.device, made.host, table.value.decode())

    def _plan(self, job: str, texts: Any, count: int, asked: Any, plan: Any, options: dict[str, Any]) -> None:
        t, no_take = byref(texts), _library.Take()

        def given(*names: str) -> dict[str, Any]:
            return {name: options.pop(name) for name in names if name in options}

        def common() -> dict[str, Any]:
            return {"letters": _letters(options.pop("letters", None)), "plan": plan}

        if job in _ARRAYS:
            some, primary = ctypes.c_uint64(), ctypes.c_uint64()
            want = _library.Want(**{name: ctypes.addressof(some) for name in _ARRAYS[job]})
            want.primary, want.plan = ctypes.pointer(primary), plan
            self._call("suffixcl_arrays", t, byref(want))
        elif job == "inverse_bwt":
            self._call("suffixcl_inverse_bwt_plan", texts[0].n, plan)
        elif job in _STREAMS:
            o: Any = _library.StreamOptions(longest=texts[0].n, transform=_STREAMS[job], plan=plan)
            self._call("suffixcl_stream", byref(o), _library.NextText(), None, no_take, None)
        elif job == "repeats":
            o = _library.RepeatOptions(plan=plan, **given("min_length", "reverse_complement"))
            self._call("suffixcl_repeats", t, byref(o), None, None)
        elif job == "intervals":
            by = options.pop("by", "count")
            if by not in _SCORES:
                raise UsageError(f'by is "{by}": count, depth and area are possible')
            o = _library.IntervalOptions(plan=plan, by=_SCORES[by],
                                         **given("left_maximal", "supermaximal", *_INTERVAL_LIMITS))
            self._call("suffixcl_each_interval", t, byref(o), no_take, None)
        elif job in ("mems", "mums"):
            kind = 2 if job == "mems" else _unique(options.pop("unique_in", "both"))
            strands = options.pop("strands", "forward")
            if strands not in _STRANDS:
                raise UsageError(f'strands is "{strands}": forward, reverse and both are possible')
            o = _library.MatchOptions(kind=kind, strands=_STRANDS[strands], **given("min_length"), **common())
            self._call("suffixcl_each_match", t, byref(asked), byref(o), no_take, None)
        elif job == "multi_matches":
            o = _library.MultiMatchOptions(**given("min_length", "min_genomes", "most_each", "most_count",
                                                   "both_strands"), **common())
            self._call("suffixcl_each_multi_match", t, count, byref(o), no_take, None)
        elif job == "mappability":
            k = np.atleast_1d(np.asarray(options.pop("k", ()))).astype(np.uint64)
            o = _library.MappabilityOptions(k=address(k), lengths=len(k), **given("unique", "both_strands"), **common())
            self._call("suffixcl_each_mappability", t, byref(o), no_take, None)
        elif job == "dedup":
            options.setdefault("min_length", 100)
            o = _library.DuplicateOptions(length=options.pop("min_length"), keep_first=_keeps(options),
                                          plan=plan, **given("min_count"))
            self._call("suffixcl_each_duplicate", t, byref(o), _library.TakeMany(), None)
        elif job == "index":
            o = _library.IndexOptions(sample_every=options.pop("sample_every", 32), plan=plan, **given("dna"))
            self._call("suffixcl_index_build", t, byref(o), None)
        elif job == "matcher":
            o = _library.MatcherOptions(plan=plan, **given("dna"))
            self._call("suffixcl_matcher_build", t, byref(o), None)
        elif job == "suffix_ranges":
            wanted = {"sa": True, "lcp": False, "bwt": False, "width": 5} | given("sa", "lcp", "bwt", "width")
            o = _library.BlockOptions(sa=wanted["sa"] and wanted["width"] == 8,
                                      packed=wanted["sa"] and wanted["width"] == 5, lcp=wanted["lcp"],
                                      transform=wanted["bwt"], plan=plan)
            self._call("suffixcl_each_block", t, byref(o), no_take, None)
        else:
            raise UsageError(f'there is no plan of "{job}": run("plan", …) has those of the verbs')


def _keeps(options: dict[str, Any]) -> bool:
    keep = options.pop("keep", "first")
    if keep not in ("first", "none"):
        raise UsageError(f'keep is "{keep}": first and none are possible')
    return bool(keep == "first")
