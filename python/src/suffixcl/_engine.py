"""Engines: an open device, and how calls of the library are made on it."""

from __future__ import annotations

import collections
import contextlib
import ctypes
import functools
import os
import queue
import re
import threading
from typing import Any, Callable, Generic, Iterator, TypeVar, Union

from . import _interrupt, _library
from ._errors import InterruptedError, UsageError
from ._progress import reporter

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

#: ``True`` for bars, a function of phase, done and total, or nothing.
ProgressLike = Union[bool, Callable[[str, int, int], object], None]

_UNITS = {unit: 10 * i for i, unit in enumerate("BKMGTPE")}


def size_of(given: int | str | None) -> int:
    """Bytes of a size such as 512, "512M", "2GiB" or "1.5 kb". Units are binary, as those of the command."""
    if given is None:
        return 0
    if isinstance(given, str):
        match = re.fullmatch(r"\s*(\d+|\d*\.\d+)\s*(?:([KMGTPE])(?:I?B)?|B)?\s*", given.upper())
        if not match:
            raise UsageError(f'"{given}" is not a size: want a number with an optional unit K, M, G, T, P or E')
        shift = _UNITS[match[2] or "B"]
        given = int(match[1]) << shift if match[1].isdigit() else int(float(match[1]) * (1 << shift))
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given < 2**63:
        raise UsageError(f"{given!r} is not a size")
    return given


def operation(method: F) -> F:
    """A method of Engine that runs in the other process, if the engine has one."""

    @functools.wraps(method)
    def call(self: Core, *args: Any, **kwargs: Any) -> Any:
        if self._child is not None:
            return self._child.call(method.__name__, args, kwargs)
        return method(self, *args, **kwargs)

    return call  # type: ignore[return-value]


