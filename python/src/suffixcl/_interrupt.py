"""Ctrl-C during calls of the library.

A call runs on the thread that made it. If that is the main thread, Python runs no handler of signals until the call
returns. So the bytes that Python writes for each signal (``signal.set_wakeup_fd``) go to a thread meanwhile, which
cancels the call. Bytes for others, such as a loop of asyncio, are handed on.
"""

from __future__ import annotations

import functools
import os
import select
import signal
import threading
import time
from typing import Any, Callable

_lock = threading.Lock()
_read = _write = -1
_pid = 0
_before = -1  # who had the bytes
_watched: tuple[Callable[[], object]] | None = None  # of the call that runs; another object for each call
_gate = threading.Lock()  # no call ends while it is cancelled, nor leaves a byte: the next one would be ended
_seen = False
_main = threading.main_thread().ident
_wake = functools.partial(signal.set_wakeup_fd, warn_on_full_buffer=False)


def _start() -> None:
    global _read, _write, _pid
    with _lock:
        if _pid == os.getpid():
            return
        _read, _write = os.pipe()
        os.set_blocking(_read, False)
        os.set_blocking(_write, False)
        _pid = os.getpid()
        threading.Thread(target=_watch, args=(_read,), name="suffixcl-interrupt", daemon=True).start()


def _taken(read: int) -> bytes:
    """What was written for signals, which others get, too."""
    try:
        written = os.read(read, 64)
    except BlockingIOError:
        return b""
    if _before >= 0:
        try:
            os.write(_before, written)
        except OSError:
            pass
    return written


def _watch(read: int) -> None:
    global _seen
    while True:
        select.select([read], [], [])
        with _gate:
            written, running = _taken(read), _watched
            if running is None or signal.SIGINT not in written:
                continue
            _seen = True
        while True:  # again and again, since the call may not have begun yet
            with _gate:
                if _watched is not running:
                    break
                running[0]()
            time.sleep(0.02)


def call(cancel: Callable[[], object], function: Callable[..., int], *arguments: Any) -> int:
    """Call a function of the library, which cancel ends at Ctrl-C. Raises KeyboardInterrupt then."""
    global _before, _watched, _seen
    if threading.get_ident() != _main or _watched is not None:
        return function(*arguments)
    if _pid == 0:
        _start()
    before: list[int] = []
    try:
        with _gate:
            _taken(_read)  # what is left where a handler has raised at the end of the call before
            _seen, _watched = False, (cancel,)
        try:
            before.extend(map(_wake, (_write,)))  # one call of C: no handler raises before the number is kept
            _before = before[0]
            status = function(*arguments)
        finally:
            if before:
                signal.set_wakeup_fd(before[0])
    finally:
        try:
            with _gate:
                _watched = None
                _taken(_read)
                _before = -1
        finally:
            _watched = None
    if status == 130 and _seen:
        raise KeyboardInterrupt
    return status
