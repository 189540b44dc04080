"""What a text may be, what is refused, and that nothing is copied which need not be."""

import array
import ctypes
import tracemalloc

import numpy as np
import pytest

import suffixcl as sx
from suffixcl import _text

BANANA = [5, 3, 1, 0, 4, 2]


class OnDevice:
    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, **_):
        raise AssertionError


class Tensor:
    """What only has DLPack, as tensors of other libraries."""

    def __init__(self, held):
        self.held = held

    def __dlpack__(self, **how):
        return self.held.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.held.__dlpack_device__()


def test_kinds(tmp_path):
    (tmp_path / "text").write_bytes(b"banana")
    codes = [ord(c) for c in "banana"]
    for text in (b"banana", "banana", bytearray(b"banana"), memoryview(b"banana"), memoryview(b"banana").cast("c"),
                 np.frombuffer(b"banana", np.uint8), np.array(codes, np.uint16), np.array(codes, np.uint32),
                 array.array("B", b"banana"), array.array("H", codes), np.memmap(tmp_path / "text", np.uint8, "r"),
                 (ctypes.c_uint8 * 6)(*codes), np.array(list("banana"), "S1"), Tensor(np.array(codes, np.uint8))):
        assert sx.suffix_array(text).tolist() == BANANA, type(text)
    assert sx.suffix_array("äb").tolist() == [2, 1, 0]  # positions of bytes


def test_refused():
    codes = np.arange(10, dtype=np.uint8)
    for text, why in ((None, "None"), (5, "int"), (codes.astype(np.int8), "int8"), (codes.astype(np.int64), "int64"),
                      (codes.astype(float), "float64"), (codes.reshape(2, 5), "2 dimensions"),
                      (codes.astype(bool), "bool"), (np.array(["a"]), "<U1"), (OnDevice(), "kind 2"),
                      (object(), "object"),
                      ([b"a", None], r"texts\[1\]"), ([codes.astype(np.uint16)], "sets are of bytes")):
        with pytest.raises(sx.UsageError, match=why):
            sx.suffix_array(text)
        assert issubclass(sx.UsageError, ValueError)


@pytest.mark.parametrize("text,why", [
    (np.arange(20, dtype=np.uint8)[::2], "not contiguous"), (np.arange(10, dtype=">u2"), "byte order"),
    (np.frombuffer(bytes(9), np.uint8)[1:].view(np.uint16), "not aligned"),
], ids=["stride", "order", "alignment"])
def test_copied_with_a_note(text, why):
    native = np.ascontiguousarray(text, text.dtype.newbyteorder("="))
    with pytest.warns(sx.CopyWarning, match=why) as noted:
        got = sx.suffix_array(text)
    assert noted[0].filename == __file__
    assert got.tolist() == sx.suffix_array(native.copy()).tolist()
    with pytest.raises(sx.UsageError, match="copy=False"):
        sx.suffix_array(text, copy=False)
    with pytest.raises(sx.UsageError, match="copy=False"):
        sx.build(text, lcp=True, copy=False)
    for given in ("text", [b"a"]):
        with pytest.raises(sx.UsageError, match="copy"):
            sx.suffix_array(given, copy=False)


def test_out_refused():
    text = np.zeros(24, np.uint8)
    read_only = np.zeros(24, np.uint32)
    read_only.flags.writeable = False
    for out, why in ((np.zeros(24, np.int32), "i4"), (np.zeros(24, ">u4"), ">u4"), (np.zeros(23, np.uint32), "shape"),
                     (np.zeros(48, np.uint32)[::2], "contiguous"), (read_only, "read-only"), ([0] * 24, "list"),
                     (np.zeros((24, 1), np.uint32), "shape"), (np.zeros(24, np.uint64), "u8")):
        with pytest.raises(sx.UsageError, match=why):
            sx.suffix_array(text, out=out)
    whole = np.zeros(120, np.uint8)
    with pytest.raises(sx.UsageError, match="overlaps"):
        sx.suffix_array(whole[:24], out=whole[:96].view(np.uint32))
    with pytest.raises(sx.UsageError, match="overlaps"):
        same = np.zeros(24, np.uint32)
        sx.build(text, sa=True, lcp=True, out={"sa": same, "lcp": same})
    with pytest.raises(sx.UsageError, match="dict"):
        sx.build(text, sa=True, lcp=True, out=np.zeros(24, np.uint32))
    with pytest.raises(sx.UsageError, match="not wanted"):
        sx.build(text, sa=True, out={"lcp": np.zeros(24, np.uint32)})


def test_entries():
    text = b"banana"
    for sa, why in (([0, 1], "2 entries, and not 6"), (None, "None"), ([0.5] * 6, "float64"), ([-1] * 6, "32 bits"),
                    ([2**40] * 6, "32 bits")):
        with pytest.raises(sx.UsageError, match=why):
            sx.verify(text, sa)
    with pytest.warns(sx.CopyWarning):
        sx.verify(text, BANANA)


def test_no_copies(tmp_path):
    """Neither text nor result is copied: the library has the addresses of the caller."""
    n = 1 << 20
    text = bytes(range(256)) * (n // 256)
    (tmp_path / "text").write_bytes(text)
    mapped = np.memmap(tmp_path / "text", np.uint8, "r")
    for given, at in ((text, np.frombuffer(text, np.uint8).ctypes.data), (mapped, mapped.ctypes.data),
                      (memoryview(text)[16:], np.frombuffer(text, np.uint8).ctypes.data + 16)):
        assert _text.symbols(given).ctypes.data == at
        assert _text.Given(given).c.symbols == at
    out = np.empty(n, np.uint32)
    sx.suffix_array(text)
    tracemalloc.start()
    try:
        sx.suffix_array(text, out=out)
        sx.suffix_array(mapped, out=out)
        assert tracemalloc.get_traced_memory()[1] < 1 << 16
        tracemalloc.reset_peak()
        sx.suffix_array(text)
        assert 4 * n <= tracemalloc.get_traced_memory()[1] < 4 * n + (1 << 16)
    finally:
        tracemalloc.stop()


def test_peak_memory(script):
    """Beyond what the library takes, which its plan tells, a call takes the result."""
    script("""
import re, numpy as np, suffixcl as sx
def peak():
    return 1024 * int(re.search("VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
n = 1 << 24
text = np.random.default_rng(1).integers(0, 4, n, dtype=np.uint8)
sx.suffix_array(text[:1 << 16])
before = peak()
sx.suffix_array(text)
plan = sx.plan("sa", n)
assert peak() - before < plan.device + plan.host + (96 << 20), (peak() - before, plan)
""")


def test_too_long(tmp_path):
    name = tmp_path / "hole"
    with open(name, "wb") as file:
        file.truncate(2**32)
    long = np.memmap(name, np.uint8, "r")
    for call in (sx.suffix_array, sx.lcp, sx.bwt):
        with pytest.raises(sx.OutOfMemoryError, match=r"429496729\d") as failed:
            call(long)
        assert failed.value.code == 4 and isinstance(failed.value, MemoryError)
