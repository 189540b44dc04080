"""Progress: bars of tqdm, or lines on standard error without it."""

from __future__ import annotations

import contextlib
import importlib
import sys
import threading
import time
from typing import Any, Callable

Report = Callable[[str, int, int], object]


def reporter(progress: bool | Report | None) -> Report | None:
    """What is told of progress: a function as it is, bars for True, None for nothing."""
    if progress is None or progress is False:
        return None
    if callable(progress):
        return progress
    return Bars()


class Bars:
    """A bar for each phase, which is gone when it is full."""

    def __init__(self) -> None:
        self._tqdm: Any = None
        with contextlib.suppress(ImportError):
            self._tqdm = importlib.import_module("tqdm.auto").tqdm
        self._lock = threading.Lock()
        self._bars: dict[str, Any] = {}
        self._last = 0.0

    def __call__(self, phase: str, done: int, total: int) -> None:
        with self._lock:
            if self._tqdm is None:
                self._line(phase, done, total)
                return
            bar = self._bars.get(phase)
            if bar is None:
                bar = self._bars[phase] = self._tqdm(desc=phase, total=total or None, leave=False, unit_scale=True)
            bar.update(done - bar.n)
            if total and done >= total:
                bar.close()
                del self._bars[phase]

    def _line(self, phase: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last < 1 and not (total and done >= total):
            return
        self._last = now
        share = f"{100 * done // total} %" if total else str(done)
        print(f"{phase}: {share}", file=sys.stderr, flush=True)