class Core:
    """What all engines have: the handle, and one call of the library at a time."""

    def __init__(self, device: str | int | None = None, *, max_memory: int | str | None = None,
                 algorithm: str | None = None, progress: ProgressLike = None, process: bool = False) -> None:
        self._options: dict[str, Any] = {
            "device": None if device is None else str(device), "max_memory": size_of(max_memory),
            "algorithm": algorithm, "progress": progress, "process": bool(process)}
        self._lock = threading.Lock()
        self._owner: int | None = None  # the thread whose call runs
        self._pump: _Pump | None = None  # whose parts are being taken
        self._cancelled = 0
        self._handle: ctypes.c_void_p | None = None
        self._closed = False
        self._child: Any = None
        report = reporter(progress)
        if process:
            from ._child import Child
            self._child = Child(self, {**self._options, "process": False, "progress": None}, report)
            return
        self._open(report)

    def _open(self, report: Callable[[str, int, int], object] | None) -> None:
        lib = _library.library()
        self._failed_report: BaseException | None = None
        self._report: Any = _library.Progress()
        if report is not None:
            told = report

            def tell(_data: int, phase: bytes, done: int, total: int) -> None:
                try:
                    told(phase.decode(), done, total)
                except BaseException as error:  # which may not leave a function that C has called
                    self._failed_report = error
            self._report = _library.Progress(tell)
        given = self._options
        command = _library.command()
        options = _library.Options(device=_encoded(given["device"]), algorithm=_encoded(given["algorithm"]),
                                   max_memory=given["max_memory"], progress=self._report,
                                   command=_encoded(command))
        made = ctypes.c_void_p()
        status = lib.suffixcl_open(ctypes.byref(options), ctypes.byref(made))
        if status:
            raise _library.failure(status)
        self._handle, self._library = made, lib
        self._cancel_call = functools.partial(lib.suffixcl_cancel, made)

    def close(self) -> None:
        """Wait for the call that runs, and close the device with its indexes and matchers."""
        if self._closed:
            return
        self._closed = True
        if self._child is not None:
            self._child.close()
        elif self._handle is not None and not _library.forked():
            self._library.suffixcl_close(self._handle)

    def cancel(self) -> None:
        """End the calls that run or wait, from another thread: they raise InterruptedError. Later calls go on."""
        self._cancelled += 1
        if self._child is not None:
            self._child.interrupt()
        elif not self._closed:
            _library.check_fork()
            self._library.suffixcl_cancel(self._handle)

    def __enter__(self: T) -> T:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._options.items() if value)
        return f"suffixcl.Engine({given})" + (" (closed)" if self._closed else "")

    def __reduce__(self) -> Any:
        return _again, (type(self), dict(self._options))

    def _check(self) -> None:
        if self._closed:
            raise UsageError("the engine is closed")
        _library.check_fork()

    def _check_parts(self) -> None:
        """Refuse a call that would wait for parts that its own thread has to take."""
        if self._owner == threading.get_ident():
            raise UsageError("a function that a call of this engine calls may not call it: use another engine")
        pump = self._pump
        if pump is not None and pump.consumer == threading.get_ident() and not pump.stopped.is_set():
            raise UsageError("this thread takes the parts of another call of this engine: finish or close() that, or "
                             "use an engine for each")

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """One call at a time. A call waits for others, but not for one whose parts its own thread has to take."""
        asked = self._cancelled
        if not self._lock.acquire(blocking=False):
            self._check_parts()
            self._lock.acquire()
        try:
            self._owner = threading.get_ident()
            self._check()
            if asked != self._cancelled:
                raise InterruptedError("the call was cancelled while it waited")
            yield
        finally:
            self._owner = None
            self._lock.release()

    def _call(self, function: str, *args: Any, brief: bool = False) -> None:
        """Call a function of the library with the handle. Raises what its status says.

        brief: the call takes less than Ctrl-C may have to wait.
        """
        self._check()
        f = getattr(self._library, function)
        with self._alone():
            if brief:
                status = f(self._handle, *args)
            else:
                status = _interrupt.call(self._cancel_call, f, self._handle, *args)
            if status:
                raise _library.failure(status)
        if self._failed_report is not None:
            failed, self._failed_report = self._failed_report, None
            raise failed

    def _call_of(self, function: str, handle: ctypes.c_void_p, *args: Any) -> None:
        """The same with a handle of an index or a matcher."""
        self._check()
        f = getattr(self._library, function)
        with self._alone():
            if not handle:
                raise UsageError("the index or matcher is closed")
            status = _interrupt.call(self._cancel_call, f, handle, *args)
            if status:
                raise _library.failure(status)

    def _each(self, function: str, args: tuple[Any, ...], kind: Any, take: Callable[..., object]) -> None:
        """Call a function that delivers parts. take gets each, and may return False to end the call.

        take gets the addresses that the library gives: of a structure, or of ranges with their number.
        """
        failed: list[BaseException] = []
        ended: list[bool] = []

        def part(_data: int, *given: int) -> int:
            try:
                if take(*given) is False:
                    ended.append(True)
                    return 1
                return 0
            except BaseException as error:  # which may not leave a function that C has called
                failed.append(error)
                return 1

        try:
            self._call(function, *args, kind(part), None)
        except InterruptedError:
            if failed:
                raise failed[0] from None
            if not ended:
                raise


    def _parts(self, request: Request[T]) -> Parts[T]:
        """The parts of a request, as they come."""
        self._check_here("parts")

        def work(put: Callable[[Any], bool]) -> None:
            request.run(self, put)

        return Parts(self, work)

    def _check_here(self, what: str) -> None:
        if self._child is not None:
            raise UsageError(f"{what} need an engine of this process, and this one computes in another")


class Request(Generic[T]):
    """A call that delivers parts: the function, its arguments, and what makes a part of the addresses that it gives.

    held is what has to live as long. A part that is None is left out.
    """

    def __init__(self, function: str, args: tuple[Any, ...], kind: Any, part: Callable[..., T | None],
                 held: Any = None) -> None:
        self.function, self.args, self.kind, self.part, self.held = function, args, kind, part, held

    def run(self, engine: Core, put: Callable[[T], object]) -> None:
        """Call it. put gets each part, and may return False to end the call."""

        def take(*given: int) -> object:
            made = self.part(*given)
            return None if made is None else put(made)

        engine._each(self.function, self.args, self.kind, take)

    def all(self, engine: Core) -> list[T]:
        """All parts."""
        made: list[T] = []
        self.run(engine, made.append)
        return made


