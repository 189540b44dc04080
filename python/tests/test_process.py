"""Threads, Ctrl-C, forks, other processes, leaks."""

import _thread
import ctypes
import multiprocessing
import os
import pickle
import random
import resource
import signal
import threading
import time

import numpy as np
import oracles
import pytest

import suffixcl as sx
from suffixcl import _interrupt


def test_threads(rng):
    """16 threads share an engine, an index and a matcher."""
    text = bytes(rng.choices(b"abc", k=400))
    index, matcher = sx.Index.build(text), sx.Matcher.build(text)
    failed = []

    def work(seed):
        try:
            own = random.Random(seed)
            for _ in range(5):
                part = bytes(own.choices(b"ab", k=100))
                assert sx.suffix_array(part).tolist() == oracles.suffix_array(part)
                pattern = bytes(own.choices(b"abc", k=3))
                assert index.count([pattern])[0] == matcher.count([pattern])[0] == len(oracles.places(text, pattern))
                with pytest.raises(sx.MismatchError, match="slot"):
                    sx.verify(part, np.arange(100, dtype=np.uint32))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_gil_is_released():
    text = np.random.default_rng(1).integers(0, 256, 1 << 22, dtype=np.uint8)
    sx.suffix_array(text[:100])
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    sx.suffix_array(text)
    stop.set()
    thread.join()
    assert len(ticks) > 20


INTERRUPTED = """
import os, signal, sys, threading, time
import numpy as np, suffixcl as sx
text = np.random.default_rng(1).integers(0, 4, 40_000_000, dtype=np.uint8)
here, there = sx.Engine(), sx.Engine(process=True)
for engine in (here, there):
    engine.suffix_array(text[:1000])
text.tofile("text")

def endless():
    while True:
        yield b"banana"

calls = {
    "call": (here, lambda: here.suffix_array(text)),
    "process": (there, lambda: there.suffix_array(text)),
    "whole of parts": (here, lambda: here.intervals(text)),
    "parts": (here, lambda: list(here.parts.intervals(text))),
    "stream": (here, lambda: [None for _ in here.suffix_arrays(endless(), longest=10)]),
    "run": (here, lambda: sx.run("sa", "text", "-o", "text.sa")),
}
for kind, (engine, call) in calls.items():
    began = time.monotonic()
    threading.Timer(0.25, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        call()
        print(kind, "was not interrupted")
    except KeyboardInterrupt:
        assert time.monotonic() - began < 30
        assert not os.path.exists("text.sa")
        assert engine.suffix_array(b"banana").tolist() == [5, 3, 1, 0, 4, 2]
        print(kind, "was interrupted")
"""


def test_interrupt(script):
    """Ctrl-C, in one process: each call goes on after the one before was ended."""
    kinds = ["call", "process", "whole of parts", "parts", "stream", "run"]
    assert script(INTERRUPTED).splitlines() == [f"{kind} was interrupted" for kind in kinds]


def test_interrupt_at_any_moment():
    """Wherever in a call the handler raises, the next one goes on, and the bytes of signals go where they went."""
    sleep = ctypes.CDLL(None).usleep
    own = random.Random()
    cancels = []
    for _ in range(1500):
        ready = threading.Event()

        def interrupt():
            ready.wait()
            time.sleep(own.uniform(0, 0.0006))
            _thread.interrupt_main()

        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            ready.set()
            _interrupt.call(lambda: cancels.append(1), sleep, 200)
            thread.join()
            raise KeyboardInterrupt  # where no call was left to interrupt
        cancels.clear()
        _interrupt.call(lambda: cancels.append(1), sleep, 200)
        assert not cancels and signal.set_wakeup_fd(-1) == -1


def test_handlers_are_kept():
    """A handler of the program runs, and what asyncio and others have set for its bytes stays."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    before = signal.set_wakeup_fd(write)
    try:
        sx.suffix_array(b"banana")
        assert signal.set_wakeup_fd(write) == write
    finally:
        signal.set_wakeup_fd(before)
        os.close(read)
        os.close(write)


def test_cancel():
    text = np.random.default_rng(1).integers(0, 4, 30_000_000, dtype=np.uint8)
    with sx.Engine() as engine:
        engine.suffix_array(text[:1000])
        timer = threading.Timer(0.3, engine.cancel)
        timer.start()
        with pytest.raises(sx.InterruptedError) as failed:
            engine.suffix_array(text)
        assert failed.value.code == 130
        assert len(engine.suffix_array(b"banana")) == 6


def in_fork(work):
    """Run a function in a process that is forked from this one."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(write, work().encode())
        except BaseException as error:
            os.write(write, f"{type(error).__name__}: {error}".encode())
        os._exit(0)
    os.close(write)
    with open(read, "rb") as file:
        said = file.read().decode()
    os.waitpid(pid, 0)
    return said


def test_fork(engine):
    engine.suffix_array(b"banana")
    for call in (lambda: engine.suffix_array(b"banana"), lambda: sx.Engine(), lambda: sx.run("version"),
                 lambda: sx.Index.build(b"banana"), lambda: next(engine.suffix_arrays([b"banana"])),
                 lambda: next(engine.parts.repeats(b"banana"))):
        assert in_fork(call).startswith("ForkError: this process was forked"), call
    child = sx.Engine(process=True)
    assert child.suffix_array(b"banana").tolist() == [5, 3, 1, 0, 4, 2]
    assert in_fork(lambda: str(child.suffix_array(b"banana").tolist())) == "[5, 3, 1, 0, 4, 2]"
    assert in_fork(lambda: sx.run("version", process=True).text) == sx.run("version").text
    assert child.suffix_array(b"ba").tolist() == [1, 0]
    child.close()


