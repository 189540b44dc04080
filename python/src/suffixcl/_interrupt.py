"""Ctrl-C during calls of the library.

A call runs on the thread that made it. If that is the main thread, Python runs no handler of signals until the call
returns. So the bytes that Python writes for each signal (``signal.set_wakeup_fd``) go to a thread meanwhile, which
cancels the call. Bytes for others, such as a loop of asyncio, are handed on.
"""

from __future__ import annotations

import os
import signal
import threading
from typing import Any, Callable

_lock = threading.Lock()
_read = _write = -1
_pid = 0
_before = -1  # who had the bytes
_watched: Callable[[], object] | None = None
_seen = False
_ended = threading.Event()
signals = {signal.SIGINT}  #: that end a call
_main = threading.main_thread().ident


def _start() -> None:
    global _read, _write, _pid
    with _lock:
        if _pid == os.getpid():
            return
        _read, _write = os.pipe()
        os.set_blocking(_write, False)
        _pid = os.getpid()
        threading.Thread(target=_watch, args=(_read,), name="suffixcl-interrupt", daemon=True).start()


def _watch(read: int) -> None:
    global _seen
    while True:
        written = os.read(read, 64)
        if _before >= 0:
            try:
                os.write(_before, written)
            except OSError:
                pass
        if signals.isdisjoint(written):
            continue
        _seen = _seen or signal.SIGINT in written
        while (cancel := _watched) is not None:  # the call may not have begun yet
            cancel()
            _ended.wait(0.02)


def call(cancel: Callable[[], object], function: Callable[..., int], *arguments: Any) -> int:
    """Call a function of the library, which cancel ends at Ctrl-C. Raises KeyboardInterrupt then."""
    global _before, _watched, _seen
    if threading.get_ident() != _main or _watched is not None:
        return function(*arguments)
    if _pid == 0:
        _start()
    _seen = False
    _ended.clear()
    _watched = cancel
    try:
        _before = signal.set_wakeup_fd(_write, warn_on_full_buffer=False)
        try:
            status = function(*arguments)
        finally:
            signal.set_wakeup_fd(_before)
            _before = -1
    finally:
        _watched = None
        _ended.set()
    if status == 130 and _seen:
        raise KeyboardInterrupt
    return status
