"""Deduplication of lists, iterators and columns."""

import ctypes

import numpy as np
import oracles
import pytest

import suffixcl as sx
from suffixcl import _arrow


def documents(rng, n=30):
    pool = ["".join(rng.choices("abcdé€", k=30)) for _ in range(5)]
    return ["".join(rng.choices("abcdé€", k=rng.randint(0, 30))) + rng.choice(pool + [""]) for _ in range(n)]


@pytest.mark.parametrize("keep", ["first", "none"])
def test_bytes(rng, keep):
    given = [d.encode() for d in documents(rng)] + [b""]
    found = sx.dedup(given, min_length=12, keep=keep)
    want = oracles.covered(given, 12, keep == "first")
    got = [{i for start, end in found.of(k).tolist() for i in range(start, end)} for k in range(len(given))]
    assert got == want and [part.tolist() for part in found] == [found.of(k).tolist() for k in range(len(given))]
    assert found.removed == sum(map(len, want)) > 0 and found.windows > 0
    assert found.cleaned() == [bytes(c for i, c in enumerate(d) if i not in w) for d, w in zip(given, want)]


def test_str(rng):
    given = documents(rng)
    found = sx.dedup(iter(given), min_length=15)
    clean = found.cleaned()
    assert all(type(d) is str for d in clean) and clean != given
    covered = oracles.covered([d.encode() for d in given], 15, True)
    for before, after, c in zip(given, clean, covered):
        kept, at = "", 0
        for letter in before:  # a letter goes if all of its bytes do
            size = len(letter.encode())
            kept += "" if all(i in c for i in range(at, at + size)) else letter
            at += size
        assert after == kept


def test_tokens(rng):
    pool = [rng.randint(0, 60000) for _ in range(20)]
    given = [np.array([1, 2] + pool, np.uint16), np.array(pool + [9], np.uint16)]
    clean = sx.dedup(given, min_length=10).cleaned()
    assert clean[0].tolist() == given[0].tolist() and clean[1].tolist() == [9]


def test_against():
    found = sx.dedup([b"aaaa secret bbbb", b"nothing"], min_length=6, against=[b"x secret y"], keep="none")
    assert found.cleaned() == [b"aaaabbbb", b"nothing"]


def test_parts(rng):
    given = documents(rng)
    whole = sx.dedup(given, min_length=12)
    parts = sx.parts.dedup(given, min_length=12)
    assert parts.windows is None
    found = list(parts)
    assert np.concatenate([p.ranges for p in found]).tolist() == whole.ranges.tolist() != []
    assert np.concatenate([p.document for p in found]).tolist() == whole.document.tolist()
    assert parts.windows == whole.windows
    assert list(sx.parts.dedup([])) == []
    with pytest.raises(sx.UsageError, match="keep"):
        sx.parts.dedup(given, keep="last")


def test_wrong():
    for given, why in ((None, "None"), ("text", "one text"), ([b"a", "b"], "str"), ([1], "int"),
                       ([np.zeros(2, np.uint8), np.zeros(2, np.uint16)], "uint16")):
        with pytest.raises(sx.UsageError, match=why):
            sx.dedup(given)
    for wrong in ({"keep": "last"}, {"min_length": 1}, {"min_length": 0}):
        with pytest.raises(sx.UsageError):
            sx.dedup([b"abc" * 50], **wrong)
    assert len(sx.dedup([])) == 0 and sx.dedup(["", None]).cleaned() == ["", None]


class Column:
    """A column as pyarrow, polars and others hand it out: chunks by the C data interface."""

    def __init__(self, chunks, form=b"u", skip=0):
        self.chunks, self.form, self.skip, self.keep, self.released = chunks, form, skip, [], 0

    def array(self, texts):
        width = np.int32 if self.form in b"uz" else np.int64
        raw = [b"??"] * self.skip + [b"" if t is None else t.encode() for t in texts]
        offsets = np.cumsum([0] + [len(r) for r in raw]).astype(width)
        letters = np.frombuffer(b"".join(raw) + b" ", np.uint8)
        self.letters = letters
        valid = np.packbits(np.array([1] * self.skip + [t is not None for t in texts], bool), bitorder="little")
        buffers = (ctypes.c_void_p * 3)(valid.ctypes.data, offsets.ctypes.data, letters.ctypes.data)

        @ctypes.CFUNCTYPE(None, ctypes.POINTER(_arrow.Array))
        def release(array):
            self.released += 1
            array.contents.release = None

        self.keep += [offsets, letters, valid, buffers, release]
        return _arrow.Array(length=len(texts), null_count=-1, offset=self.skip, n_buffers=3, buffers=buffers,
                            release=ctypes.cast(release, ctypes.c_void_p))

    def __arrow_c_stream__(self, requested_schema=None):
        left = list(self.chunks)

        def get_schema(_stream, schema):
            schema.contents.format = self.form
            return 0

        def get_next(_stream, array):
            array[0] = self.array(left.pop(0)) if left else _arrow.Array()
            return 0

        made = _arrow.Stream()
        fields = dict(_arrow.Stream._fields_)
        made.get_schema, made.get_next = fields["get_schema"](get_schema), fields["get_next"](get_next)
        self.keep.append(made)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(made), b"arrow_array_stream", None)


@pytest.mark.parametrize("form", [b"u", b"U", b"z"])
@pytest.mark.parametrize("skip", [0, 3])
def test_arrow(rng, form, skip):
    texts = documents(rng) + [None]
    want = sx.dedup(texts, min_length=15)
    for chunks in ([texts], [texts[:7], [], texts[7:]]):
        column = Column(chunks, form, skip)
        found = sx.dedup(column, min_length=15)
        if form == b"z":
            assert [d if d is None else type(d) for d in found.cleaned()] == [bytes] * (len(texts) - 1) + [None]
        else:
            assert found.ranges.tolist() == want.ranges.tolist() and found.cleaned() == want.cleaned()
        assert column.released == 0
        del found
        assert column.released == len(chunks)


def test_arrow_not_copied():
    column = Column([["abc" * 100] * 2])
    given = _arrow.Column(column)
    assert given.symbols.ctypes.data == column.letters.ctypes.data
    with pytest.raises(sx.UsageError, match="format"):
        sx.dedup(Column([["a"]], b"i"))