def _again(kind: Callable[..., T], options: dict[str, Any]) -> T:
    return kind(options.pop("device"), **options)


def _encoded(word: str | None) -> bytes | None:
    return None if word is None else os.fsencode(word)


class _Pump:
    """A call that delivers parts, on a thread of its own. It has no reference to who takes them."""

    def __init__(self, engine: Core, work: Callable[[Callable[[Any], bool]], Any]) -> None:
        self.engine, self.work = engine, work
        self.queue: queue.Queue[tuple[bool, Any]] = queue.Queue(2)
        self.stopped = threading.Event()
        self.consumer: int | None = None
        self.value: Any = None

    def put(self, part: Any, last: bool = False) -> bool:
        while not self.stopped.is_set():
            with contextlib.suppress(queue.Full):
                self.queue.put((last, part), timeout=0.05)
                return True
        return False

    def run(self) -> None:
        failed = None
        try:
            self.value = self.work(self.put)
        except BaseException as error:
            failed = error
        self.engine._pump = None
        self.put(failed, last=True)


class Parts(Generic[T], Iterator[T]):
    """Parts of a result, as they come. The call runs on a thread of its own, at most three parts ahead.

    The engine makes no other call until the last part was taken, or :meth:`close` was called, as ``with`` does: that
    ends the call. An iterator that nobody refers to is closed.
    """

    def __init__(self, engine: Core, work: Callable[[Callable[[T], bool]], Any]) -> None:
        self._pump = _Pump(engine, work)
        self._thread: threading.Thread | None = None
        self._done = False

    def __iter__(self) -> Parts[T]:
        return self

    def __next__(self) -> T:
        if self._done:
            raise StopIteration
        pump = self._pump
        if self._thread is None:
            pump.engine._check_parts()
            pump.consumer = threading.get_ident()
            self._thread = threading.Thread(target=pump.run, name="suffixcl-parts", daemon=True)
            pump.engine._pump = pump
            self._thread.start()
        try:
            last, taken = pump.queue.get()
        except BaseException:
            self.close()
            raise
        if not last:
            part: T = taken
            return part
        self._done = True
        self._thread.join()
        if taken is not None:
            raise taken
        raise StopIteration

    def close(self) -> None:
        """End the call, if it goes on."""
        self._done = True
        self._pump.stopped.set()
        engine, thread = self._pump.engine, self._thread
        while thread is not None and thread.is_alive():
            if not engine._closed and engine._pump is self._pump:
                engine._library.suffixcl_cancel(engine._handle)
            thread.join(0.02)

    def __enter__(self) -> Parts[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self._pump.stopped.set()


class Batched(Parts[T]):
    """Parts that are small: many at a time come from the other thread. They are handed out one by one."""

    def __init__(self, engine: Core, work: Callable[[Callable[[T], bool]], Any],
                 size: Callable[[T], int]) -> None:

        def in_batches(put: Callable[[Any], bool]) -> Any:
            batch: list[T] = []
            room = _BATCH_BYTES

            def one(part: T) -> bool:
                nonlocal batch, room
                batch.append(part)
                room -= size(part)
                if room > 0 and len(batch) < _BATCH_PARTS:
                    return True
                full, batch, room = batch, [], _BATCH_BYTES
                return put(full)

            try:
                return work(one)
            finally:  # what was there before an error, too
                if batch:
                    put(batch)

        super().__init__(engine, in_batches)
        self._ready: collections.deque[T] = collections.deque()

    def __next__(self) -> T:
        while not self._ready:
            batch: Any = super().__next__()
            self._ready.extend(batch)
        return self._ready.popleft()

    def close(self) -> None:
        """End the call, if it goes on."""
        super().close()
        self._ready.clear()


_BATCH_BYTES, _BATCH_PARTS = 1 << 20, 1024
