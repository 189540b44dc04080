"""An engine in a process of its own: ``Engine(process=True)``.

The process is one of Python that is started anew, not forked, and has the library. So a process that was forked may use
it, such as a worker of a DataLoader. Calls and results go through pipes, and arrays through files in a temporary
directory, which are mapped and have no name from then on. Ctrl-C reaches the call as it does in the same process: a
pipe of its own says which call is to end, as a signal could arrive when the next one runs.
"""

from __future__ import annotations

import _thread
import contextlib
import io
import mmap
import os
import pickle
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from typing import IO, Any, Callable

import numpy as np

from ._errors import DeviceError, SuffixclError, UsageError, error_of

_LARGE = 1 << 16  # bytes of an array from which on it goes through a file


class _Pickler(pickle.Pickler):
    """Writes arrays to files in a directory, and indexes as their numbers."""

    def __init__(self, into: IO[bytes], directory: str, keep: Callable[[Any], int]) -> None:
        super().__init__(into, protocol=5)
        self._directory, self._keep = directory, keep

    def persistent_id(self, obj: Any) -> Any:
        from ._index import Searched
        if isinstance(obj, Searched):
            return "searched", type(obj).__name__, self._keep(obj), obj._width
        if isinstance(obj, (bytes, bytearray, memoryview)) and len(obj) >= _LARGE and type(obj) is not bytes:
            obj = np.frombuffer(obj, np.uint8)
        if not isinstance(obj, np.ndarray) or obj.nbytes < _LARGE or obj.dtype.hasobject:
            return None
        if isinstance(obj, np.memmap) and obj.flags.c_contiguous and obj.mode == "r" and _whole(obj):
            return "mapped", os.path.abspath(os.fspath(obj.filename or "")), obj.dtype, obj.shape, obj.offset
        fd, name = tempfile.mkstemp(dir=self._directory)
        with open(fd, "wb") as file:
            np.ascontiguousarray(obj).tofile(file)
        return "array", name, obj.dtype, obj.shape


def _whole(array: np.memmap[Any, Any]) -> bool:
    """Whether it is all of what was mapped, and no view of a part."""
    return isinstance(array.base, mmap.mmap) and array.nbytes + array.offset % mmap.ALLOCATIONGRANULARITY \
        == len(array.base)


class _Unpickler(pickle.Unpickler):
    def __init__(self, given: IO[bytes], held: Callable[[str, int, int], Any]) -> None:
        super().__init__(given)
        self._held = held

    def persistent_load(self, pid: Any) -> Any:
        kind, *rest = pid
        if kind == "searched":
            return self._held(*rest)
        if kind == "mapped":
            name, dtype, shape, offset = rest
            return np.memmap(name, dtype, "r", offset, shape)
        name, dtype, shape = rest
        made = np.memmap(name, np.uint8, "c", 0)  # private: what is written to it stays here
        os.unlink(name)
        return made.view(np.ndarray).view(dtype).reshape(shape)


def _send(to: IO[bytes], what: Any, directory: str, keep: Callable[[Any], int]) -> None:
    buffer = io.BytesIO()
    _Pickler(buffer, directory, keep).dump(what)
    written = buffer.getbuffer()
    to.write(struct.pack("<Q", len(written)))
    to.write(written)
    to.flush()


def _receive(given: IO[bytes], held: Callable[[str, int, int], Any]) -> Any:
    size = given.read(8)
    if len(size) < 8:
        raise EOFError
    return _Unpickler(io.BytesIO(given.read(struct.unpack("<Q", size)[0])), held).load()