def test_fork_before_use(script):
    out = script("""
import os, suffixcl as sx
pid = os.fork()
os.write(1, f"{sx.suffix_array(b'banana').tolist()}\\n".encode())  # in one piece, beside that of the other process
if pid:
    os.waitpid(pid, 0)
""")
    assert out == "[5, 3, 1, 0, 4, 2]\n" * 2


CHILD = None


def of_worker(n):
    return CHILD.suffix_array(bytes(range(n))).tolist()


def test_workers():
    """Workers that are forked, as those of DataLoader and datasets.map, each with a process."""
    global CHILD
    CHILD = sx.Engine(process=True)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(of_worker, range(1, 9)) == [list(range(n)) for n in range(1, 9)]
    CHILD.close()


def test_other_process(rng, tmp_path):
    """An engine of another process has the same results, arrays large and small, and errors."""
    said = []
    with sx.Engine(process=True, progress=lambda *told: said.append(told)) as there:
        big = np.frombuffer(bytes(rng.choices(b"acgt", k=200_000)), np.uint8)
        big.tofile(tmp_path / "big")
        for text in (b"banana", "banana", big, np.memmap(tmp_path / "big", np.uint8, "r"), big.astype(np.uint16)):
            here, made = (e.build(text, sa=True, lcp=True, bwt=True) for e in (sx, there))
            assert (made.sa == here.sa).all() and (made.lcp == here.lcp).all()
            assert (made.bwt.transform == here.bwt.transform).all() and made.bwt.primary == here.bwt.primary
            made.sa[0] = 0  # can be written to
        out = np.empty(len(big), np.uint32)
        assert there.suffix_array(big, out=out) is out and (out == sx.suffix_array(big)).all()
        assert (there.inverse_bwt(*sx.bwt(big)) == big).all()
        assert there.repeats(b"banana").length.tolist() == sx.repeats(b"banana").length.tolist()
        assert there.dedup(["abcd" * 3], min_length=4).cleaned() == sx.dedup(["abcd" * 3], min_length=4).cleaned()
        assert there.plan("sa", 1000) == sx.plan("sa", 1000)
        assert there.multi_matches([b"ACGTACG"] * 2, min_length=5)[0].length == 7
        with there.index(big) as index:
            index.save(tmp_path / "x.fmi")
            patterns = [b"acg", b"ttt"]
            assert index.count(patterns).tolist() == sx.Index.load(tmp_path / "x.fmi").count(patterns).tolist()
            assert index.locate(patterns)[1].tolist() == oracles.places(big.tobytes(), b"ttt")
            assert len(index) == 200_000
        with pytest.raises(sx.UsageError):
            index.count([b"a"])
        with pytest.raises(sx.MismatchError, match="slot"):
            there.verify(b"banana", np.arange(6, dtype=np.uint32))
        with pytest.raises(sx.UsageError, match="float64"):
            there.suffix_array(np.zeros(3))
        for parts in (there.suffix_ranges, there.parts.repeats, lambda text: there.suffix_arrays([text])):
            with pytest.raises(sx.UsageError, match="this process"):
                parts(big)
        assert said and all(done <= total or total == 0 for _, done, total in said)
        long = np.random.default_rng(1).integers(0, 4, 40_000_000, dtype=np.uint8)
        threading.Timer(0.3, there.cancel).start()
        with pytest.raises(sx.InterruptedError):
            there.suffix_array(long)
        assert there.suffix_array(b"ba").tolist() == [1, 0]
        os.kill(there._child._process.pid, signal.SIGKILL)
        with pytest.raises(sx.DeviceError, match="process of the engine ended"):
            there.suffix_array(b"ba")
        assert there.suffix_array(b"ba").tolist() == [1, 0]
    with pytest.raises(sx.UsageError, match="closed"):
        there.suffix_array(b"ba")


def test_pickle():
    with sx.Engine(process=True, max_memory="1G") as engine:
        again = pickle.loads(pickle.dumps(engine))
        assert repr(again) == repr(engine)
        assert again.suffix_array(b"ba").tolist() == [1, 0]
        again.close()


def test_progress(capfd):
    said = []
    text = np.random.default_rng(1).integers(0, 4, 1 << 21, dtype=np.uint8)
    with sx.Engine(progress=lambda *told: said.append(told)) as engine:
        engine.build(text, sa=True, lcp=True)
    assert said and all(type(phase) is str and done <= total for phase, done, total in said)
    with sx.Engine(progress=True) as engine:
        engine.suffix_array(text)

    def fails(*_):
        raise LookupError("of the program")

    with sx.Engine(progress=fails) as engine:
        with pytest.raises(LookupError, match="of the program"):
            engine.suffix_array(text)
        assert capfd.readouterr().err.find("Exception ignored") < 0


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_leaks(rng):
    """Many calls, also those that fail, keep no memory."""
    text = bytes(rng.choices(b"abc", k=20_000))
    documents = [text[i:i + 200] for i in range(0, 20_000, 200)]

    def calls(n):
        for _ in range(n):
            sx.build(text, sa=True, lcp=True)
            sx.intervals(text, min_depth=8)
            sx.dedup(documents, min_length=20).cleaned()
            with sx.Index.build(text) as index:
                index.locate([b"abc"])
            with pytest.raises(sx.UsageError):
                sx.suffix_array(None)
            with pytest.raises(sx.MismatchError):
                sx.verify(text, np.zeros(20_000, np.uint32))
            for _ in sx.suffix_ranges(text):
                break
            for _ in sx.suffix_arrays(documents):
                break

    calls(15)
    before = resident()
    calls(40)
    assert resident() - before < 16 << 20
    assert threading.active_count() < 12
