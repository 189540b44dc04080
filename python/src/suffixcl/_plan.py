"""Plans: what a job takes, without doing it."""

from __future__ import annotations

import ctypes
import dataclasses
from ctypes import byref
from typing import Any

import numpy as np

from . import _library
from ._engine import Core, operation
from ._errors import UsageError

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
           "build": ("sa", "lcp", "transform")}


class PlanJobs(Core):
    """Plans of :class:`Engine`."""

    @operation
    def plan(self, job: str, n: int, *, dtype: Any = np.uint8, **options: Any) -> Plan:
        """What a job takes for a text of n symbols of dtype. Nothing is computed.

        job: "sa" or "suffix_array", "lcp", "bwt", "build" (all three), "repeats", "intervals", "dedup"
        (min_length), "index" (sample_every), "matcher", or "suffix_ranges". options: those in brackets.
        Raises OutOfMemoryError, with the numbers, where it does not fit.
        """
        table = ctypes.create_string_buffer(_TABLE)
        made = _library.Plan(table=ctypes.addressof(table), table_size=_TABLE)
        text = _library.Text(n=n, symbol_bytes=np.dtype(dtype).itemsize)
        self._plan(job, text, ctypes.pointer(made), options)
        if options:
            raise UsageError(f'plan of "{job}" has no option {next(iter(options))}')
        return Plan(made.device, made.host, table.value.decode())

    def _plan(self, job: str, text: Any, plan: Any, options: dict[str, Any]) -> None:
        t, no_take = byref(text), ctypes.cast(None, _library.Take)
        if job in _ARRAYS:
            some, primary = ctypes.c_uint64(), ctypes.c_uint64()
            want = _library.Want(**{name: ctypes.addressof(some) for name in _ARRAYS[job]})
            want.primary, want.plan = ctypes.pointer(primary), plan
            self._call("suffixcl_arrays", t, byref(want))
        elif job == "repeats":
            o: Any = _library.RepeatOptions(plan=plan)
            self._call("suffixcl_repeats", t, byref(o), None, None)
        elif job == "intervals":
            o = _library.IntervalOptions(plan=plan)
            self._call("suffixcl_each_interval", t, byref(o), no_take, None)
        elif job == "dedup":
            o = _library.DuplicateOptions(length=options.pop("min_length", 100), plan=plan)
            self._call("suffixcl_each_duplicate", t, byref(o), ctypes.cast(None, _library.TakeMany), None)
        elif job == "index":
            o = _library.IndexOptions(sample_every=options.pop("sample_every", 32), plan=plan)
            self._call("suffixcl_index_build", t, byref(o), None)
        elif job == "matcher":
            o = _library.MatcherOptions(plan=plan)
            self._call("suffixcl_matcher_build", t, byref(o), None)
        elif job == "suffix_ranges":
            o = _library.BlockOptions(packed=1, plan=plan)
            self._call("suffixcl_each_block", t, byref(o), no_take, None)
        else:
            raise UsageError(f'there is no plan of "{job}": run("plan", …) has those of the verbs')
