"""Engine with all jobs, the default engine, and functions that use it."""

from __future__ import annotations

import functools
import inspect
import threading
from typing import Any, Callable, Concatenate, ParamSpec, TypeVar

from ._arrays import ArrayJobs
from ._duplicates import DuplicateJobs
from ._genomes import GenomeJobs
from ._index import Index, Matcher, SearchJobs
from ._parts import PartJobs
from ._plan import PlanJobs
from ._stream import StreamJobs

P = ParamSpec("P")
R = TypeVar("R")


class Engine(ArrayJobs, StreamJobs, SearchJobs, GenomeJobs, DuplicateJobs, PlanJobs):
    """A device that is open. Calls of several threads run one after the other.

    device: "auto", "gpu", "cpu", an index, or words of its name; None: ``$SUFFIXCL_DEVICE`` or the fastest.
    max_memory: most device memory to use: bytes, or "20G", with binary units; None: what the device has.
    algorithm: suffix sorter, as the command's ``--algorithm``; None: the fastest.
    progress: True for bars of tqdm, or lines on standard error without it; or a function of phase, done, total.
    process: compute in a process of its own, which the first call starts. A process that was forked can do that.

    Raises NoDeviceError, UsageError, OutOfMemoryError, VersionError, ForkError.
    """

    @property
    def parts(self) -> PartJobs:
        """Jobs with results in parts: ``for part in engine.parts.mems(reference, queries)``."""
        return PartJobs(lambda: self)

    def index(self, text: Any, **options: Any) -> Index:
        """:meth:`Index.build` on this engine."""
        return Index.build(text, engine=self, **options)

    def load_index(self, file: Any) -> Index:
        """:meth:`Index.load` on this engine."""
        return Index.load(file, engine=self)

    def matcher(self, text: Any, **options: Any) -> Matcher:
        """:meth:`Matcher.build` on this engine."""
        return Matcher.build(text, engine=self, **options)


_lock = threading.Lock()
_default: Engine | None = None


def default_engine() -> Engine:
    """The engine of the functions of this module. The first call opens it."""
    global _default
    with _lock:
        if _default is None or _default._closed:
            _default = Engine()
        return _default


def set_default_engine(engine: Engine | None) -> None:
    """Have the functions of this module use an engine; None: a new one, when it is needed."""
    global _default
    with _lock:
        _default = engine


def on_default(method: Callable[Concatenate[Any, P], R]) -> Callable[P, R]:
    """A method of Engine as a function that uses the default engine."""

    @functools.wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        return method(default_engine(), *args, **kwargs)

    signature = inspect.signature(method)
    call.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=list(signature.parameters.values())[1:])
    call.__module__ = "suffixcl"
    call.__qualname__ = call.__name__
    return call


suffix_array = on_default(Engine.suffix_array)
lcp = on_default(Engine.lcp)
bwt = on_default(Engine.bwt)
build = on_default(Engine.build)
verify = on_default(Engine.verify)
inverse_bwt = on_default(Engine.inverse_bwt)
suffix_ranges = on_default(Engine.suffix_ranges)
suffix_arrays = on_default(Engine.suffix_arrays)
bwts = on_default(Engine.bwts)
repeats = on_default(Engine.repeats)
intervals = on_default(Engine.intervals)
mems = on_default(Engine.mems)
mums = on_default(Engine.mums)
multi_matches = on_default(Engine.multi_matches)
mappability = on_default(Engine.mappability)
dedup = on_default(Engine.dedup)
plan = on_default(Engine.plan)

#: Jobs of the default engine with results in parts.
parts = PartJobs(default_engine)