class Child:
    """The other process, which is started by the first call. Each process that was forked starts one of its own."""

    def __init__(self, engine: Any, options: dict[str, Any], report: Any) -> None:
        self._engine = weakref.ref(engine)
        self._options, self._report = options, report
        self._reset()

    def _reset(self) -> None:
        self._pid = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        self._directory = ""
        self._lock = threading.Lock()
        self._released: list[int] = []
        self._calls = 0  # how many
        self._running = 0  # the number of the call, from 1 on
        self._gate = threading.Lock()
        self._interrupts: IO[bytes] | None = None  # takes numbers of calls that are to end

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is not None:
            return self._process
        self._directory = tempfile.mkdtemp(prefix="suffixcl-")
        environment = dict(os.environ)
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [root, environment.get("PYTHONPATH")]))
        given, taken = os.pipe()
        self._interrupts = os.fdopen(taken, "wb", buffering=0)
        try:
            made = self._process = subprocess.Popen(
                [sys.executable, "-m", "suffixcl._child", self._directory, str(given)], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, env=environment, start_new_session=True, pass_fds=[given])
        except BaseException:
            self._interrupts.close()
            raise
        finally:
            os.close(given)
        try:
            self._ask(made, ("open", self._options, self._report is not None))
        except BaseException:
            self._end()
            raise
        return made

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a method of the engine there."""
        engine = self._engine()
        if engine is None or engine._closed:
            raise UsageError("the engine is closed")
        if self._pid != os.getpid():
            self._reset()
        with self._lock:
            process = self._start()
            released, self._released = self._released, []
            return self._ask(process, ("call", name, args, kwargs, released))

    def _ask(self, process: subprocess.Popen[bytes], question: tuple[Any, ...]) -> Any:
        assert process.stdin is not None and process.stdout is not None
        interrupted = False
        self._calls += 1
        self._running = self._calls
        try:
            _send(process.stdin, (self._running, *question), self._directory, self._number)
            while True:
                try:
                    kind, *rest = _receive(process.stdout, self._held)
                except KeyboardInterrupt:  # its own signal, which the other process does not get
                    if interrupted:
                        self._end()
                        raise
                    interrupted = True
                    self._signal()
                    continue
                if kind != "progress":
                    break
                self._report(*rest)
        except (EOFError, OSError) as error:
            self._end()
            why = error or "it was killed, or Python failed there"
            raise DeviceError(f"the process of the engine ended: {why}") from None
        finally:
            with self._gate:
                self._running = 0
        if interrupted:
            raise KeyboardInterrupt
        if kind == "error":
            raise error_of(130, "the call was cancelled") if isinstance(rest[0], KeyboardInterrupt) else rest[0]
        return rest[0]

    def _number(self, searched: Any) -> int:
        if searched._engine._child is not self or self._pid != searched._pid:
            raise UsageError("the index or matcher is of another engine or process")
        if searched._handle is None:
            raise UsageError("the index or matcher is closed")
        number: int = searched._handle
        return number

    def _held(self, kind: str, number: int, width: int) -> Any:
        from . import _index
        made = getattr(_index, kind)(self._engine(), number, width)
        made._pid = os.getpid()
        return made

    def release(self, number: int) -> None:
        """Close an index or a matcher with the next call."""
        if self._pid == os.getpid():
            self._released.append(number)

    def interrupt(self) -> None:
        """End the call that runs."""
        if self._pid == os.getpid():
            self._signal()

    def _signal(self) -> None:
        """Say that the call that runs is to end, or to begin no more."""
        with self._gate:
            if self._running and self._interrupts is not None:
                with contextlib.suppress(OSError):  # the process has ended
                    self._interrupts.write(struct.pack("<Q", self._running))

    def close(self) -> None:
        """Wait for the call that runs, and end the process."""
        if self._pid == os.getpid():
            with self._lock:
                self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout, self._interrupts):
            try:
                pipe.close()  # type: ignore[union-attr]
            except OSError:
                pass
        process.wait()
        shutil.rmtree(self._directory, ignore_errors=True)


def _serve(directory: str, given: IO[bytes], answers: IO[bytes], interrupts: IO[bytes]) -> None:
    """Answer until the pipe ends. An interrupt ends the call that it names, and no other."""
    from ._default import Engine
    held: dict[int, Any] = {}
    engine: Any = None
    lock, gate = threading.Lock(), threading.Lock()
    asked = 0  # the number of the last call
    active = 0  # the same while it runs
    ends = False  # once for each call

    def ended(_number: int, _frame: Any) -> None:
        nonlocal ends
        if ends:
            ends = False
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, ended)

    def interrupt() -> None:
        while len(said := interrupts.read(8)) == 8:
            number, = struct.unpack("<Q", said)
            while True:  # until the call has ended, since it may not have begun yet
                with gate:
                    if asked > number or asked == number and not active:
                        break
                    if active == number:
                        _thread.interrupt_main()
                time.sleep(0.02)

    threading.Thread(target=interrupt, name="suffixcl-interrupts", daemon=True).start()

    def keep(searched: Any) -> int:
        number = max(held, default=0) + 1
        held[number] = searched
        return number

    def answer(*what: Any) -> None:
        with lock:
            _send(answers, what, directory, keep)

    while True:
        try:
            number, *question = _receive(given, lambda _kind, number, _width: held[number])
        except EOFError:
            return
        made: Any = None
        failed: BaseException | None = None
        try:
            with gate:
                asked = active = number
                ends = True
            if question[0] == "open":
                options = dict(question[1])
                if question[2]:
                    options["progress"] = lambda *told: answer("progress", *told)
                engine = Engine(options.pop("device"), **options)
            else:
                _, name, args, kwargs, released = question
                for old in released:
                    held.pop(old).close()
                made = getattr(engine, name)(*args, **kwargs)
            ends = False
        except BaseException as error:
            ends = False
            failed = error
        with gate:  # from here on nothing is raised
            active = 0
        try:
            if failed is None:
                answer("done", made)
            else:
                answer("error", _portable(failed))
        except BrokenPipeError:
            return


def _portable(error: BaseException) -> BaseException:
    if isinstance(error, (KeyboardInterrupt, SuffixclError)) or type(error).__module__ == "builtins":
        error.__traceback__ = error.__cause__ = error.__context__ = None
        return error
    return SuffixclError(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what others print goes where errors go
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    _serve(sys.argv[1], stdin, stdout, os.fdopen(int(sys.argv[2]), "rb"))
