"""Measures what the package adds to the calls of C, and compares it with libdivsufsort, which ctypes calls as well.

    measure.py [FILE...]      texts for the comparison

Rows of a table of Markdown go to standard output. Times are of the wall clock; medians, or the best of three.
"""

from __future__ import annotations

import ctypes
import os
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

import suffixcl as sx
from suffixcl import _library


def clock(work) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def overhead(n: int, times: int) -> str:
    """What suffix_array(text, out=out) takes beyond the function of C, in turns. Nobody looks at the result."""
    engine, lib = sx.default_engine(), _library.library()
    text = np.random.default_rng(1).integers(0, 4, n, dtype=np.uint8)
    out = np.empty(n, np.uint32)
    given, made = text.ctypes.data, out.ctypes.data
    plain, package = [], []
    for _ in range(times):
        plain.append(clock(lambda: lib.suffixcl_suffix_array(engine._handle, given, n, made)))
        package.append(clock(lambda: engine.suffix_array(text, out=out)))

    class Nothing:  # the same call of a library that does nothing
        def __getattr__(self, _name):
            return lambda *_: 0

    engine._library, real = Nothing(), engine._library
    alone = statistics.median(clock(lambda: engine.suffix_array(text, out=out)) for _ in range(1000))
    engine._library = real
    return (f"| {n:,} | {statistics.median(plain) * 1e6:,.0f} | {statistics.median(package) * 1e6:,.0f} | "
            f"{alone * 1e6:.1f} |")


def compared(name: str) -> str:
    """A text by suffixcl and by libdivsufsort."""
    text = np.fromfile(name, np.uint8)
    n = len(text)
    out, other = np.empty(n, np.uint32), np.empty(n, np.int32)
    ours = min(clock(lambda: sx.suffix_array(text, out=out)) for _ in range(3))
    theirs = float("nan")
    try:
        divsufsort = ctypes.CDLL("libdivsufsort.so.3").divsufsort
    except OSError:
        pass
    else:
        theirs = min(clock(lambda: divsufsort(ctypes.c_void_p(text.ctypes.data), ctypes.c_void_p(other.ctypes.data),
                                              ctypes.c_int32(n))) for _ in range(3))
        assert (out == other.view(np.uint32)).all()
    return (f"| {os.path.basename(name)} | {n / 1e6:.1f} | {n / ours / 1e6:.1f} | {n / theirs / 1e6:.1f} | "
            f"{theirs / ours:.2f} |")


PEAK = """
import re, sys, numpy as np, suffixcl as sx
text = np.memmap(sys.argv[1], np.uint8, "r")
sx.suffix_array(text[:1 << 16])
def peak():
    return 1024 * int(re.search("VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
before, plan = peak(), sx.plan("sa", len(text))
sx.suffix_array(text)
print(before, peak(), plan.device, plan.host)
"""


def memory(name: str) -> str:
    """The peak of a process beside what was planned."""
    before, peak, device, host = map(int, subprocess.check_output([sys.executable, "-c", PEAK, name]).split())
    mib = 1 << 20
    return (f"| {os.path.basename(name)} | {before / mib:.0f} | {peak / mib:.0f} | {(peak - before) / mib:.0f} | "
            f"{(device + host) / mib:.0f} |")


def main() -> None:
    print("| symbols | C, us | package, us | package without the call, us |\n|---|---|---|---|")
    for n, times in ((1_000, 300), (1_000_000, 15), (50_000_000, 1)):
        print(overhead(n, times), flush=True)
    print("\n| text | MB | suffixcl, MB/s | libdivsufsort, MB/s | ratio |\n|---|---|---|---|---|")
    for name in sys.argv[1:]:
        print(compared(name), flush=True)
    print("\n| text | before, MiB | peak, MiB | difference, MiB | planned, MiB |\n|---|---|---|---|---|")
    for name in sys.argv[1:]:
        print(memory(name), flush=True)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(f"\n{used.ru_utime:.0f} s of user time, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
